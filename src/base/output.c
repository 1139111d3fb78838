/* output.c - writes output streams: files that appear whole or not at all, descriptors, memory.
 *
 * The first failure is kept and ends all further writing. A regular file is written beside its
 * target (new_file.h), and gets its name in the commit; anything else (/dev/stdout, a pipe) is
 * written directly. Only write(2), rename(2) and similar calls are used, not stdio: the Lua host
 * writes profiles from a signal handler. */
#include "base/buffer.h"
#include "base/fail.h"
#include "base/gzip.h"
#include "base/new_file.h"
#include "base/os.h"
#include "base/printable.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <toll/stream.h>

enum { BUFFER_SIZE = 64 * 1024 };

struct toll_output {
    toll_mem mem;
    char *name;         /* for messages */
    size_t name_size;   /* with its NUL */
    toll_new_file file; /* if one is made */
    bool is_new;        /* it is made */
    int fd;             /* -1: memory */
    bool close_fd;
    bool is_synced; /* the commit waits for the disk */
    bool in_memory;
    toll_buffer buffer; /* the bytes not written yet; with in_memory all bytes */
    toll_deflater *deflater;
    toll_error failure;
};

static void keep_errno(toll_output *out, const char *action)
{
    if (!out->failure.status)
        toll_fail(&out->failure, TOLL_E_IO, "%s: cannot %s: %s", out->name, action,
                  strerror(errno));
}

static void keep_nomem(toll_output *out)
{
    if (!out->failure.status)
        toll_fail_nomem(&out->failure);
}

static toll_status create(const toll_allocator *allocator, const char *name, int gzip,
                          toll_output **result, toll_error *err)
{
    toll_mem mem = toll_mem_from(allocator);
    toll_output *out = toll_mem_new(&mem, 1, sizeof *out);
    toll_status status = TOLL_OK;
    *result = NULL;
    if (!out)
        return toll_fail_nomem(err);
    out->mem = mem;
    out->fd = -1;
    out->is_synced = true;
    toll_buffer_init(&out->buffer, &mem);
    out->name_size = strlen(name) + 1;
    out->name = toll_mem_new(&mem, out->name_size, 1);
    if (out->name)
        memcpy(out->name, name, out->name_size);
    else
        status = toll_fail_nomem(err);
    if (!status && gzip)
        status = toll_deflater_create(&mem, &out->deflater, err);
    if (status) {
        toll_output_free(out);
        return status;
    }
    *result = out;
    return TOLL_OK;
}

static toll_status open_target(toll_output *out, const char *path, toll_error *err)
{
    toll_os_info info;
    if (strcmp(path, "-") == 0) {
        out->fd = toll_os_standard_output();
        return TOLL_OK;
    }
    bool exists = toll_os_look(path, &info);
    if (!exists && errno != ENOENT)
        return toll_fail(err, TOLL_E_IO, "%s: cannot create: %s", path, strerror(errno));
    if (exists) {
        if (info.kind == TOLL_OS_FOLDER)
            return toll_fail(err, TOLL_E_IO, "%s: is a folder; name a file in it", path);
        if (info.kind != TOLL_OS_REGULAR) {
            out->fd = toll_os_open_to_write(path);
            out->close_fd = out->fd >= 0;
            return out->fd >= 0
                       ? TOLL_OK
                       : toll_fail(err, TOLL_E_IO, "%s: cannot open: %s", path, strerror(errno));
        }
    }
    out->is_new = true;
    toll_status status =
        toll_new_file_open(&out->file, &out->mem, path, exists ? &info : NULL, err);
    out->fd = out->file.fd;
    out->close_fd = out->fd >= 0;
    return status;
}

toll_status toll_output_open(const toll_allocator *allocator, const char *path, int gzip,
                             toll_output **result, toll_error *err)
{
    toll_output *out;
    if (!result)
        return toll_fail_null(err, "out");
    *result = NULL;
    if (!path)
        return toll_fail_null(err, "path");
    toll_status status =
        create(allocator, strcmp(path, "-") == 0 ? "(standard output)" : path, gzip, &out, err);
    *result = NULL;
    if (status)
        return status;
    status = open_target(out, path, err);
    if (status) {
        toll_output_free(out);
        return status;
    }
    *result = out;
    return TOLL_OK;
}

toll_status toll_output_from_fd(const toll_allocator *allocator, int fd, const char *name,
                                toll_output **result, toll_error *err)
{
    if (!result)
        return toll_fail_null(err, "out");
    *result = NULL;
    if (!name)
        return toll_fail_null(err, "name");
    if (fd < 0)
        return toll_fail(err, TOLL_E_ARGUMENT, "%.200s: %d is no file descriptor", name, fd);
    toll_status status = create(allocator, name, 0, result, err);
    if (!status)
        (*result)->fd = fd;
    return status;
}

toll_status toll_output_to_memory(const toll_allocator *allocator, int gzip, toll_output **result,
                                  toll_error *err)
{
    if (!result)
        return toll_fail_null(err, "out");
    toll_status status = create(allocator, "(memory)", gzip, result, err);
    if (!status)
        (*result)->in_memory = true;
    return status;
}

void toll_output_set_sync(toll_output *out, int is_synced)
{
    out->is_synced = is_synced != 0;
}

static void write_fd(toll_output *out, const uint8_t *data, size_t size)
{
    while (size && !out->failure.status) {
        ptrdiff_t n = toll_os_write(out->fd, data, size);
        if (n < 0) {
            keep_errno(out, "write");
            return;
        }
        data += n;
        size -= (size_t)n;
    }
}

static void flush(toll_output *out)
{
    if (!out->in_memory) {
        write_fd(out, out->buffer.data, out->buffer.size);
        out->buffer.size = 0;
    }
}

/* Append bytes as they will be stored. */
static void put_stored(void *user, const void *data, size_t size)
{
    toll_output *out = user;
    if (!out->in_memory && out->buffer.size + size > BUFFER_SIZE) {
        flush(out);
        if (size >= BUFFER_SIZE) {
            write_fd(out, data, size);
            return;
        }
    }
    if (!toll_buffer_append(&out->buffer, data, size))
        keep_nomem(out);
}

void toll_output_write(toll_output *out, const void *data, size_t size)
{
    if (out->failure.status || size == 0)
        return;
    if (!data) {
        toll_fail_null(&out->failure, "data");
        return;
    }
    if (!out->deflater)
        put_stored(out, data, size);
    else if (!toll_deflate(out->deflater, data, size, false, put_stored, out))
        toll_fail(&out->failure, TOLL_E_IO, "%s: cannot compress", out->name);
}

void toll_output_printf(toll_output *out, const char *format, ...)
{
    char text[1024];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(text, sizeof text, format, args);
    if (n >= 0 && (size_t)n < sizeof text) {
        toll_output_write(out, text, (size_t)n);
    } else if (n > 0) {
        char *longer = toll_mem_new(&out->mem, (size_t)n + 1, 1);
        if (longer) {
            vsnprintf(longer, (size_t)n + 1, format, again);
            toll_output_write(out, longer, (size_t)n);
            toll_mem_free(&out->mem, longer, (size_t)n + 1, 1);
        } else {
            keep_nomem(out);
        }
    }
    va_end(again);
    va_end(args);
}

static void put_piece(void *out, const char *text, size_t size)
{
    toll_output_write(out, text, size);
}

void toll_output_put_printable(toll_output *out, const char *text)
{
    if (text)
        toll_put_printable(text, strlen(text), put_piece, out);
    else if (!out->failure.status)
        toll_fail_null(&out->failure, "text");
}

toll_status toll_output_status(const toll_output *out)
{
    return out->failure.status;
}

/* Write the bytes to the disk first, then set the name: if the machine stops in between, the old
 * file is still there. */
static void finish_file(toll_output *out)
{
    toll_error *failure = &out->failure;
    if (out->is_new && !failure->status)
        toll_new_file_save(&out->file, out->name, out->is_synced, failure);
    if (out->close_fd) {
        out->close_fd = false;
        if (!toll_os_close(out->fd))
            keep_errno(out, "write");
        out->fd = -1; /* the descriptor's number may soon be reused */
    }
    if (out->is_new && !failure->status)
        toll_new_file_replace(&out->file, out->name, out->is_synced, failure);
}

toll_status toll_output_commit(toll_output *out, toll_error *err)
{
    if (out->deflater && !out->failure.status &&
        !toll_deflate(out->deflater, "", 0, true, put_stored, out))
        toll_fail(&out->failure, TOLL_E_IO, "%s: cannot compress", out->name);
    flush(out);
    finish_file(out);
    if (out->failure.status && err)
        *err = out->failure;
    return out->failure.status;
}

const void *toll_output_data(const toll_output *out, size_t *size)
{
    if (size)
        *size = out->buffer.size;
    return out->buffer.data;
}

void toll_output_free(toll_output *out)
{
    if (!out)
        return;
    toll_mem mem = out->mem;
    if (out->close_fd)
        toll_os_close(out->fd);
    if (out->is_new)
        toll_new_file_free(&out->file);
    toll_deflater_free(out->deflater);
    toll_buffer_free(&out->buffer);
    toll_mem_free(&mem, out->name, out->name_size, 1);
    toll_mem_free(&mem, out, 1, sizeof *out);
}
