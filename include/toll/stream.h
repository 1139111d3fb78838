/* stream.h - byte streams: files, standard streams and memory, gzip seen through.
 *
 * An output never leaves a half-written file: bytes go to a file beside the target, which takes
 * the target's name in toll_output_commit, and vanishes if that is not reached. */
#ifndef TOLL_STREAM_H
#define TOLL_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <toll/error.h>
#include <toll/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toll_input toll_input;
typedef struct toll_output toll_output;

/* Open a file for reading; "-" is standard input. gzip (also several members in a row) is
 * decompressed on the way. *out is the caller's to free.
 * Errors: TOLL_E_IO, TOLL_E_NOMEM. */
TOLL_API toll_status toll_input_open(const toll_allocator *allocator, const char *path,
                                     toll_input **out, toll_error *err);

/* Read from memory that the caller keeps alive and unchanged. `name` stands in messages for the
 * file name; it is copied. `data` may be NULL if size is 0. Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM.
 */
TOLL_API toll_status toll_input_from_memory(const toll_allocator *allocator, const void *data,
                                            size_t size, const char *name, toll_input **out,
                                            toll_error *err);

/* Call `progress` now and then while reading (about every 4 MiB of the file as it is stored):
 * bytes read, and the file's size, 0 if unknown. progress NULL: nobody is called. */
typedef void (*toll_progress_fn)(void *user, uint64_t done, uint64_t whole);
TOLL_API void toll_input_on_progress(toll_input *in, toll_progress_fn progress, void *user);

/* The name given when it was opened. Valid until the input is freed. */
TOLL_API const char *toll_input_name(const toll_input *in);

TOLL_API void toll_input_free(toll_input *in); /* NULL is fine */

/* Create PATH for writing; "-" is standard output. The bytes are written to a file beside it
 * until toll_output_commit. gzip != 0: compressed (TOLL_E_UNSUPPORTED in a build without zlib).
 * Errors: TOLL_E_IO, TOLL_E_NOMEM, TOLL_E_UNSUPPORTED. */
TOLL_API toll_status toll_output_open(const toll_allocator *allocator, const char *path, int gzip,
                                      toll_output **out, toll_error *err);

/* Write to a file descriptor that stays the caller's (2: standard error). Commit flushes it. `name`
 * stands in messages. Errors: TOLL_E_ARGUMENT (fd is below 0, no name), TOLL_E_NOMEM. */
TOLL_API toll_status toll_output_from_fd(const toll_allocator *allocator, int fd, const char *name,
                                         toll_output **out, toll_error *err);

/* Write to memory that grows; see toll_output_data. Errors: TOLL_E_NOMEM, TOLL_E_UNSUPPORTED. */
TOLL_API toll_status toll_output_to_memory(const toll_allocator *allocator, int gzip,
                                           toll_output **out, toll_error *err);

/* Append bytes. Errors are kept and reported by toll_output_commit (and by toll_output_status),
 * so that writers need not check each call. `data` may be NULL if size is 0, and is such an error
 * else. */
TOLL_API void toll_output_write(toll_output *out, const void *data, size_t size);

/* Append text as printf would: %s %d %u %zu %c %% with PRI macros; no floating point locale
 * surprises: Toll itself never prints a floating point number with it. The format and its arguments
 * must be as printf wants them: this is not checked. */
TOLL_API void toll_output_printf(toll_output *out, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Append a text that came from elsewhere, safe for a terminal: control characters, characters that
 * set the direction of text, Unicode's line ends and what is not UTF-8 become escapes (\x1b,
 * \u202e). A `text` of NULL is an error that the commit reports. */
TOLL_API void toll_output_put_printable(toll_output *out, const char *text);

/* The first failure so far, or TOLL_OK. */
TOLL_API toll_status toll_output_status(const toll_output *out);

/* Finish: flush, close and give the file its name. After this only toll_output_data and
 * toll_output_free may be called. On failure the target is as it was.
 * Errors: TOLL_E_IO (such as a full disk), TOLL_E_NOMEM. */
TOLL_API toll_status toll_output_commit(toll_output *out, toll_error *err);

/* What was written to memory, and in *size, which may be NULL, how many bytes; valid after the
 * commit until the output is freed. NULL and 0: nothing was. */
TOLL_API const void *toll_output_data(const toll_output *out, size_t *size);

/* Free. Without a commit before it, nothing is left of what was written. NULL is fine. */
TOLL_API void toll_output_free(toll_output *out);

#ifdef __cplusplus
}
#endif
#endif
