/* annotation.h - the data that both forms of toll_report_annotate print: the value that is shown,
 * and the chosen listings in order. For report/ only. */
#ifndef TOLL_REPORT_ANNOTATION_H
#define TOLL_REPORT_ANNOTATION_H

#include "profile/short_names.h"
#include "report/listings.h"
#include "report/source_text.h"

typedef struct toll_annotation {
    const toll_profile *profile;
    toll_annotate_options options;
    toll_shown shown;
    toll_value_type without_lines; /* the value asked for, if it has no lines; type NULL: it is the
                                    * one shown */
    toll_short_names names;
    toll_wanted wanted;
    toll_listings listings, before; /* with `top` always listings of functions */
    uint64_t unequal; /* lines so far whose cost differs from the sum of their instructions */
    uint64_t folded;  /* lines so far that the threshold folded; their cost or change */
    int64_t folded_self;
    uint64_t changes; /* in a comparison: the sum of all absolute changes */
} toll_annotation;

/* The instructions of a listing that are not printed yet: see toll_annotation_code_of_line. */
typedef struct toll_annotation_code {
    const toll_instruction *at, *end;
} toll_annotation_code;

/* Errors: those of toll_report_annotate. */
toll_status toll_annotation_create(toll_annotation *a, const toll_profile *p,
                                   const toll_profile *before, const toll_annotate_options *options,
                                   const toll_output *out, toll_error *err);
void toll_annotation_free(toll_annotation *a);

/* The number of listings that are shown. */
size_t toll_annotation_shown(const toll_annotation *a);

/* The value under which rows of a listing (NULL: of all listings) are folded. A double, since it is
 * a share of the whole and never printed. */
double toll_annotation_limit(const toll_annotation *a, const toll_listing *listing);

/* Is the absolute value of `self` or `total` at or above the limit? */
bool toll_annotation_matters(double limit, int64_t self, int64_t total);

/* Open the source of a listing's lines in `file` ("": its own), at its beginning. */
toll_status toll_annotation_source(const toll_annotation *a, const toll_listing *listing,
                                   const char *file, toll_source_text *source, toll_error *err);

/* Open the source of a file. */
toll_status toll_annotation_source_of(const toll_annotation *a, const char *path,
                                      toll_source_text *source, toll_error *err);

/* Where the text of that file is from, if it is not the file itself; else "". */
const char *toll_annotation_origin(const toll_annotation *a, const char *path);

/* The instructions of a listing, none unless they are wanted. Counts the lines that cost something
 * else than theirs. */
toll_status toll_annotation_instructions(toll_annotation *a, const toll_listing *listing,
                                         toll_annotation_code *code, toll_error *err);

/* Get the instructions of a line in `file` ("": the listing's own). Lines must be passed in
 * order. */
toll_annotation_code toll_annotation_code_of_line(toll_annotation_code *code, const char *file,
                                                  uint32_t line);

#endif
