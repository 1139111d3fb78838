/* changes.h - lists what differs between two profiles: by function, by stack, in total. For
 * report/. */
#ifndef TOLL_REPORT_CHANGES_H
#define TOLL_REPORT_CHANGES_H

#include "profile/order.h"
#include "profile/short_names.h"
#include "profile/shown.h"

#include <toll/report.h>

typedef struct toll_change {
    int64_t by;
    uint32_t place;        /* canonical order; breaks ties */
    uint32_t id;           /* frame or node of the difference; TOLL_NONE: outside of any frame */
    toll_thread_id thread; /* for stacks */
    int64_t before, after; /* for functions */
} toll_change;

/* Sorted: what grew comes before what shrank, the larger change first. What did not change is
 * omitted. */
typedef struct toll_changes {
    toll_mem mem;
    const toll_profile *before, *after;
    const toll_profile *difference; /* without places */
    toll_profile *own;              /* the copy in `difference`, if places had to be folded */
    toll_shown shown;
    uint32_t column; /* of the difference */
    toll_change all;
    toll_change *functions, *stacks; /* sorted by change of self value */
    uint32_t function_count, stack_count;
    size_t function_room, stack_room;
    toll_short_names names;
} toll_changes;

/* Errors: TOLL_E_NOT_FOUND, TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_changes_create(toll_changes *changes, const toll_profile *before,
                                const toll_profile *after, const toll_profile *difference,
                                const toll_report_options *options, toll_error *err);
void toll_changes_free(toll_changes *changes);

/* The frame of a changed function. */
toll_frame toll_change_frame(const toll_changes *changes, const toll_change *change);

/* Get the frames of a stack, innermost first, at most `most`. Returns their number; *left becomes
 * the number of outer frames that are omitted. */
uint32_t toll_change_stack(const toll_changes *changes, const toll_change *change,
                           toll_frame_id *frames, uint32_t most, uint32_t *left);

#endif
