/* os_posix.c - files and the clock of POSIX systems. See os.h. */
#define _GNU_SOURCE /* O_TMPFILE, O_PATH */
#include "base/os.h"

#ifndef _WIN32

#include "base/os_path_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef __wasi__
#include <sys/file.h> /* flock */
#endif

#ifdef __linux__
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

enum { NAME_TRIES = 100 };

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
    toll_os_describe(&st, info);
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
    toll_os_describe(&st, info);
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

#ifndef __wasi__ /* which has neither modes nor syncs */

bool toll_os_set_mode(int fd, uint32_t mode)
{
    return fchmod(fd, (mode_t)mode) == 0 || errno == EPERM;
}

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

/* Open the folder of a file. Returns a descriptor; -1: it cannot be opened, and errno says why. */
static int open_folder_of(const char *path)
{
    char folder[TOLL_OS_PATH_SIZE];
    size_t n = (size_t)(toll_os_file_name(path) - path);
    if (n >= sizeof folder) {
        errno = EACCES;
        return -1;
    }
    memcpy(folder, path, n);
    folder[n] = 0;
    return open(n ? folder : ".", O_RDONLY | O_CLOEXEC);
}

bool toll_os_sync_folder_of(const char *path)
{
    int fd = open_folder_of(path);
    if (fd < 0) /* a folder that we may write to, but not list */
        return errno == EACCES || errno == EPERM;
    bool good = is_synced(fd);
    int why = errno;
    close(fd);
    errno = why;
    return good;
}

bool toll_os_lock_folder_of(const char *path)
{
    int fd = open_folder_of(path), status;
    if (fd < 0)
        return false;
    do
        status = flock(fd, LOCK_EX);
    while (status != 0 && errno == EINTR);
    if (status != 0)
        close(fd);
    return status == 0; /* it stays open: so the lock lasts */
}

static uint64_t process_number(void)
{
    return (uint64_t)getpid();
}

#else

bool toll_os_set_mode(int fd, uint32_t mode)
{
    (void)fd;
    (void)mode;
    return true;
}

bool toll_os_sync(int fd)
{
    (void)fd;
    return true;
}

bool toll_os_lock_folder_of(const char *path)
{
    (void)path;
    return false;
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
    uint64_t now = toll_os_real_ns();
    return toll_os_mix(now, toll_os_clock_ns() ^ process_number() << 40 ^ (uintptr_t)&now);
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

/* --- the clock ---------------------------------------------------------------------------------*/

static uint64_t read_clock(clockid_t clock)
{
    struct timespec t = { 0, 0 };
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t toll_os_clock_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t toll_os_real_ns(void)
{
    return read_clock(CLOCK_REALTIME);
}

const char *toll_os_clock_name(void)
{
    return "clock_gettime";
}

#endif
