/* test_arguments_embed.c - the functions of toll/embed.h with NULL, with ids that a recording does
 * not have, and with a recording that is off. None of them fails. */
#include "support_arguments.h"
#include "support_embed.h"

typedef struct recording {
    toll_embed *e;
    test_function f;
    uint64_t now;
} recording;

static const char *path;

/* One frame is open. */
static int set_up(void **state)
{
    recording *rec = test_calloc(1, sizeof *rec);
    toll_embed_options o = TOLL_EMBED_OPTIONS_INIT;
    path = test_file("arguments.pb.gz");
    o.path = path;
    o.counter = &rec->now;
    rec->e = toll_embed_begin(&o);
    rec->f.name = "f";
    test_call(rec->e, &rec->f);
    *state = rec;
    return 0;
}

/* Check that the whole movement of the counter was charged. */
static int tear_down(void **state)
{
    recording *rec = *state;
    assert_ok(toll_embed_end(rec->e, err));
    toll_profile *p = test_load(path);
    assert_int_equal(test_sum(p, toll_profile_find_column(p, "ticks")), rec->now);
    toll_profile_free(p);
    test_free(rec);
    return 0;
}

static const toll_embed_id strange[] = { 0, 1, UINT32_MAX, UINT64_MAX, UINT64_C(1) << 63 };
enum { STRANGE = sizeof strange / sizeof *strange };

/* The event, with each strange id, is charged to f. */
static void expect_in_caller(recording *rec, void (*event)(toll_embed *e, toll_embed_id id))
{
    for (int i = 0; i < STRANGE; i++) {
        event(rec->e, strange[i]);
        rec->now += 10;
        toll_embed_unwind(rec->e, 1);
    }
    assert_ok(toll_embed_save(rec->e, err));
    toll_profile *p = test_load(path);
    assert_int_equal(test_spent(p, "ticks", "f"), 10 * STRANGE);
    assert_int_equal(test_note(p, "calls with an id of another recording"), STRANGE);
    toll_profile_free(p);
    event(NULL, rec->f.id);
}

static void test_toll_embed_begin(void **state)
{
    recording *rec = *state;
    toll_embed_options o = TOLL_EMBED_OPTIONS_INIT;
    test_set_variable("TOLL_OUT", NULL);
    assert_null(toll_embed_begin(NULL));
    assert_null(toll_embed_begin(&o));
    rec->now += 1;
}

static void test_toll_embed_save(void **state)
{
    recording *rec = *state;
    assert_status(TOLL_OK, toll_embed_save(NULL, err));
    assert_status(TOLL_OK, toll_embed_save(rec->e, err));
}

static void test_toll_embed_end(void **state)
{
    (void)state;
    assert_status(TOLL_OK, toll_embed_end(NULL, err));
}

static void test_toll_embed_is_new(void **state)
{
    recording *rec = *state;
    for (int i = 0; i < STRANGE; i++)
        assert_int_equal(toll_embed_is_new(rec->e, strange[i]), 1);
    assert_int_equal(toll_embed_is_new(rec->e, rec->f.id), 0);
    assert_int_equal(toll_embed_is_new(NULL, 0), 0);
}

static void test_toll_embed_add(void **state)
{
    recording *rec = *state;
    toll_embed_id nameless = toll_embed_add(rec->e, NULL, NULL, 0);
    assert_int_equal(toll_embed_is_new(rec->e, nameless), 0);
    assert_int_equal(toll_embed_add(rec->e, "(anonymous)", "", 0), nameless);
    assert_int_equal(toll_embed_add(NULL, "f", "file", 1), 0);
}

static void test_toll_embed_call(void **state)
{
    expect_in_caller(*state, toll_embed_call);
}

static void test_toll_embed_adopt(void **state)
{
    expect_in_caller(*state, toll_embed_adopt);
}

/* The frame that has called it is gone. Its own caller would be charged, but there is none. */
static void test_toll_embed_tail_call(void **state)
{
    recording *rec = *state;
    toll_embed_tail_call(NULL, rec->f.id);
    toll_embed_tail_call(rec->e, 0);
    rec->now += 10;
    assert_ok(toll_embed_save(rec->e, err));
    toll_profile *p = test_load(path);
    assert_int_equal(
        toll_profile_self(p, toll_profile_root(p, 0), toll_profile_find_column(p, "ticks")), 10);
    toll_profile_free(p);
}

static void sync_one_deeper(toll_embed *e, toll_embed_id id)
{
    toll_embed_sync(e, 2, id);
}

static void test_toll_embed_sync(void **state)
{
    recording *rec = *state;
    expect_in_caller(rec, sync_one_deeper);
    toll_embed_sync(rec->e, 0, 12345);
    rec->now += 1;
    toll_embed_sync(rec->e, 0, rec->f.id);
}

static void test_toll_embed_unwind(void **state)
{
    recording *rec = *state;
    toll_embed_unwind(NULL, 0);
    toll_embed_unwind(rec->e, UINT64_MAX);
    rec->now += 1;
    toll_embed_unwind(rec->e, 0);
    toll_embed_unwind(rec->e, 0);
}

static void test_toll_embed_budget(void **state)
{
    recording *rec = *state;
    toll_embed_budget(NULL, 5, &rec->now);
    rec->now += 5;
    toll_embed_budget(rec->e, 5, NULL);
    toll_embed_budget(rec->e, 5, &rec->now);
    assert_ok(toll_embed_save(rec->e, err));
    toll_profile *p = test_load(path);
    assert_int_equal(test_note(p, "budgets without a counter"), 1);
    toll_profile_free(p);
}

static void test_toll_embed_switch(void **state)
{
    recording *rec = *state;
    toll_embed_track other = { UINT64_MAX, test_stale() };
    toll_embed_switch(NULL, &other, "x");
    toll_embed_switch(rec->e, NULL, NULL);
    rec->now += 1;
    toll_embed_switch(rec->e, &other, NULL); /* of no recording: it is made */
    assert_ptr_not_equal(other.track, test_stale());
    rec->now += 2;
}

static void test_toll_embed_end_track(void **state)
{
    recording *rec = *state;
    toll_embed_track other = { UINT64_MAX, test_stale() };
    toll_embed_end_track(NULL, &other);
    toll_embed_end_track(rec->e, &other);
    assert_ptr_equal(other.track, test_stale());
    rec->now += 1;
}

static void test_toll_embed_hold(void **state)
{
    recording *rec = *state;
    assert_null(toll_embed_hold(NULL, NULL));
    assert_non_null(toll_embed_hold(rec->e, NULL));
    toll_embed_release(rec->e);
}

int main(void)
{
#define ROW(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ROW(toll_embed_begin),  ROW(toll_embed_save),      ROW(toll_embed_end),
        ROW(toll_embed_is_new), ROW(toll_embed_add),       ROW(toll_embed_call),
        ROW(toll_embed_adopt),  ROW(toll_embed_tail_call), ROW(toll_embed_sync),
        ROW(toll_embed_unwind), ROW(toll_embed_budget),    ROW(toll_embed_switch),
        ROW(toll_embed_hold),   ROW(toll_embed_end_track),
    };
    return cmocka_run_group_tests(tests, test_make_folder, test_remove_folder);
}
