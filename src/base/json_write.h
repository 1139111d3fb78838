/* json_write.h - writes pieces of JSON to an output; commas and brackets are left to the caller. */
#ifndef TOLL_BASE_JSON_WRITE_H
#define TOLL_BASE_JSON_WRITE_H

#include <stdint.h>
#include <toll/stream.h>

/* "text" in quotes; valid UTF-8 in, RFC 8259 out. Characters that printable.h escapes become \u
 * escapes, so that the JSON may be printed, too. */
void toll_json_put_string(toll_output *out, const char *text);
void toll_json_put_inner(toll_output *out, const char *text); /* the same without the quotes */
void toll_json_put_i64(toll_output *out, int64_t value);
void toll_json_put_text(toll_output *out, const char *text); /* as it is */

#endif
