/* test_embed_signal.c - recordings of toll/embed.h that a signal ends, or another thread. Each runs
 * in a child process. */
#define _GNU_SOURCE
#include "support_embed_process.h"

#include <pthread.h>
#include <stdatomic.h>

static test_function g = { "g", 0 };

/* --- other threads -----------------------------------------------------------------------------*/

static toll_embed *shared;
static atomic_int ready;

static void *run_events(void *unused)
{
    (void)unused;
    shared = record(out);
    for (;;) {
        test_call(shared, &g);
        ticks += 2;
        toll_embed_return(shared);
        atomic_store(&ready, 1);
    }
    return NULL;
}

static void *sleep_forever(void *unused)
{
    (void)unused;
    shared = record(out);
    atomic_store(&ready, 1);
    for (;;)
        nap(1000);
    return NULL;
}

static void begin_in_thread(void *(*work)(void *))
{
    pthread_t thread;
    atomic_store(&ready, 0);
    pthread_create(&thread, NULL, work, NULL);
    while (!atomic_load(&ready))
        nap(1);
    nap(5);
}

static void exit_beside_events(void)
{
    begin_in_thread(run_events);
}

static void exit_beside_sleep(void)
{
    begin_in_thread(sleep_forever);
}

static void test_another_thread_exits(void **state)
{
    (void)state;
    out = test_file("thread.pb.gz");
    run(exit_beside_events, "");
    expect_spent(out, 5);
    toll_profile *p = test_load(out);
    assert_true(test_spent(p, "calls", "f;g") > 0);
    int64_t calls = test_spent(p, "calls", "f;g"), spent = test_spent(p, "ticks", "f;g");
    assert_true(spent == 2 * calls || spent == 2 * (calls - 1)); /* one may be open */
    toll_profile_free(p);
    out = test_file("asleep.pb.gz");
    run(exit_beside_sleep, "");
    expect_spent(out, 5);
}

/* An event that takes longer than exit waits for the next one, as on a loaded machine. */
static void *run_long_event(void *unused)
{
    (void)unused;
    shared = record(out);
    toll_embed_hold(shared, NULL);
    atomic_store(&ready, 1);
    nap(1000);
    ticks += 2;
    toll_embed_release(shared);
    return NULL;
}

static void exit_beside_long_event(void)
{
    begin_in_thread(run_long_event);
}

static void test_exit_waits_for_the_end_of_an_event(void **state)
{
    (void)state;
    out = test_file("long_event.pb.gz");
    run(exit_beside_long_event, "");
    expect_spent(out, 7);
}

/* --- signals -----------------------------------------------------------------------------------*/

/* The child is ended by the signal, which it gets once it has made the file `go`. */
static void kill_child(void (*work)(void), int signal_number, long after_ms)
{
    const char *said = test_file("said"), *go = test_file("go");
    toll_os_delete(go);
    pid_t child = start(work, said);
    while (!test_is_there(go))
        nap(1);
    nap(after_ms);
    kill(child, signal_number);
    int status = status_of(child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), signal_number);
    expect_said(said, "");
}

static void go(void)
{
    close(open(test_file("go"), O_WRONLY | O_CREAT, 0600));
}

static void record_and_sleep(void)
{
    record(out);
    go();
    for (;;)
        nap(1000);
}

static void test_a_signal_saves_and_ends_the_process(void **state)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    (void)state;
    for (int i = 0; i < 3; i++) {
        out = test_file("signal.pb.gz");
        toll_os_delete(out);
        kill_child(record_and_sleep, signals[i], 0);
        expect_spent(out, 5);
        toll_profile *p = test_load(out);
        assert_int_equal(test_note(p, "the program was ended by a signal"), 1);
        toll_profile_free(p);
    }
}

/* Events, ids, and the C library's memory, which a handler may interrupt anywhere. */
static void record_and_run(void)
{
    toll_embed *e = record(out);
    go();
    for (unsigned i = 0;; i++) {
        char name[32];
        test_function made = { name, 0 };
        snprintf(name, sizeof name, "made%u", i % 5000);
        test_call(e, &made);
        char *block = malloc(i % 3000 + 1);
        ticks += 3;
        toll_embed_return(e);
        free(block);
    }
}

static void test_a_signal_at_any_moment_loses_nothing(void **state)
{
    (void)state;
    for (long i = 0; i < 40; i++) {
        out = test_file("moment.pb.gz");
        toll_os_delete(out);
        kill_child(record_and_run, i % 2 ? SIGINT : SIGTERM, i % 7);
        toll_profile *p = test_load(out);
        int64_t calls = test_sum(p, toll_profile_find_column(p, "calls"));
        int64_t spent = test_sum(p, toll_profile_find_column(p, "ticks"));
        assert_true(spent == 5 + 3 * (calls - 1) || spent == 5 + 3 * (calls - 2));
        toll_profile_free(p);
    }
}

static void signal_beside_events(void)
{
    begin_in_thread(run_events);
    go();
    for (;;)
        nap(1000);
}

static void signal_beside_sleep(void)
{
    begin_in_thread(sleep_forever);
    go();
    for (;;)
        nap(1000);
}

static void test_another_thread_is_signalled(void **state)
{
    (void)state;
    out = test_file("thread_signal.pb.gz");
    kill_child(signal_beside_events, SIGTERM, 3);
    expect_spent(out, 5);
    toll_os_delete(out);
    kill_child(signal_beside_sleep, SIGTERM, 3);
    expect_spent(out, 5);
}

static void signal_while_held(void)
{
    toll_embed *e = record(out);
    toll_embed_hold(e, NULL);
    raise(SIGTERM);
    assert_false(test_is_there(out));
    ticks += 2;
    toll_embed_release(e);
    abort(); /* not reached */
}

static void test_a_signal_waits_for_the_end_of_an_event(void **state)
{
    (void)state;
    out = test_file("waits.pb.gz");
    int status = status_of(start(signal_while_held, test_file("said")));
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    expect_spent(out, 7);
}

static volatile sig_atomic_t handled;

static void handle(int signal_number)
{
    handled = signal_number;
}

static void handle_signals(void)
{
    signal(SIGTERM, handle);
    signal(SIGHUP, SIG_IGN);
    toll_embed *e = record(out);
    raise(SIGTERM);
    raise(SIGHUP);
    assert_int_equal(handled, SIGTERM);
    ticks += 1;
    assert_ok(toll_embed_end(e, err));
    struct sigaction now;
    sigaction(SIGTERM, NULL, &now);
    assert_ptr_equal(now.sa_handler, handle);
    sigaction(SIGINT, NULL, &now);
    assert_ptr_equal(now.sa_handler, SIG_DFL);
}

static void test_signals_that_the_program_handles_are_its_own(void **state)
{
    (void)state;
    out = test_file("handled.pb.gz");
    run(handle_signals, "");
    expect_spent(out, 6);
}

static void record_without_signals(void)
{
    toll_embed_options o = TOLL_EMBED_OPTIONS_INIT;
    o.path = out;
    o.no_signals = 1;
    toll_embed_begin(&o);
    go();
    for (;;)
        nap(1000);
}

static void test_no_signals_leaves_them_alone(void **state)
{
    (void)state;
    out = test_file("no_signals.pb.gz");
    kill_child(record_without_signals, SIGTERM, 0);
    assert_false(test_is_there(out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_another_thread_exits),
        cmocka_unit_test(test_exit_waits_for_the_end_of_an_event),
        cmocka_unit_test(test_a_signal_saves_and_ends_the_process),
        cmocka_unit_test(test_a_signal_at_any_moment_loses_nothing),
        cmocka_unit_test(test_another_thread_is_signalled),
        cmocka_unit_test(test_a_signal_waits_for_the_end_of_an_event),
        cmocka_unit_test(test_signals_that_the_program_handles_are_its_own),
        cmocka_unit_test(test_no_signals_leaves_them_alone),
    };
    return cmocka_run_group_tests(tests, test_make_folder, test_remove_folder);
}
