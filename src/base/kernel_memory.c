/* kernel_memory.c - see kernel_memory.h. */
#define _GNU_SOURCE
#include "base/kernel_memory.h"

#if !defined(_WIN32) && !defined(__wasi__)

#include <string.h>
#include <sys/mman.h>

enum { CHUNK = 1 << 20, SMALLEST = 16, LARGEST = SMALLEST << (TOLL_KERNEL_MEMORY_CLASSES - 1) };

struct toll_kernel_chunk {
    struct toll_kernel_chunk *next;
};

static void *from_kernel(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static unsigned class_of(size_t size)
{
    return size <= SMALLEST ? 0 : 60 - (unsigned)__builtin_clzll(size - 1);
}

static void *new_small(toll_kernel_memory *m, unsigned class)
{
    size_t size = (size_t)SMALLEST << class;
    void *block = m->free[class];
    if (block) {
        memcpy(&m->free[class], block, sizeof(void *));
        return block;
    }
    if (size > m->left) {
        struct toll_kernel_chunk *chunk = from_kernel(CHUNK);
        if (!chunk)
            return NULL;
        chunk->next = m->chunks;
        m->chunks = chunk;
        m->next = (char *)chunk + SMALLEST;
        m->left = CHUNK - SMALLEST;
    }
    block = m->next;
    m->next += size;
    m->left -= size;
    return block;
}

static void free_block(toll_kernel_memory *m, void *block, size_t size)
{
    unsigned class = class_of(size);
    if (size > LARGEST) {
        munmap(block, size);
        return;
    }
    memcpy(block, &m->free[class], sizeof(void *));
    m->free[class] = block;
}

static void *resize(void *user, void *block, size_t old_size, size_t new_size)
{
    toll_kernel_memory *m = user;
#ifdef __linux__
    if (block && new_size > LARGEST && old_size > LARGEST) {
        void *moved = mremap(block, old_size, new_size, MREMAP_MAYMOVE);
        return moved == MAP_FAILED ? NULL : moved;
    }
#endif
    if (block && new_size && new_size <= LARGEST && old_size <= LARGEST &&
        class_of(old_size) == class_of(new_size))
        return block;
    void *moved = NULL;
    if (new_size) {
        moved = new_size > LARGEST ? from_kernel(new_size) : new_small(m, class_of(new_size));
        if (!moved)
            return NULL;
    }
    if (block && moved)
        memcpy(moved, block, old_size < new_size ? old_size : new_size);
    if (block)
        free_block(m, block, old_size);
    return moved;
}

toll_allocator toll_kernel_memory_allocator(toll_kernel_memory *m)
{
    return (toll_allocator){ resize, m };
}

void toll_kernel_memory_free(toll_kernel_memory *m)
{
    for (struct toll_kernel_chunk *chunk = m->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        munmap(chunk, CHUNK);
    }
    memset(m, 0, sizeof *m);
}

#else

toll_allocator toll_kernel_memory_allocator(toll_kernel_memory *m)
{
    (void)m;
    return toll_c_allocator();
}

void toll_kernel_memory_free(toll_kernel_memory *m)
{
    (void)m;
}

#endif
