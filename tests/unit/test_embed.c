/* test_embed.c - recordings by toll/embed.h: ids, calls, synced stacks, budgets, coroutines.
 * test_embed_process.c tests how recordings end with their process. */
#include "base/cpu_clock.h"
#include "support_embed.h"

#include <time.h>

static uint64_t gas; /* the VM's counter */

static toll_embed *begin(const char *path)
{
    toll_embed_options o = TOLL_EMBED_OPTIONS_INIT;
    o.path = path;
    o.counter = &gas;
    o.counter_type = "gas";
    o.counter_unit = "gas";
    gas = 0;
    toll_embed *e = toll_embed_begin(&o);
    assert_non_null(e);
    return e;
}

/* End the recording, and return its profile. */
static toll_profile *end(toll_embed *e, const char *path)
{
    assert_ok(toll_embed_end(e, err));
    return test_load(path);
}

/* --- calls -------------------------------------------------------------------------------------*/

static void test_nothing_is_recorded_without_a_file(void **state)
{
    (void)state;
    const uint64_t *now = NULL;
    toll_embed_track track = TOLL_EMBED_TRACK_INIT;
    test_set_variable("TOLL_OUT", NULL);
    assert_null(toll_embed_begin(NULL));
    test_set_variable("TOLL_OUT", "");
    assert_null(toll_embed_begin(NULL));
    test_set_variable("TOLL_OUT", NULL);
    assert_int_equal(toll_embed_is_new(NULL, 0), 0);
    assert_int_equal(toll_embed_add(NULL, "f", NULL, 0), 0);
    toll_embed_call(NULL, 1);
    toll_embed_tail_call(NULL, 1);
    toll_embed_adopt(NULL, 1);
    toll_embed_sync(NULL, 3, 1);
    toll_embed_unwind(NULL, 0);
    toll_embed_return(NULL);
    toll_embed_budget(NULL, 1, &gas);
    toll_embed_switch(NULL, &track, "worker");
    toll_embed_end_track(NULL, &track);
    assert_null(toll_embed_hold(NULL, &now));
    assert_int_equal(*now, 0);
    toll_embed_release(NULL);
    assert_ok(toll_embed_save(NULL, err));
    assert_ok(toll_embed_end(NULL, err));
}

static void test_calls_are_charged_by_the_counter(void **state)
{
    (void)state;
    const char *path = test_file("calls.pb.gz");
    test_function f = { "f", 0 }, g = { "g", 0 };
    toll_embed *e = begin(path);
    test_call(e, &f);
    gas += 10;
    test_call(e, &g);
    gas += 20;
    toll_embed_return(e);
    gas += 3;
    toll_embed_tail_call(e, test_id(e, &g));
    gas += 4;
    toll_embed_return(e);
    toll_profile *p = end(e, path);
    assert_int_equal(test_spent(p, "gas", "f"), 13);
    assert_int_equal(test_spent(p, "gas", "f;g"), 20);
    assert_int_equal(test_spent(p, "gas", "g"), 4);
    assert_int_equal(test_spent(p, "calls", "f"), 1);
    assert_int_equal(toll_profile_note_count(p), 0);
    toll_profile_free(p);
}

/* The file also contains what was counted after the last event. Frames may be open. */
static void test_save_has_all_up_to_now_and_the_recording_goes_on(void **state)
{
    (void)state;
    const char *path = test_file("save.folded");
    test_function f = { "f", 0 };
    toll_embed *e = begin(path);
    test_call(e, &f);
    gas += 5;
    assert_ok(toll_embed_save(e, err));
    toll_profile *p = test_load(path);
    assert_int_equal(test_sum(p, 0), 5);
    toll_profile_free(p);
    gas += 2;
    p = end(e, path);
    assert_int_equal(test_sum(p, 0), 7);
    toll_profile_free(p);
}

enum { SLEEPS = 15, SLEPT_NS = SLEEPS * 2 * 1000 * 1000 };

#ifdef _WIN32 /* a sleep may end a tick early */
enum { LEAST_SLEPT_NS = SLEPT_NS / 2 };
#else
enum { LEAST_SLEPT_NS = SLEPT_NS };
#endif

/* A recording of a clock: f sleeps and works, g works. */
static toll_profile *record_time(const char *path, bool wall_time)
{
    test_function f = { "f", 0 }, g = { "g", 0 };
    toll_embed_options o = TOLL_EMBED_OPTIONS_INIT;
    o.path = path;
    o.wall_time = wall_time;
    toll_embed *e = toll_embed_begin(&o);
    test_call(e, &f);
    for (int i = 0; i < SLEEPS; i++)
        nanosleep(&(struct timespec){ 0, SLEPT_NS / SLEEPS }, NULL);
    for (int i = 0; i < 1000; i++) {
        test_call(e, &g);
        toll_embed_return(e);
    }
    toll_embed_return(e);
    toll_embed_budget(e, 1, &gas); /* there is none */
    toll_profile *p = end(e, path);
    assert_int_equal(test_note(p, "budgets without a counter"), 1);
    return p;
}

static void test_wall_time_contains_what_was_waited(void **state)
{
    (void)state;
    toll_profile *p = record_time(test_file("time.pb.gz"), true);
    toll_value_type type = toll_profile_column(p, toll_profile_find_column(p, "time"));
    assert_string_equal(type.unit, "nanoseconds");
    assert_true(test_spent(p, "time", "f") >= LEAST_SLEPT_NS);
    assert_true(test_spent(p, "time", "f;g") > 0);
    assert_int_equal(toll_profile_find_column(p, "cpu"), TOLL_NONE);
    assert_int_equal(toll_profile_find_column(p, "waited"), TOLL_NONE);
    toll_profile_free(p);
}

/* Where CPU time is not cheap to read, it is wall time. */
static void test_cpu_time_does_not_contain_what_was_waited(void **state)
{
    (void)state;
    toll_profile *p = record_time(test_file("cpu.pb.gz"), false);
    toll_cpu_clock clock;
    bool is_cheap = toll_cpu_clock_start(&clock);
    toll_cpu_clock_end(&clock);
    assert_int_equal(toll_profile_find_column(p, "time") == TOLL_NONE, is_cheap);
    if (is_cheap) {
        assert_true(test_spent(p, "waited", "f") >= SLEPT_NS / 2);
        assert_true(test_spent(p, "cpu", "f") < SLEPT_NS / 2);
        assert_true(test_spent(p, "cpu", "f;g") > 0);
    }
    toll_profile_free(p);
}

/* --- ids ---------------------------------------------------------------------------------------*/

static void test_an_id_is_made_once_in_a_recording(void **state)
{
    (void)state;
    const char *path = test_file("ids.folded");
    test_function f = { "f", 0 };
    toll_embed *e = begin(path);
    assert_int_equal(toll_embed_is_new(e, f.id), 1);
    test_call(e, &f);
    assert_int_equal(toll_embed_is_new(e, f.id), 0);
    assert_int_equal(toll_embed_add(e, "f", "guest.vm", 1), f.id);
    assert_ok(toll_embed_end(e, err));
    e = begin(path);
    assert_int_equal(toll_embed_is_new(e, f.id), 1);
    assert_ok(toll_embed_end(e, err));
}

/* The stale id of `f` has the number of `other` in the second recording. */
static void test_a_stale_id_is_never_charged_to_another_function(void **state)
{
    (void)state;
    const char *path = test_file("stale.pb.gz");
    test_function f = { "f", 0 }, other = { "other", 0 };
    toll_embed *e = begin(path);
    test_call(e, &f);
    assert_ok(toll_embed_end(e, err));
    e = begin(path);
    test_call(e, &other);
    gas += 1;
    toll_embed_call(e, f.id); /* not asked whether it is new */
    gas += 2;
    toll_embed_return(e);
    test_call(e, &f);
    gas += 4;
    toll_profile *p = end(e, path);
    assert_int_equal(test_spent(p, "gas", "other"), 3);
    assert_int_equal(test_spent(p, "calls", "other"), 1);
    assert_int_equal(test_spent(p, "gas", "other;f"), 4);
    assert_int_equal(test_note(p, "calls with an id of another recording"), 1);
    toll_profile_free(p);
}

static void test_functions_without_a_name_are_called_by_their_place(void **state)
{
    (void)state;
    const char *path = test_file("nameless.pb.gz");
    toll_embed *e = begin(path);
    toll_embed_call(e, toll_embed_add(e, NULL, "guest.vm", 12));
    toll_embed_call(e, toll_embed_add(e, "", NULL, 12));
    gas += 1;
    toll_profile *p = end(e, path);
    assert_int_equal(test_spent(p, "gas", "guest.vm:12;(anonymous)"), 1);
    toll_profile_free(p);
}

/* --- stacks that are synced --------------------------------------------------------------------*/

static void sync_to(toll_embed *e, uint64_t depth, test_function *f, uint64_t spent)
{
    toll_embed_sync(e, depth, f ? test_id(e, f) : 0);
    gas += spent;
}

static void test_sync_finds_calls_returns_and_tail_calls(void **state)
{
    (void)state;
    const char *path = test_file("sync.pb.gz");
    test_function f = { "f", 0 }, g = { "g", 0 }, h = { "h", 0 };
    toll_embed *e = begin(path);
    sync_to(e, 1, &f, 1);
    for (int i = 0; i < 3; i++) {
        sync_to(e, 2, &g, 10);
        sync_to(e, 1, &f, 1);
    }
    sync_to(e, 2, &g, 10);
    sync_to(e, 3, &g, 100); /* recursion */
    sync_to(e, 3, &g, 100); /* nothing has changed */
    sync_to(e, 3, &h, 1000);
    sync_to(e, 1, &f, 1); /* two have returned, or an error has unwound them */
    sync_to(e, 2, &h, 5);
    sync_to(e, 0, NULL, 7);
    toll_profile *p = end(e, path);
    assert_int_equal(test_spent(p, "gas", "f"), 5);
    assert_int_equal(test_spent(p, "gas", "f;g"), 40);
    assert_int_equal(test_spent(p, "calls", "f;g"), 4);
    assert_int_equal(test_spent(p, "gas", "f;g;g"), 200);
    assert_int_equal(test_spent(p, "calls", "f;g;g"), 1);
    assert_int_equal(test_spent(p, "gas", "f;g;h"), 1000);
    assert_int_equal(test_spent(p, "calls", "f;g;h"), 1);
    assert_int_equal(test_spent(p, "gas", "f;h"), 5);
    assert_int_equal(toll_profile_self(p, toll_profile_root(p, 0), 1), 7);
    assert_int_equal(toll_profile_note_count(p), 0);
    toll_profile_free(p);
}

/* An error in a callee was handled by another function at the depth of its caller. */
static void test_sync_replaces_a_frame_that_is_another_now(void **state)
{
    (void)state;
    const char *path = test_file("replaced.pb.gz");
    test_function f = { "f", 0 }, g = { "g", 0 }, h = { "h", 0 };
    toll_embed *e = begin(path);
    sync_to(e, 1, &f, 1);
    sync_to(e, 2, &g, 2);
    sync_to(e, 3, &g, 3);
    sync_to(e, 2, &h, 4);
    toll_profile *p = end(e, path);
    assert_int_equal(test_spent(p, "gas", "f;h"), 4);
    assert_int_equal(test_spent(p, "calls", "f;h"), 1);
    toll_profile_free(p);
}

static void test_sync_counts_frames_that_it_was_not_told_of(void **state)
{
    (void)state;
    const char *path = test_file("not_seen.pb.gz");
    test_function f = { "f", 0 };
    toll_embed *e = begin(path);
    sync_to(e, 3, &f, 9);
    toll_profile *p = end(e, path);
    assert_int_equal(test_spent(p, "gas", "(not seen);(not seen);f"), 9);
    assert_int_equal(test_spent(p, "calls", "(not seen)"), 0);
    assert_int_equal(test_note(p, "frames that toll_embed_sync was not told of"), 2);
    toll_profile_free(p);
    e = begin(path);
    sync_to(e, UINT64_MAX, &f, 9); /* takes no memory for each */
    p = end(e, path);
    assert_int_equal(test_sum(p, toll_profile_find_column(p, "gas")), 9);
    toll_profile_free(p);
}

static void test_unwind_and_orphans(void **state)
{
    (void)state;
    const char *path = test_file("unwind.pb.gz");
    test_function f = { "f", 0 }, g = { "g", 0 };
    toll_embed *e = begin(path);
    test_call(e, &f);
    test_call(e, &g);
    test_call(e, &g);
    gas += 5;
    toll_embed_unwind(e, 1);
    gas += 2;
    toll_embed_return(e);
    toll_embed_return(e);
    toll_profile *p = end(e, path);
    assert_int_equal(test_spent(p, "gas", "f"), 2);
    assert_int_equal(test_spent(p, "gas", "f;g;g"), 5);
    assert_int_equal(test_note(p, "returns without a call"), 1);
    toll_profile_free(p);
}

/* --- generators, coroutines --------------------------------------------------------------------*/

static void test_a_resumption_is_no_call(void **state)
{
    (void)state;
    const char *path = test_file("generator.pb.gz");
    test_function f = { "f", 0 }, generator = { "generator", 0 };
    toll_embed *e = begin(path);
    test_call(e, &f);
    test_call(e, &generator); /* its first entry */
    gas += 1;
    toll_embed_return(e); /* it yields */
    for (int i = 0; i < 3; i++) {
        toll_embed_adopt(e, test_id(e, &generator));
        gas += 10;
        toll_embed_return(e);
    }
    toll_profile *p = end(e, path);
    assert_int_equal(test_spent(p, "calls", "f;generator"), 1);
    assert_int_equal(test_spent(p, "gas", "f;generator"), 31);
    toll_profile_free(p);
}

static void test_coroutines_have_stacks_of_their_own(void **state)
{
    (void)state;
    const char *path = test_file("coroutines.pb.gz");
    test_function f = { "f", 0 }, g = { "g", 0 };
    toll_embed_track a = TOLL_EMBED_TRACK_INIT, b = TOLL_EMBED_TRACK_INIT;
    toll_embed *e = begin(path);
    test_call(e, &f);
    gas += 1;
    toll_embed_switch(e, &a, NULL);
    test_call(e, &g);
    gas += 10;
    toll_embed_switch(e, &b, "worker");
    sync_to(e, 1, &g, 100);
    toll_embed_switch(e, &a, NULL);
    gas += 20;
    toll_embed_end_track(e, &a); /* current: the first stack follows it */
    assert_int_equal(a.recording, 0);
    toll_embed_end_track(e, &a); /* is of no recording */
    gas += 2;
    toll_embed_switch(e, NULL, NULL);
    gas += 4;
    toll_profile *p = end(e, path);
    uint32_t column = toll_profile_find_column(p, "gas");
    assert_int_equal(test_self(p, "main", "f", column), 7);
    assert_int_equal(test_self(p, "coroutine", "g", column), 30);
    assert_int_equal(test_self(p, "worker", "g", column), 100);
    toll_profile_free(p);
    e = begin(path); /* which knows nothing of b's track: it makes another */
    toll_embed_switch(e, &b, "late");
    test_call(e, &g);
    gas += 8;
    p = end(e, path);
    assert_int_equal(test_self(p, "late", "g", toll_profile_find_column(p, "gas")), 8);
    toll_profile_free(p);
}

/* --- the recorder ------------------------------------------------------------------------------*/

static void test_the_recorder_does_what_embed_lacks(void **state)
{
    (void)state;
    const char *path = test_file("lines.pb.gz");
    test_function f = { "f", 0 };
    toll_recorder_options recorder = TOLL_RECORDER_OPTIONS_INIT;
    toll_embed_options o = TOLL_EMBED_OPTIONS_INIT;
    recorder.lines = 1;
    o.path = path;
    o.counter = &gas;
    o.recorder = &recorder;
    gas = 0;
    toll_embed *e = toll_embed_begin(&o);
    test_call(e, &f);
    gas += 3;
    const uint64_t *now;
    toll_frame_id place;
    toll_recorder *r = toll_embed_hold(e, &now);
    assert_int_equal(*now, 3);
    assert_ok(toll_recorder_add_frame(
        r, &(toll_frame){ .name = "f", .file = "guest.vm", .line = 1, .at_line = 2 }, &place, err));
    toll_recorder_line(r, place, now);
    toll_embed_release(e);
    gas += 4;
    toll_profile *p = end(e, path);
    assert_int_equal(test_sum(p, toll_profile_find_column(p, "executions")), 1);
    assert_int_equal(test_sum(p, toll_profile_find_column(p, "ticks")), 7);
    toll_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_recorded_without_a_file),
        cmocka_unit_test(test_calls_are_charged_by_the_counter),
        cmocka_unit_test(test_save_has_all_up_to_now_and_the_recording_goes_on),
        cmocka_unit_test(test_wall_time_contains_what_was_waited),
        cmocka_unit_test(test_cpu_time_does_not_contain_what_was_waited),
        cmocka_unit_test(test_an_id_is_made_once_in_a_recording),
        cmocka_unit_test(test_a_stale_id_is_never_charged_to_another_function),
        cmocka_unit_test(test_functions_without_a_name_are_called_by_their_place),
        cmocka_unit_test(test_sync_finds_calls_returns_and_tail_calls),
        cmocka_unit_test(test_sync_replaces_a_frame_that_is_another_now),
        cmocka_unit_test(test_sync_counts_frames_that_it_was_not_told_of),
        cmocka_unit_test(test_unwind_and_orphans),
        cmocka_unit_test(test_a_resumption_is_no_call),
        cmocka_unit_test(test_coroutines_have_stacks_of_their_own),
        cmocka_unit_test(test_the_recorder_does_what_embed_lacks),
    };
    return cmocka_run_group_tests(tests, test_make_folder, test_remove_folder);
}
