/* listings.h - what each line of a profile's functions cost, or of its files: a listing is one
 * function's or file's lines. For report/ only.
 *
 * A line's total counts only its outermost frame on a stack, and so does a listing's: recursion
 * counts once. The self values of a listing's lines, line 0 included, sum up to its own. */
#ifndef TOLL_REPORT_LISTINGS_H
#define TOLL_REPORT_LISTINGS_H

#include "base/mem.h"
#include "profile/shown.h"

#include <toll/report.h>

typedef struct toll_line {
    uint32_t listing;
    uint32_t line;    /* 0: what is not known to be of a line */
    const char *file; /* of the line, where it is another than the listing's; else "" */
    int64_t self, total, executions;
    int64_t before; /* self, in the profile to compare with */
} toll_line;

typedef struct toll_listing {
    toll_frame frame; /* of the function; of a file the name is "" and there is no line */
    uint32_t rank;    /* in canonical order, for ties */
    bool is_chosen;   /* by what was asked for */
    int64_t self, total, calls, before;
    uint32_t first, count; /* of the lines */
} toll_listing;

/* What was asked for: functions by a name, files by the end of a path. */
typedef enum toll_wanted_kind {
    TOLL_WANT_NAME,        /* of a function */
    TOLL_WANT_SYSTEM_NAME, /* of a function */
    TOLL_WANT_FILE,        /* the path, or its end */
    TOLL_WANT_PART,        /* of a function's name */
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
    bool has_executions; /* of lines */
    bool has_totals;     /* a line has a total that is not its self value */
    bool has_calls;
    int64_t whole, whole_before; /* of the whole profile */
    toll_listing *items;
    size_t count, room;
    toll_line *lines; /* by listing, then file (the listing's own first), then line */
    size_t line_count, line_room;
} toll_listings;

/* Find what is asked for among the frames of one profile or both (`other` may be NULL). Errors:
 * TOLL_E_NOT_FOUND, with the nearest name. */
toll_status toll_wanted_find(const toll_profile *p, const toll_profile *other, const char *what,
                             toll_wanted *wanted, toll_error *err);
bool toll_wanted_is(const toll_wanted *wanted, const toll_frame *frame);

/* Sum up a profile's values of a type. Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_listings_create(toll_listings *listings, const toll_profile *p,
                                 toll_value_type value, const toll_wanted *wanted, toll_error *err);
void toll_listings_free(toll_listings *listings);

/* Sort the lines, without those that cost nothing, and set which of them each listing has.
 */
void toll_listings_group(toll_listings *listings);

/* Set `before` to the self values of other listings, function by function and line by line. Texts
 * of `before` are used on. Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_listings_compare(toll_listings *listings, const toll_listings *before,
                                  toll_error *err);

/* Where a line of a listing is beside another place in it: below 0 is before. */
int toll_line_compare(const toll_line *x, const char *file, uint32_t line);

/* Drop the listings that were not chosen or have no value, and put the others in order: the largest
 * value (change, if they are compared) first. */
void toll_listings_choose(toll_listings *listings);

#endif
