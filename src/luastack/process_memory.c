/* process_memory.c - see process_memory.h. */
#ifdef __linux__
#define _GNU_SOURCE /* process_vm_readv */
#include "process_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

enum { PART = 1 << 20 };

static bool parse(const char *line, toll_mapping *m)
{
    char access[5] = "";
    unsigned major, minor;
    int path = 0;
    *m = (toll_mapping){ 0 };
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &m->begin,
               &m->end, access, &m->offset, &major, &minor, &m->inode, &path) < 7)
        return false;
    m->device = (uint64_t)major << 32 | minor;
    m->is_readable = access[0] == 'r';
    m->is_writable = access[1] == 'w';
    m->is_executable = access[2] == 'x';
    m->is_shared = access[3] == 's';
    if (path)
        snprintf(m->path, sizeof m->path, "%.*s", (int)strcspn(line + path, "\n"), line + path);
    return m->begin < m->end;
}

static bool add(toll_mappings *all, size_t *room, const toll_mapping *m)
{
    if (all->count == *room) {
        size_t more = *room ? *room * 2 : 64;
        toll_mapping *list = realloc(all->list, more * sizeof *list);
        if (!list)
            return false;
        all->list = list;
        *room = more;
    }
    all->list[all->count++] = *m;
    return true;
}

static size_t read_file(pid_t pid, const char *name, void *out, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(out, 1, size, file) : 0;
    if (file)
        fclose(file);
    return n;
}

static void read_program(pid_t pid, toll_process_program *program)
{
    char text[1024] = "";
    *program = (toll_process_program){ 0 };
    text[read_file(pid, "stat", text, sizeof text - 1)] = 0;
    const char *end = strrchr(text, ')'); /* the name may have anything in it */
    if (end)
        sscanf(end + 1,
               " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
               &program->start);
    program->vector_size = read_file(pid, "auxv", program->vector, sizeof program->vector);
}

bool toll_mappings_are_current(const toll_mappings *all)
{
    toll_process_program now;
    read_program(all->pid, &now);
    return now.start && now.start == all->program.start &&
           now.vector_size == all->program.vector_size &&
           memcmp(now.vector, all->program.vector, now.vector_size) == 0;
}

bool toll_mappings_read(toll_mappings *all, pid_t pid)
{
    char path[64], line[1024];
    size_t room = 0;
    bool good = true;
    toll_mapping m;
    *all = (toll_mappings){ .pid = pid };
    read_program(pid, &all->program); /* before the rest, so that a later one is noticed */
    snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    while (good && fgets(line, sizeof line, file))
        good = !parse(line, &m) || add(all, &room, &m);
    fclose(file);
    return good;
}

void toll_mappings_free(toll_mappings *all)
{
    free(all->list);
    *all = (toll_mappings){ 0 };
}

const toll_mapping *toll_mapping_of(const toll_mappings *all, uint64_t address)
{
    size_t low = 0, high = all->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all->list[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < all->count && all->list[low].begin <= address ? &all->list[low] : NULL;
}

/* Read what is there of so many bytes. Returns how many, or -1. */
static ssize_t read_some(pid_t pid, uint64_t address, void *out, size_t size)
{
    const struct iovec local = { out, size }, remote = { (void *)(uintptr_t)address, size };
    return process_vm_readv(pid, &local, 1, &remote, 1, 0);
}

bool toll_process_read(pid_t pid, uint64_t address, void *out, size_t size)
{
    return read_some(pid, address, out, size) == (ssize_t)size;
}

void toll_mapping_look(pid_t pid, const toll_mapping *m, size_t overlap, toll_look *look,
                       void *user)
{
    uint8_t *bytes = malloc(PART);
    uint64_t at = m->begin;
    while (bytes && at < m->end) {
        size_t size = m->end - at < PART ? (size_t)(m->end - at) : PART;
        ssize_t got = read_some(pid, at, bytes, size); /* less if it has become smaller since */
        if (got <= 0 || !look(user, at, bytes, (size_t)got) || (size_t)got < PART)
            break;
        at += size - overlap;
    }
    free(bytes);
}

#else

typedef int toll_no_process_memory; /* a file may not be empty */

#endif
