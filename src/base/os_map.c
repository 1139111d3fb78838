/* os_map.c - maps files into memory. See os.h. Only if the room on the disk can be reserved:
 * otherwise a write to such memory on a full disk would end the process (SIGBUS). */
#define _GNU_SOURCE
#include "base/os.h"

#include <errno.h>

#if defined(__linux__) || defined(__FreeBSD__) || defined(__NetBSD__)

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

bool toll_os_reserve(int fd, uint64_t from, uint64_t end)
{
    int error;
    do
        error = posix_fallocate(fd, (off_t)from, (off_t)(end - from));
    while (error == EINTR);
    errno = error == EINVAL || error == ENODEV || error == EOPNOTSUPP ? ENOTSUP : error;
    return error == 0;
}

/* The offset of an address within its page. */
static size_t in_page(uint64_t at)
{
    return (size_t)(at & ((uint64_t)sysconf(_SC_PAGESIZE) - 1));
}

void *toll_os_map(int fd, uint64_t offset, size_t size)
{
    size_t before = in_page(offset);
    char *pages =
        mmap(NULL, before + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)(offset - before));
    return pages == MAP_FAILED ? NULL : pages + before;
}

void toll_os_unmap(void *data, size_t size)
{
    size_t before = in_page((uintptr_t)data);
    munmap((char *)data - before, before + size);
}

#else

bool toll_os_reserve(int fd, uint64_t from, uint64_t end)
{
    (void)fd;
    (void)from;
    (void)end;
    errno = ENOTSUP;
    return false;
}

void *toll_os_map(int fd, uint64_t offset, size_t size)
{
    (void)fd;
    (void)offset;
    (void)size;
    return NULL;
}

void toll_os_unmap(void *data, size_t size)
{
    (void)data;
    (void)size;
}

#endif
