// heap.cpp - allocates and frees in all ways that C and C++ have, and tells what it knows to be in use:
// a line "SITE BYTES OBJECTS ALLOCATED" for each function that allocates.
#include <stdio.h>
#include <stdlib.h>

#define SITE extern "C" __attribute__((noinline))

struct tally {
    const char *site;
    long bytes = 0, objects = 0, allocated = 0;
};

static tally sites[] = { { "with_malloc" }, { "with_calloc" }, { "with_realloc" }, { "with_memalign" },
                         { "with_new" },    { "with_array" },  { "with_failure" } };

static void *volatile kept[64];
static int kept_count;

static void *keep(int site, void *block, long size)
{
    sites[site].bytes += size;
    sites[site].objects++;
    sites[site].allocated++;
    kept[kept_count++ % 64] = block;
    return block;
}

static void *count(int site, void *block)
{
    sites[site].allocated++;
    kept[kept_count++ % 64] = block;
    return block;
}

SITE void with_malloc()
{
    keep(0, malloc(100), 100);
    free(count(0, malloc(50)));
    free(nullptr);
}

SITE void with_calloc()
{
    keep(1, calloc(10, 7), 70);
    free(count(1, calloc(3, 3)));
}

SITE void with_realloc()
{
    void *block = count(2, realloc(nullptr, 10));
    block = count(2, realloc(block, 1000));
    keep(2, realloc(block, 20), 20);
    free(realloc(count(2, malloc(5)), 6));
    sites[2].allocated++;
}

SITE void with_memalign()
{
    void *block = nullptr;
    if (posix_memalign(&block, 64, 333) == 0)
        keep(3, block, 333);
    if (posix_memalign(&block, 3, 1) == 0)
        abort(); // 3 is no alignment
    keep(3, aligned_alloc(32, 64), 64);
}

SITE void with_new()
{
    keep(4, new long long(1), 8);
    delete static_cast<long long *>(count(4, new long long(2)));
}

SITE void with_array()
{
    keep(5, new char[77], 77);
    delete[] static_cast<char *>(count(5, new char[78]));
}

SITE void with_failure()
{
    void *block = keep(6, malloc(11), 11);
    volatile size_t huge = 0xf0000000;
    if (malloc(huge) || realloc(block, huge) || calloc(huge, 2))
        abort();
}

int main()
{
    for (int i = 0; i < 5; i++) {
        with_malloc();
        with_calloc();
        with_realloc();
        with_memalign();
        with_new();
        with_array();
    }
    with_failure();
    for (const tally &t : sites)
        printf("%s %ld %ld %ld\n", t.site, t.bytes, t.objects, t.allocated);
}

// The C++ library is not among Debian's packages for wasm32: its operators as it has them.
void *operator new(size_t size)
{
    return malloc(size);
}

void *operator new[](size_t size)
{
    return operator new(size);
}

void operator delete(void *block) noexcept
{
    free(block);
}

void operator delete(void *block, size_t) noexcept
{
    operator delete(block);
}

void operator delete[](void *block) noexcept
{
    operator delete(block);
}

void operator delete[](void *block, size_t) noexcept
{
    operator delete[](block);
}
