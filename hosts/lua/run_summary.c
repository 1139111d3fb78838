/* run_summary.c - see run_summary.h. */
#include "run_summary.h"

#include <unistd.h>

#include "system_clock.h"

void host_begin_times(profiler *p)
{
    p->start_wall_ns = host_read_clock(CLOCK_MONOTONIC);
    p->start_cpu_ns = host_read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* The value of the whole profile. */
static uint64_t sum(const toll_profile *profile, const char *type)
{
    uint32_t column = toll_profile_find_column(profile, type), count;
    uint64_t all = 0;
    count = column == TOLL_NONE ? 0 : toll_profile_node_count(profile);
    for (uint32_t n = 0; n < count; n++)
        all += (uint64_t)toll_profile_self(profile, n, column);
    return all;
}

/* "CPU time: 8.40 s of 80.71 s". By the clock of the recording, as far as it can say; the rest is
 * of the whole process. */
static void put_times(const profiler *p, const toll_profile *profile, toll_output *out)
{
    char cpu_text[TOLL_VALUE_TEXT_SIZE], whole_text[TOLL_VALUE_TEXT_SIZE];
    uint64_t cpu, whole;
    if (p->options.clock == HOST_CLOCK_NONE)
        return;
    cpu = p->options.sample_hz ? sum(profile, "sampled_cpu")
          : p->options.clock == HOST_CLOCK_CPU
              ? sum(profile, "cpu")
              : host_read_clock(CLOCK_PROCESS_CPUTIME_ID) - p->start_cpu_ns;
    whole = p->cpu_is_cheap ? cpu + sum(profile, "waited")
            : p->options.clock == HOST_CLOCK_WALL
                ? sum(profile, "time")
                : host_read_clock(CLOCK_MONOTONIC) - p->start_wall_ns;
    toll_output_printf(
        out, "\nCPU time: %s of %s%s\n", toll_value_text((int64_t)cpu, "nanoseconds", cpu_text),
        toll_value_text((int64_t)whole, "nanoseconds", whole_text),
        p->had_no_choice
            ? "; by function only wall time is known: CPU time is not cheap to read here"
            : "");
}

void host_write_summary(profiler *p, const toll_profile *profile, bool is_saved)
{
    toll_output *out;
    toll_error err;
    toll_allocator allocator = toll_kernel_memory_allocator(&p->memory);
    toll_report_options o = {
        .size = sizeof o, .rows = p->summary_rows, .value = p->value, .short_names = 1
    };
    if (toll_output_from_fd(&allocator, STDERR_FILENO, "(standard error)", &out, &err))
        return;
    toll_output_printf(out, "\ntoll: ");
    toll_output_put_printable(out, is_saved ? p->output : "(not written)");
    toll_output_printf(out, "\n");
    toll_report_top(profile, &o, out, &err);
    put_times(p, profile, out);
    if (p->jit && p->options.sample_hz)
        toll_output_printf(out, "sampled %u times a second, with LuaJIT's compiler on\n",
                           (unsigned)p->options.sample_hz);
    else if (p->options.sample_hz)
        toll_output_printf(out, "sampled %u times a second\n", (unsigned)p->options.sample_hz);
    else if (p->jit)
        toll_output_printf(out, "LuaJIT's compiler was off, so that each call is seen: with it the "
                                "program is faster, and the shares differ; --sample keeps it on\n");
    toll_output_commit(out, &err);
    toll_output_free(out);
}
