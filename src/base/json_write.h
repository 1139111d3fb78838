/* json_write.h - pieces of JSON onto an output; commas and brackets are the caller's business. */
#ifndef TOLL_BASE_JSON_WRITE_H
#define TOLL_BASE_JSON_WRITE_H

#include <stdint.h>
#include <toll/stream.h>

/* "text" in quotes; valid UTF-8 in, RFC 8259 out. What printable.h does not let through as it is
 * becomes \u202e: the JSON may be printed, too. */
void toll_json_put_string(toll_output *out, const char *text);
void toll_json_put_inner(toll_output *out, const char *text); /* the same without the quotes */
void toll_json_put_i64(toll_output *out, int64_t value);
void toll_json_put_text(toll_output *out, const char *text); /* as it is */

#endif
