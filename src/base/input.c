/* input.c - see input.h. Reads files, standard input and memory.
 *
 * Owns a window on the decompressed bytes: buffer[start..end). For uncompressed memory the window
 * is the caller's memory itself. Failures are kept (`failure`) and reported by toll_input_check. */
#include "base/input.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/gzip.h"
#include "base/os.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { RAW_SIZE = 64 * 1024, WINDOW_SIZE = 256 * 1024, PROGRESS_STEP = 4 * 1024 * 1024 };

struct toll_input {
    toll_mem mem;
    char *name;
    size_t name_size; /* with its NUL */

    int fd;              /* -1: reads from memory */
    const uint8_t *data; /* memory to read from */
    size_t data_size, data_used;

    uint8_t *raw; /* RAW_SIZE bytes of compressed input, [raw_start, raw_end) unread */
    size_t raw_start, raw_end;
    toll_inflater *inflater; /* NULL if not compressed */
    bool member_open;        /* inside a gzip member: an input that ends here is truncated */

    uint8_t *buffer; /* NULL: the window is `data` */
    size_t start, end, capacity;
    uint64_t offset; /* of buffer[start] */
    bool at_end;
    toll_error failure; /* .status TOLL_OK: none */

    toll_progress_fn progress;
    void *progress_user;
    uint64_t stored_done, stored_told, stored_size;
};

static toll_status create(const toll_allocator *allocator, const char *name, toll_input **out,
                          toll_error *err)
{
    toll_mem mem = toll_mem_from(allocator);
    size_t size = strlen(name) + 1;
    toll_input *in = toll_mem_new(&mem, 1, sizeof *in);
    *out = NULL;
    if (!in)
        return toll_fail_nomem(err);
    in->mem = mem;
    in->fd = -1;
    in->name_size = size;
    in->name = toll_mem_new(&mem, size, 1);
    if (!in->name) {
        toll_input_free(in);
        return toll_fail_nomem(err);
    }
    memcpy(in->name, name, size);
    *out = in;
    return TOLL_OK;
}

static void keep_failure(toll_input *in, toll_status status, const char *what)
{
    toll_fail(&in->failure, status, "%s: %s", in->name, what);
    in->at_end = true;
}

static void report_progress(toll_input *in, size_t size)
{
    in->stored_done += size;
    if (in->progress && in->stored_done - in->stored_told >= PROGRESS_STEP) {
        in->stored_told = in->stored_done;
        in->progress(in->progress_user, in->stored_done, in->stored_size);
    }
}

/* Read bytes as they are stored into to[size]. 0 at the end or on failure. */
static size_t read_stored(toll_input *in, uint8_t *to, size_t size)
{
    if (in->fd < 0) {
        size_t left = in->data_size - in->data_used;
        size_t n = left < size ? left : size;
        if (n)
            memcpy(to, in->data + in->data_used, n);
        in->data_used += n;
        return n;
    }
    ptrdiff_t n = toll_os_read(in->fd, to, size);
    if (n < 0) {
        keep_failure(in, TOLL_E_IO, strerror(errno));
        return 0;
    }
    report_progress(in, (size_t)n);
    return (size_t)n;
}

/* Read decompressed bytes into to[size]. 0 at the end or on failure. */
static size_t read_inflated(toll_input *in, uint8_t *to, size_t size)
{
    for (;;) {
        if (in->raw_start == in->raw_end) {
            in->raw_start = 0;
            in->raw_end = read_stored(in, in->raw, RAW_SIZE);
            if (in->raw_end == 0) {
                if (in->member_open && !in->failure.status)
                    keep_failure(in, TOLL_E_TRUNCATED,
                                 "the gzip data ends too early; fetch the file again");
                return 0;
            }
        }
        size_t used = in->raw_end - in->raw_start, made = size;
        toll_inflate_result result =
            toll_inflate(in->inflater, in->raw + in->raw_start, &used, to, &made);
        in->raw_start += used;
        in->member_open = result != TOLL_INFLATE_END;
        if (result == TOLL_INFLATE_BAD) {
            keep_failure(in, TOLL_E_SYNTAX,
                         "the gzip data is damaged; fetch or compress the file again");
            return 0;
        }
        if (result == TOLL_INFLATE_NOMEM) {
            toll_fail_nomem(&in->failure);
            in->at_end = true;
            return 0;
        }
        if (made)
            return made;
    }
}

/* Make room for at least one more byte after `end`. The window grows only when it is full. So a
 * size that a file claims takes no memory until that many bytes have been read.
 * */
static bool make_room(toll_input *in)
{
    if (in->start) {
        memmove(in->buffer, in->buffer + in->start, in->end - in->start);
        in->end -= in->start;
        in->start = 0;
    }
    if (in->end < in->capacity)
        return true;
    size_t more = in->capacity ? 1 : WINDOW_SIZE;
    if (toll_array_grow(&in->mem, &in->buffer, &in->capacity, in->end, more))
        return true;
    toll_fail_nomem(&in->failure);
    in->at_end = true;
    return false;
}

static void fill(toll_input *in, size_t want)
{
    while (!in->at_end && in->end - in->start < want) {
        if (!make_room(in))
            return;
        uint8_t *to = in->buffer + in->end;
        size_t room = in->capacity - in->end;
        size_t n = in->inflater ? read_inflated(in, to, room) : read_stored(in, to, room);
        in->end += n;
        if (n == 0)
            in->at_end = true;
    }
}

/* Check the first two bytes: for gzip make an inflater; uncompressed memory becomes the window. */
static toll_status begin(toll_input *in, toll_error *err)
{
    uint8_t magic[2] = { 0, 0 };
    size_t have = 0;
    while (have < 2) {
        size_t n = read_stored(in, magic + have, 2 - have);
        if (n == 0)
            break;
        have += n;
    }
    if (in->failure.status)
        return toll_input_check(in, err);
    bool gzip = have == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
    if (in->fd < 0 && !gzip) {
        in->buffer = (uint8_t *)(uintptr_t)in->data; /* read only: at_end prevents fill from
                                                      * writing */
        in->end = in->capacity = in->data_size;
        in->at_end = true;
        return TOLL_OK;
    }
    if (!gzip) {
        if (!make_room(in))
            return toll_input_check(in, err);
        memcpy(in->buffer, magic, have);
        in->end = have;
        return TOLL_OK;
    }
    in->raw = toll_mem_new(&in->mem, RAW_SIZE, 1);
    if (!in->raw)
        return toll_fail_nomem(err);
    memcpy(in->raw, magic, 2);
    in->raw_end = 2;
    in->member_open = true;
    return toll_inflater_create(&in->mem, &in->inflater, err);
}

static toll_status open_file(toll_input *in, const char *path, toll_error *err)
{
    toll_os_info info;
    if (strcmp(path, "-") == 0) {
        in->fd = toll_os_standard_input();
        return TOLL_OK;
    }
    in->fd = toll_os_open_to_read(path, &info);
    if (in->fd < 0 && errno == EISDIR)
        return toll_fail(err, TOLL_E_IO, "%s: is a folder; name a file in it", path);
    if (in->fd < 0)
        return toll_fail(err, TOLL_E_IO, "%s: cannot open: %s", path, strerror(errno));
    in->stored_size = info.size;
    return TOLL_OK;
}

toll_status toll_input_open(const toll_allocator *allocator, const char *path, toll_input **out,
                            toll_error *err)
{
    toll_input *in;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (!path)
        return toll_fail_null(err, "path");
    toll_status status =
        create(allocator, strcmp(path, "-") == 0 ? "(standard input)" : path, &in, err);
    *out = NULL;
    if (status)
        return status;
    status = open_file(in, path, err);
    if (!status)
        status = begin(in, err);
    if (status) {
        toll_input_free(in);
        return status;
    }
    *out = in;
    return TOLL_OK;
}

toll_status toll_input_from_memory(const toll_allocator *allocator, const void *data, size_t size,
                                   const char *name, toll_input **out, toll_error *err)
{
    toll_input *in;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (!name)
        return toll_fail_null(err, "name");
    if (!data && size)
        return toll_fail_null(err, "data");
    toll_status status = create(allocator, name, &in, err);
    *out = NULL;
    if (status)
        return status;
    in->data = size ? data : (const uint8_t *)"";
    in->data_size = size;
    status = begin(in, err);
    if (status) {
        toll_input_free(in);
        return status;
    }
    *out = in;
    return TOLL_OK;
}

void toll_input_on_progress(toll_input *in, toll_progress_fn progress, void *user)
{
    in->progress = progress;
    in->progress_user = user;
}

const char *toll_input_name(const toll_input *in)
{
    return in->name;
}

void toll_input_free(toll_input *in)
{
    if (!in)
        return;
    toll_mem mem = in->mem;
    if (in->fd > toll_os_standard_input())
        toll_os_close(in->fd);
    toll_inflater_free(in->inflater);
    toll_mem_free(&mem, in->raw, RAW_SIZE, 1);
    if (in->buffer != in->data)
        toll_mem_free(&mem, in->buffer, in->capacity, 1);
    toll_mem_free(&mem, in->name, in->name_size, 1);
    toll_mem_free(&mem, in, 1, sizeof *in);
}

const toll_mem *toll_input_mem(const toll_input *in)
{
    return &in->mem;
}

const uint8_t *toll_input_peek(toll_input *in, size_t want, size_t *got)
{
    if (in->end - in->start < want)
        fill(in, want);
    *got = in->end - in->start;
    return in->buffer ? in->buffer + in->start : (const uint8_t *)"";
}

void toll_input_skip(toll_input *in, size_t size)
{
    in->start += size;
    in->offset += size;
}

uint64_t toll_input_offset(const toll_input *in)
{
    return in->offset;
}

toll_status toll_input_check(const toll_input *in, toll_error *err)
{
    if (in->failure.status && err)
        *err = in->failure;
    return in->failure.status;
}

toll_status toll_input_read_all(toll_input *in, toll_buffer *out, toll_error *err)
{
    size_t got;
    const uint8_t *p;
    while ((p = toll_input_peek(in, 1, &got)), got > 0) {
        if (!toll_buffer_append(out, p, got))
            return toll_fail_nomem(err);
        toll_input_skip(in, got);
    }
    return toll_input_check(in, err);
}

toll_status toll_input_whole(toll_input *in, toll_buffer *buffer, const uint8_t **data,
                             size_t *size, toll_error *err)
{
    if (in->data && !in->inflater) {
        *data = toll_input_peek(in, 1, size);
        toll_input_skip(in, *size);
        return toll_input_check(in, err);
    }
    toll_status status = toll_input_read_all(in, buffer, err);
    *data = buffer->data;
    *size = buffer->size;
    return status;
}

bool toll_input_line(toll_input *in, const char **text, size_t *size, bool *whole)
{
    size_t got, seen = 0;
    const uint8_t *p = toll_input_peek(in, 1, &got), *end;
    while (!(end = got > seen ? memchr(p + seen, '\n', got - seen) : NULL)) {
        if (in->at_end)
            break;
        seen = got;
        p = toll_input_peek(in, got + 1, &got);
    }
    if (in->failure.status || got == 0)
        return false;
    size_t length = end ? (size_t)(end - p) : got;
    toll_input_skip(in, length + (end != NULL));
    *whole = end != NULL;
    *text = (const char *)p;
    *size = length && p[length - 1] == '\r' ? length - 1 : length;
    return true;
}

/* Fail with "NAME:LINE: " or "NAME: at byte OFFSET: ", then the message. */
static toll_status fail_at(toll_error *err, toll_status status, const char *place,
                           const char *format, va_list args)
{
    if (err) {
        char text[TOLL_ERROR_SIZE];
        vsnprintf(text, sizeof text, format, args);
        toll_fail(err, status, "%s%s", place, text);
    }
    return status;
}

toll_status toll_fail_line(const toll_input *in, uint64_t line, toll_error *err, toll_status status,
                           const char *format, ...)
{
    char place[TOLL_ERROR_SIZE];
    va_list args;
    va_start(args, format);
    snprintf(place, sizeof place, "%.300s:%" PRIu64 ": ", in->name, line);
    fail_at(err, status, place, format, args);
    va_end(args);
    return status;
}

toll_status toll_fail_byte(const toll_input *in, uint64_t offset, toll_error *err,
                           toll_status status, const char *format, ...)
{
    char place[TOLL_ERROR_SIZE];
    va_list args;
    va_start(args, format);
    snprintf(place, sizeof place, "%.300s: at byte %" PRIu64 ": ", in->name, offset);
    fail_at(err, status, place, format, args);
    va_end(args);
    return status;
}
