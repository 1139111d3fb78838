/* test_cpu_clock.c - the clock of CPU time of toll/clock.h compared with CLOCK_THREAD_CPUTIME_ID,
 * the clock that it reproduces: with breaks, in other threads, after a fork. */
#define _GNU_SOURCE
#include "support_arguments.h"

#include "base/cpu_clock.h"

#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <toll/clock.h>
#include <unistd.h>

/* What a virtual machine's host takes away in many small parts is seen with each span. */
static const uint64_t slack_ns = 10000000;

static uint64_t system_now(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static toll_clock *cpu_clock(void)
{
    toll_clock *clock;
    toll_error why;
    toll_status status = toll_clock_create_cpu(NULL, &clock, &why);
    if (status == TOLL_E_UNSUPPORTED) {
        print_message("skipped: %s\n", why.text);
        skip();
    }
    assert_int_equal(status, TOLL_OK);
    return clock;
}

/* Read the clock until the thread has used that much more CPU time, and hold each reading to the
 * system's before and after it. Returns the last. */
static uint64_t use(toll_clock *clock, uint64_t ns)
{
    uint64_t begin = system_now(CLOCK_THREAD_CPUTIME_ID), last = toll_clock_now(clock);
    int64_t ahead = (int64_t)(last - system_now(CLOCK_THREAD_CPUTIME_ID));
    for (uint64_t before = begin; before - begin < ns;) {
        before = system_now(CLOCK_THREAD_CPUTIME_ID);
        uint64_t now = toll_clock_now(clock);
        uint64_t after = system_now(CLOCK_THREAD_CPUTIME_ID);
        assert_true(now >= last);
        assert_true(now + slack_ns >= before + (uint64_t)ahead);
        assert_true(now <= after + (uint64_t)ahead + slack_ns);
        last = now;
    }
    return last;
}

static void test_it_is_the_systems_clock_of_the_thread(void **state)
{
    (void)state;
    toll_clock *clock = cpu_clock();
    assert_string_equal(toll_clock_source(clock), "CPU time by time stamp counter");
    for (int i = 0; i < 20; i++) {
        uint64_t now = use(clock, 10000000);
        assert_true(now <= system_now(CLOCK_THREAD_CPUTIME_ID) + slack_ns);
        usleep(1000);
    }
    toll_clock_free(clock);
}

static void test_what_is_waited_is_no_cpu_time(void **state)
{
    (void)state;
    toll_clock *clock = cpu_clock();
    for (int i = 0; i < 10; i++) {
        uint64_t before = toll_clock_now(clock), waited = toll_clock_waited(clock);
        uint64_t of_thread = system_now(CLOCK_THREAD_CPUTIME_ID);
        usleep(20000);
        uint64_t used = toll_clock_now(clock) - before;
        assert_true(used <= system_now(CLOCK_THREAD_CPUTIME_ID) - of_thread + slack_ns);
        assert_true(toll_clock_waited(clock) - waited > 19000000);
    }
    toll_clock_free(clock);
}

static void test_cpu_and_waited_time_are_wall_time(void **state)
{
    (void)state;
    toll_clock *clock = cpu_clock();
    uint64_t wall = system_now(CLOCK_MONOTONIC);
    uint64_t sum = toll_clock_now(clock) + toll_clock_waited(clock);
    for (int i = 0; i < 20; i++) {
        use(clock, 5000000);
        usleep(5000);
    }
    uint64_t more = toll_clock_now(clock) + toll_clock_waited(clock) - sum;
    uint64_t passed = system_now(CLOCK_MONOTONIC) - wall;
    assert_true(more <= passed + slack_ns);
    assert_true(more + slack_ns + passed / 20 >= passed);
    toll_clock_free(clock);
}

/* Each takes the field from the other, and sees that. */
static void test_two_clocks_of_a_thread(void **state)
{
    (void)state;
    toll_clock *a = cpu_clock(), *b = cpu_clock();
    for (int i = 0; i < 1000; i++) {
        uint64_t first = toll_clock_now(a), second = toll_clock_now(b);
        assert_true(first <= second + slack_ns && second <= first + slack_ns);
    }
    use(a, 1000000);
    use(b, 1000000);
    toll_clock_free(b);
    use(a, 1000000);
    toll_clock_free(a);
}

typedef struct moved {
    toll_clock *clock;
    uint64_t before, first, used;
} moved;

/* The thread has used much before it reads the clock. */
static void *go_on(void *user)
{
    moved *m = user;
    while (system_now(CLOCK_THREAD_CPUTIME_ID) < 5 * slack_ns)
        ;
    m->first = toll_clock_now(m->clock);
    uint64_t of_thread = system_now(CLOCK_THREAD_CPUTIME_ID);
    m->used = use(m->clock, 3 * slack_ns) - m->first;
    m->used -= system_now(CLOCK_THREAD_CPUTIME_ID) - of_thread; /* modulo 2^64 */
    return NULL;
}

static void test_it_goes_on_in_another_thread(void **state)
{
    (void)state;
    toll_clock *clock = cpu_clock();
    for (int i = 0; i < 3; i++) { /* a new thread may have the pointer of one that has ended */
        moved m = { .clock = clock, .before = use(clock, 1000000) };
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, go_on, &m), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_true(m.first >= m.before && m.first - m.before < 4 * slack_ns);
        assert_true((int64_t)m.used <= (int64_t)slack_ns && (int64_t)m.used >= -(int64_t)slack_ns);
    }
    toll_clock_free(clock);
}

static void test_it_goes_on_after_a_fork(void **state)
{
    (void)state;
    toll_clock *clock = cpu_clock();
    uint64_t before = use(clock, 3 * slack_ns);
    pid_t child = fork();
    if (child == 0) {
        uint64_t first = toll_clock_now(clock);
        bool good = first >= before && first - before < 2 * slack_ns;
        while (system_now(CLOCK_THREAD_CPUTIME_ID) < 3 * slack_ns)
            good = good && toll_clock_now(clock) >= first;
        uint64_t used = toll_clock_now(clock) - before;
        _exit(good && used > 2 * slack_ns && used < 5 * slack_ns ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    use(clock, 1000000);
    toll_clock_free(clock);
}

/* The C library has not registered the thread: toll_clock_create_cpu refuses, and says why. */
static void test_without_restartable_sequences(void **state)
{
    (void)state;
    toll_clock_free(cpu_clock()); /* else it is refused in any case */
    assert_int_equal(system("GLIBC_TUNABLES=glibc.pthread.rseq=0 /proc/$PPID/exe refused"), 0);
}

static int refuses(void)
{
    toll_clock *clock = test_stale();
    toll_error why;
    toll_status status = toll_clock_create_cpu(NULL, &clock, &why);
    return status == TOLL_E_UNSUPPORTED && !clock && strstr(why.text, "rseq") ? 0 : 1;
}

static toll_status clock_life(const toll_allocator *allocator, void *user)
{
    (void)user;
    toll_clock *clock = test_stale();
    toll_status status = toll_clock_create_cpu(allocator, &clock, NULL);
    if (status)
        assert_null(clock);
    else
        assert_true(toll_clock_now(clock) > 0);
    toll_clock_free(clock);
    return status;
}

static void test_there_may_be_no_memory_for_it(void **state)
{
    (void)state;
    toll_clock_free(cpu_clock());
    test_every_allocation(clock_life, NULL);
}

/* --- watches -----------------------------------------------------------------------------------*/

#ifdef TOLL_HAVE_UNBROKEN

enum { WATCHES = 40000 };

static void test_watches_differ_and_are_used_again(void **state)
{
    (void)state;
    toll_clock_free(cpu_clock());
    toll_unbroken *all = test_malloc(WATCHES * sizeof *all);
    for (int round = 0; round < 3; round++) {
        int count = 0;
        uint64_t smallest = UINT64_MAX, largest = 0;
        while (count < WATCHES && toll_unbroken_create(&all[count])) {
            uint64_t value = all[count++].value;
            smallest = value < smallest ? value : smallest;
            largest = value > largest ? value : largest;
        }
        assert_true(count > 30000 && count < WATCHES);
        char *seen = test_calloc((largest - smallest) / 32 + 1, 1);
        for (int i = 0; i < count; i++) {
            assert_int_equal((all[i].value - smallest) % 32, 0);
            assert_int_equal(seen[(all[i].value - smallest) / 32]++, 0);
        }
        test_free(seen);
        while (count > 0)
            toll_unbroken_free(&all[--count]);
    }
    test_free(all);
}

static void *create_and_free(void *user)
{
    toll_unbroken w[8];
    for (int i = 0; i < 20000; i++) {
        for (int k = 0; k < 8; k++) {
            if (!toll_unbroken_create(&w[k]))
                return user;
            toll_unbroken_begin(&w[k]);
            for (int before = 0; before < k; before++)
                if (w[before].value == w[k].value || toll_unbroken_is(&w[before]))
                    return user;
        }
        for (int k = 0; k < 8; k++)
            toll_unbroken_free(&w[k]);
    }
    return NULL;
}

static void test_threads_get_watches_of_their_own(void **state)
{
    (void)state;
    pthread_t threads[4];
    void *failed;
    toll_clock_free(cpu_clock());
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, create_and_free, threads), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
}

#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_is_the_systems_clock_of_the_thread),
        cmocka_unit_test(test_what_is_waited_is_no_cpu_time),
        cmocka_unit_test(test_cpu_and_waited_time_are_wall_time),
        cmocka_unit_test(test_two_clocks_of_a_thread),
        cmocka_unit_test(test_it_goes_on_in_another_thread),
        cmocka_unit_test(test_it_goes_on_after_a_fork),
        cmocka_unit_test(test_without_restartable_sequences),
        cmocka_unit_test(test_there_may_be_no_memory_for_it),
#ifdef TOLL_HAVE_UNBROKEN
        cmocka_unit_test(test_watches_differ_and_are_used_again),
        cmocka_unit_test(test_threads_get_watches_of_their_own),
#endif
    };
    if (argc > 1)
        return strcmp(argv[1], "refused") == 0 ? refuses() : 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
