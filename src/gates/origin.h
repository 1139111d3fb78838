/* origin.h - the runs that a profile is the sum of (toll_profile_add_run), and whether those of two
 * profiles can be compared. */
#ifndef TOLL_GATES_ORIGIN_H
#define TOLL_GATES_ORIGIN_H

#include "base/buffer.h"

#include <toll/profile.h>

/* The runs of a profile, with all labels. */
typedef struct toll_origin {
    toll_profile *runs; /* a profile without stacks; NULL: none was taken */
    const char *name;   /* in texts; NULL: BEFORE or AFTER */
} toll_origin;

/* Take the runs of a profile, beside those that were taken before. Call toll_origin_free in any
 * case. Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_origin_take(toll_origin *origin, const toll_allocator *allocator,
                             const toll_profile *profile, toll_error *err);

/* The same, of the facts only the interpreter and the table of costs, and without labels of the key
 * `left_out`. */
toll_status toll_origin_take_made(toll_origin *origin, const toll_allocator *allocator,
                                  const toll_profile *profile, const char *left_out,
                                  toll_error *err);
void toll_origin_free(toll_origin *origin);

/* What a comparison relies on. */
typedef enum toll_origin_check {
    TOLL_ORIGIN_MAKERS = 1, /* the same interpreter, and the same table of costs */
    TOLL_ORIGIN_COUNTS = 2, /* equally many runs, of the labels that both have */
    TOLL_ORIGIN_SHARES = 4  /* the same shares of all runs of a row, for these labels: what a mean
                               of runs with unlike costs relies on */
} toll_origin_check;

/* Append what differs, as a sentence without its end; nothing, if they can be compared. What only
 * one of the two knows is no difference. Rows, for shares, are those of the values of the keys
 * `by`, "test,host"; NULL: there is one. *differ becomes those of `checks` that differ. Errors:
 * TOLL_E_NOMEM. */
toll_status toll_origins_differ(const toll_origin *before, const toll_origin *after,
                                unsigned checks, const char *by, unsigned *differ,
                                toll_buffer *text, toll_error *err);

/* --- origin_counts.c; for origin.c -------------------------------------------------------------*/

/* The checks of toll_origins_differ that are about numbers of runs. */
toll_status toll_origin_compare_runs(const toll_profile *before, const toll_profile *after,
                                     unsigned checks, const char *by, toll_buffer *text,
                                     toll_error *err);

#endif
