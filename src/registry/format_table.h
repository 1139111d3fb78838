/* format_table.h - the table of all formats. The formats themselves use only format/format_row.h.
 */
#ifndef TOLL_REGISTRY_FORMAT_TABLE_H
#define TOLL_REGISTRY_FORMAT_TABLE_H

#include "format/format_row.h"
#include "profile/small_stacks.h"

enum { TOLL_SNIFF_SIZE = 64 * 1024 }; /* bytes at the beginning by which formats are recognised */

/* Row i. If content fits two formats, the earlier row is preferred. NULL after the last row. */
const toll_format_row *toll_format_row_at(unsigned i);

/* The row of the format `name`. NULL: no such format, or `name` is NULL. */
const toll_format_row *toll_format_row_named(const char *name);

/* "pprof, speedscope, ...": the formats that can be read (or written). */
void toll_format_list_names(char *text, size_t size, bool writing);

/* Fail: no format is called `name`. The message lists those that exist. */
toll_status toll_format_unknown(const char *name, bool writing, toll_error *err);

/* How many stacks are written, and the column by which they are chosen. */
typedef struct toll_few_stacks {
    uint32_t most;   /* 0: all */
    uint32_t column; /* TOLL_NONE: by any */
} toll_few_stacks;

/* What options->most_stacks means for a profile and a format. Errors: TOLL_E_NOT_FOUND (no such
 * value type). */
toll_status toll_choose_few(const toll_format_row *row, const toll_format_options *options,
                            const toll_profile *profile, toll_few_stacks *few, toll_error *err);

/* Warn about the stacks that are not written. */
void toll_warn_few(const toll_format_options *options, const toll_small_stacks *small);

/* Fold deep stacks for formats that write each stack in full. If the file would exceed
 * options->stack_bytes, *own becomes a copy of the job's profile with less deep stacks, which is
 * written instead and which the caller frees; a note and a warning say so. Warns if the file is
 * still very large. */
toll_status toll_fold_deep_stacks(const toll_format_row *row, toll_write_job *job,
                                  toll_profile **own, toll_error *err);

#endif
