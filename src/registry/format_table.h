/* format_table.h - the table of all formats. The formats themselves use only format/format_row.h.
 */
#ifndef TOLL_REGISTRY_FORMAT_TABLE_H
#define TOLL_REGISTRY_FORMAT_TABLE_H

#include "format/format_row.h"

enum { TOLL_SNIFF_SIZE = 64 * 1024 }; /* first bytes by which formats are recognised */

/* Row i, in order of preference where a content may be of two formats; NULL after the last. */
const toll_format_row *toll_format_row_at(unsigned i);

/* The row of the format `name`; NULL: there is none, or `name` is NULL. */
const toll_format_row *toll_format_row_named(const char *name);

/* "pprof, speedscope, ...": the formats that can be read (or written). */
void toll_format_list_names(char *text, size_t size, bool writing);

/* Fails: no format is called `name`; the message lists those that are. */
toll_status toll_format_unknown(const char *name, bool writing, toll_error *err);

/* Formats of whole stacks write each stack in full. If that makes the file very large, warn; if it
 * is too large to be written, TOLL_E_LIMIT. Called before anything is written. */
toll_status toll_check_stacks_size(const toll_format *format, const toll_write_job *job,
                                   toll_error *err);

#endif
