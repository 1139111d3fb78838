/* functions.h - what each function of a profile cost: self, total, calls. For report/ only.
 *
 * A function's total counts only its outermost frame on a stack, so recursion counts once. What was
 * spent outside of any frame is a row of its own, "(outside)", if there is any. */
#ifndef TOLL_REPORT_FUNCTIONS_H
#define TOLL_REPORT_FUNCTIONS_H

#include "profile/order.h"

#include <toll/report.h>

typedef struct toll_function_row {
    toll_frame_id frame; /* TOLL_NONE: outside */
    uint32_t rank;       /* canonical order, for ties */
    int64_t self, total, calls;
} toll_function_row;

typedef struct toll_functions {
    toll_mem mem;
    const toll_profile *profile;
    uint32_t column, calls_column; /* TOLL_NONE: the profile has no calls */
    toll_function_row *rows;       /* sorted */
    uint32_t count, capacity;
    int64_t total, calls; /* of the whole profile */
} toll_functions;

/* Errors: TOLL_E_NOT_FOUND, TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_functions_create(toll_functions *functions, const toll_profile *profile,
                                  const toll_report_options *options, toll_error *err);
void toll_functions_free(toll_functions *functions);

/* Name and place of a row's frame. */
toll_frame toll_function_frame(const toll_functions *functions, const toll_function_row *row);

/* The column that the options name. */
toll_status toll_report_column(const toll_profile *profile, const toll_report_options *options,
                               uint32_t *column, toll_error *err);

/* "12.3%" of whole, or "-" where that means nothing. */
const char *toll_share_text(int64_t part, int64_t whole, char text[16]);

/* "FILE:LINE", "FILE", or "" into text[size]. */
const char *toll_where_text(toll_frame frame, char *text, size_t size);

/* Text for a terminal: control characters as '?'. */
void toll_report_put_name(toll_output *out, const char *name);

/* How many columns of a terminal a name takes: code points. */
size_t toll_report_width(const char *text);

/* "3 returns without a call": the notes, one a line. */
void toll_report_put_notes(toll_output *out, const toll_profile *profile);

#endif
