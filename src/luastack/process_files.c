/* process_files.c - see process_files.h. */
#ifdef __linux__
#define _GNU_SOURCE /* syscall, F_GET_SEALS, O_PATH */
#include "process_files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum { PIDFD_OPEN = 434, PIDFD_GETFD = 438 }; /* on every machine; older headers lack them */
static const char in_root[] = "/.toll-";

int toll_process_descriptor(pid_t pid, int descriptor)
{
    int process = (int)syscall(PIDFD_OPEN, pid, 0);
    if (process < 0)
        return -1;
    int fd = (int)syscall(PIDFD_GETFD, process, descriptor, 0);
    int error = errno;
    close(process);
    errno = error;
    if (fd >= 0 && fcntl(fd, F_GET_SEALS) < 0) { /* a file, a pipe or a device */
        close(fd);
        errno = EINVAL;
        return -1;
    }
    return fd;
}

/* The root folder of the process; -1: it cannot be opened. */
static int open_root(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/root", (long)pid);
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Make an empty file in the root folder, as the process's user cannot have prepared it. */
static int open_in_root(pid_t pid, char theirs[TOLL_THEIR_PATH])
{
    int root = open_root(pid);
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    snprintf(theirs, TOLL_THEIR_PATH, "%s%ld-%lld%09ld.so", in_root, (long)getpid(),
             (long long)t.tv_sec, t.tv_nsec);
    int fd =
        root < 0 ? -1 : openat(root, theirs + 1, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
    int error = errno;
    if (fd >= 0)
        fchmod(fd, 0755); /* whatever the umask is */
    if (root >= 0)
        close(root);
    errno = error;
    if (fd < 0)
        *theirs = 0;
    return fd;
}

/* Does the process see the system's /proc? A link would be followed to a place of ours. */
static bool sees_proc(pid_t pid)
{
    struct statfs system = { 0 };
    int root = open_root(pid);
    int proc = root < 0 ? -1 : openat(root, "proc", O_PATH | O_NOFOLLOW | O_CLOEXEC);
    bool sees = proc >= 0 && fstatfs(proc, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
    if (root >= 0)
        close(root);
    if (proc >= 0)
        close(proc);
    return sees;
}

/* A path of the descriptor that no library has: the dynamic linker knows them by their paths, and
 * the descriptor's number may have been that of another one. */
static void name_descriptor(int descriptor, char theirs[TOLL_THEIR_PATH])
{
    static int count;
    size_t used = (size_t)snprintf(theirs, TOLL_THEIR_PATH, "/proc");
    for (int i = count++ % 8; i > 0; i--)
        used += (size_t)snprintf(theirs + used, TOLL_THEIR_PATH - used, "/.");
    snprintf(theirs + used, TOLL_THEIR_PATH - used, "/self/fd/%d", descriptor);
}

static bool copy(int from, int to)
{
    char bytes[64 * 1024];
    ssize_t size;
    off_t at = 0;
    for (; (size = read(from, bytes, sizeof bytes)) > 0; at += size)
        if (pwrite(to, bytes, (size_t)size, at) != size)
            return false;
    return size == 0;
}

bool toll_process_give_file(pid_t pid, int descriptor, const char *path,
                            char theirs[TOLL_THEIR_PATH], char *error, size_t size)
{
    struct stat there = { 0 };
    int from = open(path, O_RDONLY | O_CLOEXEC), to = -1;
    name_descriptor(descriptor, theirs);
    if (from >= 0)
        to = sees_proc(pid) ? toll_process_descriptor(pid, descriptor) : open_in_root(pid, theirs);
    bool good = to >= 0 && fstat(to, &there) == 0;
    errno = good && there.st_size ? EEXIST : errno;
    good = good && !there.st_size && copy(from, to);
    if (!good)
        snprintf(error, size, "%s", strerror(errno));
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    return good;
}

void toll_process_remove_file(pid_t pid, const char *theirs)
{
    int root = strncmp(theirs, in_root, sizeof in_root - 1) == 0 ? open_root(pid) : -1;
    if (root < 0)
        return;
    unlinkat(root, theirs + 1, 0);
    close(root);
}

#else

typedef int toll_no_process_files; /* a file may not be empty */

#endif
