/* fast_timeline.h - the fast path that writes a call or return to the timeline. Call it after
 * toll_fast_call and toll_fast_return (fast_path.h), which do not handle timelines.
 *
 * Invariant: while track->events is not &recorder->no_events, the track is the current one and all
 * its frames that have a node are open in the timeline. */
#ifndef TOLL_RECORD_FAST_TIMELINE_H
#define TOLL_RECORD_FAST_TIMELINE_H

#include "record/recorder_data.h"
#include "record/timeline_event.h"

/* The current values of the recorder's counters, as a position on the timeline's axes. */
static inline toll_moment toll_recorder_moment(const toll_recorder *r)
{
    bool has_second = r->timeline->has_second;
    return (toll_moment){ toll_recorder_elapsed(r, r->timeline_counter),
                          has_second ? toll_recorder_elapsed(r, r->timeline_second) : 0 };
}

/* Append the event to the current track if the timeline has two axes. False: nothing was written;
 * call toll_recorder_timeline_open or toll_recorder_timeline_close. */
static inline bool toll_fast_of_two(toll_recorder *r, toll_code_word code)
{
    toll_moment now = toll_recorder_moment(r);
    return r->timeline->has_second &&
           toll_fast_event_of_two(r->track->events, code, now.at, now.second);
}

/* Write the opening of `frame`, which was called just now. It is the track's innermost frame and
 * has a node. */
static inline void toll_fast_open(toll_recorder *r, toll_frame_id frame)
{
    toll_timeline_thread *events = r->track->events;
    uint64_t at = toll_recorder_elapsed(r, r->timeline_counter);
    if (!r->timeline->has_second && toll_fast_event(events, r->timeline_codes[frame].word, at))
        events->opened++;
    else
        toll_recorder_timeline_open(r, frame, true);
}

/* Write the closing of `frame`, which was left just now and had a node. */
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
