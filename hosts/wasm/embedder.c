/* embedder.c - the functions with which the embedder itself reports and asks: counters, phases,
 * sections. See toll/embedder.h. */
#include "base/fail.h"
#include "clocked_time.h"
#include "delivery.h"
#include "events.h"
#include "modules.h"
#include "fold_recursion.h"
#include "guest_events.h"
#include "heap_events.h"
#include "resumptions.h"
#include "sampling.h"
#include "timeline_stream.h"
#include "tools.h"

#include <toll/embedder.h>

void host_charge(uint64_t ticks)
{
    host_clock_charge(ticks);
    toll_recorder_charge(host_recorder(), host_counters(ticks));
}

void host_pass(uint64_t ticks)
{
    host_clock_pass(ticks);
    toll_recorder_rebase(host_recorder(), host_counters(ticks));
}

void host_unwind(uint32_t to, uint64_t ticks)
{
    host_clock_unwind(to, ticks);
    host_leave_deeper(to, ticks);
}

void host_next_instance(uint64_t ticks)
{
    host_charge(ticks);
    host_heap_next_instance();
    host_set_resuming(false);
    host_stream_next_instance();
    if (host_current_module() && host_current_module()->info.is_linked)
        host_end_instance(); /* else the next module() does */
    host_pass(0);
}

double host_time_so_far(void)
{
    return (double)host_last_time() + (double)host_sampled_ns();
}

uint64_t host_spent_ticks(void)
{
    return host_has_ticks() ? toll_recorder_elapsed(host_recorder(), 0) : 0;
}

uint64_t host_spent_time(void)
{
    return (host_has_time() ? toll_recorder_elapsed(host_recorder(), host_has_ticks()) : 0) +
           host_sampled_ns();
}

uint64_t host_ticks_so_far(void)
{
    return host_last_ticks();
}

int host_begin_phase(const char *name, uint64_t ticks)
{
    const toll_frame frame = { .name = name, .kind = TOLL_KIND_PHASE };
    toll_frame_id id;
    toll_status status = toll_recorder_add_frame(host_recorder(), &frame, &id, host_error());
    if (status)
        return status;
    host_clock_charge(ticks);
    if (host_fold_is_open())
        host_fold_event(false, id, host_counters(ticks));
    else
        toll_recorder_call(host_recorder(), id, host_counters(ticks));
    host_clock_begin_phase();
    return TOLL_OK;
}

void host_end_phase(uint64_t ticks)
{
    host_clock_charge(ticks);
    const uint64_t *now = host_counters(ticks);
    if (!host_fold_is_open() || !host_fold_end_phase(now))
        toll_recorder_return(host_recorder(), now);
    host_clock_end_phase();
}

static toll_status section_frame(const char *name, toll_frame_id *id)
{
    if (host_folds())
        return toll_fail(host_error(), TOLL_E_ARGUMENT,
                         "there are no sections where recursion is folded while the program runs");
    const toll_frame frame = { .name = name, .kind = TOLL_KIND_SECTION };
    return toll_recorder_add_frame(host_recorder(), &frame, id, host_error());
}

int host_begin_section(const char *name, uint64_t ticks)
{
    toll_frame_id id;
    toll_status status = section_frame(name, &id);
    host_clock_charge(ticks);
    return status ? status
                  : toll_recorder_section_begin(host_recorder(), id, host_counters(ticks),
                                                host_error());
}

int host_begin_section_late(const char *name, uint64_t ticks)
{
    toll_frame_id id;
    toll_status status = section_frame(name, &id);
    host_clock_charge(ticks);
    return status ? status
                  : toll_recorder_section_begin_late(host_recorder(), id, host_counters(ticks),
                                                     host_error());
}

int host_drop_section(const char *name)
{
    toll_frame_id id;
    toll_status status = section_frame(name, &id);
    return status ? status : toll_recorder_section_drop(host_recorder(), id, host_error());
}

int host_end_section(const char *name, uint64_t ticks)
{
    toll_frame_id id;
    toll_status status = section_frame(name, &id);
    host_clock_charge(ticks);
    return status
               ? status
               : toll_recorder_section_end(host_recorder(), id, host_counters(ticks), host_error());
}
