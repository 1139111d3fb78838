/* recorder_calls.c - handles calls, returns and the other events that enter or leave frames. See
 * toll/recorder.h, and docs/semantics.md for the meaning of every event.
 *
 * Each event first charges the current node with what the counters moved since the last event. Then
 * it moves to another node. A stack *is* the path from the track's base to its current node;
 * nothing else of it is stored, except the number of folded frames. */
#include "record/fast_path.h"
#include "record/fast_timeline.h"

/* Count a call whose frame gets no node. */
static void fold_call(toll_recorder *r, toll_frame_id frame)
{
    toll_track *t = r->track;
    if (!t->folded) /* frames called from it are folded for the same reason */
        t->why_folded = t->place.depth >= r->max_depth     ? TOLL_COUNT_FOLDED
                        : frame >= r->profile->frame_count ? TOLL_COUNT_UNKNOWN
                                                           : TOLL_COUNT_NOMEM;
    r->counts[t->why_folded]++;
    t->folded++;
    toll_track_set_bounds(r, t);
}

static void leave_folded(toll_recorder *r)
{
    toll_track *t = r->track;
    t->folded--;
    toll_track_set_bounds(r, t);
}

static void enter(toll_recorder *r, toll_frame_id frame, int calls)
{
    if (!toll_track_enter(r, frame, calls))
        fold_call(r, frame);
}

static void leave(toll_recorder *r)
{
    const toll_track *t = r->track;
    if (t->folded)
        leave_folded(r);
    else if (t->place.depth > t->floor)
        toll_track_leave(r);
    else if (toll_recorder_depth(r) > 0)
        toll_recorder_leave_below_sections(r);
    else
        r->counts[TOLL_COUNT_ORPHANS]++;
}

/* Handle a call whose callee must be looked up. */
static inline bool call_other(toll_recorder *r, toll_frame_id frame, const uint64_t *now)
{
    const toll_track *t = r->track;
    if (!toll_recorder_is_running(r) || t->place.depth >= t->limit)
        return false;
    toll_node *callee = toll_recorder_find_callee(r, t->place.node, frame);
    return callee && toll_fast_enter(r, callee, now, r->counter_count);
}

/* Not inline, like the functions below, so that the fast path need not save registers. */
static __attribute__((noinline)) void open_in_timeline(toll_recorder *r, toll_frame_id frame)
{
    if (toll_fast_of_two(r, r->timeline_codes[frame].word))
        r->track->events->opened++;
    else
        toll_fast_open(r, frame);
}

static __attribute__((noinline)) void close_in_timeline(toll_recorder *r, toll_frame_id frame)
{
    if (toll_fast_of_two(r, TOLL_CLOSE_WORD))
        r->track->events->closed++;
    else
        toll_fast_close(r, frame);
}

static __attribute__((noinline)) void call_generally(toll_recorder *r, toll_frame_id frame,
                                                     const uint64_t *now)
{
    if (call_other(r, frame, now)) {
        if (r->timeline)
            open_in_timeline(r, frame);
    } else if (toll_recorder_begin(r, now)) {
        enter(r, frame, 1);
    }
}

static __attribute__((noinline)) void return_generally(toll_recorder *r, const uint64_t *now)
{
    bool is_uncharged = r->track->sections.enter_late && toll_recorder_depth(r) > 1;
    if (is_uncharged || toll_recorder_begin(r, now))
        leave(r);
}

void toll_recorder_call(toll_recorder *r, toll_frame_id frame, const uint64_t *now)
{
    if (!r)
        return;
    if (!toll_recorder_is_running(r) || !toll_fast_call(r, frame, now, r->counter_count))
        call_generally(r, frame, now);
    else if (r->timeline)
        open_in_timeline(r, frame);
}

void toll_recorder_return(toll_recorder *r, const uint64_t *now)
{
    if (!r)
        return;
    toll_frame_id frame = r->track->place.node->frame;
    if (!toll_recorder_is_running(r) || !toll_fast_return(r, now, r->counter_count))
        return_generally(r, now);
    else if (r->timeline)
        close_in_timeline(r, frame);
}

void toll_recorder_tail_call(toll_recorder *r, toll_frame_id frame, const uint64_t *now)
{
    if (!toll_recorder_begin(r, now))
        return;
    if (toll_recorder_depth(r) > 0)
        leave(r);
    enter(r, frame, 1);
}

void toll_recorder_unwind(toll_recorder *r, uint64_t depth, const uint64_t *now)
{
    if (!toll_recorder_begin(r, now))
        return;
    while (toll_recorder_depth(r) > depth)
        leave(r);
}

uint64_t toll_recorder_depth(const toll_recorder *r)
{
    return r ? r->track->place.depth - r->track->sections.standing + r->track->folded : 0;
}

void toll_recorder_adopt(toll_recorder *r, const toll_frame_id *frames, uint32_t count,
                         const uint64_t *now)
{
    if (!toll_recorder_begin(r, now))
        return;
    for (uint32_t i = 0; i < count; i++)
        enter(r, frames[i], 0);
}
