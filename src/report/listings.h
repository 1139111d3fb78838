/* listings.h - computes what each line of a profile's functions, or files, cost: a listing is the
 * lines of one function or file. For report/ only.
 *
 * A line's total counts only its outermost frame on a stack, and so does a listing's: recursion
 * counts once. The self values of a listing's lines, line 0 included, sum up to its own. */
#ifndef TOLL_REPORT_LISTINGS_H
#define TOLL_REPORT_LISTINGS_H

#include "base/mem.h"
#include "profile/shown.h"
#include "report/precision.h"

#include <toll/report.h>

typedef struct toll_line {
    uint32_t listing;
    uint32_t line;    /* 0: costs whose line is not known */
    const char *file; /* file of the line, if it differs from the listing's; else "" */
    int64_t self, total, executions;
    int64_t before; /* self value in the profile to compare with */
} toll_line;

typedef struct toll_listing {
    toll_frame frame; /* the function's; for a file the name is "" and there is no line */
    uint32_t rank;    /* canonical order; breaks ties */
    bool is_chosen;   /* the user asked for it */
    int64_t self, total, calls, before;
    uint32_t first, count; /* range of its lines */
} toll_listing;

/* How functions or files were chosen: by a name, by the end of a path. */
typedef enum toll_wanted_kind {
    TOLL_WANT_NAME,        /* of a function */
    TOLL_WANT_SYSTEM_NAME, /* of a function */
    TOLL_WANT_FILE,        /* a path, or its end */
    TOLL_WANT_PART,        /* a part of a function's name */
    TOLL_WANT_KINDS
} toll_wanted_kind;

typedef struct toll_wanted {
    const char *what; /* NULL: all functions */
    toll_wanted_kind kind;
} toll_wanted;

typedef struct toll_listings {
    toll_mem mem;
    toll_value_type value;
    uint32_t column;
    bool is_of_files;
    bool is_compared;    /* `before` has values */
    bool has_executions; /* lines have executions */
    bool has_totals;     /* a line has a total that is not its self value */
    bool has_calls;
    int64_t whole, whole_before; /* of the whole profile */
    toll_precision precision;    /* of the column; of a comparison nothing is known */
    toll_listing *items;
    size_t count, room;
    toll_line *lines; /* sorted by listing, then file (the listing's own first), then line */
    size_t line_count, line_room;
} toll_listings;

/* Find what the user asked for among the frames of one profile or two (`other` may be NULL).
 * Errors: TOLL_E_NOT_FOUND, with the nearest name. */
toll_status toll_wanted_find(const toll_profile *p, const toll_profile *other, const char *what,
                             toll_wanted *wanted, toll_error *err);
bool toll_wanted_is(const toll_wanted *wanted, const toll_frame *frame);

/* Sum up a profile's values of a type. Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_listings_create(toll_listings *listings, const toll_profile *p,
                                 toll_value_type value, const toll_wanted *wanted, toll_error *err);
void toll_listings_free(toll_listings *listings);

/* Sort the lines, drop those that cost nothing, and set each listing's range. */
void toll_listings_group(toll_listings *listings);

/* Set `before` to the self values of other listings, function by function and line by line. Texts
 * of `before` are referenced afterwards. Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_listings_compare(toll_listings *listings, const toll_listings *before,
                                  toll_error *err);

/* Order of a line of a listing and another place in it; below 0: the line comes first. */
int toll_line_compare(const toll_line *x, const char *file, uint32_t line);

/* Drop the listings that were not chosen or have no value, and sort the others: the largest value
 * (or change, if they are compared) first. */
void toll_listings_choose(toll_listings *listings);

#endif
