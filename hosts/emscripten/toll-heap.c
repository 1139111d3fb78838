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
#include <pthread.h>
#endif

#ifdef __cplusplus /* as em++ compiles it */
extern "C" {
#endif

#define INLINED static inline __attribute__((always_inline))

enum { PAGE = 65536 }; /* of WebAssembly, and of valloc */

void *emscripten_builtin_malloc(size_t size);
void emscripten_builtin_free(void *block);
void *emscripten_builtin_memalign(size_t alignment, size_t size);

/* The allocator's realloc has one of these names. A weak name may be missing; but in a main module
 * (-sMAIN_MODULE) all must exist, so there it is dlmalloc's, or
 * -DTOLL_HEAP_REALLOC=emmalloc_realloc. */
#if defined __PIC__ && !defined TOLL_HEAP_REALLOC
#define TOLL_HEAP_REALLOC __libc_realloc
#endif
#ifdef TOLL_HEAP_REALLOC
void *TOLL_HEAP_REALLOC(void *block, size_t size);
#else
__attribute__((weak)) void *emscripten_builtin_realloc(void *block, size_t size);
__attribute__((weak)) void *__libc_realloc(void *block, size_t size);
__attribute__((weak)) void *emmalloc_realloc(void *block, size_t size);
#endif

extern char __heap_base;

/* --- JavaScript --------------------------------------------------------------------------------*/

/* Each event has its order in the program, from 0. A block is given back after the order of its
 * free is taken, and the program has it before that of its allocation is: so whatever threads do,
 * events in this order are those of one heap after another.
 *
 * The code is JavaScript of 2015 at most, which old versions of Emscripten understand. Names in
 * quotes are read from outside, and Closure must not rename them. */
// clang-format off

/* In the main thread: make the source that toll-heap.mjs reads. It has the counters of Emscripten's
 * own profiler, by the same names. Engines keep deep stacks from before the first block on, so that
 * one site never has two stacks. Returns the number of the channel on which threads send. */
EM_JS(double, toll_heap_begin, (double heapBase), {
  var limit = (globalThis["tollHeapOptions"] || {})["stackLimit"] || 256;
  if ("stackTraceLimit" in Error && Error.stackTraceLimit < limit) Error.stackTraceLimit = limit;
  var blocks = new Map(), sites = new Map();
  var next = 0, early = new Map(); // the order of the event that comes next; events that are after it
  var isLost = false; // an event did not come, and was passed over
  var number = function (which) { return Module["_toll_heap_number"](which); };
  var source = {
    "totalMemoryAllocated": 0,
    "totalTimesMallocCalled": 0,
    "totalTimesFreeCalled": 0,
    "tollReused": 0, // allocations at the address of a block in use
    "tollUnknown": 0, // frees of an address that has no block
    "tollSnapshots": 0, // how many were taken
    /* The ages of a site's blocks: [snapshot that was the first to have them, count, bytes, ...]. */
    "tollAges": function (stack) {
      var ages = [];
      sites.get(stack).ages.forEach(function (age, snapshot) { ages.push(snapshot, age.count, age.bytes); });
      return ages;
    },
    "sbrkValue": heapBase,
    "sbrkSources": [{ "stack": "initial heap sbrk limit", "begin": 0, "end": heapBase }],
    "tollNumbers": function () {
      return { "heapSize": HEAP8.length, "heapBase": heapBase, "sbrkValue": source["sbrkValue"],
               "stackBase": number(0), "stackTop": number(1), "stackMax": number(2) };
    },
    /* A promise: have all events that happened until now come? False, now and later, if none comes for two
     * seconds; those that did come are then applied without it. */
    "tollSettled": function () {
      var all = number(4), seen = next, since = Date.now();
      return new Promise(function (resolve) {
        var look = function () {
          if (next > seen) since = Date.now();
          seen = next;
          if (next < all && Date.now() > since + 2000) passOver(all);
          if (next >= all) resolve(!isLost);
          else setTimeout(look, 1);
        };
        look();
      });
    },
    report: function (order, kind, at, size) {
      take(order, [kind, at, size, kind === 1 ? "" : String(new Error().stack)]);
    }
  };
  var add = function (to, count, bytes) {
    to.count += count;
    to.bytes += bytes;
  };
  var apply = [
    function (block, size, stack) { // allocated
      if (blocks.has(block)) {
        source["tollReused"]++;
        apply[1](block);
      }
      var site = sites.get(stack);
      if (!site) sites.set(stack, site = { stack: stack, count: 0, bytes: 0, ages: new Map() });
      var snapshot = source["tollSnapshots"] + 1, age = site.ages.get(snapshot);
      if (!age) site.ages.set(snapshot, age = { count: 0, bytes: 0 });
      add(site, 1, size);
      add(age, 1, size);
      blocks.set(block, { site: site, snapshot: snapshot, size: size });
      source["totalMemoryAllocated"] += size;
      source["totalTimesMallocCalled"]++;
    },
    function (block) { // freed
      var known = blocks.get(block);
      if (!known) {
        source["tollUnknown"] += block ? 1 : 0;
        return;
      }
      var site = known.site, age = site.ages.get(known.snapshot);
      add(site, -1, -known.size);
      add(age, -1, -known.size);
      if (age.count === 0) site.ages.delete(known.snapshot);
      if (site.count === 0) sites.delete(site.stack);
      blocks.delete(block);
      source["totalMemoryAllocated"] -= known.size;
      source["totalTimesFreeCalled"]++;
    },
    function (end, unused, stack) { // the heap has grown
      var begin = source["sbrkValue"];
      if (end <= begin) return;
      source["sbrkSources"].push({ "stack": stack, "begin": begin, "end": end });
      source["sbrkValue"] = end;
    }
  ];
  var applyEarly = function () {
    for (var event; event = early.get(next);) {
      early.delete(next++);
      apply[event[0]](event[1], event[2], event[3]);
    }
  };
  var take = function (order, event) {
    if (order < next) return; // it was passed over
    early.set(order, event);
    applyEarly();
    if (early.size > 1000000) passOver(Array.from(early.keys()).reduce(function (a, b) { return Math.min(a, b); }));
  };
  /* Go on without the events before `all` that have not come. */
  var passOver = function (all) {
    isLost = true;
    while (next < all) {
      if (!early.has(next)) next++;
      applyEarly();
    }
  };
  var define = function (name, get) { Object.defineProperty(source, name, { "get": get, "enumerable": true }); };
  define("allocationsAtLoc", function () {
    var all = {};
    sites.forEach(function (site, stack) { all[stack] = [site.count, site.bytes]; });
    return all;
  });
  define("stackTopWatermark", function () { return number(3); });
  define("tollIsShared", function () { return isLost || next < number(4); });
  define("pagePreRunIsFinished", function () { return typeof runtimeInitialized === "undefined" || runtimeInitialized; });
  Module["tollHeapSource"] = globalThis["tollHeapSource"] = source;

  var id = Math.floor(Math.random() * 9007199254740991) + 1;
  if (!(HEAP8.buffer instanceof ArrayBuffer)) { // threads are possible
    var channel = new BroadcastChannel("toll-heap-" + id);
    channel.onmessage = function (message) { take(message.data[0], message.data.slice(1)); };
    if (channel["unref"]) channel["unref"](); // Node may end
  }
  if (globalThis["tollHeap"]) globalThis["tollHeap"]["attach"]();
  return id;
});

/* In another thread, which has JavaScript of its own: send events to the source. A worker may run one
 * thread after another. */
EM_JS(void, toll_heap_join, (double id), {
  if (Module["tollHeapSource"]) return;
  var limit = (globalThis["tollHeapOptions"] || {})["stackLimit"] || 256;
  if ("stackTraceLimit" in Error && Error.stackTraceLimit < limit) Error.stackTraceLimit = limit;
  var channel = new BroadcastChannel("toll-heap-" + id);
  if (channel["unref"]) channel["unref"]();
  Module["tollHeapSource"] = {
    report: function (order, kind, at, size) {
      channel.postMessage([order, kind, at, size, kind === 1 ? "" : String(new Error().stack)]);
    }
  };
});

EM_JS(void, toll_heap_allocated, (double order, double block, double size), { Module["tollHeapSource"].report(order, 0, block, size); });
EM_JS(void, toll_heap_freed, (double order, double block), { Module["tollHeapSource"].report(order, 1, block, 0); });
EM_JS(void, toll_heap_grown, (double order, double end), { Module["tollHeapSource"].report(order, 2, end, 0); });
// clang-format on

/* --- reporting ---------------------------------------------------------------------------------*/

/* The arguments of toll_heap_number. */
enum { STACK_BASE, STACK_TOP, STACK_MAX, STACK_WATERMARK, EVENTS };

static struct {
    double channel;      /* 0: not begun */
    uint64_t events;     /* until now; atomic */
    uintptr_t end;       /* of the heap, as it was reported last; atomic */
    uintptr_t watermark; /* the lowest address of the main thread's stack that was seen */
} state = { 0, 0, 0, UINTPTR_MAX };

static __thread bool has_begun, is_main;

/* Within functions of the allocator and of the runtime whose blocks are not the program's: some
 * call malloc by its name, and give the block back by another. */
static __thread bool is_inside;

EMSCRIPTEN_KEEPALIVE double toll_heap_number(int which)
{
    switch (which) {
    case STACK_BASE: return (double)emscripten_stack_get_base();
    case STACK_TOP: return (double)emscripten_stack_get_current();
    case STACK_MAX: return (double)emscripten_stack_get_end();
    case STACK_WATERMARK: return (double)state.watermark;
    default: return (double)__atomic_load_n(&state.events, __ATOMIC_SEQ_CST);
    }
}

/* Run in each thread before its first event; in the main thread in any case, since a program that
 * never allocates has a heap to show, too. */
__attribute__((constructor)) static void begin(void)
{
    if (has_begun)
        return;
    has_begun = true;
    is_main = state.channel == 0;
    if (!is_main) {
        toll_heap_join(state.channel);
        return;
    }
    state.end = (uintptr_t)&__heap_base;
    state.channel = toll_heap_begin((double)state.end);
}

/* The order of the event that happens now. Each that is taken must be reported. */
INLINED double next_event(void)
{
    begin();
    uintptr_t top = emscripten_stack_get_current();
    if (is_main && top < state.watermark)
        state.watermark = top;
    return (double)__atomic_fetch_add(&state.events, 1, __ATOMIC_SEQ_CST);
}

/* The program gets a block (or NULL). */
INLINED void *report(void *block, size_t size)
{
    if (!block || is_inside)
        return block;
    double order = next_event();
    toll_heap_allocated(order, (double)(uintptr_t)block, (double)size);
    uintptr_t end = (uintptr_t)sbrk(0);
    if (__atomic_exchange_n(&state.end, end, __ATOMIC_SEQ_CST) != end) {
        order = next_event();
        toll_heap_grown(order, (double)end);
    }
    return block;
}

/* --- malloc and its family ---------------------------------------------------------------------*/

INLINED void *resize(void *block, size_t size)
{
    bool was_inside = is_inside;
    is_inside = true;
#ifdef TOLL_HEAP_REALLOC
    void *resized = TOLL_HEAP_REALLOC(block, size);
#else
    void *resized = emscripten_builtin_realloc ? emscripten_builtin_realloc(block, size)
                    : __libc_realloc           ? __libc_realloc(block, size)
                                               : emmalloc_realloc(block, size);
#endif
    is_inside = was_inside;
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
    if (block && !is_inside) {
        double order = next_event();
        toll_heap_freed(order, (double)(uintptr_t)block);
    }
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
 * freed. Another thread may get the old block's address before this function has returned, so the
 * order of the old block's end is taken before. */
void *realloc(void *block, size_t size)
{
    if (!block || is_inside)
        return report(resize(block, size), size);
    double order = next_event();
    void *resized = resize(block, size);
    bool is_freed = resized || size == 0;
    toll_heap_freed(order, is_freed ? (double)(uintptr_t)block : 0);
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

/* --- threads -----------------------------------------------------------------------------------*/

#ifdef __EMSCRIPTEN_PTHREADS__
int __pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                     void *argument);

/* The stack and the data of a thread are the runtime's. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    bool was_inside = is_inside;
    is_inside = true;
    int status = __pthread_create(thread, attributes, run, argument);
    is_inside = was_inside;
    return status;
}
#endif

#ifdef __cplusplus
}
#endif
