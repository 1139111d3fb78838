/* events.c - what happens while the guest runs. See wasm_host.h. */
#include "wasm_host.h"

#include "record/fast_path.h"

#include <stdlib.h>

/* The current node while the fast path is closed. No event is of this node's frame, or of a
 * child's. */
static toll_node nowhere = { .frame = TOLL_NONE };

toll_host host = { .fast.node = &nowhere };

const uint64_t *host_counters(uint64_t ticks)
{
    host.now[0] = ticks;
    if (host.has_time) {
        host.now[host.has_ticks] = (uint64_t)host_now();
        host.clock_readings++;
    }
    return host.now;
}

/* --- one event ---------------------------------------------------------------------------------*/

static bool is_fast(void)
{
    return host.fast.node != &nowhere;
}

/* After an event that the recorder has handled: open the fast path, if ticks are the only counter
 * or there is none, and every open frame has a node. */
static void open_fast_path(void)
{
    const toll_recorder *r = host.recorder;
    if (toll_recorder_is_fast(r, host.has_ticks) && !r->timeline && !r->track->folded)
        host.fast = (host_fast){ r->track->place.node, r->track->place.depth, r->counters[0].last };
}

toll_recorder *host_recorder(void)
{
    toll_recorder *r = host.recorder;
    if (!r)
        __builtin_trap(); /* begin was not called */
    if (is_fast()) {
        toll_track_stand_at(r->track, host.fast.node, host.fast.depth);
        r->counters[0].last = host.fast.last;
        host.fast.node = &nowhere;
    }
    return r;
}

static inline void charge_ticks(toll_node *node, uint64_t ticks)
{
    if (host.has_ticks) /* else the node has no column for them */
        toll_charge(node, 0, ticks);
}

/* The node of a call's callee; NULL: the recorder must handle the event. */
static toll_node *find_callee(toll_frame_id frame)
{
    toll_node *caller = host.fast.node;
    if (host.fast.depth >= host.recorder->track->limit)
        return NULL;
    toll_node *callee = toll_fast_callee(caller, frame);
    return callee ? callee : toll_recorder_find_callee(host.recorder, caller, frame);
}

static void enter_one(toll_frame_id frame, uint64_t ticks)
{
    uint64_t spent = ticks - host.fast.last;
    toll_node *callee = is_fast() && !toll_is_backward(spent) ? find_callee(frame) : NULL;
    if (!callee) {
        toll_recorder_call(host_recorder(), frame, host_counters(ticks));
        open_fast_path();
        return;
    }
    charge_ticks(host.fast.node, spent);
    host.fast.last = ticks;
    callee->values[0]++;
    host.fast.node = callee;
    host.fast.depth++;
}

/* The depth of the innermost frame of a function; 0: it has none open. */
static uint64_t find_open(toll_frame_id frame)
{
    const toll_track *t = host.recorder->track;
    const toll_node *node = t->place.node;
    uint64_t depth = t->place.depth;
    for (; depth > 0 && node->frame != frame; depth--)
        node = node->parent;
    return depth;
}

/* A function returns that is not the innermost one: either the deeper ones were left without an
 * event (JavaScript threw through them, and caught it), or the engine has switched stacks. */
static void leave_below(toll_frame_id frame, const uint64_t *now)
{
    uint64_t depth = find_open(frame);
    if (depth)
        toll_recorder_unwind(host.recorder, depth - 1, now);
    if (host.allocating >= depth)
        host.allocating = 0;
    toll_recorder_note(host.recorder,
                       depth ? "returns that ended functions above, which nobody saw end"
                             : "returns of functions that did not stand",
                       1, NULL);
}

static void leave_by_recorder(toll_frame_id frame, uint64_t ticks)
{
    const uint64_t *now = host_counters(ticks);
    const toll_track *t = host_recorder()->track;
    if (t->place.depth == 0 || t->folded || t->sections.standing || t->place.node->frame == frame)
        toll_recorder_return(host.recorder, now);
    else
        leave_below(frame, now);
    open_fast_path();
}

static void leave_one(toll_frame_id frame, uint64_t ticks)
{
    uint64_t spent = ticks - host.fast.last;
    if (!is_fast() || host.fast.node->frame != frame || toll_is_backward(spent)) {
        leave_by_recorder(frame, ticks);
        return;
    }
    charge_ticks(host.fast.node, spent);
    host.fast.last = ticks;
    host.fast.node = host.fast.node->parent;
    host.fast.depth--;
}

/* The frame of function `number` - 1. */
static toll_frame_id frame_of(uint32_t number)
{
    return number < host.frame_capacity ? host.frames[number] : HOST_NO_FRAME;
}

enum { CLOSED, OPEN }; /* values of the guest's toll:pending that are no event: see toll/wasm.h */

/* Handle the pending event, if there is one; returns the new value of toll:pending. */
EXPORT("settle") uint32_t host_settle(uint32_t event, uint64_t ticks)
{
    if (event > OPEN)
        (event & 1 ? leave_one : enter_one)(frame_of(event >> 1), ticks);
    return host.settles;
}

/* Whether the embedder will handle the pending event (host_settle) before it asks for results: only
 * then may an event stay pending. */
EXPORT("settles") void host_set_settles(bool settles)
{
    host.settles = settles && !host.has_time;
}

/* --- two events --------------------------------------------------------------------------------*/

/* Fast path for the pending event and the one that follows it: a call of the function that the
 * caller called last, or a return from the innermost frame. Either both are handled, or nothing
 * changes. The depth needs no check: nodes at the limit have no children, and roots, phases and
 * sections have frames that no function has. */

typedef struct host_event {
    bool leaves; /* else it is a call */
    toll_frame_id frame;
    uint64_t spent; /* ticks, since the event before it */
} host_event;

/* The place after the event. False: it is not on the fast path; the place is unchanged. */
static inline bool move(toll_place *place, host_event e)
{
    toll_node *callee = e.leaves ? NULL : toll_fast_callee(place->node, e.frame);
    if (e.leaves ? place->node->frame != e.frame : !callee)
        return false;
    if (e.leaves)
        toll_place_leave(place);
    else
        toll_place_enter(place, callee);
    return true;
}

static inline bool handle_two(host_event first, host_event second)
{
    toll_node *before = host.fast.node;
    toll_place place = { before, host.fast.depth, before->parent };
    if (!move(&place, first))
        return false;
    toll_node *between = place.node;
    if (!move(&place, second))
        return false;
    charge_ticks(before, first.spent);
    if (!first.leaves)
        between->values[0]++;
    charge_ticks(between, second.spent);
    if (!second.leaves)
        place.node->values[0]++;
    host.fast.node = place.node;
    if (first.leaves == second.leaves)
        host.fast.depth = place.depth;
    return true;
}

typedef void one_event(toll_frame_id frame, uint64_t ticks);

static __attribute__((noinline)) uint32_t
one_by_one(uint32_t event, uint64_t then, one_event *handle, uint32_t function, uint64_t ticks)
{
    host_settle(event, then);
    handle(frame_of(function + 1), ticks);
    return host.settles;
}

static inline __attribute__((always_inline)) uint32_t
take_event(uint32_t event, uint64_t then, bool leaves, uint32_t function, uint64_t ticks)
{
    uint32_t number = event >> 1;
    uint64_t first = then - host.fast.last, second = ticks - then;
    if ((number | function) < host.frame_capacity && !toll_is_backward(first | second)) {
        toll_frame_id f = host.frames[number], g = host.frames[function + 1];
        host_event e = { leaves, g, second };
        if (event & 1 ? handle_two((host_event){ true, f, first }, e)
                      : handle_two((host_event){ false, f, first }, e)) {
            host.fast.last = ticks;
            return OPEN;
        }
    }
    return one_by_one(event, then, leaves ? leave_one : enter_one, function, ticks);
}

EXPORT("enter")
uint32_t host_enter(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    return take_event(pending, then, false, function, ticks);
}

EXPORT("leave")
uint32_t host_leave(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    return take_event(pending, then, true, function, ticks);
}

EXPORT("depth") uint32_t host_depth(void)
{
    const toll_track *t = host.recorder->track;
    uint64_t placed = is_fast() ? host.fast.depth : t->place.depth;
    return (uint32_t)(placed - t->sections.standing + t->folded);
}

EXPORT("unwind") void host_unwind(uint32_t to, uint64_t ticks)
{
    if (host.allocating > to) /* an exception has left the allocator */
        host.allocating = 0;
    toll_recorder_unwind(host_recorder(), to, host_counters(ticks));
}

/* --- heap --------------------------------------------------------------------------------------*/

/* An allocator is entered. Where one calls another (calloc malloc), the outermost one counts. */
EXPORT("allocating") void host_allocating(void)
{
    uint32_t now = host_depth();
    if (!host.allocating || now < host.allocating)
        host.allocating = now;
}

/* Each instance has a memory of its own. */
static uint64_t name_of_block(uint64_t address)
{
    return address ^ (uint64_t)host.instance << 48;
}

/* The block at `old_address` is freed, one of `size` bytes at `new_address` is in use; 0: none. */
EXPORT("heap") void host_heap(uint64_t old_address, uint64_t new_address, uint64_t size)
{
    uint64_t old_block = name_of_block(old_address), new_block = name_of_block(new_address);
    if (host_depth() != host.allocating)
        return;
    host.allocating = 0;
    if (old_address && new_address)
        toll_recorder_heap_realloc(host_recorder(), old_block, new_block, size);
    else if (new_address)
        toll_recorder_heap_alloc(host_recorder(), new_block, size);
    else if (old_address && !size)
        toll_recorder_heap_free(host_recorder(), old_block);
}
