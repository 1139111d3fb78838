/* test_series.c - how a value developed over snapshots: sums by function and stack against a model,
 * on random profiles; what a leak is. tests/cli/diff/snapshots.sh has the texts. */
#include "support_profile.h"

#include "report/series.h"

#include <stdlib.h>
#include <string.h>

enum { SNAPSHOTS = 4, FUNCTIONS = 5, MODEL_STACKS = FUNCTIONS * FUNCTIONS };

static toll_status make_with(const toll_allocator *a, toll_profile **out)
{
    uint32_t column;
    toll_status status = toll_profile_create(a, out, NULL);
    if (!status)
        status = toll_profile_add_column(*out, "inuse_space", "bytes", &column, NULL);
    return status ? status : toll_profile_add_column(*out, "inuse_objects", "count", &column, NULL);
}

static toll_status make(toll_profile **out)
{
    return make_with(NULL, out);
}

/* Add blocks to the stack outer;inner. */
static toll_status add_blocks_to(toll_profile *p, const char *outer, const char *inner,
                                 int64_t bytes, int64_t blocks)
{
    toll_thread_id thread;
    toll_frame_id frame;
    toll_node_id node;
    toll_status status = toll_profile_add_thread(p, "", &thread, NULL);
    if (!status)
        status = toll_profile_add_frame(p, &(toll_frame){ .name = outer }, &frame, NULL);
    if (!status)
        status = toll_profile_add_child(p, toll_profile_root(p, thread), frame, &node, NULL);
    if (!status)
        status = toll_profile_add_frame(p, &(toll_frame){ .name = inner }, &frame, NULL);
    if (!status)
        status = toll_profile_add_child(p, node, frame, &node, NULL);
    if (!status)
        status = toll_profile_add_self(p, node, 0, bytes, NULL);
    return status ? status : toll_profile_add_self(p, node, 1, blocks, NULL);
}

static void add_blocks(toll_profile *p, const char *outer, const char *inner, int64_t bytes,
                       int64_t blocks)
{
    assert_ok(add_blocks_to(p, outer, inner, bytes, blocks));
}

static const toll_series_row *find(const toll_series *s, const char *name)
{
    for (uint32_t i = 0; i < s->functions.count; i++)
        if (strcmp(toll_series_frame(s, &s->functions.items[i]).name, name) == 0)
            return &s->functions.items[i];
    return NULL;
}

static void hold_sums(const toll_series *s, const toll_series_rows *rows)
{
    for (size_t i = 0; i < s->count; i++) {
        int64_t values = 0, others = 0;
        for (size_t r = 0; r < rows->room; r++) {
            values += rows->values[r * s->count + i];
            others += rows->others[r * s->count + i];
        }
        assert_int_equal(values, s->all.values[i]);
        assert_int_equal(others, s->all.others[i]);
    }
}

/* By a model: bytes of each stack in each snapshot. The inner function is an allocator in half of
 * the stacks, so that its caller is the site. */
static void test_random_snapshots(void **state)
{
    static const char *const outer[FUNCTIONS] = { "a", "b", "c", "d", "e" };
    static const char *const inner[FUNCTIONS] = { "malloc", "f", "operator new(unsigned long)", "a",
                                                  "g" };
    (void)state;
    for (unsigned seed = 1; seed < 200; seed++) {
        toll_profile *items[SNAPSHOTS];
        int64_t by_site[SNAPSHOTS][2 * FUNCTIONS] = { { 0 } };
        const toll_series_options o = { .only_leaks = seed % 2 };
        toll_series s;
        srand(seed);
        for (int i = 0; i < SNAPSHOTS; i++) {
            assert_ok(make(&items[i]));
            for (int k = 0; k < MODEL_STACKS; k++) {
                int64_t bytes = rand() % 3 ? rand() % (10 * (i + 1)) : 0;
                int from = k / FUNCTIONS, to = k % FUNCTIONS;
                if (bytes)
                    add_blocks(items[i], outer[from], inner[to], bytes, 1);
                by_site[i][to % 2 || to == 4 ? to == 3 ? 0 : FUNCTIONS + to : from] += bytes;
            }
        }
        assert_ok(toll_series_create(&s, (const toll_profile *const *)items, SNAPSHOTS, &o, err));
        hold_sums(&s, &s.functions);
        hold_sums(&s, &s.stacks);
        for (int f = 0; f < 2 * FUNCTIONS; f++) {
            bool grew = true, changed = false;
            for (int i = 1; i < SNAPSHOTS; i++) {
                grew &= by_site[i][f] > by_site[i - 1][f];
                changed |= by_site[i][f] != by_site[0][f];
            }
            const char *name = f < FUNCTIONS ? outer[f] : inner[f - FUNCTIONS];
            if (f == FUNCTIONS + 3 || f == FUNCTIONS || f == FUNCTIONS + 2)
                continue;
            const toll_series_row *row = find(&s, name);
            if (!row) {
                assert_false(grew || (changed && !o.only_leaks));
                continue;
            }
            assert_true(grew == (row < s.functions.items + s.functions.leaks));
            assert_int_equal(row->by, by_site[SNAPSHOTS - 1][f] - by_site[0][f]);
            for (int i = 0; i < SNAPSHOTS; i++)
                assert_int_equal(row->values[i], by_site[i][f]);
        }
        toll_series_free(&s);
        for (int i = 0; i < SNAPSHOTS; i++)
            toll_profile_free(items[i]);
    }
}

/* Of ages: a row has what is in use of each; a function with blocks of every age is a leak. */
static void test_ages(void **state)
{
    (void)state;
    toll_profile *ages[3];
    toll_series s;
    for (int i = 0; i < 3; i++) {
        assert_ok(make(&ages[i]));
        add_blocks(ages[i], "leak", "malloc", 10 + i, 1);
    }
    add_blocks(ages[0], "table", "malloc", 1000, 1);
    add_blocks(ages[2], "page", "malloc", 70, 7);
    assert_ok(toll_series_create(&s, (const toll_profile *const *)ages, 3,
                                 &(toll_series_options){ .are_ages = 1 }, err));
    assert_int_equal(s.functions.count, 3);
    assert_int_equal(s.functions.leaks, 1);
    assert_string_equal(toll_series_frame(&s, &s.functions.items[0]).name, "leak");
    assert_int_equal(s.functions.items[0].by, 33);
    assert_int_equal(s.functions.items[0].other_by, 3);
    assert_int_equal(s.functions.items[0].grown, 3);
    assert_string_equal(toll_series_frame(&s, &s.functions.items[1]).name, "table");
    assert_int_equal(s.functions.items[1].grown, 1);
    assert_int_equal(s.all.items[0].by, 33 + 1070);
    toll_series_free(&s);
    for (int i = 0; i < 3; i++)
        toll_profile_free(ages[i]);
}

/* The largest growth first; then what shrank most; at last what is at the end as at the beginning.
 */
static void test_order(void **state)
{
    static const struct {
        const char *name;
        int64_t bytes[3];
    } sites[] = { { "shrank", { 9, 3, 2 } }, { "less", { 9, 10, 8 } }, { "back", { 5, 9, 5 } },
                  { "grew", { 1, 5, 3 } },   { "more", { 1, 7, 6 } },  { "same", { 4, 4, 4 } },
                  { "leak", { 1, 2, 3 } },   { "alike", { 1, 5, 3 } }, { "worse", { 1, 3, 7 } } };
    static const char *const expected[] = { "worse", "leak",   "more", "alike",
                                            "grew",  "shrank", "less", "back" };
    toll_profile *items[3];
    toll_series s;
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_ok(make(&items[i]));
        for (size_t k = 0; k < sizeof sites / sizeof *sites; k++)
            add_blocks(items[i], sites[k].name, "malloc", sites[k].bytes[i], 1);
    }
    assert_ok(toll_series_create(&s, (const toll_profile *const *)items, 3,
                                 &(toll_series_options){ .rows = 0 }, err));
    assert_int_equal(s.functions.count, sizeof expected / sizeof *expected);
    assert_int_equal(s.functions.leaks, 2);
    for (uint32_t i = 0; i < s.functions.count; i++)
        assert_string_equal(toll_series_frame(&s, &s.functions.items[i]).name, expected[i]);
    toll_series_free(&s);
    for (int i = 0; i < 3; i++)
        toll_profile_free(items[i]);
}

/* Sums that do not fit are refused, and so are too many profiles. */
static void test_limits(void **state)
{
    (void)state;
    toll_profile *p, *q;
    toll_series s;
    toll_error error;
    const toll_series_options o = { .only_leaks = false };
    const toll_profile *many[TOLL_SERIES_MOST + 1];
    assert_ok(make(&p));
    assert_ok(make(&q));
    add_blocks(p, "a", "malloc", INT64_MAX, 1);
    add_blocks(q, "a", "malloc", INT64_MIN, 1);
    const toll_profile *both[] = { q, p };
    assert_int_equal(toll_series_create(&s, both, 2, &o, &error), TOLL_E_OVERFLOW);
    toll_series_free(&s);
    add_blocks(p, "a", "f", 1, 1);
    const toll_profile *twice[] = { p, p };
    assert_int_equal(toll_series_create(&s, twice, 2, &o, &error), TOLL_E_OVERFLOW);
    toll_series_free(&s);
    for (size_t i = 0; i < sizeof many / sizeof *many; i++)
        many[i] = p;
    assert_int_equal(toll_series_create(&s, many, TOLL_SERIES_MOST + 1, &o, &error),
                     TOLL_E_ARGUMENT);
    assert_non_null(strstr(error.text, "1000 at most"));
    toll_series_free(&s);
    toll_profile_free(p);
    toll_profile_free(q);
}

/* Every allocation of a comparison fails once. */
static toll_status compare(const toll_allocator *a, void *user)
{
    toll_profile *items[2] = { NULL, NULL };
    toll_series s = { .count = 0 };
    toll_status status = TOLL_OK;
    (void)user;
    for (int i = 0; !status && i < 2; i++)
        status = make_with(a, &items[i]);
    for (int i = 0; !status && i < 2; i++)
        status = add_blocks_to(items[i], "leak", "malloc", 1 + i, 1);
    if (!status) {
        status = toll_series_create(&s, (const toll_profile *const *)items, 2,
                                    &(toll_series_options){ .short_names = 1 }, NULL);
        if (!status)
            assert_int_equal(s.functions.leaks, 1);
        toll_series_free(&s);
    }
    toll_profile_free(items[0]);
    toll_profile_free(items[1]);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    test_every_allocation(compare, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random_snapshots),
                                        cmocka_unit_test(test_ages), cmocka_unit_test(test_order),
                                        cmocka_unit_test(test_limits),
                                        cmocka_unit_test(test_memory) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
