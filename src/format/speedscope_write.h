/* speedscope_write.h - what the parts of the speedscope writer share: speedscope_write.c (the file,
 * sampled profiles, the order in time) and speedscope_tree.c (events; stacks as events). */
#ifndef TOLL_FORMAT_SPEEDSCOPE_WRITE_H
#define TOLL_FORMAT_SPEEDSCOPE_WRITE_H

#include "format/event_batch.h"
#include "format/format_row.h"
#include "profile/order.h"

typedef struct speedscope_writer {
    const toll_write_job *job;
    const toll_profile *p; /* whose frames are shared */
    toll_order order;
    toll_output *out;
    toll_frame_id *path;
    size_t path_capacity;
    bool as_events;    /* stacks are written as events: see toll_speedscope_put_tree */
    uint32_t profiles; /* written so far */
    uint32_t shown;    /* the one that is shown first: with the largest sum of the chosen value */
    int64_t shown_value;
    bool too_large; /* a sum that does not fit */
    uint64_t negative;
    uint64_t bytes; /* roughly */
} speedscope_writer;

/* Write `,{"type":"O","frame":3,"at":1234}` on a line of its own. False: no memory. */
bool toll_speedscope_put_event(toll_batch *batch, bool is_first, bool is_open, uint32_t frame,
                               uint64_t at);

/* Write the values of a column as events: what a sampled profile says, where each frame is written
 * once for each stack and not for all stacks above it, too. *sum is that of the values. False: no
 * memory. */
bool toll_speedscope_put_tree(speedscope_writer *w, toll_thread_id thread, uint32_t column,
                              int64_t *sum);

#endif
