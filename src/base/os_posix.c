/* os_posix.c - files, folders and the clock of POSIX systems. See os.h. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "base/os.h"

#ifndef _WIN32

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_LINKS = 40, NAME_TRIES = 100 };

#ifdef PATH_MAX
_Static_assert(PATH_MAX <= TOLL_OS_PATH_SIZE, "realpath(3) writes PATH_MAX bytes");
#endif

/* --- paths -------------------------------------------------------------------------------------*/

const char *toll_os_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void describe(const struct stat *st, toll_os_info *info)
{
    *info = (toll_os_info){ .kind = S_ISREG(st->st_mode)   ? TOLL_OS_REGULAR
                                    : S_ISDIR(st->st_mode) ? TOLL_OS_FOLDER
                                                           : TOLL_OS_DEVICE,
                            .mode = (uint32_t)st->st_mode & 07777,
                            .modified = (int64_t)st->st_mtime,
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
    describe(&st, info);
    return true;
}

bool toll_os_may_write(const char *path)
{
    return access(path, W_OK) == 0;
}

#ifndef __wasi__ /* has neither realpath nor modes */

/* Where a link leads, if that is not there yet. False: it is no link (or cannot be read as one:
 * creating the file will say why). */
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

bool toll_os_set_mode(int fd, uint32_t mode)
{
    return fchmod(fd, (mode_t)mode) == 0 || errno == EPERM;
}

#else

const char *toll_os_target(const char *path, char *room)
{
    (void)room;
    return path;
}

bool toll_os_set_mode(int fd, uint32_t mode)
{
    (void)fd;
    (void)mode;
    return true;
}

#endif

/* --- files -------------------------------------------------------------------------------------*/

int toll_os_standard_input(void)
{
    return STDIN_FILENO;
}

int toll_os_standard_output(void)
{
    return STDOUT_FILENO;
}

int toll_os_open_to_read(const char *path, toll_os_info *info)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *info = (toll_os_info){ .kind = TOLL_OS_DEVICE };
    if (fd < 0 || fstat(fd, &st) != 0)
        return fd;
    describe(&st, info);
    if (info->kind != TOLL_OS_FOLDER)
        return fd;
    close(fd);
    errno = EISDIR;
    return -1;
}

int toll_os_open_to_write(const char *path)
{
    return open(path, O_WRONLY | O_CLOEXEC);
}

int toll_os_create(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

int toll_os_create_to_map(const char *path)
{
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

#ifdef O_TMPFILE

/* Its name is given through /proc. */
int toll_os_create_unnamed(const char *path)
{
    char folder[TOLL_OS_PATH_SIZE];
    size_t n = (size_t)(toll_os_file_name(path) - path);
    if (n >= sizeof folder || access("/proc/self/fd", X_OK) != 0)
        return -1;
    memcpy(folder, path, n);
    folder[n] = 0;
    return open(n ? folder : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

bool toll_os_give_name(int fd, const char *path)
{
    char self[40];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

#else

int toll_os_create_unnamed(const char *path)
{
    (void)path;
    return -1;
}

bool toll_os_give_name(int fd, const char *path)
{
    (void)fd;
    (void)path;
    return false;
}

#endif

int toll_os_create_scratch(const char *name, char *path, size_t size)
{
    const char *folder = getenv("TMPDIR");
    for (int i = 0; i < NAME_TRIES; i++) {
        snprintf(path, size, "%s/%s-%d.tmp", folder && *folder ? folder : "/tmp", name, i);
        int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0) {
            unlink(path);
            return fd;
        }
        if (errno != EEXIST)
            break;
    }
    return -1;
}

ptrdiff_t toll_os_read(int fd, void *to, size_t size)
{
    ssize_t n;
    do
        n = read(fd, to, size);
    while (n < 0 && errno == EINTR);
    return n;
}

ptrdiff_t toll_os_write(int fd, const void *data, size_t size)
{
    ssize_t n;
    do
        n = write(fd, data, size);
    while (n < 0 && errno == EINTR);
    return n;
}

bool toll_os_read_at(int fd, void *to, size_t size, uint64_t offset)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = pread(fd, (char *)to + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

bool toll_os_write_at(int fd, const void *data, size_t size, uint64_t offset)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(fd, (const char *)data + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

bool toll_os_set_size(int fd, uint64_t size)
{
    return ftruncate(fd, (off_t)size) == 0;
}

bool toll_os_close(int fd)
{
    return close(fd) == 0;
}

void toll_os_delete(const char *path)
{
    unlink(path);
}

bool toll_os_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

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

/* --- the clock ---------------------------------------------------------------------------------*/

uint64_t toll_os_clock_ns(void)
{
    struct timespec t = { 0, 0 };
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

const char *toll_os_clock_name(void)
{
    return "clock_gettime";
}

#endif
