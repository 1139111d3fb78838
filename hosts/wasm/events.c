/* events.c - what happens while the guest runs. See host.h. */
#include "host.h"

#include "record/recorder_inline.h"

/* Nanoseconds, as the embedder measures them; only called where time is recorded. */
__attribute__((import_module("toll_host"), import_name("now"))) double host_now(void);

toll_host host;

const uint64_t *host_counters(uint64_t ticks)
{
    host.now[0] = ticks;
    if (host.has_time)
        host.now[host.has_ticks] = (uint64_t)host_now();
    return host.now;
}

/* What is not plain: the first event, time, a callee that the caller has not called last. */
static __attribute__((noinline)) void enter_other(toll_frame_id frame, uint64_t ticks)
{
    toll_recorder_call(host.recorder, frame, host_counters(ticks));
    host.is_plain = toll_recorder_is_plain(host.recorder);
}

static __attribute__((noinline)) void leave_other(uint64_t ticks)
{
    toll_recorder_return(host.recorder, host_counters(ticks));
}

EXPORT("enter") void enter(uint32_t function, uint64_t ticks)
{
    toll_frame_id frame = function < host.frame_count ? host.frames[function] : TOLL_NONE;
    if (!host.is_plain || !toll_recorder_call_plain(host.recorder, frame, ticks))
        enter_other(frame, ticks);
}

EXPORT("leave") void leave(uint32_t function, uint64_t ticks)
{
    (void)function;
    if (!host.is_plain || !toll_recorder_return_plain(host.recorder, ticks))
        leave_other(ticks);
}

EXPORT("depth") uint32_t depth(void)
{
    return (uint32_t)toll_recorder_depth(host.recorder);
}

EXPORT("unwind") void unwind(uint32_t to, uint64_t ticks)
{
    toll_recorder_unwind(host.recorder, to, host_counters(ticks));
}

/* --- heap --------------------------------------------------------------------------------------*/

/* calloc may call malloc: what the outermost of them does is what counts. How deep that stands
 * tells also that it is gone if an exception has passed it. */
EXPORT("allocating") void allocating(void)
{
    uint32_t now = depth();
    if (!host.allocating || now < host.allocating)
        host.allocating = now;
}

/* The block at `old_address` is given back, one of `size` bytes is at `new_address`; 0: none. */
EXPORT("heap") void heap(uint64_t old_address, uint64_t new_address, uint64_t size)
{
    if (depth() != host.allocating)
        return;
    host.allocating = 0;
    if (old_address && new_address)
        toll_recorder_realloc(host.recorder, old_address, new_address, size);
    else if (new_address)
        toll_recorder_alloc(host.recorder, new_address, size);
    else if (old_address && !size)
        toll_recorder_heap_free(host.recorder, old_address);
}

/* --- by the embedder ---------------------------------------------------------------------------*/

/* Charge what the guest has spent so far. */
EXPORT("charge") void charge(uint64_t ticks)
{
    toll_recorder_charge(host.recorder, host_counters(ticks));
}

/* Another instance begins, whose ticks begin anew. */
EXPORT("next_instance") void next_instance(uint64_t ticks)
{
    charge(ticks);
    host.now[0] = 0;
    toll_recorder_rebase(host.recorder, host.now);
}

/* What the clock said when the counters were read last: nanoseconds. */
EXPORT("time") double time_so_far(void)
{
    return host.has_time ? (double)host.now[host.has_ticks] : 0;
}

/* What the ticks were when they were told last. */
EXPORT("ticks") uint64_t ticks_so_far(void)
{
    return host.has_ticks ? host.recorder->counters[0].last : 0;
}

/* A phase of the embedder's: link, init, ... */
EXPORT("phase") int begin_phase(const char *name, uint64_t ticks)
{
    const toll_frame frame = { name, "", 0, TOLL_KIND_PHASE };
    toll_frame_id id;
    toll_status status = toll_recorder_frame(host.recorder, &frame, &id, &host.error);
    if (!status)
        toll_recorder_call(host.recorder, id, host_counters(ticks));
    return status;
}

EXPORT("phase_end") void end_phase(uint64_t ticks)
{
    toll_recorder_return(host.recorder, host_counters(ticks));
}

static toll_status section_frame(const char *name, toll_frame_id *id)
{
    const toll_frame frame = { name, "", 0, TOLL_KIND_SECTION };
    return toll_recorder_frame(host.recorder, &frame, id, &host.error);
}

/* A section that the guest names begins, and ends. */
EXPORT("section") int begin_section(const char *name, uint64_t ticks)
{
    toll_frame_id id;
    toll_status status = section_frame(name, &id);
    return status
               ? status
               : toll_recorder_section_begin(host.recorder, id, host_counters(ticks), &host.error);
}

EXPORT("section_end") int end_section(const char *name, uint64_t ticks)
{
    toll_frame_id id;
    toll_status status = section_frame(name, &id);
    return status ? status
                  : toll_recorder_section_end(host.recorder, id, host_counters(ticks), &host.error);
}
