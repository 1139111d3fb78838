/* events.c - what happens while the guest runs. See host.h. */
#include "host.h"

#include "record/recorder_inline.h"

#include <stdlib.h>

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

/* --- quick steps -------------------------------------------------------------------------------*/

toll_recorder *host_recorder(void)
{
    toll_quick *q = &host.quick;
    if (q->is_on) {
        toll_track *t = host.recorder->track;
        toll_track_stand_at(t, *q->top);
        t->depth = q->sure = (uint64_t)(q->top - q->stack);
        host.recorder->counters[0].last = q->last;
        q->is_on = false;
        q->floor = q->end = q->top;
    }
    return host.recorder;
}

static bool make_room(toll_quick *q, uint64_t depth)
{
    uint64_t capacity = 2 * depth + 64;
    if (depth + 1 < q->capacity)
        return true;
    toll_node **stack = capacity > SIZE_MAX / sizeof *stack
                            ? NULL
                            : realloc(q->stack, (size_t)capacity * sizeof *stack);
    if (!stack)
        return false;
    if (!q->stack)
        stack[0] = NULL; /* it holds no base yet */
    q->stack = stack;
    q->capacity = capacity;
    return true;
}

/* After an event of the recorder's: go on quickly, if what comes may be plain. Of the stack only
 * what has changed is written anew. */
static void be_quick(void)
{
    toll_quick *q = &host.quick;
    toll_track *t = host.recorder->track;
    if (host.has_time || !toll_recorder_is_plain(host.recorder) || t->folded ||
        !make_room(q, t->depth))
        return;
    toll_node *node = t->current;
    for (uint64_t i = t->depth; node && (i > q->sure || q->stack[i] != node); i--) {
        q->stack[i] = node;
        node = i ? node->parent : NULL;
    }
    q->sure = t->depth;
    q->top = q->stack + t->depth;
    q->floor = q->stack + t->floor;
    q->end = q->stack + (t->limit < q->capacity - 1 ? t->limit : q->capacity - 1);
    q->last = host.recorder->counters[0].last;
    q->is_on = true;
}

static inline void charge_quickly(toll_quick *q, toll_node *node, uint64_t ticks)
{
    node->values[1] = (int64_t)((uint64_t)node->values[1] + (ticks - q->last));
    q->last = ticks;
}

/* --- by the guest ------------------------------------------------------------------------------*/

/* The first event, time, a callee that the caller has not called last, ... */
static __attribute__((noinline)) void enter_other(toll_frame_id frame, uint64_t ticks)
{
    toll_recorder_call(host_recorder(), frame, host_counters(ticks));
    be_quick();
}

/* How deep the innermost frame of a function stands; 0: nowhere. */
static uint64_t find_standing(toll_frame_id frame)
{
    const toll_track *t = host.recorder->track;
    const toll_node *node = t->current;
    uint64_t depth = t->depth;
    for (; depth > 0 && node->frame != frame; depth--)
        node = node->parent;
    return depth;
}

/* A function returns that is not innermost: those above it were left in a way that nobody saw
 * (JavaScript threw through them, and caught it), or the engine has switched stacks. */
static void leave_below(toll_frame_id frame, const uint64_t *now)
{
    uint64_t depth = find_standing(frame);
    if (depth)
        toll_recorder_unwind(host.recorder, depth - 1, now);
    if (host.allocating >= depth)
        host.allocating = 0;
    toll_recorder_note(host.recorder,
                       depth ? "returns that ended functions above, which nobody saw end"
                             : "returns of functions that did not stand",
                       1, NULL);
}

static __attribute__((noinline)) void leave_other(toll_frame_id frame, uint64_t ticks)
{
    const uint64_t *now = host_counters(ticks);
    const toll_track *t = host_recorder()->track;
    if (t->depth == 0 || t->folded || t->sections.standing || t->current->frame == frame)
        toll_recorder_return(host.recorder, now);
    else
        leave_below(frame, now);
    be_quick();
}

static inline toll_frame_id frame_of(uint32_t function)
{
    return function < host.frame_count ? host.frames[function] : TOLL_NONE;
}

EXPORT("enter") void enter(uint32_t function, uint64_t ticks)
{
    toll_quick *q = &host.quick;
    toll_frame_id frame = frame_of(function);
    toll_node *child;
    if (q->top == q->end || !(child = (*q->top)->last_child) || child->frame != frame ||
        ticks < q->last) {
        enter_other(frame, ticks);
        return;
    }
    charge_quickly(q, *q->top, ticks);
    child->values[0]++;
    *++q->top = child;
}

EXPORT("leave") void leave(uint32_t function, uint64_t ticks)
{
    toll_quick *q = &host.quick;
    toll_frame_id frame = frame_of(function);
    if (q->top == q->floor || (*q->top)->frame != frame || ticks < q->last) {
        leave_other(frame, ticks);
        return;
    }
    charge_quickly(q, *q->top--, ticks);
}

EXPORT("depth") uint32_t depth(void)
{
    const toll_quick *q = &host.quick;
    return q->is_on ? (uint32_t)(q->top - q->stack) : (uint32_t)toll_recorder_depth(host.recorder);
}

EXPORT("unwind") void unwind(uint32_t to, uint64_t ticks)
{
    if (host.allocating > to) /* an exception has passed it */
        host.allocating = 0;
    toll_recorder_unwind(host_recorder(), to, host_counters(ticks));
}

/* --- heap --------------------------------------------------------------------------------------*/

/* calloc may call malloc: what the outermost of them does is what counts. */
EXPORT("allocating") void allocating(void)
{
    uint32_t now = depth();
    if (!host.allocating || now < host.allocating)
        host.allocating = now;
}

/* Each instance has a memory of its own. */
static uint64_t name_of_block(uint64_t address)
{
    return address ^ (uint64_t)host.instance << 48;
}

/* The block at `old_address` is given back, one of `size` bytes is at `new_address`; 0: none. */
EXPORT("heap") void heap(uint64_t old_address, uint64_t new_address, uint64_t size)
{
    uint64_t old_block = name_of_block(old_address), new_block = name_of_block(new_address);
    if (depth() != host.allocating)
        return;
    host.allocating = 0;
    if (old_address && new_address)
        toll_recorder_realloc(host_recorder(), old_block, new_block, size);
    else if (new_address)
        toll_recorder_alloc(host_recorder(), new_block, size);
    else if (old_address && !size)
        toll_recorder_heap_free(host_recorder(), old_block);
}

/* --- by the embedder ---------------------------------------------------------------------------*/

/* Charge what the guest has spent so far. */
EXPORT("charge") void charge(uint64_t ticks)
{
    toll_recorder_charge(host_recorder(), host_counters(ticks));
}

/* What has passed since the last event is nobody's. */
EXPORT("pass") void pass(uint64_t ticks)
{
    toll_recorder_rebase(host_recorder(), host_counters(ticks));
}

/* Another instance begins, whose ticks begin anew. */
EXPORT("next_instance") void next_instance(uint64_t ticks)
{
    charge(ticks);
    host.instance++;
    host.allocating = 0;
    pass(0);
}

/* What the clock said when the counters were read last: nanoseconds. */
EXPORT("time") double time_so_far(void)
{
    return host.has_time ? (double)host.now[host.has_ticks] : 0;
}

/* What the counters moved in all, in all instances. */
EXPORT("spent_ticks") uint64_t spent_ticks(void)
{
    return host.has_ticks ? toll_recorder_elapsed(host_recorder(), 0) : 0;
}

EXPORT("spent_time") uint64_t spent_time(void)
{
    return host.has_time ? toll_recorder_elapsed(host_recorder(), host.has_ticks) : 0;
}

/* What the ticks were when they were told last. */
EXPORT("ticks") uint64_t ticks_so_far(void)
{
    return host.has_ticks ? host_recorder()->counters[0].last : 0;
}

/* A phase of the embedder's: link, init, ... */
EXPORT("phase") int begin_phase(const char *name, uint64_t ticks)
{
    const toll_frame frame = { name, "", 0, TOLL_KIND_PHASE };
    toll_frame_id id;
    toll_status status = toll_recorder_frame(host_recorder(), &frame, &id, &host.error);
    if (!status)
        toll_recorder_call(host_recorder(), id, host_counters(ticks));
    return status;
}

EXPORT("phase_end") void end_phase(uint64_t ticks)
{
    toll_recorder_return(host_recorder(), host_counters(ticks));
}

static toll_status section_frame(const char *name, toll_frame_id *id)
{
    const toll_frame frame = { name, "", 0, TOLL_KIND_SECTION };
    return toll_recorder_frame(host_recorder(), &frame, id, &host.error);
}

/* A section that the guest names begins, and ends. */
EXPORT("section") int begin_section(const char *name, uint64_t ticks)
{
    toll_frame_id id;
    toll_status status = section_frame(name, &id);
    return status ? status
                  : toll_recorder_section_begin(host_recorder(), id, host_counters(ticks),
                                                &host.error);
}

EXPORT("section_end") int end_section(const char *name, uint64_t ticks)
{
    toll_frame_id id;
    toll_status status = section_frame(name, &id);
    return status
               ? status
               : toll_recorder_section_end(host_recorder(), id, host_counters(ticks), &host.error);
}
