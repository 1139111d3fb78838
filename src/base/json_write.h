/* json_write.h - writes strings of JSON to an output; the caller writes commas and brackets. */
#ifndef TOLL_BASE_JSON_WRITE_H
#define TOLL_BASE_JSON_WRITE_H

#include <stdint.h>
#include <toll/stream.h>

/* Write a text in quotes, as in RFC 8259; it must be valid UTF-8. Characters that printable.h
 * escapes become \u escapes, so the JSON can be printed safely, too. */
void toll_json_put_string(toll_output *out, const char *text);
void toll_json_put_inner(toll_output *out, const char *text); /* the same without the quotes */
void toll_json_put_i64(toll_output *out, int64_t value);
void toll_json_put_text(toll_output *out, const char *text); /* unchanged */

#endif
