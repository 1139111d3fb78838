/* process_end.c - see process_end.h.
 *
 * The thread that removes a profiler from the list of live ones writes its files, so they are
 * written once. The list changes under a lock, and the thread that holds the lock blocks the
 * signals that end the program. So the normal end and a signal exclude one another: the one that
 * began first finishes. After a signal the process always ends with that signal's status. */
#define _GNU_SOURCE /* dladdr, RTLD_NODELETE */
#include "process_end.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "offset_tables.h"
#include "output_name.h"
#include "profile_files.h"

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
#include <sys/single_threaded.h>
#define HAS_SINGLE_THREADED 1
#endif

static profiler *live; /* profilers that record, or have a file to write at the end */
static atomic_flag locked = ATOMIC_FLAG_INIT;
static _Atomic int dying; /* the signal that ends the process; 0: none */

static const int signals[] = { SIGTERM, SIGHUP, SIGINT };
enum {
    SIGNAL_COUNT = sizeof signals / sizeof *signals,
    WAIT_STEP_NS = 2 * 1000 * 1000,
    WAIT_STEPS = 100 /* so long other threads may take to have an event, and write their files */
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
    pthread_sigmask(SIG_SETMASK, before, NULL); /* a signal that was blocked is handled here */
}

/* Remove the profiler from the list. The caller holds the lock. False: it is not in the list any
 * more. */
static bool unlist(profiler *p)
{
    for (profiler **at = &live; *at; at = &(*at)->next)
        if (*at == p) {
            *at = p->next;
            return true;
        }
    return false;
}

/* Set `signalled` of all profilers. The caller holds the lock. Also closes the fast paths, so that
 * from now on each event reads `signalled`. */
static void signal_all(int signal_number)
{
    for (profiler *p = live; p; p = p->next) {
        atomic_store(&p->is_dying, signal_number != 0);
        atomic_store(&p->signalled, signal_number ? signal_number : HOST_EXITS);
        atomic_store_explicit(&p->fast_for, NULL, memory_order_relaxed);
    }
}

static void unlist_and_write(profiler *p)
{
    if (unlist(p) && p->pid == getpid())
        host_write_files(p);
}

/* --- a signal ----------------------------------------------------------------------------------*/

static void die(int signal_number)
{
    struct sigaction by_default = { .sa_handler = SIG_DFL };
    sigset_t set;
    sigaction(signal_number, &by_default, NULL);
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(signal_number);
}

static bool is_busy(const profiler *p)
{
    return atomic_load_explicit(&p->busy, memory_order_acquire);
}

/* Write the files of this thread's profilers that are not busy; with `all` also those of other
 * threads. The caller holds the lock. */
static void write_idle(bool all)
{
    for (profiler *p = live, *next; p; p = next) {
        next = p->next;
        if (!is_busy(p) && (all || p->thread == host_this_thread()))
            unlist_and_write(p);
    }
}

static bool others_remain(void)
{
    for (const profiler *p = live; p; p = p->next)
        if (p->thread != host_this_thread())
            return true;
    return false;
}

/* Write the files of all profilers that are not busy. Other threads get the time to write their
 * own. False: some profiler is still busy; its thread will write its files and end the process.
 * `signal_number` is 0 if the process exits. */
static bool write_everything(int signal_number)
{
    sigset_t before;
    bool others;
    lock(&before);
    signal_all(signal_number);
    write_idle(false);
    others = others_remain();
    unlock(&before);
    for (int i = 0; others && i < WAIT_STEPS; i++) {
        wait_a_little();
        lock(&before);
        others = others_remain();
        unlock(&before);
    }
    lock(&before);
    write_idle(true); /* profilers whose threads sleep, and have no event */
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

void host_die_of_signal(profiler *p)
{
    sigset_t before;
    int signal_number = atomic_exchange(&p->signalled, 0);
    lock(&before); /* waits for a thread that is writing the files */
    unlist_and_write(p);
    bool last = !live;
    unlock(&before);
    if (last && signal_number != HOST_EXITS)
        die(signal_number);
}

static void watch_signals(void)
{
    struct sigaction ours = { .sa_handler = on_signal, .sa_flags = SA_RESTART }, now;
    sigfillset(&ours.sa_mask); /* a second signal waits until the profile is written */
    for (int i = 0; i < SIGNAL_COUNT; i++)
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(signals[i], &ours, NULL);
}

/* --- a fork ------------------------------------------------------------------------------------*/

static sigset_t before_fork; /* the lock guards both */
static bool had_threads;

static bool has_threads(void)
{
#if defined(HAS_SINGLE_THREADED)
    return !__libc_single_threaded;
#elif defined(__GLIBC__)
    return true; /* unknown: assume so */
#else
    return false; /* other C libraries release their locks in the forked process */
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

/* Make the recording empty in a forked process. What was recorded before is the parent's, and so
 * are the files that the parent has named. Only a file whose name has the process id is written by
 * the forked process too, with what happens from here on. */
static void begin_anew(profiler *p)
{
    free(p->timeline_path);
    p->timeline_path = NULL;
    if (p->active) {
        host_update_fast(p);
        if (p->samples.charge)
            p->samples.charge(p, NULL);
        sample_timer_after_fork(p->samples.timer);
        host_read_counters(p);
        toll_recorder_rebase(p->recorder, p->now);
        toll_recorder_start_over(p->recorder);
    }
    if (p->keep && p->kept_by_process) {
        p->pid = getpid();
        host_number_again(p);
        free(p->output); /* the parent writes the file that toll run waits for */
        p->output = NULL;
    }
}

static void after_fork_in_child(void)
{
    atomic_store(&dying, 0);
    host_fork_tables(had_threads);
    host_forget_numbers();
    for (profiler *p = live, *next; p; p = next) {
        next = p->next;
        atomic_store(&p->signalled, 0);
        if (is_busy(p)) /* its thread does not exist here, so the change never ends */
            unlist(p);
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
    if (signal_number) /* another thread handles the signal: end by the signal, not by exit */
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

void host_stay_loaded(void)
{
    Dl_info module;
    if (dladdr(&live, &module) && module.dli_fname)
        dlopen(module.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void host_watch_end(profiler *p)
{
    sigset_t before;
    watch_process();
    lock(&before);
    unlist(p);
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
    unlist(p);
    unlock(&before);
}

toll_status host_end_recording(profiler *p, toll_error *err)
{
    sigset_t before;
    lock(&before);
    if (!p->output)
        unlist(p);
    toll_status status = p->pid == getpid() ? host_write_kept(p, err) : TOLL_OK;
    p->keep = false;
    unlock(&before);
    return status;
}

toll_status host_write_so_far(profiler *p, toll_error *err)
{
    sigset_t before;
    lock(&before);
    toll_status status = p->pid == getpid() ? host_write_kept(p, err) : TOLL_OK;
    unlock(&before);
    return status;
}

void host_finish(profiler *p)
{
    sigset_t before;
    lock(&before);
    unlist_and_write(p);
    unlock(&before);
}
