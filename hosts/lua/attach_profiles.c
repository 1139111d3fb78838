/* attach_profiles.c - see attach_profiles.h. */
#define _GNU_SOURCE /* mkdtemp, syscall */
#include "attach_profiles.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "luastack/attach_request.h"

enum { CLOSE_ON_EXEC = 1 }; /* MFD_CLOEXEC: older headers lack it */

static _Atomic int memory = -1;
static struct stat opened;

/* The descriptor, if it is still that of the memory: programs close what they do not know. */
static int descriptor(void)
{
    struct stat now;
    int fd = atomic_load(&memory);
    return fd >= 0 && fstat(fd, &now) == 0 && now.st_dev == opened.st_dev &&
                   now.st_ino == opened.st_ino
               ? fd
               : -1;
}

int host_attach_profiles_open(void)
{
    host_attach_profiles_close(false, 0);
#ifdef SYS_memfd_create
    int fd = (int)syscall(SYS_memfd_create, "toll-profiles", CLOSE_ON_EXEC);
    if (fd >= 0 && fstat(fd, &opened)) {
        close(fd);
        fd = -1;
    }
    if (fd < 0)
        return -1;
    fcntl(fd, F_SETFL, O_APPEND); /* what two threads write is not mixed up */
    atomic_store(&memory, fd);
    return fd;
#else
    errno = ENOSYS;
    return -1;
#endif
}

/* Write to the memory. A limit for the size of files concerns it, too: its signal is held back. */
static ssize_t write_parts(int fd, const struct iovec *parts, int count)
{
    sigset_t limit, before;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    ssize_t written = writev(fd, parts, count);
    int error = errno;
    if (!sigismember(&before, SIGXFSZ))
        sigtimedwait(&limit, NULL, &(struct timespec){ 0 });
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return written;
}

static toll_status append(const toll_output *out, toll_error *err)
{
    size_t size;
    const void *bytes = toll_output_data(out, &size);
    const toll_attach_size head = size;
    const struct iovec parts[] = { { (void *)&head, sizeof head }, { (void *)bytes, size } };
    int fd = descriptor();
    errno = EBADF; /* the program has closed it */
    ssize_t written = atomic_load(&memory) < 0 ? (ssize_t)(sizeof head + size)
                      : fd < 0                 ? -1
                                               : write_parts(fd, parts, 2);
    if (written == (ssize_t)(sizeof head + size))
        return TOLL_OK;
    *err = (toll_error){ TOLL_E_IO, "" };
    snprintf(err->text, sizeof err->text, "the profile cannot be kept in memory: %s",
             written < 0 ? strerror(errno) : "no memory");
    return err->status;
}

toll_status host_attach_profiles_add(profiler *p, const toll_profile *profile,
                                     const toll_format_options *options, toll_error *err)
{
    toll_output *out;
    toll_allocator allocator = toll_kernel_memory_allocator(&p->memory);
    toll_status status = toll_output_to_memory(&allocator, 1, &out, err);
    if (status)
        return status;
    status = toll_profile_write(profile, NULL, "pprof", options, out, err);
    if (!status)
        status = toll_output_commit(out, err);
    if (!status)
        status = append(out, err);
    toll_output_free(out);
    return status;
}

/* --- files -------------------------------------------------------------------------------------*/

static bool copy(int from, off_t at, uint64_t size, const char *path)
{
    char bytes[16 * 1024];
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = to >= 0;
    while (good && size) {
        size_t n = size < sizeof bytes ? (size_t)size : sizeof bytes;
        good = pread(from, bytes, n, at) == (ssize_t)n && write(to, bytes, n) == (ssize_t)n;
        at += (off_t)n;
        size -= n;
    }
    if (to >= 0 && close(to) != 0)
        good = false;
    if (to >= 0 && !good)
        unlink(path);
    return good;
}

static bool write_files(int from, uint64_t taken)
{
    char folder[] = "/tmp/toll-attach-XXXXXX", path[64];
    toll_attach_size size;
    off_t at = (off_t)taken;
    if (pread(from, &size, sizeof size, at) != (ssize_t)sizeof size)
        return true; /* there is none */
    if (!mkdtemp(folder))
        return false;
    for (int i = 1; pread(from, &size, sizeof size, at) == (ssize_t)sizeof size; i++) {
        snprintf(path, sizeof path, "%s/%ld-%d.pb.gz", folder, (long)getpid(), i);
        if (!copy(from, at + (off_t)sizeof size, size, path))
            return false;
        at += (off_t)(sizeof size + size);
    }
    return true;
}

void host_attach_profiles_close(bool is_alone, uint64_t taken)
{
    int fd = descriptor();
    atomic_store(&memory, -1);
    if (fd < 0)
        return;
    if (is_alone && !write_files(fd, taken))
        fprintf(stderr, "toll: the profiles cannot be written to /tmp: %s\n", strerror(errno));
    close(fd);
}
