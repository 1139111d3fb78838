/* recording.c - begins a recording, adds notes to it, and ends its timeline. See toll/embedder.h.
 */
#include "base/fail.h"
#include "callees.h"
#include "clocked_time.h"
#include "delivery.h"
#include "event_clock.h"
#include "executions.h"
#include "fold_recursion.h"
#include "guest_events.h"
#include "interrupted.h"
#include "profile_output.h"
#include "sampling.h"
#include "timeline_stream.h"
#include "tools.h"

#include <stdio.h>
#include <toll/embedder.h>

enum {
    MODULE_BITS = TOLL_MODULE_INSTRUMENTED | TOLL_MODULE_LINES | TOLL_MODULE_CALL_LINES,
    ALL_FLAGS = 2 * TOLL_RECORD_SAMPLES - 1
};

static const toll_counter ticks = { "ticks", "count", 0 }, time = { "time", "nanoseconds", 0 };
static const toll_value_type tick_axis = { "ticks", "count" },
                             time_axis = { "time", "nanoseconds" };

static char thread_name[80] = "main";

void host_name_thread(const char *name)
{
    snprintf(thread_name, sizeof thread_name, "%s", name);
}

/* Flags that exclude each other: a recording with `flag` fails if it has any of `wrong`. */
static const struct {
    uint32_t flag, wrong;
    const char *message;
} excluded[] = {
    { TOLL_RECORD_FOLD_RECURSION, TOLL_RECORD_CALL_KINDS,
      "where recursion is folded while the program runs, kinds of calls are not kept apart; "
      "fold it when the profile is converted" },
    { TOLL_RECORD_FOLD_RECURSION, TOLL_RECORD_TIMELINE | TOLL_RECORD_NO_CALLS,
      "where recursion is folded while the program runs there is no order of calls; fold it when "
      "the profile is converted" },
    { TOLL_RECORD_NO_CALLS, ALL_FLAGS & ~TOLL_RECORD_NO_CALLS,
      "without calls there is no time, no order and no heap" },
    { TOLL_RECORD_WINDOWS | TOLL_RECORD_SAMPLES, TOLL_RECORD_TIMELINE,
      "time that is sampled, or read once in a window, does not say when a call was made; leave "
      "out "
      "TOLL_RECORD_WINDOWS and TOLL_RECORD_SAMPLES, or TOLL_RECORD_TIMELINE" },
    { TOLL_RECORD_SAMPLES, TOLL_RECORD_WINDOWS,
      "time is sampled by the engine, or by windows, not both" },
};

static toll_status check_flags(uint32_t flags)
{
    for (size_t i = 0; i < sizeof excluded / sizeof *excluded; i++)
        if (flags & excluded[i].flag && flags & excluded[i].wrong)
            return toll_fail(host_error(), TOLL_E_ARGUMENT, "%s", excluded[i].message);
    if (flags & TOLL_RECORD_TIMELINE && !(flags & (TOLL_RECORD_TICKS | TOLL_RECORD_TIME)))
        return toll_fail(host_error(), TOLL_E_ARGUMENT,
                         "the order of calls needs ticks or time, and neither is recorded");
    if (flags & TOLL_RECORD_WINDOWS && !(flags & TOLL_RECORD_TIME))
        return toll_fail(host_error(), TOLL_E_ARGUMENT, "time by windows needs TOLL_RECORD_TIME");
    return TOLL_OK;
}

static toll_status make_timeline(bool has_ticks, bool has_time, uint32_t flags)
{
    return host_begin_timeline(flags, has_time ? &time_axis : &tick_axis,
                               has_ticks && has_time ? &tick_axis : NULL, host_labels());
}

static toll_status make_recorder(uint32_t flags, uint32_t max_depth)
{
    bool has_ticks = flags & TOLL_RECORD_TICKS, has_time = flags & TOLL_RECORD_TIME;
    toll_counter counters[2];
    uint32_t count = 0;
    if (has_ticks)
        counters[count++] = ticks;
    if (has_time)
        counters[count++] = time;
    toll_status status =
        flags & TOLL_RECORD_TIMELINE ? make_timeline(has_ticks, has_time, flags) : TOLL_OK;
    if (status)
        return status;
    const toll_recorder_options options = { .size = sizeof options,
                                            .counters = counters,
                                            .counter_count = count,
                                            .max_depth = max_depth,
                                            .heap = (flags & TOLL_RECORD_HEAP) != 0,
                                            .timeline = host_timeline(),
                                            .timeline_counter = host_timeline() ? count - 1 : 0,
                                            .main_thread = thread_name };
    return host_make_recorder(&options, has_ticks, has_time);
}

int host_begin(uint32_t flags, uint32_t max_depth, int64_t start_ns)
{
    if (flags & ~(uint32_t)(ALL_FLAGS | MODULE_BITS))
        return toll_fail(host_error(), TOLL_E_ARGUMENT,
                         "flags 0x%x: some are not known here; use the toll.wasm of that version",
                         (unsigned)flags);
    if (host_has_recorder())
        return toll_fail(host_error(), TOLL_E_STATE,
                         "a recording has begun already; make another instance of toll.wasm");
    toll_status status = check_flags(flags & ALL_FLAGS);
    if (status)
        return status;
    host_remember_stack();
    host_begin_clock(start_ns, flags & TOLL_RECORD_WASI_CLOCK, flags & TOLL_RECORD_TIME);
    host_begin_callees(flags & TOLL_RECORD_CALL_KINDS);
    host_begin_folding(flags & TOLL_RECORD_FOLD_RECURSION);
    host_begin_executions(flags & TOLL_RECORD_NO_CALLS);
    status = make_recorder(flags & ALL_FLAGS, max_depth);
    if (!status && flags & TOLL_RECORD_WINDOWS) {
        host_begin_clocked_time(false);
        host_begin_component_clock();
    }
    return status;
}

int host_note(const char *text, uint64_t count)
{
    return toll_recorder_note(host_recorder(), text, count, host_error());
}

/* End the timeline. Open frames close at the counters' last values. */
int host_end_timeline(void)
{
    toll_recorder_timeline_suspend(host_recorder());
    return toll_timeline_finish(host_timeline(), host_error());
}
