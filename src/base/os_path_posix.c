/* os_path_posix.c - paths and folders of POSIX systems. See os.h. */
#define _GNU_SOURCE
#include "base/os.h"

#ifndef _WIN32

#include "base/os_path_posix.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

#ifdef PATH_MAX
_Static_assert(PATH_MAX <= TOLL_OS_PATH_SIZE, "realpath(3) writes PATH_MAX bytes");
#endif

/* --- paths -------------------------------------------------------------------------------------*/

const char *toll_os_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

#ifdef __APPLE__
#define MODIFIED(st) (st)->st_mtimespec
#else
#define MODIFIED(st) (st)->st_mtim
#endif

void toll_os_describe(const struct stat *st, toll_os_info *info)
{
    *info = (toll_os_info){ .kind = S_ISREG(st->st_mode)   ? TOLL_OS_REGULAR
                                    : S_ISDIR(st->st_mode) ? TOLL_OS_FOLDER
                                                           : TOLL_OS_DEVICE,
                            .mode = (uint32_t)st->st_mode & 07777,
                            .owner = (uint32_t)st->st_uid,
                            .modified = (int64_t)MODIFIED(st).tv_sec,
                            .modified_ns = (uint32_t)MODIFIED(st).tv_nsec,
                            .device = (uint64_t)st->st_dev,
                            .file = (uint64_t)st->st_ino };
    if (info->kind == TOLL_OS_REGULAR && st->st_size > 0)
        info->size = (uint64_t)st->st_size;
}

bool toll_os_look(const char *path, toll_os_info *info)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return false;
    toll_os_describe(&st, info);
    return true;
}

bool toll_os_may_write(const char *path)
{
    return access(path, W_OK) == 0;
}

#ifndef __wasi__ /* WASI has no realpath */

/* Replace a link by its target, which may not exist yet. False: it is not a link (or cannot be
 * read: creating the file will report why). */
static bool follow_link(char path[TOLL_OS_PATH_SIZE])
{
    char link[TOLL_OS_PATH_SIZE];
    ssize_t size = readlink(path, link, sizeof link);
    if (size <= 0)
        return false;
    size_t folder = *link != '/' ? (size_t)(toll_os_file_name(path) - path) : 0;
    if (folder + (size_t)size >= TOLL_OS_PATH_SIZE)
        return false;
    memcpy(path + folder, link, (size_t)size);
    path[folder + (size_t)size] = 0;
    return true;
}

const char *toll_os_target(const char *path, char *room)
{
    if (realpath(path, room))
        return room;
    if (strlen(path) >= TOLL_OS_PATH_SIZE)
        return path;
    strcpy(room, path);
    for (int i = 0; i < MOST_LINKS && follow_link(room); i++)
        ;
    return room;
}

bool toll_os_real_path(const char *path, char *real)
{
    return realpath(path, real) != NULL;
}

#else

const char *toll_os_target(const char *path, char *room)
{
    (void)room;
    return path;
}

static bool is_link(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/* Append a part of a path to the real path. False: the part is a link, or there is no room. */
static bool append_part(char *real, size_t *size, const char *part, size_t n)
{
    bool is_parent = n == 2 && memcmp(part, "..", 2) == 0;
    if (n == 0 || (n == 1 && *part == '.'))
        return true;
    if (is_parent) {
        *size = (size_t)(toll_os_file_name(real) - real);
        *size -= *size > 0;
    } else if (*size + 1 + n >= TOLL_OS_PATH_SIZE) {
        return false;
    } else {
        real[*size] = '/';
        memcpy(real + *size + 1, part, n);
        *size += 1 + n;
    }
    real[*size] = 0;
    return is_parent || !is_link(real);
}

bool toll_os_real_path(const char *path, char *real)
{
    char whole[2 * TOLL_OS_PATH_SIZE], folder[TOLL_OS_PATH_SIZE];
    struct stat st;
    size_t size = 0;
    if (*path != '/' && !getcwd(folder, sizeof folder))
        return false;
    int used =
        snprintf(whole, sizeof whole, "%s/%s", *path != '/' ? folder : "", path + (*path == '/'));
    if (used < 0 || (size_t)used >= sizeof whole)
        return false;
    *real = 0;
    for (const char *part = whole; *part;) {
        size_t n = strcspn(part, "/");
        if (!append_part(real, &size, part, n))
            return false;
        part += n + (part[n] == '/');
    }
    if (size == 0)
        strcpy(real, "/");
    return stat(real, &st) == 0;
}

#endif

/* --- folders -----------------------------------------------------------------------------------*/

bool toll_os_folder_open(toll_os_folder *folder, const char *path)
{
    folder->handle = opendir(path);
    return folder->handle != NULL;
}

void toll_os_folder_close(toll_os_folder *folder)
{
    closedir(folder->handle);
}

const char *toll_os_folder_next(toll_os_folder *folder)
{
    errno = 0;
    struct dirent *entry = readdir(folder->handle);
    return entry ? entry->d_name : NULL;
}

#endif
