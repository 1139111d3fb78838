/* sample_timer.c - see sample_timer.h. */
#define _GNU_SOURCE /* SIGEV_THREAD_ID */
#include "sample_timer.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "this_thread.h"

#ifdef SIGEV_THREAD_ID
#include <sys/syscall.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

struct sample_timer {
    sample_timer *next; /* in the list of all: a signal may arrive late, so none is freed */
    atomic_bool is_used, runs;
    void (*tick)(void *user);
    void *user;
    uint64_t thread; /* of host_this_thread */
    uint64_t interval_ns;
    uint64_t cpu_ns; /* the thread's CPU time at the last interruption */
    bool rests;
    timer_t while_busy, while_idle;
};

enum { IDLE_PART = 16 }; /* an interval in which a smaller part than 1/16 was used is an idle one */

static _Atomic(sample_timer *) all;
static struct sigaction former;

static uint64_t cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct timespec timespec_of(uint64_t ns)
{
    return (struct timespec){ (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
}

/* Interrupt at equal distances of real time: the kernel checks a timer of CPU time only at its own
 * ticks, which may be 4 ms apart. */
static void be_busy(sample_timer *t)
{
    struct timespec each = timespec_of(t->interval_ns);
    t->rests = false;
    timer_settime(t->while_busy, 0, &(struct itimerspec){ each, each }, NULL);
}

static void rest(sample_timer *t)
{
    t->rests = true;
    timer_settime(t->while_busy, 0, &(struct itimerspec){ { 0, 0 }, { 0, 0 } }, NULL);
    timer_settime(t->while_idle, 0, &(struct itimerspec){ { 0, 0 }, { 0, 1 } }, NULL);
}

static void tick(sample_timer *t)
{
    uint64_t now = cpu_time(), used = now - t->cpu_ns;
    t->cpu_ns = now;
    if (t->rests)
        be_busy(t);
    else if (used < t->interval_ns / IDLE_PART)
        rest(t);
    t->tick(t->user);
}

static sample_timer *find(const void *address)
{
    for (sample_timer *t = atomic_load(&all); t; t = t->next)
        if (t == address)
            return t;
    return NULL;
}

static void pass_on(int number, siginfo_t *info, void *context)
{
    if (former.sa_flags & SA_SIGINFO)
        former.sa_sigaction(number, info, context);
    else if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN)
        former.sa_handler(number);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    sample_timer *t = info->si_code == SI_TIMER ? find(info->si_value.sival_ptr) : NULL;
    if (!t)
        pass_on(number, info, context);
    else if (atomic_load(&t->runs) && t->thread == host_this_thread())
        tick(t);
    errno = saved;
}

static bool watch(void)
{
    struct sigaction ours = { .sa_sigaction = on_signal,
                              .sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK },
                     now;
    if (sigaction(SIGVTALRM, NULL, &now))
        return false;
    if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_signal)
        return true;
    former = now;
    return sigaction(SIGVTALRM, &ours, NULL) == 0;
}

static bool make(clockid_t clock, sample_timer *t, timer_t *out)
{
    struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGVTALRM };
    event.sigev_value.sival_ptr = t;
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    return timer_create(clock, &event, out) == 0;
}

static sample_timer *unused(void)
{
    for (sample_timer *t = atomic_load(&all); t; t = t->next)
        if (!atomic_exchange(&t->is_used, true))
            return t;
    sample_timer *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    atomic_store(&t->is_used, true);
    t->next = atomic_load(&all);
    while (!atomic_compare_exchange_weak(&all, &t->next, t))
        ;
    return t;
}

static bool make_both(sample_timer *t)
{
    if (!make(CLOCK_MONOTONIC, t, &t->while_busy))
        return false;
    if (make(CLOCK_THREAD_CPUTIME_ID, t, &t->while_idle))
        return true;
    timer_delete(t->while_busy);
    return false;
}

sample_timer *sample_timer_start(uint32_t hz, void (*on_tick)(void *user), void *user)
{
    sample_timer *t = unused();
    if (!t)
        return NULL;
    t->tick = on_tick;
    t->user = user;
    t->interval_ns = 1000000000u / hz;
    t->thread = host_this_thread();
    t->cpu_ns = cpu_time();
    if (!watch() || !make_both(t)) {
        atomic_store(&t->is_used, false);
        return NULL;
    }
    atomic_store(&t->runs, true);
    be_busy(t);
    return t;
}

void sample_timer_after_fork(sample_timer *t)
{
    if (!t)
        return;
    t->cpu_ns = cpu_time();
    if (make_both(t))
        be_busy(t);
}

void sample_timer_stop(sample_timer *t)
{
    if (!t)
        return;
    atomic_store(&t->runs, false);
    timer_delete(t->while_busy);
    timer_delete(t->while_idle);
    atomic_store(&t->is_used, false);
}

#else

#include <stddef.h>

sample_timer *sample_timer_start(uint32_t hz, void (*on_tick)(void *user), void *user)
{
    (void)hz, (void)on_tick, (void)user;
    return NULL;
}

void sample_timer_after_fork(sample_timer *t)
{
    (void)t;
}

void sample_timer_stop(sample_timer *t)
{
    (void)t;
}

#endif
