/* input.h - reads input streams, and decompresses gzip: gives readers a window on the bytes,
 * their position, and errors. */
#ifndef TOLL_BASE_INPUT_H
#define TOLL_BASE_INPUT_H

#include "base/buffer.h"

#include <stdint.h>
#include <toll/stream.h>

/* The allocator that the input was opened with; readers build their objects with it. */
const toll_mem *toll_input_mem(const toll_input *in);

/* The bytes at the current position: at least `want`, unless the input ends earlier (or fails: see
 * toll_input_check). *got is their number. The pointer is valid until the next call of any
 * toll_input function. The window grows if it has less than `want`. */
const uint8_t *toll_input_peek(toll_input *in, size_t want, size_t *got);

/* Advance by `size` bytes, at most the number that the last peek returned. */
void toll_input_skip(toll_input *in, size_t size);

/* Position in the (decompressed) bytes. */
uint64_t toll_input_offset(const toll_input *in);

/* TOLL_OK if nothing has failed so far; else TOLL_E_IO, TOLL_E_TRUNCATED or TOLL_E_SYNTAX (bad
 * gzip), TOLL_E_NOMEM. Call it when peek returned fewer bytes than you wanted. */
toll_status toll_input_check(const toll_input *in, toll_error *err);

/* Append all that remains. Errors: those of toll_input_check, TOLL_E_NOMEM. */
toll_status toll_input_read_all(toll_input *in, toll_buffer *out, toll_error *err);

/* The rest of the input: *data, *size. It is in the caller's memory if the input reads that and it
 * is not compressed, else in `buffer`, which is empty. Errors: those of toll_input_read_all. */
toll_status toll_input_whole(toll_input *in, toll_buffer *buffer, const uint8_t **data,
                             size_t *size, toll_error *err);

/* Read the next line, without its end ("\n" or "\r\n"). False at the end of the input or on failure
 * (see toll_input_check). *text is valid until the next call. *whole is false for a last line
 * without a line end. */
bool toll_input_line(toll_input *in, const char **text, size_t *size, bool *whole);

/* Fail with a message that names the place: "NAME:LINE: ..." or "NAME: at byte OFFSET: ...". */
toll_status toll_fail_line(const toll_input *in, uint64_t line, toll_error *err, toll_status status,
                           const char *format, ...) TOLL_PRINTF(5, 6);
toll_status toll_fail_byte(const toll_input *in, uint64_t offset, toll_error *err,
                           toll_status status, const char *format, ...) TOLL_PRINTF(5, 6);

#endif
