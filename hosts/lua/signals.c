/* signals.c - what ends a recording that nobody stopped: the Lua state closes, the process exits, a
 * signal; and what a fork makes of it.
 *
 * Whoever takes a profiler off the list writes its files; the list changes under a lock, and while
 * a thread has that, signals that end the program wait. So the normal end and a signal exclude one
 * another: whichever began finishes, and after a signal the process ends with its status.
 *
 * A profiler in the middle of an event (`busy`) can be read by nobody. Its thread writes it when
 * the event has ended (`signalled`). */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "host.h"

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
#include <sys/single_threaded.h>
#define HAS_SINGLE_THREADED 1
#endif

/* All that record, or have a file to write at the end. */
static profiler *live;
static atomic_flag locked = ATOMIC_FLAG_INIT;
static _Atomic int dying; /* the signal that ends the process; 0: none */

static const int signals[] = { SIGTERM, SIGHUP, SIGINT };
enum {
    SIGNAL_COUNT = sizeof signals / sizeof *signals,
    WAIT_STEP_NS = 2 * 1000 * 1000,
    WAIT_STEPS = 100 /* for other threads to write their own, at their next event */
};

/* --- the list ----------------------------------------------------------------------------------*/

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){ 0, WAIT_STEP_NS }, NULL);
}

static void lock(sigset_t *before)
{
    sigset_t held;
    sigemptyset(&held);
    for (int i = 0; i < SIGNAL_COUNT; i++)
        sigaddset(&held, signals[i]);
    pthread_sigmask(SIG_BLOCK, &held, before);
    while (atomic_flag_test_and_set(&locked))
        wait_a_little();
}

static void unlock(const sigset_t *before)
{
    atomic_flag_clear(&locked);
    pthread_sigmask(SIG_SETMASK, before, NULL); /* a signal that came meanwhile is handled here */
}

/* Under the lock. False: it is not there, somebody else has taken it. */
static bool take_off(profiler *p)
{
    for (profiler **at = &live; *at; at = &(*at)->next)
        if (*at == p) {
            *at = p->next;
            return true;
        }
    return false;
}

static void take_off_and_write(profiler *p)
{
    if (take_off(p) && p->pid == getpid())
        host_write_files(p);
}

/* --- a signal ----------------------------------------------------------------------------------*/

static void die(int signal_number)
{
    struct sigaction plain = { .sa_handler = SIG_DFL };
    sigset_t set;
    sigaction(signal_number, &plain, NULL);
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(signal_number);
}

/* This thread's own that are not busy, or with `all` those of other threads too. Under the lock. */
static void write_idle(bool all)
{
    for (profiler *p = live, *next; p; p = next) {
        next = p->next;
        if (!p->busy && (all || p->thread == host_this_thread()))
            take_off_and_write(p);
    }
}

static bool others_are_left(void)
{
    for (const profiler *p = live; p; p = p->next)
        if (p->thread != host_this_thread())
            return true;
    return false;
}

/* Everything is written, or will be by those who are busy: then it is false, and they end the
 * process. `signal_number` is what they are told; 0: the process exits. */
static bool write_everything(int signal_number)
{
    sigset_t before;
    bool others;
    lock(&before);
    for (profiler *p = live; p; p = p->next)
        p->signalled = signal_number ? signal_number : HOST_EXITS;
    write_idle(false);
    others = others_are_left();
    unlock(&before);
    for (int i = 0; others && i < WAIT_STEPS; i++) {
        wait_a_little();
        lock(&before);
        others = others_are_left();
        unlock(&before);
    }
    lock(&before);
    write_idle(true); /* threads that sleep */
    bool done = !live;
    unlock(&before);
    return done;
}

static void on_signal(int signal_number)
{
    int saved = errno;
    atomic_store(&dying, signal_number);
    if (write_everything(signal_number))
        die(signal_number);
    errno = saved;
}

/* An event of this thread has ended during which somebody wanted its profile written. */
void host_die_of_signal(profiler *p)
{
    sigset_t before;
    int signal_number = p->signalled;
    p->signalled = 0;
    lock(&before);
    take_off_and_write(p);
    bool last = !live;
    unlock(&before);
    if (last && signal_number != HOST_EXITS)
        die(signal_number);
}

static void watch_signals(void)
{
    struct sigaction ours = { .sa_handler = on_signal, .sa_flags = SA_RESTART }, now;
    sigfillset(&ours.sa_mask); /* a second one waits until the profile is written */
    for (int i = 0; i < SIGNAL_COUNT; i++)
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(signals[i], &ours, NULL);
}

/* --- a fork ------------------------------------------------------------------------------------*/

static sigset_t before_fork; /* under the lock, both */
static bool had_threads;

static bool has_threads(void)
{
#if defined(HAS_SINGLE_THREADED)
    return !__libc_single_threaded;
#elif defined(__GLIBC__)
    return true; /* for all that is known */
#else
    return false; /* others see to their own locks */
#endif
}

static void on_fork(void)
{
    sigset_t before;
    lock(&before);
    before_fork = before;
    had_threads = has_threads();
}

static void after_fork(void)
{
    sigset_t before = before_fork;
    unlock(&before);
}

/* What was recorded is the parent's; a file of the parent's name, too. Only one that is named after
 * its process is written by this one, with what happens from here on. */
static void begin_anew(profiler *p)
{
    free(p->timeline_path);
    p->timeline_path = NULL;
    if (p->active) {
        host_read_counters(p);
        toll_recorder_rebase(p->recorder, p->now);
        toll_recorder_start_over(p->recorder);
    }
    if (p->keep && p->kept_by_process) {
        p->pid = getpid();
        free(p->output); /* toll run's: it waits for the parent */
        p->output = NULL;
    }
}

static void after_fork_in_child(void)
{
    atomic_store(&dying, 0);
    host_fork_entries(had_threads);
    for (profiler *p = live, *next; p; p = next) {
        next = p->next;
        if (p->busy) /* in a thread that this process does not have: nobody will write it */
            take_off(p);
        else
            begin_anew(p);
    }
    after_fork();
}

/* --- the normal end ----------------------------------------------------------------------------*/

static void finish_at_exit(void)
{
    write_everything(0);
    int signal_number = atomic_load(&dying);
    if (signal_number) /* another thread handles it: that is how the process ends */
        die(signal_number);
}

static void watch_process(void)
{
    static atomic_flag watched = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&watched))
        return;
    atexit(finish_at_exit);
    pthread_atfork(on_fork, after_fork, after_fork_in_child);
}

void host_watch_end(profiler *p)
{
    sigset_t before;
    watch_process();
    lock(&before);
    take_off(p);
    p->next = live;
    live = p;
    unlock(&before);
    if (p->output || p->keep || p->timeline_path)
        watch_signals();
}

void host_forget_end(profiler *p)
{
    sigset_t before;
    lock(&before);
    take_off(p);
    unlock(&before);
}

toll_status host_end_recording(profiler *p, toll_error *err)
{
    sigset_t before;
    lock(&before);
    if (!p->output)
        take_off(p);
    toll_status status = p->pid == getpid() ? host_write_kept(p, err) : TOLL_OK;
    p->keep = false;
    unlock(&before);
    return status;
}

/* The Lua state closes. */
void host_finish(profiler *p, lua_State *L)
{
    sigset_t before;
    if (p->active)
        host_stop(p, L, true);
    lock(&before);
    take_off_and_write(p);
    unlock(&before);
}
