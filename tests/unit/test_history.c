/* test_history.c - the profiles of many commits in one: each comes back as it was added, and what
 * changed is found, on random profiles. tests/cli/history has the texts. */
#include "support_profile.h"

#include "gates/history.h"

#include <stdlib.h>
#include <string.h>

enum { COMMITS = 12, STACKS = 9 };

/* Add ticks and time to a stack of a thread, which is of a test. */
static toll_status add_ticks(toll_profile *p, const char *test, const char *outer,
                             const char *inner, int64_t ticks, uint32_t line)
{
    toll_thread_id thread;
    toll_frame_id frame;
    toll_node_id node;
    const toll_thread_label labels[] = { { "commit", "another" }, { "test", test } };
    toll_status status = toll_profile_add_labelled_thread(p, "", labels, 2, &thread, NULL);
    const char *names[] = { outer, inner };
    node = status ? 0 : toll_profile_root(p, thread);
    for (uint32_t i = 0; !status && i < 2; i++) {
        const toll_frame f = { .name = names[i], .file = "app.lua", .line = line + i };
        status = toll_profile_add_frame(p, &f, &frame, NULL);
        if (!status)
            status = toll_profile_add_child(p, node, frame, &node, NULL);
    }
    if (!status)
        status = toll_profile_add_self(p, node, 0, ticks, NULL);
    return status ? status : toll_profile_add_self(p, node, 1, rand() % 1000, NULL);
}

static toll_status make(const toll_allocator *a, toll_profile **out)
{
    uint32_t column;
    toll_status status = toll_profile_create(a, out, NULL);
    if (!status)
        status = toll_profile_add_column(*out, "ticks", "count", &column, NULL);
    return status ? status : toll_profile_add_column(*out, "time", "nanoseconds", &column, NULL);
}

static const char *const functions[3] = { "parse", "emit", "main" };

/* The profile of a commit by the values of its stacks. Functions move with each commit. */
static toll_profile *of_values(const int64_t *values, uint32_t commit)
{
    toll_profile *p;
    assert_ok(make(NULL, &p));
    for (int k = 0; k < STACKS; k++)
        if (values[k])
            assert_ok(add_ticks(p, k % 2 ? "a" : "b", functions[k / 3], functions[k % 3], values[k],
                                10 + commit));
    return p;
}

static int64_t value_of(const toll_profile *p, int k)
{
    toll_profile *part;
    int64_t sum;
    char focus[64];
    snprintf(focus, sizeof focus, "^%s$", functions[k / 3]);
    const toll_filter filter = { .size = sizeof filter, .where = k % 2 ? "test=a" : "test=b" };
    assert_ok(toll_profile_filter(p, &filter, &part, err));
    sum = 0;
    for (toll_node_id n = 0; n < toll_profile_node_count(part); n++) {
        toll_node_id parent = toll_profile_parent(part, n);
        if (parent == TOLL_NONE || toll_profile_node_frame(part, parent) == TOLL_NONE)
            continue;
        const char *inner = toll_profile_frame(part, toll_profile_node_frame(part, n)).name;
        const char *outer = toll_profile_frame(part, toll_profile_node_frame(part, parent)).name;
        if (strcmp(inner, functions[k % 3]) == 0 && strcmp(outer, functions[k / 3]) == 0)
            sum += toll_profile_self(part, n, 0);
    }
    toll_profile_free(part);
    return sum;
}

/* Each commit as it was added, also after the file was pruned. */
static void hold_commits(const toll_history *h, const int64_t (*values)[STACKS], uint32_t first)
{
    assert_int_equal(toll_history_count(h), COMMITS - first);
    for (uint32_t c = first; c < COMMITS; c++) {
        toll_profile *p;
        assert_ok(toll_history_at(h, c - first, &p, err));
        assert_int_equal(toll_profile_column_count(p), 1); /* without the time */
        for (int k = 0; k < STACKS; k++)
            assert_int_equal(value_of(p, k), values[c][k]);
        assert_ok(toll_profile_check(p, 0, err));
        toll_profile_free(p);
    }
}

/* The rows of blame are the changes of the model. */
static void hold_blame(const toll_history *h, const int64_t (*values)[STACKS], int function)
{
    toll_history_rows rows;
    toll_value_type type;
    size_t at = 0;
    int64_t self_before = 0, total_before = 0;
    assert_ok(toll_history_blame(h, functions[function], NULL, &rows, &type, err));
    assert_string_equal(type.type, "ticks");
    for (uint32_t c = 0; c < COMMITS; c++) {
        int64_t self = 0, total = 0;
        for (int k = 0; k < STACKS; k++) {
            self += k % 3 == function ? values[c][k] : 0;
            total += k % 3 == function || k / 3 == function ? values[c][k] : 0;
        }
        if (self != self_before || total != total_before) {
            assert_true(at < rows.count);
            const toll_history_row *row = &rows.items[at++];
            assert_int_equal(row->commit, c);
            assert_int_equal(row->self, self);
            assert_int_equal(row->self_by, self - self_before);
            assert_int_equal(row->total, total);
            assert_int_equal(row->total_by, total - total_before);
        }
        self_before = self;
        total_before = total;
    }
    assert_int_equal(at, rows.count);
    toll_history_rows_free(&rows);
}

static void test_random_histories(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed < 60; seed++) {
        int64_t values[COMMITS][STACKS] = { { 0 } };
        toll_history h;
        char id[16];
        srand(seed);
        assert_ok(toll_history_create(&h, NULL, err));
        for (uint32_t c = 0; c < COMMITS; c++) {
            for (int k = 0; k < STACKS; k++)
                values[c][k] = c && rand() % 4 ? values[c - 1][k] : rand() % 5 ? rand() % 100 : 0;
            values[c][0] = values[c][0] ? values[c][0] : 1; /* main always runs something */
            toll_profile *p = of_values(values[c], c);
            snprintf(id, sizeof id, "c%u", (unsigned)c);
            assert_ok(toll_history_add(&h, p, id, err));
            toll_profile_free(p);
        }
        hold_commits(&h, (const int64_t(*)[STACKS])values, 0);
        for (int f = 0; f < 3; f++)
            hold_blame(&h, (const int64_t(*)[STACKS])values, f);
        uint32_t keep = 1 + (uint32_t)(rand() % COMMITS);
        assert_ok(toll_history_prune(&h, keep, err));
        hold_commits(&h, (const int64_t(*)[STACKS])values, COMMITS - keep);
        toll_history_free(&h);
    }
}

static void test_what_is_refused(void **state)
{
    (void)state;
    toll_history h;
    toll_profile *p, *times;
    toll_history_rows rows;
    toll_value_type type;
    const int64_t values[STACKS] = { 5 };
    assert_ok(toll_history_create(&h, NULL, err));
    p = of_values(values, 0);
    assert_int_equal(toll_history_add(&h, p, "", NULL), TOLL_E_ARGUMENT);
    assert_int_equal(toll_history_add(&h, p, "a b", NULL), TOLL_E_ARGUMENT);
    assert_ok(toll_history_add(&h, p, "a", err));
    assert_int_equal(toll_history_add(&h, p, "a", NULL), TOLL_E_ARGUMENT);
    assert_int_equal(toll_history_blame(&h, "no such function", NULL, &rows, &type, NULL),
                     TOLL_E_NOT_FOUND);
    toll_history_rows_free(&rows);
    assert_int_equal(toll_history_blame(&h, NULL, "no such value", &rows, &type, NULL),
                     TOLL_E_NOT_FOUND);
    toll_history_rows_free(&rows);
    times = empty_with(NULL, (const char *const[]){ "time" }, 1);
    assert_int_equal(toll_history_find(&h, "b"), TOLL_NONE);
    toll_history_free(&h);
    assert_int_equal(toll_history_open(&h, p, NULL), TOLL_E_UNSUPPORTED); /* and frees it */
    toll_history_free(&h);
    assert_int_equal(toll_history_open(&h, times, NULL), TOLL_E_UNSUPPORTED);
    toll_history_free(&h);
}

/* Every allocation fails once. */
static toll_status add_two(const toll_allocator *a, void *user)
{
    toll_history h;
    toll_profile *p = NULL;
    toll_status status = toll_history_create(&h, a, NULL);
    (void)user;
    for (int c = 0; !status && c < 2; c++) {
        status = make(a, &p);
        if (!status)
            status = add_ticks(p, "a", "f", "g", 5 + c, 1);
        if (!status)
            status = toll_history_add(&h, p, c ? "b" : "a", NULL);
        toll_profile_free(p);
        p = NULL;
    }
    if (!status)
        status = toll_history_at(&h, 1, &p, NULL);
    toll_profile_free(p);
    toll_history_rows rows = { .items = NULL };
    toll_value_type type;
    if (!status) {
        status = toll_history_blame(&h, "g", NULL, &rows, &type, NULL);
        toll_history_rows_free(&rows);
    }
    if (!status)
        status = toll_history_prune(&h, 1, NULL);
    toll_history_free(&h);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    test_every_allocation(add_two, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random_histories),
                                        cmocka_unit_test(test_what_is_refused),
                                        cmocka_unit_test(test_memory) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
