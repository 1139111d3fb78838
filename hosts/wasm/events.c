/* events.c - what happens while the guest runs. See wasm_host.h. */
#include "wasm_host.h"

#include "record/recorder_inline.h"

#include <stdlib.h>

/* Where no quick step is possible: a root's frame, which no function has, and no child. */
static toll_node nowhere = { .frame = TOLL_NONE };

toll_host host = { .quick.at = &nowhere };

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

static bool is_quick(void)
{
    return host.quick.at != &nowhere;
}

/* Ticks are charged, or nothing is: then calls alone are counted. */
static bool may_be_plain(const toll_recorder *r)
{
    bool has_calls_alone =
        r->counter_count == 0 && r->state == TOLL_RECORDER_RUNNING && !r->timeline;
    return !host.has_time && (has_calls_alone || toll_recorder_is_plain(r));
}

/* After an event of the recorder's: go on quickly, if what comes may be plain. */
static void be_quick(void)
{
    const toll_track *t = host.recorder->track;
    if (may_be_plain(host.recorder) && !t->folded)
        host.quick = (toll_quick){ .at = t->current, .last = host.recorder->counters[0].last };
}

toll_recorder *host_recorder(void)
{
    toll_quick *q = &host.quick;
    if (!host.recorder)
        __builtin_trap(); /* begin was not called */
    if (is_quick()) {
        toll_track *t = host.recorder->track;
        toll_track_stand_at(t, q->at);
        t->depth += q->deeper;
        host.recorder->counters[0].last = q->last;
        *q = (toll_quick){ .at = &nowhere };
    }
    return host.recorder;
}

static inline void charge_quickly(toll_node *node, uint64_t ticks)
{
    if (host.has_ticks) /* else the node has no column for them */
        node->values[1] = (int64_t)((uint64_t)node->values[1] + ticks);
}

static inline bool is_backward(uint64_t ticks)
{
    return (int64_t)ticks < 0;
}

/* The node of a call, if it is as plain as can be; NULL: it is for the recorder. */
static toll_node *find_callee(toll_frame_id frame)
{
    const toll_quick *q = &host.quick;
    const toll_track *t = host.recorder->track;
    toll_node *child = q->at->last_child;
    if (t->depth + q->deeper >= t->limit)
        return NULL;
    return child && child->frame == frame ? child
                                          : toll_recorder_find_child(host.recorder, q->at, frame);
}

static void enter_one(toll_frame_id frame, uint64_t ticks)
{
    toll_quick *q = &host.quick;
    toll_node *child = is_quick() && !is_backward(ticks - q->last) ? find_callee(frame) : NULL;
    if (!child) {
        toll_recorder_call(host_recorder(), frame, host_counters(ticks));
        be_quick();
        return;
    }
    charge_quickly(q->at, ticks - q->last);
    child->values[0]++;
    q->at = child;
    q->last = ticks;
    q->deeper++;
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

static void leave_by_recorder(toll_frame_id frame, uint64_t ticks)
{
    const uint64_t *now = host_counters(ticks);
    const toll_track *t = host_recorder()->track;
    if (t->depth == 0 || t->folded || t->sections.standing || t->current->frame == frame)
        toll_recorder_return(host.recorder, now);
    else
        leave_below(frame, now);
    be_quick();
}

static void leave_one(toll_frame_id frame, uint64_t ticks)
{
    toll_quick *q = &host.quick;
    if (!is_quick() || q->at->frame != frame || is_backward(ticks - q->last)) {
        leave_by_recorder(frame, ticks);
        return;
    }
    charge_quickly(q->at, ticks - q->last);
    q->at = q->at->parent;
    q->last = ticks;
    q->deeper--;
}

/* Of function `number` - 1. */
static toll_frame_id frame_of(uint32_t number)
{
    return number < host.frame_capacity ? host.frames[number] : HOST_NO_FRAME;
}

enum { CLOSED, OPEN }; /* what the guest's toll:pending may be, besides an event: see toll/wasm.h */

/* What is pending, if it is an event. What it may be then. */
EXPORT("settle") uint32_t host_settle(uint32_t event, uint64_t ticks)
{
    if (event > OPEN)
        (event & 1 ? leave_one : enter_one)(frame_of(event >> 1), ticks);
    return host.settles;
}

/* The embedder will, or will not, settle before it asks. */
EXPORT("settles") void host_set_settles(bool settles)
{
    host.settles = settles && !host.has_time;
}

/* --- two events --------------------------------------------------------------------------------*/

/* The steps that most programs nearly always take: calls of the function that the caller called
 * last, and returns of the innermost one. Each function takes two of them, or none if one of the
 * two is another; f and g are the frames, `first` ticks are spent before the first of them,
 * `second` between them. What is deep needs no look: at the limit nodes have no children, and
 * roots, phases and sections have frames that no function has. */

static inline bool enter_enter(toll_frame_id f, uint64_t first, toll_frame_id g, uint64_t second)
{
    toll_node *at = host.quick.at, *caller = at->last_child;
    if (!caller || caller->frame != f)
        return false;
    toll_node *callee = caller->last_child;
    if (!callee || callee->frame != g)
        return false;
    charge_quickly(at, first);
    caller->values[0]++;
    charge_quickly(caller, second);
    callee->values[0]++;
    host.quick.at = callee;
    host.quick.deeper += 2;
    return true;
}

static inline bool leave_enter(toll_frame_id f, uint64_t first, toll_frame_id g, uint64_t second)
{
    toll_node *at = host.quick.at;
    if (at->frame != f)
        return false;
    toll_node *caller = at->parent, *callee = caller->last_child;
    if (!callee || callee->frame != g)
        return false;
    charge_quickly(at, first);
    charge_quickly(caller, second);
    callee->values[0]++;
    host.quick.at = callee;
    return true;
}

static inline bool enter_leave(toll_frame_id f, uint64_t first, toll_frame_id g, uint64_t second)
{
    toll_node *at = host.quick.at, *callee = at->last_child;
    if (!callee || callee->frame != f || f != g)
        return false;
    charge_quickly(at, first);
    callee->values[0]++;
    charge_quickly(callee, second);
    return true;
}

static inline bool leave_leave(toll_frame_id f, uint64_t first, toll_frame_id g, uint64_t second)
{
    toll_node *at = host.quick.at;
    if (at->frame != f)
        return false;
    toll_node *caller = at->parent;
    if (caller->frame != g)
        return false;
    charge_quickly(at, first);
    charge_quickly(caller, second);
    host.quick.at = caller->parent;
    host.quick.deeper -= 2;
    return true;
}

typedef bool two_steps(toll_frame_id f, uint64_t first, toll_frame_id g, uint64_t second);
typedef void one_step(toll_frame_id frame, uint64_t ticks);

static __attribute__((noinline)) uint32_t one_by_one(uint32_t event, uint64_t then, one_step *step,
                                                     uint32_t function, uint64_t ticks)
{
    host_settle(event, then);
    step(frame_of(function + 1), ticks);
    return host.settles;
}

static inline uint32_t take_event(uint32_t event, uint64_t then, uint32_t function, uint64_t ticks,
                                  two_steps *after_enter, two_steps *after_leave, one_step *alone)
{
    uint32_t number = event >> 1;
    uint64_t first = then - host.quick.last, second = ticks - then;
    if ((number | function) < host.frame_capacity && !is_backward(first | second)) {
        toll_frame_id f = host.frames[number], g = host.frames[function + 1];
        if (event & 1 ? after_leave(f, first, g, second) : after_enter(f, first, g, second)) {
            host.quick.last = ticks;
            return OPEN;
        }
    }
    return one_by_one(event, then, alone, function, ticks);
}

EXPORT("enter")
uint32_t host_enter(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    return take_event(pending, then, function, ticks, enter_enter, leave_enter, enter_one);
}

EXPORT("leave")
uint32_t host_leave(uint32_t pending, uint64_t then, uint32_t function, uint64_t ticks)
{
    return take_event(pending, then, function, ticks, enter_leave, leave_leave, leave_one);
}

EXPORT("depth") uint32_t host_depth(void)
{
    return (uint32_t)(toll_recorder_depth(host.recorder) + host.quick.deeper);
}

EXPORT("unwind") void host_unwind(uint32_t to, uint64_t ticks)
{
    if (host.allocating > to) /* an exception has passed it */
        host.allocating = 0;
    toll_recorder_unwind(host_recorder(), to, host_counters(ticks));
}

/* --- heap --------------------------------------------------------------------------------------*/

/* calloc may call malloc: what the outermost of them does is what counts. */
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

/* The block at `old_address` is given back, one of `size` bytes is at `new_address`; 0: none. */
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
