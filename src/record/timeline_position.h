/* timeline_position.h - reads a thread's events from a position on, which was its end before they
 * came: without reading those before it. */
#ifndef TOLL_RECORD_TIMELINE_POSITION_H
#define TOLL_RECORD_TIMELINE_POSITION_H

#include <stddef.h>
#include <toll/timeline.h>

/* Where a thread's next event will be. */
typedef struct toll_timeline_position {
    uint64_t events; /* of the whole timeline, before it */
    size_t block;    /* of the thread; its number of blocks if it has none to write to */
    size_t offset;   /* in the block */
    uint64_t at, second, depth;
} toll_timeline_position;

/* Of a thread of the timeline. */
toll_timeline_position toll_timeline_end(const toll_timeline *timeline, toll_thread_id thread);

/* Like toll_timeline_read_thread, but begin at that position. Of the frames that
 * are open there nothing is known: the frame of their closes is TOLL_NONE. */
toll_status toll_timeline_read_from(const toll_timeline *timeline, toll_thread_id thread,
                                    const toll_timeline_position *position,
                                    toll_timeline_reader **out, toll_error *err);

#endif
