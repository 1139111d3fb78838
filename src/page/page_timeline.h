/* page_timeline.h - the timeline in a page: every call, as blocks of events and of steps on the
 * axes; docs/page.md describes their form. For the page's files alone.
 *
 * The events are read several times, thread by thread, and are not stored. Threads are in the order
 * of their first events. Each thread is in one block; small threads share a block, so that
 * thousands of coroutines do not need thousands of blocks. */
#ifndef TOLL_PAGE_PAGE_TIMELINE_H
#define TOLL_PAGE_PAGE_TIMELINE_H

#include "profile/order.h"
#include "page/page_block.h"

#include <toll/timeline.h>

/* The columns of a timeline's blocks. */
enum { TOLL_PAGE_EVENTS, TOLL_PAGE_STEPS, TOLL_PAGE_SECOND, TOLL_PAGE_COLUMNS };

typedef struct toll_page_lane {
    toll_thread_id thread; /* of the timeline */
    uint64_t events, depth, begin, end;
    uint32_t block;
} toll_page_lane;

typedef struct toll_page_span {
    uint32_t first, end; /* lanes */
    uint64_t events;
    uint64_t bytes[TOLL_PAGE_COLUMNS]; /* before compression */
} toll_page_span;

typedef struct toll_page_timeline {
    toll_mem mem;
    const toll_timeline *timeline; /* NULL: the page has no timeline */
    uint64_t too_many;             /* events, if there are more than a page has room for */
    bool compares;                 /* the page is a comparison, which has no timeline */
    toll_page_lane *lanes;         /* threads with events */
    uint32_t lane_count, thread_count;
    toll_page_span *spans; /* one for each block of a column */
    uint32_t span_count;
    uint32_t *frames; /* by frame of the timeline: its id in the profile, later its place in the
                       * page; TOLL_NONE: no event uses it */
    uint32_t frame_count;
} toll_page_timeline;

/* Read the lanes of a timeline, which may be NULL. Call toll_page_timeline_free also on failure.
 * `err` is never NULL. Errors: TOLL_E_NOMEM, those of reading events. */
toll_status toll_page_timeline_create(toll_page_timeline *t, const toll_mem *mem,
                                      const toll_timeline *timeline, bool compares,
                                      toll_error *err);
void toll_page_timeline_free(toll_page_timeline *t);

/* Find the frames of the events in *profile, also those that debug information has renamed. A frame
 * that was open before recording began, was not called again and cost nothing is in no profile:
 * then *profile becomes a copy that has it, without a stack. *own is the copy, if one exists.
 * Errors: TOLL_E_NOMEM, TOLL_E_LIMIT. */
toll_status toll_page_timeline_complete(toll_page_timeline *t, const toll_profile **profile,
                                        toll_profile **own, toll_error *err);

/* Replace frame ids by places in the order of the profile that has all frames, and measure the
 * blocks. Must come before writing the blocks. Errors: those of reading events. */
toll_status toll_page_timeline_measure(toll_page_timeline *t, const toll_order *order,
                                       toll_error *err);

/* The number of columns: 0 without a timeline. */
static inline int toll_page_timeline_columns(const toll_page_timeline *t)
{
    return !t->timeline                                   ? 0
           : toll_timeline_second_axis(t->timeline, NULL) ? TOLL_PAGE_COLUMNS
                                                          : TOLL_PAGE_SECOND;
}

/* Write a column of a span to a block. Errors: those of reading events. */
toll_status toll_page_timeline_put(const toll_page_timeline *t, const toll_page_span *span,
                                   int column, toll_page_block *block, toll_error *err);

/* Write the header's member, after a comma; nothing without a timeline. */
void toll_page_timeline_header(const toll_page_timeline *t, const toll_order *order,
                               toll_output *out);

#endif
