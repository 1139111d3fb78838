/* cpu_clock.c - see cpu_clock.h. */
#define _GNU_SOURCE
#include "base/cpu_clock.h"

#ifdef TOLL_HAVE_UNBROKEN

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 8 };

static uint64_t thread_cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* A break between the two readings would be taken for CPU time later: so they are repeated then.
 * Where breaks are that frequent, the clock of the thread is read again soon, which corrects it. */
static void read_both(toll_cpu_clock *c, uint64_t *of_thread, uint64_t *wall)
{
    for (int i = 0; i < TRIES; i++) {
        toll_unbroken_begin(&c->watch);
        *of_thread = thread_cpu_ns();
        *wall = toll_tsc_now(&c->tsc);
        if (toll_unbroken_is(&c->watch))
            return;
    }
}

uint64_t toll_cpu_clock_resync(toll_cpu_clock *c, uint64_t last)
{
    uint64_t of_thread = 0, wall = 0, thread = (uint64_t)syscall(SYS_gettid);
    read_both(c, &of_thread, &wall);
    if (thread != c->thread || of_thread < c->of_thread) /* less: a child after a fork */
        c->ahead = last - of_thread;
    c->thread = thread;
    c->of_thread = of_thread;
    uint64_t cpu = of_thread + c->ahead;
    if (cpu < last) /* the counter's rate is known to a millionth: it was ahead by that */
        cpu = last;
    uint64_t passed = wall - c->wall, used = cpu - c->cpu;
    c->waited += passed > used ? passed - used : 0;
    c->wall = wall;
    c->cpu = cpu;
    c->shift = cpu - wall;
    return cpu;
}

bool toll_cpu_clock_start(toll_cpu_clock *c)
{
    *c = (toll_cpu_clock){ 0 };
    toll_tsc_start(&c->tsc);
    if (!c->tsc.is_scaled || !toll_unbroken_create(&c->watch))
        return false;
    c->thread = (uint64_t)syscall(SYS_gettid);
    toll_cpu_clock_resync(c, 0);
    c->waited = 0;
    return true;
}

#else

bool toll_cpu_clock_start(toll_cpu_clock *c)
{
    *c = (toll_cpu_clock){ 0 };
    return false;
}

uint64_t toll_cpu_clock_resync(toll_cpu_clock *c, uint64_t last)
{
    (void)c;
    return last;
}

#endif

void toll_cpu_clock_end(toll_cpu_clock *c)
{
    toll_unbroken_free(&c->watch);
}
