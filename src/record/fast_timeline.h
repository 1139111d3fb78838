/* fast_timeline.h - the fast path of a call and a return on a timeline: what follows toll_fast_call
 * and toll_fast_return (fast_path.h), which know nothing of it, on a recorder with a timeline.
 *
 * Invariant: while track->events is not &recorder->no_events, the track is the current one and all
 * its frames that have a node are open in the timeline. */
#ifndef TOLL_RECORD_FAST_TIMELINE_H
#define TOLL_RECORD_FAST_TIMELINE_H

#include "record/recorder_data.h"
#include "record/timeline_event.h"

/* Where the recorder's counters are now on the timeline's axes. */
static inline toll_moment toll_recorder_moment(const toll_recorder *r)
{
    bool has_second = r->timeline->has_second;
    return (toll_moment){ toll_recorder_elapsed(r, r->timeline_counter),
                          has_second ? toll_recorder_elapsed(r, r->timeline_second) : 0 };
}

/* With two axes: an event of the current track. False: it needs the functions below, as it does
 * with one axis. */
static inline bool toll_fast_of_two(toll_recorder *r, toll_code_word code)
{
    toll_moment now = toll_recorder_moment(r);
    return r->timeline->has_second &&
           toll_fast_event_of_two(r->track->events, code, now.at, now.second);
}

/* `frame` was called just now: the track's innermost frame, which has a node. */
static inline void toll_fast_open(toll_recorder *r, toll_frame_id frame)
{
    toll_timeline_thread *events = r->track->events;
    uint64_t at = toll_recorder_elapsed(r, r->timeline_counter);
    if (!r->timeline->has_second && toll_fast_event(events, r->timeline_codes[frame].word, at))
        events->opened++;
    else
        toll_recorder_timeline_open(r, frame, true);
}

/* `frame`, which had a node, was left just now. */
static inline void toll_fast_close(toll_recorder *r, toll_frame_id frame)
{
    toll_timeline_thread *events = r->track->events;
    uint64_t at = toll_recorder_elapsed(r, r->timeline_counter);
    if (!r->timeline->has_second && toll_fast_event(events, TOLL_CLOSE_WORD, at))
        events->closed++;
    else
        toll_recorder_timeline_close(r, frame);
}

#endif
