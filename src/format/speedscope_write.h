/* speedscope_write.h - what the parts of the speedscope writer share: speedscope_write.c (the file,
 * sampled profiles, the order in time) and speedscope_tree.c (stacks as events). */
#ifndef TOLL_FORMAT_SPEEDSCOPE_WRITE_H
#define TOLL_FORMAT_SPEEDSCOPE_WRITE_H

#include "format/event_batch.h"
#include "format/format_row.h"
#include "profile/order.h"

typedef struct speedscope_writer {
    const toll_write_job *job;
    const toll_profile *p; /* the profile that contains the frames */
    toll_order order;
    toll_output *out;
    toll_frame_id *path;
    size_t path_capacity;
    bool as_events;    /* stacks are written as events: see toll_speedscope_put_tree */
    uint32_t profiles; /* written so far */
    uint32_t shown;    /* index of the profile to show first: the one with the largest sum of the
                        * chosen value */
    int64_t shown_value;
    bool too_large; /* a sum overflowed */
    uint64_t negative;
    uint64_t bytes; /* written so far, approximately */
} speedscope_writer;

/* Write `,{"type":"O","frame":3,"at":1234}` on a line of its own. False: no memory. */
bool toll_speedscope_put_event(toll_batch *batch, bool is_first, bool is_open, uint32_t frame,
                               uint64_t at);

/* Write the values of a column as events. This shows the same as a sampled profile, but a frame is
 * written once for each node, not once for each stack that contains it. *sum is the sum of the
 * values. False: no memory. */
bool toll_speedscope_put_tree(speedscope_writer *w, toll_thread_id thread, uint32_t column,
                              int64_t *sum);

#endif
