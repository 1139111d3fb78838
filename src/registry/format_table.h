/* format_table.h - the table of all formats. The formats themselves use only format/format_row.h.
 */
#ifndef TOLL_REGISTRY_FORMAT_TABLE_H
#define TOLL_REGISTRY_FORMAT_TABLE_H

#include "format/format_row.h"
#include "profile/small_stacks.h"

enum { TOLL_SNIFF_SIZE = 64 * 1024 }; /* first bytes by which formats are recognised */

/* Row i, in order of preference where a content may be of two formats; NULL after the last. */
const toll_format_row *toll_format_row_at(unsigned i);

/* The row of the format `name`; NULL: there is none, or `name` is NULL. */
const toll_format_row *toll_format_row_named(const char *name);

/* "pprof, speedscope, ...": the formats that can be read (or written). */
void toll_format_list_names(char *text, size_t size, bool writing);

/* Fails: no format is called `name`; the message lists those that are. */
toll_status toll_format_unknown(const char *name, bool writing, toll_error *err);

/* How many stacks are to be written, and by which column they are chosen. */
typedef struct toll_few_stacks {
    uint32_t most;   /* 0: all */
    uint32_t column; /* TOLL_NONE: by any */
} toll_few_stacks;

/* What options->most_stacks means for a profile and a format. Errors: TOLL_E_NOT_FOUND (no such
 * value type). */
toll_status toll_choose_few(const toll_format_row *row, const toll_format_options *options,
                            const toll_profile *profile, toll_few_stacks *few, toll_error *err);

/* Warn about the stacks that are not. */
void toll_warn_few(const toll_format_options *options, const toll_small_stacks *small);

/* Formats of whole stacks write each stack in full. If that makes the file very large, warn; if it
 * is too large to be written, TOLL_E_LIMIT. Called before anything is written. */
toll_status toll_check_stacks_size(const toll_format_row *row, const toll_write_job *job,
                                   toll_error *err);

#endif
