/* functions.h - computes what each function of a profile cost: self, total, calls. For report/
 * only.
 *
 * A function is one row, whatever its places, and whether it was inlined or not. Its total counts
 * only its outermost frame on a stack, so recursion counts once. Costs outside of any frame are a
 * row of their own, "(outside)", if there are any. */
#ifndef TOLL_REPORT_FUNCTIONS_H
#define TOLL_REPORT_FUNCTIONS_H

#include "profile/order.h"
#include "profile/short_names.h"
#include "profile/shown.h"
#include "report/precision.h"
#include "report/report_text.h"

#include <toll/report.h>

typedef struct toll_function_row {
    toll_frame_id frame; /* the function's first frame; TOLL_NONE: outside */
    uint32_t rank;       /* canonical order; breaks ties */
    int64_t self, total, calls;
} toll_function_row;

typedef struct toll_functions {
    toll_mem mem;
    const toll_profile *profile;
    toll_shown shown;
    uint32_t column, calls_column; /* TOLL_NONE: the profile has no calls */
    toll_function_row *rows;       /* sorted */
    uint32_t count, capacity;
    uint32_t function_count;  /* rows that are functions: all but "(outside)" */
    int64_t total, calls;     /* of the whole profile */
    toll_precision precision; /* of the column */
    toll_short_names names;
} toll_functions;

/* Errors: TOLL_E_NOT_FOUND, TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_functions_create(toll_functions *functions, const toll_profile *profile,
                                  const toll_report_options *options, toll_error *err);
void toll_functions_free(toll_functions *functions);

/* Name and place of a row's frame; and the name in the form that the options ask for. */
toll_frame toll_function_frame(const toll_functions *functions, const toll_function_row *row);
const char *toll_function_name(const toll_functions *functions, const toll_function_row *row);

/* Replace *profile by one without places, since reports of stacks are about functions. *own is that
 * copy, to be freed; NULL if there were no places. Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_report_fold(const toll_profile **profile, toll_profile **own, toll_error *err);

/* Replace NULL options by the default ones. Errors: TOLL_E_ARGUMENT: no output, or no such
 * order. */
toll_status toll_report_check(const toll_report_options **options, toll_report_options *own,
                              const toll_output *out, toll_error *err);

/* Choose the column to show, as toll_choose_shown. TOLL_E_NOT_FOUND also if there is no column. */
toll_status toll_report_column(const toll_profile *profile, const toll_profile *a,
                               const toll_profile *b, const toll_report_options *options,
                               toll_shown *shown, toll_error *err);

#endif
