/* mem.c - see mem.h. The only file of the library that calls malloc's family. */
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *libc_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

toll_allocator toll_c_allocator(void)
{
    return (toll_allocator){ libc_resize, NULL };
}

static void *budget_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    toll_budget *budget = user;
    if (new_size > old_size && new_size - old_size > budget->limit - budget->used) {
        budget->refused = 1;
        return NULL;
    }
    void *moved = libc_resize(NULL, block, old_size, new_size);
    if (!moved && new_size)
        return NULL;
    budget->used = budget->used - old_size + new_size;
    if (budget->used > budget->peak)
        budget->peak = budget->used;
    return moved;
}

toll_allocator toll_budget_allocator(toll_budget *budget)
{
    return budget ? (toll_allocator){ budget_resize, budget } : toll_c_allocator();
}

toll_mem toll_mem_from(const toll_allocator *allocator)
{
    return allocator ? *allocator : toll_c_allocator();
}

bool toll_size_add(size_t a, size_t b, size_t *out)
{
    *out = a + b;
    return *out >= a;
}

bool toll_size_mul(size_t a, size_t b, size_t *out)
{
    *out = a * b;
    return b == 0 || a <= SIZE_MAX / b;
}

void *toll_mem_new(const toll_mem *mem, size_t count, size_t size)
{
    void *block = toll_mem_resize(mem, NULL, 0, count, size);
    if (block)
        memset(block, 0, count * size);
    return block;
}

void *toll_mem_resize(const toll_mem *mem, void *block, size_t old_count, size_t new_count,
                      size_t size)
{
    size_t new_size;
    if (!toll_size_mul(new_count, size, &new_size) || new_size == 0)
        return NULL;
    return mem->resize(mem->user, block, old_count * size, new_size);
}

void toll_mem_free(const toll_mem *mem, void *block, size_t count, size_t size)
{
    if (block)
        mem->resize(mem->user, block, count * size, 0);
}
