/* stream.h - byte streams to and from files, standard streams and memory; gzip is decompressed
 * while reading.
 *
 * An output never leaves a half-written file: bytes go to a temporary file beside the target.
 * toll_output_commit gives it the target's name; without a commit it is removed. */
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
 * decompressed while it is read. *out is the caller's to free (toll_input_free).
 * Errors: TOLL_E_ARGUMENT, TOLL_E_IO, TOLL_E_NOMEM. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_input_open(const toll_allocator *allocator,
                                                     const char *path, toll_input **out,
                                                     toll_error *err);

/* Read from memory, which the caller keeps and does not change until the input is freed.
 *   data  may be NULL if size is 0
 *   size  in bytes
 *   name  what messages call it, instead of a file's name; copied
 *   out   the caller's to free (toll_input_free)
 * Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_input_from_memory(const toll_allocator *allocator,
                                                            const void *data, size_t size,
                                                            const char *name, toll_input **out,
                                                            toll_error *err);

/* Called while a file is read, with the bytes read so far and the file's size, 0 if unknown; both
 * as the file is stored, before decompression. */
typedef void (*toll_progress_fn)(void *user, uint64_t done, uint64_t whole);

/* Have `progress` called with `user` about every 4 MiB while this input is read, by the thread that
 * reads. NULL: no function is called any more. Since 0.1. */
TOLL_API void toll_input_on_progress(toll_input *in, toll_progress_fn progress, void *user);

/* The path or name that it was opened with. Never NULL; valid until the input is freed. Since 0.1.
 */
TOLL_API const char *toll_input_name(const toll_input *in);

/* Close and free. NULL is fine. Since 0.1. */
TOLL_API void toll_input_free(toll_input *in);

/* Write a file; "-" is standard output. The bytes go to a file beside `path`, which takes its
 * place in toll_output_commit.
 *   gzip  1: compress
 *   out   the caller's to free (toll_output_free)
 * Errors: TOLL_E_ARGUMENT, TOLL_E_IO, TOLL_E_NOMEM, TOLL_E_UNSUPPORTED (gzip, in a build without
 * zlib). Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_output_open(const toll_allocator *allocator,
                                                      const char *path, int gzip, toll_output **out,
                                                      toll_error *err);

/* Write to a file descriptor, such as 2, standard error. It remains the caller's: the commit
 * flushes what is buffered and does not close it.
 *   name  what messages call it; copied
 *   out   the caller's to free (toll_output_free)
 * Errors: TOLL_E_ARGUMENT (fd is below 0, no name), TOLL_E_NOMEM. Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_output_from_fd(const toll_allocator *allocator, int fd,
                                                         const char *name, toll_output **out,
                                                         toll_error *err);

/* Write to memory that grows; toll_output_data shows it after the commit.
 *   gzip  1: compress
 *   out   the caller's to free (toll_output_free)
 * Errors: TOLL_E_ARGUMENT, TOLL_E_NOMEM, TOLL_E_UNSUPPORTED (gzip, without zlib). Since 0.1. */
TOLL_API TOLL_MUST_CHECK toll_status toll_output_to_memory(const toll_allocator *allocator,
                                                           int gzip, toll_output **out,
                                                           toll_error *err);

/* Set whether the commit of a file waits for the disk (1 unless this is called): first for the
 * bytes, before the file gets its name, then for the name. With 0 the file is still whole or absent
 * if this process ends at any time, but data that is not yet on the disk is lost if the machine
 * stops. It has no effect on anything but regular files. Since 0.1. */
TOLL_API void toll_output_set_sync(toll_output *out, int is_synced);

/* Append `size` bytes. Errors are kept until toll_output_commit (or toll_output_status) returns
 * them, so that writers need not check each call. `data` may be NULL if size is 0; else that is an
 * error that is kept. Since 0.1. */
TOLL_API void toll_output_write(toll_output *out, const void *data, size_t size);

/* Append text, formatted as by printf. Errors are kept, as above. Floating point numbers are
 * printed in the program's locale; Toll itself prints none with this. The arguments must be those
 * that the format names: this is not checked. Since 0.1. */
TOLL_API void toll_output_printf(toll_output *out, const char *format, ...) TOLL_PRINTF(2, 3);

/* Append a text that came from elsewhere so that it is safe to print on a terminal: control
 * characters, characters that set the direction of text, Unicode's line ends and what is not UTF-8
 * become escapes (\x1b, \u202e). A `text` of NULL is an error that is kept, as above. Since 0.1. */
TOLL_API void toll_output_put_printable(toll_output *out, const char *text);

/* The first error that was kept, or TOLL_OK. Since 0.1. */
TOLL_API toll_status toll_output_status(const toll_output *out);

/* Finish: flush, close and give the file its name. After this only toll_output_data and
 * toll_output_free may be called. On failure the target is as it was.
 * Errors: TOLL_E_IO (such as a full disk), TOLL_E_NOMEM, and those that were kept. Since 0.1. */
TOLL_API toll_status toll_output_commit(toll_output *out, toll_error *err);

/* What was written to memory, and in *size, which may be NULL, how many bytes; valid after the
 * commit until the output is freed. NULL and 0: nothing was, or not to memory. Since 0.1. */
TOLL_API const void *toll_output_data(const toll_output *out, size_t *size);

/* Free. If it was not committed, nothing of what was written remains. NULL is fine. Since 0.1. */
TOLL_API void toll_output_free(toll_output *out);

#ifdef __cplusplus
}
#endif
#endif
