/* os_posix.c - files, folders and the clock of POSIX systems. See os.h. */
#define _GNU_SOURCE /* O_TMPFILE, O_PATH */
#include "base/os.h"

#ifndef _WIN32

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

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

#ifdef __APPLE__
#define MODIFIED(st) (st)->st_mtimespec
#else
#define MODIFIED(st) (st)->st_mtim
#endif

static void describe(const struct stat *st, toll_os_info *info)
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
    describe(&st, info);
    return true;
}

bool toll_os_may_write(const char *path)
{
    return access(path, W_OK) == 0;
}

#ifndef __wasi__ /* WASI has neither realpath nor modes */

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

/* Is the file on a virtual file system of the kernel, which generates content on each read? */
static bool is_made_up(int fd)
{
#ifdef __linux__
    struct statfs fs;
    return fstatfs(fd, &fs) != 0 || fs.f_type == PROC_SUPER_MAGIC || fs.f_type == SYSFS_MAGIC;
#else
    (void)fd;
    return false;
#endif
}

static bool is_regular_at(int folder, const char *name)
{
    struct stat st;
    return fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

static int close_with(int fd, int error)
{
    close(fd);
    errno = error;
    return -1;
}

/* Checked before opening, since opening a device may have effects; and after it, since it may be
 * another file by then. */
static int open_regular_at(int folder, const char *name, toll_os_info *info)
{
    struct stat st;
    if (!is_regular_at(folder, name)) {
        errno = ENOTSUP;
        return -1;
    }
    int fd = openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || is_made_up(fd))
        return close_with(fd, ENOTSUP);
    describe(&st, info);
    return fd;
}

#ifdef __wasi__ /* the folders that a program may use have no parents on WASI */

int toll_os_open_real(const char *real, toll_os_info *info)
{
    return open_regular_at(AT_FDCWD, real, info);
}

#else

#ifdef O_PATH
enum { PASS = O_PATH }; /* a folder on the way need not be readable */
#elif defined O_SEARCH
enum { PASS = O_SEARCH };
#else
enum { PASS = O_RDONLY };
#endif

/* Open folder by folder, so that none of them can be a link. */
int toll_os_open_real(const char *real, toll_os_info *info)
{
    char part[TOLL_OS_PATH_SIZE];
    int folder = open("/", PASS | O_DIRECTORY | O_CLOEXEC), next;
    for (;;) {
        real += strspn(real, "/");
        size_t n = strcspn(real, "/");
        if (folder < 0 || n >= sizeof part)
            return folder < 0 ? -1 : close_with(folder, ENAMETOOLONG);
        memcpy(part, real, n);
        part[n] = 0;
        if (!real[n])
            break;
        next = openat(folder, part, PASS | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close_with(folder, errno);
        folder = next;
        real += n;
    }
    next = open_regular_at(folder, part, info);
    close_with(folder, errno);
    return next;
}

#endif

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

/* The file gets its name through /proc. */
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

/* One run of the command needs at most two of them: for a page, and for its timeline.
 * */
static int kept_scratch[2];
static size_t kept_scratch_count;

void toll_os_keep_scratch(void)
{
    char path[TOLL_OS_PATH_SIZE];
    int fds[2];
    fds[0] = toll_os_create_scratch("toll", path, sizeof path);
    fds[1] = toll_os_create_scratch("toll", path, sizeof path);
    for (size_t i = 0; i < 2; i++)
        if (fds[i] >= 0)
            kept_scratch[kept_scratch_count++] = fds[i];
}

int toll_os_create_scratch(const char *name, char *path, size_t size)
{
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder)
        folder = "/tmp";
    if (kept_scratch_count) {
        snprintf(path, size, "%s", folder);
        return kept_scratch[--kept_scratch_count];
    }
    for (int i = 0; i < NAME_TRIES; i++) {
        snprintf(path, size, "%s/%s-%016" PRIx64 ".tmp", folder, name, toll_os_name_number());
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

#ifndef __wasi__

static bool is_synced(int fd)
{
    int failed;
    do
        failed = fsync(fd);
    while (failed && errno == EINTR);
    return !failed || errno == EINVAL || errno == ENOTSUP;
}

bool toll_os_sync(int fd)
{
    return is_synced(fd);
}

bool toll_os_sync_folder_of(const char *path)
{
    char folder[TOLL_OS_PATH_SIZE];
    size_t n = (size_t)(toll_os_file_name(path) - path);
    if (n >= sizeof folder)
        return true;
    memcpy(folder, path, n);
    folder[n] = 0;
    int fd = open(n ? folder : ".", O_RDONLY | O_CLOEXEC);
    if (fd < 0) /* a folder that we may write to, but not list */
        return errno == EACCES || errno == EPERM;
    bool good = is_synced(fd);
    int why = errno;
    close(fd);
    errno = why;
    return good;
}

static uint64_t process_number(void)
{
    return (uint64_t)getpid();
}

#else

bool toll_os_sync(int fd)
{
    (void)fd;
    return true;
}

bool toll_os_sync_folder_of(const char *path)
{
    (void)path;
    return true;
}

static uint64_t process_number(void)
{
    return 0;
}

#endif

uint64_t toll_os_name_number(void)
{
    struct timespec t = { 0, 0 };
    clock_gettime(CLOCK_REALTIME, &t);
    return toll_os_mix((uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec,
                       toll_os_clock_ns() ^ process_number() << 40 ^ (uintptr_t)&t);
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
