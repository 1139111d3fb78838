/* sample_timer.c - see sample_timer.h. */
#define _GNU_SOURCE /* SIGEV_THREAD_ID, RUSAGE_THREAD */
#include "sample_timer.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
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
    uint64_t rest_ns; /* until the next look at a thread that waits; 0: it works */
    uint64_t cpu_ns;  /* the thread's CPU time at the last tick */
    long waits;       /* how often it had waited at the last interruption */
    timer_t by_real_time, by_cpu_time;
};

enum {
    IDLE_PART = 16, /* an interval in which a smaller part than 1/16 was used is an idle one */
    MOST_REST_NS = 100000000 /* or the interval, if that is longer */
};

static _Atomic(sample_timer *) all;
static struct sigaction former;

static uint64_t cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* How often the thread has waited so far: given up its processor before its time was over. */
static long wait_count(void)
{
    struct rusage used;
    return getrusage(RUSAGE_THREAD, &used) ? 0 : used.ru_nvcsw;
}

static struct timespec timespec_of(uint64_t ns)
{
    return (struct timespec){ (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
}

static void interrupt_after(timer_t timer, uint64_t first_ns, uint64_t each_ns)
{
    timer_settime(timer, 0, &(struct itimerspec){ timespec_of(each_ns), timespec_of(first_ns) },
                  NULL);
}

/* Interrupt at equal distances of real time: the kernel checks a timer of CPU time only at its own
 * ticks, which may be 4 ms apart, and only if the thread runs at one. Where threads share a
 * processor, and take turns at the ticks' pace, that may be once in 200 ms of CPU time. */
static void be_busy(sample_timer *t)
{
    t->rest_ns = 0;
    interrupt_after(t->by_real_time, t->interval_ns, t->interval_ns);
}

/* The thread waits: look again when it has used CPU time, or after twice the time. */
static void rest(sample_timer *t)
{
    uint64_t most = t->interval_ns > MOST_REST_NS ? t->interval_ns : MOST_REST_NS;
    uint64_t next = 2 * (t->rest_ns ? t->rest_ns : t->interval_ns);
    t->rest_ns = next < most ? next : most;
    interrupt_after(t->by_real_time, t->rest_ns, 0);
    interrupt_after(t->by_cpu_time, 1, 0);
}

static void on_interruption(sample_timer *t)
{
    uint64_t now = cpu_time();
    long waits = wait_count();
    bool has_waited = waits != t->waits; /* if not, another thread had the processor */
    bool is_idle = now - t->cpu_ns < t->interval_ns / IDLE_PART;
    t->waits = waits;
    if (is_idle && has_waited)
        rest(t);
    else if (t->rest_ns)
        be_busy(t);
    if (is_idle)
        return; /* the time is the next tick's */
    t->cpu_ns = now;
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
        on_interruption(t);
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
    if (!make(CLOCK_MONOTONIC, t, &t->by_real_time))
        return false;
    if (make(CLOCK_THREAD_CPUTIME_ID, t, &t->by_cpu_time))
        return true;
    timer_delete(t->by_real_time);
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
    t->waits = wait_count();
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
    t->waits = wait_count();
    if (make_both(t))
        be_busy(t);
}

void sample_timer_stop(sample_timer *t)
{
    if (!t)
        return;
    atomic_store(&t->runs, false);
    timer_delete(t->by_real_time);
    timer_delete(t->by_cpu_time);
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
