/* test_embed_process.c - recordings of toll/embed.h that end with their process: by exits, and in
 * forked children; and the messages if a recording cannot begin. Each runs in a child process. */
#define _GNU_SOURCE
#include "support_embed_process.h"

static test_function g = { "g", 0 };

/* --- exits -------------------------------------------------------------------------------------*/

static void only_record(void)
{
    record(out);
}

static void test_exit_saves_what_nobody_has_ended(void **state)
{
    (void)state;
    out = test_file("exit.pb.gz");
    run(only_record, "");
    expect_spent(out, 5);
}

static void record_at_no_place(void)
{
    record("/nowhere/at/all.pb.gz");
}

static void end_at_no_place(void)
{
    toll_error err;
    assert_int_equal(toll_embed_end(record("/nowhere/at/all.pb.gz"), &err), TOLL_E_IO);
    assert_non_null(strstr(err.text, "/nowhere/at/all.pb.gz"));
    toll_embed_end(record("/nowhere/at/other.pb.gz"), NULL);
}

static void test_a_file_that_cannot_be_written_is_told(void **state)
{
    (void)state;
    run(record_at_no_place, "toll: /nowhere/at/all.pb.gz: ");
    run(end_at_no_place, "toll: /nowhere/at/other.pb.gz: ");
}

static void exit_while_held(void)
{
    toll_embed_hold(record(out), NULL);
}

static void test_an_exit_within_an_event_is_told(void **state)
{
    (void)state;
    out = test_file("held.pb.gz");
    run(exit_while_held, "toll: the profile is not saved: the process exits in the middle");
    assert_false(test_is_there(out));
}

/* --- forks -------------------------------------------------------------------------------------*/

static void fork_once(void)
{
    toll_embed *e = record(out);
    pid_t child = fork();
    ticks += 10;
    test_call(e, &g);
    ticks += child ? 100 : 1;
    toll_embed_return(e);
    if (child) {
        assert_int_equal(status_of(child), 0);
        ticks += 1000;
    }
}

static void test_a_child_writes_no_file_of_its_parents(void **state)
{
    (void)state;
    out = test_file("fork.pb.gz");
    run(fork_once, "");
    toll_profile *p = test_load(out);
    assert_int_equal(test_spent(p, "ticks", "f"), 1015);
    assert_int_equal(test_spent(p, "ticks", "f;g"), 100);
    toll_profile_free(p);
}

/* Expect, among the files of a pattern with %p, one with these costs. */
static void expect_file_of_process(int64_t in_f, int64_t in_g, int64_t calls_of_f)
{
    toll_os_folder folder;
    const char *name;
    bool found = false;
    assert_true(toll_os_folder_open(&folder, test_folder));
    while (!found && (name = toll_os_folder_next(&folder)))
        if (strncmp(name, "process-", 8) == 0) {
            toll_profile *p = test_load(test_file(name));
            found = test_spent(p, "ticks", "f;g") == in_g && test_spent(p, "ticks", "f") == in_f &&
                    test_spent(p, "calls", "f") == calls_of_f;
            for (uint32_t i = 0; i < toll_profile_note_count(p); i++) {
                uint64_t count;
                assert_null(strstr(toll_profile_note(p, i, &count), "budgets without a counter"));
                assert_null(strstr(toll_profile_note(p, i, &count), "not seen"));
                assert_null(strstr(toll_profile_note(p, i, &count), "another recording"));
            }
            toll_profile_free(p);
        }
    toll_os_folder_close(&folder);
    assert_true(found);
}

static void test_a_child_with_a_name_of_its_own_records_from_the_fork_on(void **state)
{
    (void)state;
    out = test_file("process-%p.pb.gz");
    run(fork_once, "");
    expect_file_of_process(1015, 100, 1);
    expect_file_of_process(10, 1, 0);
}

static void end_in_child(void)
{
    toll_embed *e = record(out);
    pid_t child = fork();
    if (child == 0) {
        test_call(e, &g);
        assert_ok(toll_embed_save(e, err));
        assert_ok(toll_embed_end(e, err));
        assert_false(test_is_there(out));
        assert_null(toll_embed_begin(NULL));
        exit(0);
    }
    assert_int_equal(status_of(child), 0);
}

static void test_a_child_that_ends_its_parents_recording_leaves_the_file_alone(void **state)
{
    (void)state;
    out = test_file("end_in_child.pb.gz");
    run(end_in_child, "");
    expect_spent(out, 5);
}

/* --- recordings that cannot begin --------------------------------------------------------------*/

static void begin_variable(const char *value)
{
    test_set_variable("TOLL_OUT", value);
    assert_ok(toll_embed_end(toll_embed_begin(NULL), err));
}

static void begin_twice(void)
{
    begin_variable(out);
    assert_true(test_is_there(out));
    begin_variable(out);
}

static void begin_numbered(void)
{
    begin_variable(test_file("numbered-%n.folded"));
    begin_variable(test_file("numbered-%n.folded"));
}

static void begin_in_child(void)
{
    test_set_variable("TOLL_OUT", test_file("inherited-%n.folded"));
    toll_embed_begin(NULL);
    if (fork() == 0)
        assert_null(toll_embed_begin(NULL)); /* goes on in the parent; here it is off */
    else
        wait(NULL);
}

static void begin_while_another_goes_on(void)
{
    record(out);
    assert_null(begin_at(test_file("second.folded")));
}

static void begin_without_format(void)
{
    assert_null(begin_at("/tmp/x.unknown"));
}

static void begin_with_order(void)
{
    assert_null(begin_at(test_file("x.trace.json")));
}

static void begin_with_percent(void)
{
    assert_null(begin_at("100%.folded"));
}

static void begin_without_size(void)
{
    toll_embed_options o = { .path = "x.folded" };
    assert_null(toll_embed_begin(&o));
}

static void begin_with_two_counters(void)
{
    static const toll_counter gas = { "gas", "gas", 0 };
    toll_recorder_options r = TOLL_RECORDER_OPTIONS_INIT;
    toll_embed_options o = TOLL_EMBED_OPTIONS_INIT;
    r.counters = &gas;
    r.counter_count = 1;
    o.path = "x.folded";
    o.recorder = &r;
    assert_null(toll_embed_begin(&o));
}

static void begin_with_half_a_counter(void)
{
    toll_embed_options o = TOLL_EMBED_OPTIONS_INIT;
    o.path = "x.folded";
    o.counts_down = 1;
    assert_null(toll_embed_begin(&o));
    assert_non_null(begin_at(out)); /* a failure leaves nothing behind */
}

static void begin_with_counter_and_wall_time(void)
{
    static const uint64_t counter;
    toll_embed_options o = TOLL_EMBED_OPTIONS_INIT;
    o.path = out;
    o.counter = &counter;
    o.wall_time = 1;
    assert_null(toll_embed_begin(&o));
}

static void test_why_a_recording_cannot_begin(void **state)
{
    (void)state;
    out = test_file("begun.folded");
    run(begin_twice, "put %n into the name");
    run(begin_numbered, "");
    assert_true(test_is_there(test_file("numbered-1.folded")));
    assert_true(test_is_there(test_file("numbered-2.folded")));
    run(begin_in_child, "another recording of this process goes on");
    run(begin_while_another_goes_on, "another recording of this process goes on");
    assert_false(test_is_there(test_file("second.folded")));
    run(begin_without_format, "x.unknown: the name has no format's extension");
    run(begin_with_order, "needs calls in order of time");
    run(begin_with_percent, "a percent sign that is not %p, %n or %%");
    run(begin_without_size, "set it to sizeof(toll_embed_options)");
    run(begin_with_two_counters, "set toll_embed_options.counter instead");
    run(begin_with_half_a_counter, "toll_embed_options says how its counter counts, but has none");
    run(begin_with_counter_and_wall_time, "has a counter, and asks for wall time");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit_saves_what_nobody_has_ended),
        cmocka_unit_test(test_a_file_that_cannot_be_written_is_told),
        cmocka_unit_test(test_an_exit_within_an_event_is_told),
        cmocka_unit_test(test_a_child_writes_no_file_of_its_parents),
        cmocka_unit_test(test_a_child_with_a_name_of_its_own_records_from_the_fork_on),
        cmocka_unit_test(test_a_child_that_ends_its_parents_recording_leaves_the_file_alone),
        cmocka_unit_test(test_why_a_recording_cannot_begin),
    };
    return cmocka_run_group_tests(tests, test_make_folder, test_remove_folder);
}
