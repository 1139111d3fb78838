/* costliest_lines.h - the lines of a profile's source by what they cost, over all functions that
 * have them: a template, or a function that was inlined into several, has each line once. What is
 * of no known line is one row for each function. For report/ only. */
#ifndef TOLL_REPORT_COSTLIEST_LINES_H
#define TOLL_REPORT_COSTLIEST_LINES_H

#include "base/buffer.h"
#include "report/annotation.h"

typedef struct toll_costly_line {
    const char *file;             /* "": not known */
    const char *short_file;       /* without its folders, where that names no other file, too */
    uint32_t line;                /* 0: what is of no known line of `function` */
    uint32_t functions;           /* that have it */
    const toll_listing *function; /* the one with most of it */
    uint64_t most;                /* its cost, or change, whatever the sign */
    int64_t self, before, executions;
    const char *text; /* of the source, not terminated, blanks at its ends left out; NULL: none */
    size_t text_size;
} toll_costly_line;

typedef struct toll_costliest_lines {
    toll_mem mem;
    toll_costly_line *items; /* the costliest (most changed) first */
    size_t count, room;
    size_t shown; /* of them */
    int64_t rest; /* cost, or change, of the others */
    toll_buffer texts;
} toll_costliest_lines;

/* The lines of an annotation's listings, which remain in use. Errors: TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW, those of `source`. */
toll_status toll_costliest_lines_create(toll_costliest_lines *lines, const toll_annotation *a,
                                        toll_error *err);
void toll_costliest_lines_free(toll_costliest_lines *lines);

#endif
