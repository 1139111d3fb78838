/* debug_beside.c - see debug_beside.h. */
#include "debug/debug_beside.h"

#include "base/fail.h"
#include "base/os.h"

#include <errno.h>
#include <string.h>

enum { MOST_SIZE = 1 << 30, PIECE = 1 << 16 };

const char *toll_debug_beside(toll_buffer *room, const char *path, const char *name, size_t size)
{
    size_t start = size;
    while (start && name[start - 1] != '/' && name[start - 1] != '\\')
        start--;
    toll_buffer_clear(room);
    toll_buffer_append(room, path, (size_t)(toll_os_file_name(path) - path));
    toll_buffer_append(room, name + start, size - start);
    return toll_buffer_cstr(room);
}

/* Open a regular file in the folder of the file at `path`. Links are refused, since they might lead
 * out of it. Never waits. -1: there is no readable file. */
static int open_ordinary(toll_buffer *room, const char *path, const char *name, toll_os_info *info)
{
    char real[TOLL_OS_PATH_SIZE];
    const char *folder = toll_debug_beside(room, path, ".", 1);
    if (!folder || !toll_os_real_path(folder, real))
        return -1;
    toll_buffer_clear(room);
    toll_buffer_append_text(room, real);
    toll_buffer_append_byte(room, '/');
    toll_buffer_append_text(room, name);
    const char *file = toll_buffer_cstr(room);
    return file ? toll_os_open_real(file, info) : -1;
}

/* Append the content of the file, which may grow meanwhile. */
static toll_status read_all(int fd, toll_buffer *bytes, toll_error *err)
{
    ptrdiff_t got = 1;
    while (got > 0) {
        uint8_t *room = toll_buffer_room(bytes, PIECE);
        if (!room)
            return toll_fail_nomem(err);
        got = toll_os_read(fd, room, PIECE);
        bytes->size += got > 0 ? (size_t)got : 0;
        if (bytes->size > MOST_SIZE)
            return toll_fail(err, TOLL_E_LIMIT, "it is larger than 1 GiB");
    }
    return got < 0 ? toll_fail(err, TOLL_E_IO, "cannot read: %s", strerror(errno)) : TOLL_OK;
}

static toll_status read_beside(void *user, const char *name, toll_buffer *bytes, toll_error *err)
{
    toll_buffer room;
    toll_os_info info;
    toll_buffer_init(&room, &bytes->mem);
    int fd = open_ordinary(&room, user, name, &info);
    toll_status status = TOLL_OK;
    if (room.failed)
        status = toll_fail_nomem(err);
    else if (fd < 0)
        status = toll_fail(err, TOLL_E_IO, "%s: cannot open: %s", name, strerror(errno));
    else if (info.size > MOST_SIZE)
        status = toll_fail(err, TOLL_E_LIMIT, "it is larger than 1 GiB");
    else
        status = read_all(fd, bytes, err);
    if (fd >= 0)
        toll_os_close(fd);
    toll_buffer_free(&room);
    return status;
}

toll_split_source toll_debug_split_beside(const char *path)
{
    return (toll_split_source){ read_beside, (void *)(uintptr_t)path };
}
