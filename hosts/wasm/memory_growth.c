/* memory_growth.c - makes the memory of toll.wasm grow by an eighth at a time.
 *
 * The C library would grow it by 64 KiB each time, and engines make new objects for each growth. In
 * a recording of hundreds of megabytes that takes a seventh of the time. */
#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#define PAGE UINT32_C(65536)

/* Grow the memory by at least `needed` pages; try a larger number first. False: no memory. */
static int grow(uint32_t needed)
{
    uint32_t more = (uint32_t)(__builtin_wasm_memory_size(0) / 8);
    return (more > needed && __builtin_wasm_memory_grow(0, more) != SIZE_MAX) ||
           __builtin_wasm_memory_grow(0, needed) != SIZE_MAX;
}

/* The C library's allocator takes its memory from here; `size` is a multiple of a page. It replaces
 * the library's own. */
void *sbrk(intptr_t size)
{
    static uint64_t end; /* of the memory that the allocator has received; 0: none yet */
    uint64_t there = (uint64_t)__builtin_wasm_memory_size(0) * PAGE, start = end ? end : there;
    if (size < 0 || (start + (uint64_t)size > there &&
                     !grow((uint32_t)((start + (uint64_t)size - there + PAGE - 1) / PAGE)))) {
        errno = ENOMEM;
        return (void *)-1;
    }
    end = start + (uint64_t)size;
    return (void *)(uintptr_t)start;
}
