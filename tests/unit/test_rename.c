/* test_rename.c - frames whose name becomes known during the run. */
#include "support.h"

enum { MANY = 2000 };

static toll_recorder *new_recorder(const toll_allocator *allocator, toll_timeline *timeline)
{
    static const toll_counter ticks = { "ticks", "count", 0 };
    toll_recorder_options o = { .size = sizeof o,
                                .allocator = allocator,
                                .counters = &ticks,
                                .counter_count = 1,
                                .timeline = timeline };
    toll_recorder *r = NULL;
    return toll_recorder_create(&o, &r, NULL) ? NULL : r;
}

static toll_frame_id frame(toll_recorder *r, const char *name)
{
    toll_frame_id id;
    assert_ok(toll_recorder_add_frame(r, &(toll_frame){ .name = name, .file = "x.lua", .line = 1 },
                                      &id, err));
    return id;
}

static void call(toll_recorder *r, toll_frame_id id, uint64_t *now)
{
    ++*now;
    toll_recorder_call(r, id, now);
    ++*now;
    toll_recorder_return(r, now);
}

static void test_rename_shows_in_stacks_that_are_there_already(void **state)
{
    (void)state;
    uint64_t now = 0;
    toll_profile *p;
    toll_recorder *r = new_recorder(NULL, NULL);
    toll_frame_id f = frame(r, "x.lua:1");
    toll_recorder_rebase(r, &now);
    call(r, f, &now);
    assert_ok(toll_recorder_rename_frame(r, f, "leaf", err));
    call(r, f, &now);
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    assert_int_equal(toll_profile_frame_count(p), 1);
    assert_string_equal(toll_profile_frame(p, 0).name, "leaf");
    assert_int_equal(toll_profile_self(p, 1, 0), 2);
    toll_profile_free(p);
    /* It is found by its new name; the old one is free for another function. */
    assert_int_equal(frame(r, "leaf"), f);
    assert_int_not_equal(frame(r, "x.lua:1"), f);
    toll_recorder_free(r);
}

static void test_rename_joins_frames_that_become_alike(void **state)
{
    (void)state;
    uint64_t now = 0;
    toll_profile *p;
    toll_recorder *r = new_recorder(NULL, NULL);
    toll_frame_id f = frame(r, "a"), g = frame(r, "b");
    toll_recorder_rebase(r, &now);
    call(r, f, &now);
    call(r, g, &now);
    assert_ok(toll_recorder_rename_frame(r, g, "a", err));
    call(r, g, &now);
    assert_ok(toll_recorder_snapshot(r, NULL, &p, err));
    assert_int_equal(toll_profile_frame_count(p), 1);
    assert_int_equal(toll_profile_node_count(p), 2);
    assert_int_equal(toll_profile_self(p, 1, 0), 3);
    assert_int_equal(toll_profile_self(p, 1, 1), 3);
    toll_profile_free(p);
    toll_recorder_free(r);
}

/* The index stays whole however many names change. */
static void test_rename_of_many(void **state)
{
    (void)state;
    toll_recorder *r = new_recorder(NULL, NULL);
    char name[32];
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "%u", i);
        assert_int_equal(frame(r, name), i);
    }
    for (unsigned i = 0; i < MANY; i += 3) {
        snprintf(name, sizeof name, "new %u", i);
        assert_ok(toll_recorder_rename_frame(r, i, name, err));
    }
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, i % 3 ? "%u" : "new %u", i);
        assert_int_equal(frame(r, name), i);
    }
    toll_recorder_free(r);
}

static void test_rename_reaches_the_timeline(void **state)
{
    (void)state;
    uint64_t now = 0;
    toll_timeline *t;
    assert_ok(toll_timeline_create(NULL, (toll_value_type){ "ticks", "count" }, 1, &t, err));
    toll_recorder *r = new_recorder(NULL, t);
    toll_frame_id f = frame(r, "old"), g = frame(r, "not there yet");
    toll_recorder_rebase(r, &now);
    call(r, f, &now);
    assert_ok(toll_recorder_rename_frame(r, f, "new", err));
    assert_ok(toll_recorder_rename_frame(r, g, "g", err));
    call(r, g, &now);
    assert_string_equal(toll_profile_frame(toll_timeline_names(t), 0).name, "new");
    assert_string_equal(toll_profile_frame(toll_timeline_names(t), 1).name, "g");
    toll_recorder_free(r);
    toll_timeline_free(t);
}

static void test_rename_of_no_frame_is_refused(void **state)
{
    (void)state;
    toll_recorder *r = new_recorder(NULL, NULL);
    toll_frame_id f = frame(r, "f");
    assert_int_equal(toll_recorder_rename_frame(r, f + 1, "g", NULL), TOLL_E_ARGUMENT);
    assert_int_equal(toll_recorder_rename_frame(r, f, NULL, NULL), TOLL_E_ARGUMENT);
    assert_int_equal(frame(r, "f"), f);
    toll_recorder_free(r);
}

static toll_status rename_once(const toll_allocator *allocator, void *user)
{
    (void)user;
    toll_recorder *r = new_recorder(allocator, NULL);
    toll_frame_id f;
    if (!r)
        return TOLL_E_NOMEM;
    toll_status status = toll_recorder_add_frame(r, &(toll_frame){ .name = "f" }, &f, NULL);
    if (!status)
        status = toll_recorder_rename_frame(r, f, "a much longer name than it had before", NULL);
    toll_recorder_free(r);
    return status;
}

static void test_rename_every_allocation_may_fail(void **state)
{
    (void)state;
    test_every_allocation(rename_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rename_shows_in_stacks_that_are_there_already),
        cmocka_unit_test(test_rename_joins_frames_that_become_alike),
        cmocka_unit_test(test_rename_of_many),
        cmocka_unit_test(test_rename_reaches_the_timeline),
        cmocka_unit_test(test_rename_of_no_frame_is_refused),
        cmocka_unit_test(test_rename_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
