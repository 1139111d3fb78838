/* series.h - lists how functions and stacks developed over several profiles of one program, such as
 * snapshots of a heap: what grew in each step is what a leak looks like.
 *
 * The profiles are in the order of time. A step is from one to the next. Or they are the blocks of
 * one heap by age, the oldest first: then each has what was allocated in one period and is still in
 * use, and a function with blocks of every period is what a leak looks like. */
#ifndef TOLL_REPORT_SERIES_H
#define TOLL_REPORT_SERIES_H

#include "profile/order.h"
#include "profile/short_names.h"
#include "profile/shown.h"
#include "profile/unite.h"

#include <toll/report.h>

enum { TOLL_SERIES_MOST = 1000 }; /* profiles */

/* A function, a stack, or the sum of all. */
typedef struct toll_series_row {
    uint32_t id;           /* frame or node of the united tree; TOLL_NONE: outside of any frame */
    toll_thread_id thread; /* of stacks */
    uint32_t place;        /* canonical order; breaks ties */
    uint32_t grown;        /* steps in which it grew; ages of which it has blocks */
    int64_t by;            /* from the first to the last; of all ages */
    int64_t other_by;      /* the same of the other value */
    const int64_t *values, *others; /* by profile; `others` NULL: there is no other value */
} toll_series_row;

/* Sorted: what grew in each step first, then what grew, then what shrank, the larger change before
 * the smaller. What has not changed is omitted. */
typedef struct toll_series_rows {
    toll_series_row *items;
    uint32_t count, leaks; /* the first `leaks` grew in each step */
    size_t room;
    int64_t *values, *others; /* of all items, room * profiles each */
} toll_series_rows;

typedef struct toll_series {
    toll_mem mem;
    toll_series_options options;
    size_t count;  /* of profiles */
    uint32_t most; /* how often a row can have grown: steps, or ages */
    toll_united united;
    const toll_profile *tree; /* the united stacks */
    toll_shown shown;
    bool is_heap;                 /* the value is: functions have the blocks of their sites */
    toll_value_type value, other; /* other: blocks of bytes, or bytes of blocks; type NULL: none */
    toll_series_rows functions, stacks, all;
    toll_short_names names;
} toll_series;

/* Compute a series of `count` profiles, one at least, which must remain. The value is
 * that of toll diff for the first and the last one. Call toll_series_free in any case. Errors:
 * TOLL_E_NOT_FOUND, TOLL_E_ARGUMENT (too many), TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_series_create(toll_series *series, const toll_profile *const *profiles,
                               size_t count, const toll_series_options *options, toll_error *err);
void toll_series_free(toll_series *series);

/* The function of a row. */
toll_frame toll_series_frame(const toll_series *series, const toll_series_row *row);

/* The title of a profile. `text` is room for its number. */
enum { TOLL_SERIES_TITLE_SIZE = 24 };
const char *toll_series_title(const toll_series *series, size_t profile,
                              char text[TOLL_SERIES_TITLE_SIZE]);

/* What toll_report_series and its siblings do: compute a series, and call `put` to write it. */
toll_status toll_series_report(const toll_profile *const *profiles, size_t count,
                               const toll_series_options *options,
                               void (*put)(const toll_series *, toll_output *), toll_output *out,
                               toll_error *err);

#endif
