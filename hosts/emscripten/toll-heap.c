/* toll-heap.c - reports each block that a program of Emscripten allocates and frees to
 * toll-heap.mjs, whichever allocator is linked. docs/emscripten.md is the manual.
 *
 *     emcc app.cpp share/toll/toll-heap.c --profiling-funcs -o app.js
 *
 * It defines malloc and its family, over the names that an allocator keeps for those who do so
 * (emscripten/heap.h). So a block has the address that the program gets and the size that it asked
 * for: also if it is aligned, if a realloc fails, or if the allocator rounds sizes.
 *
 * What must hold: a block is reported once when the program gets it, and once when it gives it
 * back. Reporting allocates nothing on this heap. The frames between the program and JavaScript are
 * functions that Toll knows as allocators (docs/semantics.md); all others are inlined. */
#include <emscripten.h>
#include <emscripten/stack.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __EMSCRIPTEN_PTHREADS__
#include <emscripten/threading.h>
#endif

#ifdef __cplusplus /* as em++ compiles it */
extern "C" {
#endif

#define INLINED static inline __attribute__((always_inline))

enum { PAGE = 65536 }; /* of WebAssembly, and of valloc */

void *emscripten_builtin_malloc(size_t size);
void emscripten_builtin_free(void *block);
void *emscripten_builtin_memalign(size_t alignment, size_t size);

/* Each allocator, in each version of Emscripten, has one of these. */
__attribute__((weak)) void *emscripten_builtin_realloc(void *block, size_t size);
__attribute__((weak)) void *__libc_realloc(void *block, size_t size);
__attribute__((weak)) void *emmalloc_realloc(void *block, size_t size);

extern char __heap_base;

/* --- JavaScript --------------------------------------------------------------------------------*/

/* The arguments of toll_heap_number. */
enum { STACK_BASE, STACK_TOP, STACK_MAX, STACK_WATERMARK, HAS_OTHER_THREADS };

/* Make the source that toll-heap.mjs reads. It has the counters of Emscripten's own profiler, by
 * the same names; these are in quotes, so that Closure does not rename them. Engines are told to
 * keep deep stacks before the first block, so that one site never has two stacks. The code is of
 * 2015's JavaScript at most, which old versions of Emscripten understand. */
// clang-format off
EM_JS(void, toll_heap_begin, (double heapBase), {
  var limit = (globalThis["tollHeapOptions"] || {})["stackLimit"] || 256;
  if ("stackTraceLimit" in Error && Error.stackTraceLimit < limit) Error.stackTraceLimit = limit;
  var blocks = new Map(), sites = new Map();
  var number = function (which) { return Module["_toll_heap_number"](which); };
  var source = {
    "totalMemoryAllocated": 0,
    "totalTimesMallocCalled": 0,
    "totalTimesFreeCalled": 0,
    "tollReused": 0, // allocations at the address of a block in use
    "tollUnknown": 0, // frees of an address that has no block
    "sbrkValue": heapBase,
    "sbrkSources": [{ "stack": "initial heap sbrk limit", "begin": 0, "end": heapBase }],
    "tollNumbers": function () {
      return { "heapSize": HEAP8.length, "heapBase": heapBase, "sbrkValue": source["sbrkValue"],
               "stackBase": number(0), "stackTop": number(1), "stackMax": number(2) };
    },

    allocated: function (block, size) {
      if (blocks.has(block)) {
        source["tollReused"]++;
        source.freed(block);
      }
      var stack = String(new Error().stack), site = sites.get(stack);
      if (!site) sites.set(stack, site = { stack: stack, count: 0, bytes: 0 });
      site.count++;
      site.bytes += size;
      blocks.set(block, { site: site, size: size });
      source["totalMemoryAllocated"] += size;
      source["totalTimesMallocCalled"]++;
    },
    freed: function (block) {
      var known = blocks.get(block);
      if (!known) {
        source["tollUnknown"]++;
        return;
      }
      var site = known.site;
      site.count--;
      site.bytes -= known.size;
      if (site.count === 0) sites.delete(site.stack);
      blocks.delete(block);
      source["totalMemoryAllocated"] -= known.size;
      source["totalTimesFreeCalled"]++;
    },
    grown: function (end) {
      var begin = source["sbrkValue"];
      if (end > begin) source["sbrkSources"].push({ "stack": String(new Error().stack), "begin": begin, "end": end });
      source["sbrkValue"] = end;
    }
  };
  var define = function (name, get) { Object.defineProperty(source, name, { "get": get, "enumerable": true }); };
  define("allocationsAtLoc", function () {
    var all = {};
    sites.forEach(function (site, stack) { all[stack] = [site.count, site.bytes]; });
    return all;
  });
  define("stackTopWatermark", function () { return number(3); });
  define("tollIsShared", function () { return number(4) !== 0; });
  define("pagePreRunIsFinished", function () { return typeof runtimeInitialized === "undefined" || runtimeInitialized; });
  Module["tollHeapSource"] = globalThis["tollHeapSource"] = source;
  if (globalThis["tollHeap"]) globalThis["tollHeap"]["attach"]();
});

EM_JS(void, toll_heap_allocated, (double block, double size), { Module["tollHeapSource"].allocated(block, size); });
EM_JS(void, toll_heap_freed, (double block), { Module["tollHeapSource"].freed(block); });
EM_JS(void, toll_heap_grown, (double end), { Module["tollHeapSource"].grown(end); });
// clang-format on

/* --- reporting ---------------------------------------------------------------------------------*/

static struct {
    bool has_begun;
    bool has_other_threads; /* which allocated or freed, and are not reported; atomic */
    uintptr_t end;          /* of the heap, as it was reported last */
    uintptr_t watermark;    /* the stack's lowest address seen */
} state = { false, false, 0, UINTPTR_MAX };

/* Within the allocator's realloc, which may call malloc and free by these names. */
static __thread bool is_resizing;

EMSCRIPTEN_KEEPALIVE double toll_heap_number(int which)
{
    switch (which) {
    case STACK_BASE:
        return (double)emscripten_stack_get_base();
    case STACK_TOP:
        return (double)emscripten_stack_get_current();
    case STACK_MAX:
        return (double)emscripten_stack_get_end();
    case STACK_WATERMARK:
        return (double)state.watermark;
    default:
        return __atomic_load_n(&state.has_other_threads, __ATOMIC_RELAXED);
    }
}

/* Also a program that never allocates has a heap to show. */
__attribute__((constructor)) static void begin(void)
{
    if (state.has_begun)
        return;
    state.has_begun = true;
    state.end = (uintptr_t)&__heap_base;
    toll_heap_begin((double)state.end);
}

/* Before an event: false if it is not the program's own, or another thread's, since the source is
 * in the main thread. */
INLINED bool is_reported(void)
{
    if (is_resizing)
        return false;
#ifdef __EMSCRIPTEN_PTHREADS__
    if (!emscripten_is_main_runtime_thread()) {
        __atomic_store_n(&state.has_other_threads, true, __ATOMIC_RELAXED);
        return false;
    }
#endif
    uintptr_t top = emscripten_stack_get_current();
    if (top < state.watermark)
        state.watermark = top;
    begin();
    return true;
}

/* The program gets a block (or NULL). */
INLINED void *report(void *block, size_t size)
{
    if (!block || !is_reported())
        return block;
    uintptr_t end = (uintptr_t)sbrk(0);
    if (end != state.end)
        toll_heap_grown((double)end);
    state.end = end;
    toll_heap_allocated((double)(uintptr_t)block, (double)size);
    return block;
}

INLINED void report_free(void *block)
{
    if (block && is_reported())
        toll_heap_freed((double)(uintptr_t)block);
}

/* --- malloc and its family ---------------------------------------------------------------------*/

INLINED void *resize(void *block, size_t size)
{
    is_resizing = true;
    void *resized = emscripten_builtin_realloc ? emscripten_builtin_realloc(block, size)
                    : __libc_realloc           ? __libc_realloc(block, size)
                                               : emmalloc_realloc(block, size);
    is_resizing = false;
    return resized;
}

INLINED void *align(size_t alignment, size_t size)
{
    return report(emscripten_builtin_memalign(alignment, size), size);
}

void *malloc(size_t size)
{
    return report(emscripten_builtin_malloc(size), size);
}

void free(void *block)
{
    report_free(block);
    emscripten_builtin_free(block);
}

void *calloc(size_t count, size_t size)
{
    size_t all;
    if (__builtin_mul_overflow(count, size, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    void *block = emscripten_builtin_malloc(all);
    return report(block ? memset(block, 0, all) : NULL, all);
}

/* A block that cannot be resized stays as it is; but if the new size is 0, NULL says that it is
 * freed. */
void *realloc(void *block, size_t size)
{
    void *resized = resize(block, size);
    if (resized || size == 0)
        report_free(block);
    return report(resized, size);
}

void *memalign(size_t alignment, size_t size)
{
    return align(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return align(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    void *block = align(alignment, size);
    if (!block)
        return ENOMEM;
    *out = block;
    return 0;
}

void *valloc(size_t size)
{
    return align(PAGE, size);
}

void *pvalloc(size_t size)
{
    if (size > SIZE_MAX - PAGE) {
        errno = ENOMEM;
        return NULL;
    }
    return align(PAGE, (size + PAGE - 1) / PAGE * PAGE);
}

#ifdef __cplusplus
}
#endif
