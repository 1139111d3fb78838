// family.cpp - calls malloc and its family at random, and counts the blocks and bytes of each of its sites by itself: some
// calls are refused, blocks are aligned, shrunk, grown and of no size, and threads resize and free what others allocated.
// For programs that are linked with toll-heap.c.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <emscripten.h>
#include <malloc.h>
#include <new>
#include <pthread.h>

enum { BLOCKS = 512, SITES = 10, ALIGNED_ALLOC = 2, NEW = 5, REALLOC = 9, AGES = 400 }; // from NEW to REALLOC: operator new

struct Block {
    std::atomic_flag is_taken; // by the thread that does a step
    void *at;
    size_t size;
    int site, age;
};

static Block blocks[BLOCKS];
static volatile int marks[SITES]; // so that no two sites have the same code, which would then become one function
static std::atomic<int64_t> counts[SITES], bytes[SITES];
static std::atomic<int> by_age[SITES][AGES];
static std::atomic<int> snapshots;
static std::atomic<int> running;
static thread_local uint32_t seed = 1;
static char text[SITES * AGES * 32];

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

#define SITE(INDEX, NAME, CALL)                                                                      \
    extern "C" __attribute__((noinline)) void *NAME(size_t size, size_t alignment, void *old)       \
    {                                                                                                \
        (void)size, (void)alignment, (void)old;                                                      \
        void *block = CALL;                                                                          \
        marks[INDEX]++;                                                                              \
        return block;                                                                                \
    }

__attribute__((always_inline)) static inline void *posix(size_t alignment, size_t size)
{
    void *block = nullptr;
    return posix_memalign(&block, alignment, size) == 0 ? block : nullptr;
}

SITE(0, by_malloc, malloc(size))
SITE(1, by_calloc, calloc(size, 1))
SITE(2, by_aligned_alloc, aligned_alloc(alignment, size))
SITE(3, by_memalign, memalign(alignment, size))
SITE(4, by_posix_memalign, posix(alignment, size))
SITE(5, by_new, ::operator new(size, std::nothrow))
SITE(6, by_new_array, ::operator new[](size, std::nothrow))
SITE(7, by_aligned_new, ::operator new(size, std::align_val_t(alignment), std::nothrow))
SITE(8, by_aligned_new_array, ::operator new[](size, std::align_val_t(alignment), std::nothrow))
SITE(REALLOC, by_realloc, realloc(old, size))

static void *(*const sites[SITES])(size_t, size_t, void *) = {
    by_malloc, by_calloc,    by_aligned_alloc, by_memalign,          by_posix_memalign,
    by_new,    by_new_array, by_aligned_new,   by_aligned_new_array, by_realloc,
};
static const char *const names[SITES] = {
    "by_malloc", "by_calloc",    "by_aligned_alloc", "by_memalign",          "by_posix_memalign",
    "by_new",    "by_new_array", "by_aligned_new",   "by_aligned_new_array", "by_realloc",
};

static void took(Block &block, void *at, size_t size, int site)
{
    block.at = at;
    block.size = size;
    block.site = site;
    block.age = snapshots < AGES ? int(snapshots) : AGES - 1;
    by_age[site][block.age] += at != nullptr;
    counts[site] += at != nullptr;
    bytes[site] += at ? int64_t(size) : 0;
}

static void gave(Block &block)
{
    if (block.at) {
        counts[block.site]--;
        by_age[block.site][block.age]--;
        bytes[block.site] -= int64_t(block.size);
    }
    block.at = nullptr;
}

static size_t any_size(int site)
{
    if (below(97) == 0 && (site < NEW || site == REALLOC)) // without exceptions, new ends the program
        return 3000000000u;                                // more than there is: refused
    if (below(50) == 0)
        return 100000;
    return site < NEW || site == REALLOC ? below(300) : 1 + below(300); // new of no bytes asks for one
}

static void step(Block &block)
{
    int site = int(below(SITES));
    size_t size = any_size(site), alignment = size_t(8) << below(8);
    if (site == ALIGNED_ALLOC && below(4)) // else it is refused
        size = (size + alignment - 1) / alignment * alignment;
    if (site == REALLOC) {
        void *at = by_realloc(size, 0, block.at);
        if (at || size == 0) { // else the block is as it was
            gave(block);
            took(block, at, size, site);
        }
        return;
    }
    void *old = block.at;
    gave(block);
    free(old);
    if (!old || below(2))
        took(block, sites[site](size, alignment, nullptr), size, site);
}

extern "C" EMSCRIPTEN_KEEPALIVE void run(int steps)
{
    for (int i = 0; i < steps; i++)
        for (;;) {
            Block &block = blocks[below(BLOCKS)];
            if (block.is_taken.test_and_set())
                continue;
            step(block);
            block.is_taken.clear();
            break;
        }
}

static void *run_thread(void *number)
{
    seed = uint32_t(uintptr_t(number));
    run(20000);
    running--;
    return nullptr;
}

// Start threads that do 20,000 steps each.
extern "C" EMSCRIPTEN_KEEPALIVE int start(int threads)
{
    for (int i = 0; i < threads; i++) {
        pthread_t thread;
        if (pthread_create(&thread, nullptr, run_thread, reinterpret_cast<void *>(uintptr_t(i + 2))) || pthread_detach(thread))
            return -1;
        running++;
    }
    return 0;
}

extern "C" EMSCRIPTEN_KEEPALIVE int is_done()
{
    return running == 0;
}

// What the sites have in use, by the program's own count: "NAME BLOCKS BYTES", a line each.
extern "C" EMSCRIPTEN_KEEPALIVE const char *truth()
{
    int size = 0;
    for (int i = 0; i < SITES; i++)
        if (counts[i] > 0)
            size += snprintf(text + size, sizeof text - size, "%s %lld %lld\n", names[i], (long long)counts[i],
                             (long long)bytes[i]);
    text[size] = 0;
    return text;
}

// A thread that resizes one block until it is stopped.
static std::atomic<bool> resizes;

extern "C" __attribute__((noinline)) void *resize_one(void *block, size_t size)
{
    void *resized = realloc(block, size);
    marks[0]++;
    return resized;
}

static void *run_resizing(void *)
{
    void *block = resize_one(nullptr, 1000);
    for (running++; resizes;)
        block = resize_one(block, 1000 + below(500000));
    free(block);
    running--;
    return nullptr;
}

extern "C" EMSCRIPTEN_KEEPALIVE int start_resizing()
{
    pthread_t thread;
    resizes = true;
    return pthread_create(&thread, nullptr, run_resizing, nullptr) || pthread_detach(thread);
}

extern "C" EMSCRIPTEN_KEEPALIVE void stop_resizing()
{
    resizes = false;
}

// A snapshot was taken.
extern "C" EMSCRIPTEN_KEEPALIVE void aged()
{
    snapshots++;
}

// How many blocks of each site are first in each snapshot: "NAME SNAPSHOT BLOCKS", a line each.
extern "C" EMSCRIPTEN_KEEPALIVE const char *truth_by_age()
{
    int size = 0;
    for (int i = 0; i < SITES; i++)
        for (int age = 0; age < AGES; age++)
            if (by_age[i][age] > 0)
                size += snprintf(text + size, sizeof text - size, "%s %d %d\n", names[i], age + 1, int(by_age[i][age]));
    text[size] = 0;
    return text;
}

// Blocks that one side alone sees: the first is given back behind the profiler's back, so that the second has its address;
// the third was never reported.
extern "C" void *emscripten_builtin_malloc(size_t);
extern "C" void emscripten_builtin_free(void *);
extern "C" EMSCRIPTEN_KEEPALIVE int slip()
{
    void *volatile first = malloc(77);
    emscripten_builtin_free(first);
    void *volatile second = malloc(77);
    void *volatile third = emscripten_builtin_malloc(77);
    free(second);
    free(third);
    return first == second;
}

int main()
{
    run(100);
    return 0;
}
