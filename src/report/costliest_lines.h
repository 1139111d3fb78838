/* costliest_lines.h - ranks the source lines of a profile by cost, over all functions that contain
 * them. A line of a template, or of a function inlined into several, is one row. Costs without a
 * known line are one row for each function. For report/ only. */
#ifndef TOLL_REPORT_COSTLIEST_LINES_H
#define TOLL_REPORT_COSTLIEST_LINES_H

#include "base/buffer.h"
#include "report/annotation.h"

typedef struct toll_costly_line {
    const char *file;             /* "": not known */
    const char *short_file;       /* without its folders, if that is unique */
    uint32_t line;                /* 0: costs of `function` without a known line */
    uint32_t functions;           /* number of functions that have the line */
    const toll_listing *function; /* the function with the largest part */
    uint64_t most;                /* absolute cost, or change, of that part */
    int64_t self, before, executions;
    const char *text; /* source text, not terminated, without blanks at its ends; NULL: none */
    size_t text_size;
} toll_costly_line;

typedef struct toll_costliest_lines {
    toll_mem mem;
    toll_costly_line *items; /* costliest (most changed) first */
    size_t count, room;
    size_t shown; /* how many of them are shown */
    int64_t rest; /* cost, or change, of the rows not shown */
    toll_buffer texts;
} toll_costliest_lines;

/* Rank the lines of an annotation's listings; the rows point into these. Errors: TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW, those of `source`. */
toll_status toll_costliest_lines_create(toll_costliest_lines *lines, const toll_annotation *a,
                                        toll_error *err);
void toll_costliest_lines_free(toll_costliest_lines *lines);

#endif
