/* clock.c - the clocks of toll/clock.h. */
#include "base/cpu_clock.h"
#include "base/fail.h"
#include "base/mem.h"
#include "base/os.h"
#include "base/tsc_clock.h"

#include <toll/clock.h>

struct toll_clock {
    toll_mem mem;
    bool is_of_cpu;
    toll_tsc wall;
    toll_cpu_clock cpu; /* used instead, if is_of_cpu */
    uint64_t last;      /* result of that */
};

static toll_status create(const toll_allocator *allocator, toll_clock **out, toll_error *err)
{
    if (!out)
        return toll_fail_null(err, "out");
    toll_mem mem = toll_mem_from(allocator);
    *out = toll_mem_new(&mem, 1, sizeof **out);
    if (!*out)
        return toll_fail_nomem(err);
    (*out)->mem = mem;
    return TOLL_OK;
}

toll_status toll_clock_create(const toll_allocator *allocator, toll_clock **out, toll_error *err)
{
    toll_status status = create(allocator, out, err);
    if (!status)
        toll_tsc_start(&(*out)->wall);
    return status;
}

toll_status toll_clock_create_cpu(const toll_allocator *allocator, toll_clock **out,
                                  toll_error *err)
{
    toll_status status = create(allocator, out, err);
    if (status)
        return status;
    (*out)->is_of_cpu = toll_cpu_clock_start(&(*out)->cpu);
    if ((*out)->is_of_cpu)
        return TOLL_OK;
    toll_clock_free(*out);
    *out = NULL;
    return toll_fail(err, TOLL_E_UNSUPPORTED,
                     "CPU time is not cheap to read here: that needs Linux on x86-64 with a steady "
                     "time stamp counter, and glibc 2.35 or later that has registered rseq; "
                     "toll_clock_create makes a clock of wall time");
}

void toll_clock_free(toll_clock *clock)
{
    if (!clock)
        return;
    toll_mem mem = clock->mem;
    toll_cpu_clock_end(&clock->cpu);
    toll_mem_free(&mem, clock, 1, sizeof *clock);
}

uint64_t toll_clock_now(toll_clock *clock)
{
    if (!clock->is_of_cpu)
        return toll_tsc_now(&clock->wall);
    return clock->last = toll_cpu_clock_now(&clock->cpu, clock->last);
}

uint64_t toll_clock_waited(const toll_clock *clock)
{
    return clock->cpu.waited;
}

const char *toll_clock_source(const toll_clock *clock)
{
    return clock->is_of_cpu        ? "CPU time by time stamp counter"
           : clock->wall.is_scaled ? "time stamp counter"
                                   : toll_os_clock_name();
}
