/* looks.c - time by looking: what a thread of the embedder's, which looks every now and then which
 * frame is innermost, has seen. See wasm_host.h.
 *
 * That thread reads four words of this module's memory, which is shared: whether an event is being
 * handled (then the moment is the profiler's own), and where the node of the innermost frame is. It
 * writes nothing but the table that host_looks takes, when the embedder asks for it. */
#include "wasm_host.h"

#include "base/fail.h"
#include "record/fast_path.h"

#include <stdlib.h>
#include <string.h>

/* --- events ------------------------------------------------------------------------------------*/

/* An event is handled between these two. The stores must be made, though nobody here reads them. */
static inline void begin_work(void)
{
    *(volatile uint32_t *)&host.works = 1;
}

static inline uint32_t end_work(void)
{
    *(volatile uint32_t *)&host.works = 0;
    return 0; /* no event may stay pending: the node would not be the innermost frame's */
}

/* The function's frame; of one that is watched (resumptions.c) what no node's frame is. */
static inline toll_frame_id frame_of(uint32_t function)
{
    return function < host.frame_capacity ? host.frames[function + 1] : HOST_NO_FRAME;
}

/* The ticks since the last event go to a node. False: the recorder must handle the event. */
static inline bool charge(toll_node *node, uint64_t ticks)
{
    if (!host.has_ticks)
        return true;
    uint64_t spent = ticks - host.fast.last;
    if (toll_is_backward(spent))
        return false;
    toll_charge(node, 0, spent);
    host.fast.last = ticks;
    return true;
}

/* As enter and leave, without a pending event. */
uint32_t host_enter_seen(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    (void)pending, (void)then;
    begin_work();
    toll_node *caller = host.fast.node, *callee = caller->last_child;
    if (callee && callee->frame == frame_of(function) && charge(caller, ticks)) {
        callee->values[0]++;
        host.fast.node = callee;
        host.fast.depth++;
    } else {
        host_handle_one(false, 0, function, ticks);
    }
    return end_work();
}

uint32_t host_leave_seen(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    (void)pending, (void)then;
    begin_work();
    toll_node *node = host.fast.node;
    if (node->frame == frame_of(function) && charge(node, ticks)) {
        host.fast.node = node->parent;
        host.fast.depth--;
    } else {
        host_handle_one(true, 0, function, ticks);
    }
    return end_work();
}

/* The same for modules with call_lines. */
uint64_t host_enter_placed_seen(uint64_t pending, uint64_t then, uint64_t function, uint64_t ticks)
{
    (void)pending, (void)then;
    begin_work();
    host_handle_one(false, (uint32_t)(function >> 32), (uint32_t)function, ticks);
    return end_work();
}

uint64_t host_leave_placed_seen(uint64_t pending, uint64_t then, uint64_t function, uint64_t ticks)
{
    (void)pending, (void)then;
    begin_work();
    host_handle_one(true, 0, (uint32_t)function, ticks);
    return end_work();
}

/* --- what was seen -----------------------------------------------------------------------------*/

/* What the looking thread reads: whether an event is being handled; the node of the innermost
 * frame, and what that is while the fast path is closed; and the node while it is closed. */
const void *host_look_cells(void)
{
    static const void *cells[4];
    cells[0] = &host.works;
    cells[1] = &host.fast.node;
    cells[2] = &host_nowhere;
    cells[3] = &host_recorder()->main_track->place.node;
    return cells;
}

/* From the next event on the clock is not read, and time is what was seen. What reading it has cost
 * so far, each_ps picoseconds each time, is taken off the time. 0: done. */
int host_begin_looking(uint64_t each_ps)
{
    host.looks_began = true;
    return toll_profile_take_call_costs(host_recorder()->profile, each_ps, each_ps,
                                        &host.seen.reading, &host.error);
}

/* Charge what was seen; in nanoseconds: all that passed, what of it was an event's handling, and
 * what was between looks too far apart to tell. */
void host_looked(const host_look *seen, uint32_t count, uint64_t looks, uint64_t all, uint64_t busy,
                 uint64_t unseen)
{
    uint32_t column = 1u + host.has_ticks;
    for (uint32_t i = 0; i < count; i++)
        ((toll_node *)(uintptr_t)seen[i].node)->values[column] += seen[i].ns;
    host.seen.looks += looks;
    host.seen.all += all;
    host.seen.busy += busy;
    host.seen.unseen += unseen;
}

/* What an event costs outside of these functions, in picoseconds: each call its callee, and its
 * caller. */
void host_set_look_costs(uint64_t received, uint64_t made)
{
    host.seen.received = received;
    host.seen.made = made;
}

uint64_t host_overhead(void)
{
    return host.seen.overhead;
}

toll_status host_finish_looks(toll_profile *p)
{
    uint64_t off = 0;
    toll_status status =
        toll_profile_take_call_costs(p, host.seen.received, host.seen.made, &off, &host.error);
    host.seen.overhead = host.seen.reading + host.seen.busy + off;
    return status;
}

/* --- notes -------------------------------------------------------------------------------------*/

static const char looks_text[] =
    "looks at the stack: time was sampled every 100 us at exact stacks",
                  taken_text[] = "nanoseconds that the profiler took, about; not in the time",
                  unseen_text[] = "nanoseconds between looks that came late; not in the time";

static toll_status note(toll_profile *p, const char *text, uint64_t now, uint64_t before)
{
    return toll_profile_add_note(p, text, now > before ? now - before : 0, &host.error);
}

toll_status host_note_costs(toll_profile *p, const host_costs *before)
{
    uint64_t clock = host_clock_overhead(), taken = host.looks_began ? host.seen.overhead : 0;
    if (!host.looks_began)
        host.seen.overhead = clock;
    toll_status status = note(p, looks_text, host.seen.looks, before->looks);
    if (!status)
        status = note(p, taken_text, taken, before->taken);
    if (!status)
        status = note(p, unseen_text, host.seen.unseen, before->unseen);
    return status ? status : note(p, TOLL_NOTE_CLOCK, clock, before->clock);
}

host_costs host_noted_costs(const toll_profile *p)
{
    host_costs costs = { 0, 0, 0, 0 };
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++) {
        uint64_t count;
        const char *text = toll_profile_note(p, i, &count);
        uint64_t *cost = strcmp(text, looks_text) == 0        ? &costs.looks
                         : strcmp(text, taken_text) == 0      ? &costs.taken
                         : strcmp(text, unseen_text) == 0     ? &costs.unseen
                         : strcmp(text, TOLL_NOTE_CLOCK) == 0 ? &costs.clock
                                                              : NULL;
        if (cost)
            *cost = count;
    }
    return costs;
}
