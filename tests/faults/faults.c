/* faults.c - a library to preload that makes one call of the system, or one allocation, fail.
 *
 * TOLL_FAULT is "KIND N HOW": the N-th call of KIND (read, write, open, rename, sync, alloc) fails
 * with EIO, ENOSPC or EINTR, or (short) transfers one byte. When it does, one byte is written to
 * descriptor 9, so that the test knows that there was such a call. glibc's own calls (stdio) do not
 * come through here. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { REPORT = 9 };

static char kind[16], how[16];
static int n;
static atomic_int seen;

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("TOLL_FAULT");
    if (!text || sscanf(text, "%15s %d %15s", kind, &n, how) != 3)
        n = 0;
    unsetenv("TOLL_FAULT");
}

/* Is this the call that fails? Sets errno. */
static int fails(const char *what)
{
    if (!n || strcmp(what, kind) != 0 || atomic_fetch_add(&seen, 1) + 1 != n)
        return 0;
    syscall(SYS_write, REPORT, "x", 1);
    errno = strcmp(how, "ENOSPC") == 0   ? ENOSPC
            : strcmp(how, "EINTR") == 0  ? EINTR
            : strcmp(how, "ENOMEM") == 0 ? ENOMEM
                                         : EIO;
    return 1;
}

static int is_short(void)
{
    return strcmp(how, "short") == 0;
}

ssize_t read(int fd, void *to, size_t size)
{
    if (!fails("read"))
        return syscall(SYS_read, fd, to, size);
    return is_short() && size ? syscall(SYS_read, fd, to, 1) : -1;
}

ssize_t write(int fd, const void *data, size_t size)
{
    if (!fails("write"))
        return syscall(SYS_write, fd, data, size);
    return is_short() && size ? syscall(SYS_write, fd, data, 1) : -1;
}

static int open_any(int folder, const char *path, int flags, va_list rest)
{
    int mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, int) : 0;
    return fails("open") ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    int fd = open_any(AT_FDCWD, path, flags, rest);
    va_end(rest);
    return fd;
}

int open64(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    int fd = open_any(AT_FDCWD, path, flags, rest);
    va_end(rest);
    return fd;
}

int rename(const char *from, const char *to)
{
    return fails("rename") ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int a, const char *from, int b, const char *to, int flags)
{
    return fails("rename") ? -1 : (int)syscall(SYS_linkat, a, from, b, to, flags);
}

int fsync(int fd)
{
    return fails("sync") ? -1 : (int)syscall(SYS_fsync, fd);
}

/* --- allocations -------------------------------------------------------------------------------*/

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
    return fails("alloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails("alloc") ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails("alloc") ? NULL : __libc_realloc(old, size);
}
