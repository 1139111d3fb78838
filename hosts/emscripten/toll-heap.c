/* toll-heap.c - reports each block that a program of Emscripten allocates and frees to
 * toll-heap.mjs, whichever allocator is linked. docs/emscripten.md is the manual.
 *
 *     emcc app.cpp share/toll/toll-heap.c --profiling-funcs -o app.js
 *
 * It defines malloc and its family, over the names that an allocator keeps for those who do so
 * (emscripten/heap.h). So a block has the address that the program gets and the size that it asked
 * for: also if it is aligned, if a realloc fails, or if the allocator rounds sizes.
 *
 * Events of all threads are in one buffer, in the order in which they happened. A full buffer is a
 * batch, which goes to the source, JavaScript in the main thread; the source empties the buffer,
 * too, when somebody asks. An event has the number of its stack, whose text is in JavaScript.
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
#ifdef __EMSCRIPTEN_PTHREADS__
#include <pthread.h>
#endif

#ifdef __cplusplus /* as em++ compiles it */
extern "C" {
#endif

#if defined __EMSCRIPTEN_PTHREADS__ || defined __EMSCRIPTEN_SHARED_MEMORY__ ||                     \
    defined __EMSCRIPTEN_WASM_WORKERS__
#define HAS_THREADS
#endif

#define INLINED static inline __attribute__((always_inline))

enum { PAGE = 4096 }; /* of valloc and pvalloc, as in dlmalloc */

void *sbrk(intptr_t increment); /* -std=c11 hides it in unistd.h */
void *emscripten_builtin_malloc(size_t size);
void emscripten_builtin_free(void *block);
void *emscripten_builtin_memalign(size_t alignment, size_t size);

/* The allocator's realloc has one of these names. A weak name may be missing; but in a main module
 * (-sMAIN_MODULE) all must exist: there it is __libc_realloc, or another one by
 * -DTOLL_HEAP_REALLOC=NAME. */
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

/* --- what JavaScript reads, also after the program's end ---------------------------------------*/

enum { LOCK, COUNT, BATCH, STACKS, CHANNEL, LIMIT, NUMBERS };
enum { HEAP_BASE, STACK_BASE, STACK_TOP, STACK_MAX, STACK_LOWEST, ADDRESSES };
enum { EVENTS = 1024, TICKETS = 1 << 29 };

/* ALLOCATED: block, size, stack. FREED: block. GROWN: `block` is the heap's end; stack.
 * RESIZING: block. RESIZED: with the ticket of RESIZING, the new block, size, stack; a block of 0:
 * it was freed if size is 0, else it is as it was. */
enum { ALLOCATED, FREED, RESIZING, RESIZED, GROWN };

typedef struct event {
    uint32_t kind;  /* the lowest 3 bits; the ticket is above them */
    uint32_t stack; /* its number, from 1 */
    uint64_t block, size;
} event;

/* LOCK: 1 while somebody changes the buffer. COUNT: its events. BATCH: how often it was emptied.
 * STACKS: numbers that were given out. CHANNEL: of the threads; 0: not begun yet. LIMIT: frames of
 * a stack. STACK_TOP, STACK_LOWEST: the main thread's stack pointer at its last event, and its
 * lowest at any event. */
static struct {
    int32_t numbers[NUMBERS];
    double addresses[ADDRESSES];
    event events[EVENTS];
} state;

/* --- JavaScript --------------------------------------------------------------------------------*/

/* It is of 2015 at most, which old versions of Emscripten understand. Names in quotes are read from
 * outside, and Closure must not rename them. */
// clang-format off
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpedantic"

/* In the main thread: make the source that toll-heap.mjs reads. It has the counters of Emscripten's
 * own profiler, by the same names. */
EM_JS(void, toll_heap_begin, (double numbers, double addresses, double events), {
  var NUMBER = numbers / 4, LOCK = NUMBER, COUNT = NUMBER + 1, BATCH = NUMBER + 2, STACKS = NUMBER + 3;
  var EVENTS = 1024, WORDS = 6, TICKETS = 536870912, HIGH = 4294967296;
  var address = function (i) { return HEAPF64[addresses / 8 + i]; };

  /* Blocks in use, by address: open addressing, linear probing. A slot with address 0 is empty. */
  var bits = 10, used = 0, at, sizes, stackOf, ageOf;
  var makeSlots = function () {
    at = new Float64Array(1 << bits);
    sizes = new Float64Array(1 << bits);
    stackOf = new Uint32Array(1 << bits);
    ageOf = new Uint32Array(1 << bits);
  };
  makeSlots();
  var home = function (block) { return Math.imul(block / 8 ^ block / HIGH, 0x9E3779B1) >>> (32 - bits); };
  var find = function (block) { /* its slot, or the empty one where it belongs */
    var mask = at.length - 1, slot = home(block);
    while (at[slot] !== 0 && at[slot] !== block) slot = (slot + 1) & mask;
    return slot;
  };
  var put = function (block, size, stack, age) {
    var slot = find(block);
    at[slot] = block;
    sizes[slot] = size;
    stackOf[slot] = stack;
    ageOf[slot] = age;
  };
  var insert = function (block, size, stack, age) {
    if (++used * 2 > at.length) {
      var old = [at, sizes, stackOf, ageOf];
      bits++;
      makeSlots();
      for (var i = 0; i < old[0].length; i++)
        if (old[0][i] !== 0) put(old[0][i], old[1][i], old[2][i], old[3][i]);
    }
    put(block, size, stack, age);
  };
  var remove = function (slot) { /* later ones move up where they are then found */
    var mask = at.length - 1, empty = slot;
    used--;
    for (;;) {
      at[empty] = 0;
      do {
        slot = (slot + 1) & mask;
        if (at[slot] === 0) return;
      } while (((slot - home(at[slot])) & mask) < ((slot - empty) & mask));
      at[empty] = at[slot];
      sizes[empty] = sizes[slot];
      stackOf[empty] = stackOf[slot];
      ageOf[empty] = ageOf[slot];
      empty = slot;
    }
  };

  /* What each stack has in use, by its number. Threads have numbers of their own for one stack: these are one site
   * once their text is known. */
  var stacks = [], sites = [], byText = new Map(), grown = new Set(), named = 0;
  var allocated = 0, freed = 0, bytes = 0, reused = 0, unknown = 0, lost = 0, snapshots = 0;
  var sbrkValue = address(0), growths = 1;
  var siteOf = function (stack) {
    var site = stacks[stack];
    if (!site) sites.push(site = stacks[stack] = { text: null, place: sites.length, count: 0, bytes: 0, growths: 0, growth: 0, ages: new Map() });
    return site;
  };
  var addTo = function (site, age, count, size) {
    var aged = site.ages.get(age);
    if (readings.length) keep(site);
    if (!aged) site.ages.set(age, aged = [0, 0]);
    site.count += count;
    site.bytes += size;
    aged[0] += count;
    aged[1] += size;
    if (aged[0] === 0) site.ages.delete(age);
  };
  var add = function (stack, age, count, size) {
    addTo(siteOf(stack), age, count, size);
    bytes += size;
  };
  var grow = function (site, count, size) {
    site.growths += count;
    site.growth += size;
    grown.add(site);
  };

  /* --- readings: the sites as they were when the reading began, while the program runs. A site that changes before it
   * was read is kept as it was. */
  var readings = [];
  var copyOf = function (site) {
    var ages = Array.from(site.ages).sort(function (a, b) { return a[0] - b[0]; });
    return [site.text === null ? "unknown" : site.text, site.count, site.bytes,
            [].concat.apply([], ages.map(function (age) { return [age[0], age[1][0], age[1][1]]; }))];
  };
  var keep = function (site) {
    readings.forEach(function (reading) {
      if (site.place >= reading.next && site.place < reading.end && !reading.kept.has(site)) reading.kept.set(site, copyOf(site));
    });
  };
  /* An iterator. Close it with return(), since changes cost more until then. */
  var read = function () {
    var reading = { next: 0, end: sites.length, kept: new Map() }, iterator = {};
    readings.push(reading);
    iterator["return"] = function () {
      readings = readings.filter(function (other) { return other !== reading; });
      return { "done": true, "value": undefined };
    };
    iterator["next"] = function () {
      while (reading.next < reading.end) {
        var site = sites[reading.next++], copy = reading.kept.get(site) || (site.count ? copyOf(site) : null);
        reading.kept.delete(site);
        if (copy && copy[1]) return { "done": false, "value": copy };
      }
      return iterator["return"]();
    };
    return iterator;
  };

  /* --- events */
  var pending = new Map(); /* by ticket: blocks that are being resized; they count until then */
  var take = function (block) { /* out of the blocks in use; null: it is not there */
    var slot = find(block);
    if (at[slot] === 0) {
      unknown++;
      return null;
    }
    var known = { block: block, size: sizes[slot], stack: stackOf[slot], age: ageOf[slot] };
    remove(slot);
    return known;
  };
  var release = function (block) { /* take it, and count it as freed */
    var slot = find(block);
    if (at[slot] === 0) {
      unknown++;
      return;
    }
    freed++;
    add(stackOf[slot], ageOf[slot], -1, -sizes[slot]);
    remove(slot);
  };
  var allocate = function (block, size, stack) {
    if (at[find(block)] !== 0) {
      reused++;
      release(block);
    }
    allocated++;
    add(stack, snapshots + 1, 1, size);
    insert(block, size, stack, snapshots + 1);
  };
  var resized = function (ticket, block, size, stack) {
    var known = pending.get(ticket);
    pending.delete(ticket);
    if (block === 0 && size !== 0) { /* it has failed */
      if (known) insert(known.block, known.size, known.stack, known.age);
      return;
    }
    if (known) {
      freed++;
      add(known.stack, known.age, -1, -known.size);
    }
    if (block !== 0) allocate(block, size, stack);
  };
  var enlarged = function (end, stack) {
    if (end <= sbrkValue) return;
    grow(siteOf(stack), 1, end - sbrkValue);
    sbrkValue = end;
    growths++;
  };
  var apply = function (batch, words) {
    for (var i = 0; i < words.length; i += WORDS) {
      var kind = words[i] & 7, ticket = words[i] >>> 3, stack = words[i + 1];
      var block = words[i + 2] + words[i + 3] * HIGH, size = words[i + 4] + words[i + 5] * HIGH;
      if (kind === 0) allocate(block, size, stack);
      else if (kind === 1) release(block);
      else if (kind === 2) pending.set((batch * EVENTS + i / WORDS) % TICKETS, take(block));
      else if (kind === 3) resized(ticket, block, size, stack);
      else enlarged(block, stack);
    }
  };

  /* --- batches: they are applied in order; those of other threads come as messages */
  var next = 0, waiting = new Map();
  var applyWaiting = function () {
    for (var words; (words = waiting.get(next));) {
      waiting.delete(next);
      apply(next++, words);
    }
  };
  var receive = function (batch, words) {
    if (batch < next) return; /* it was given up */
    if (batch === next) apply(next++, words);
    else waiting.set(batch, words.slice());
    applyWaiting();
    if (waiting.size && !watch) watchWaiting(-1);
  };
  /* Batches wait for one that does not come: give it up when the page had its turn twice meanwhile. */
  var watch = null;
  var watchWaiting = function (seen) {
    watch = setTimeout(function () {
      watch = null;
      if (waiting.size === 0) return;
      if (next === seen) giveUp(next + 1, 0);
      if (waiting.size) watchWaiting(next);
    }, 2000);
    if (watch["unref"]) watch["unref"]();
  };
  var missing = 0; /* names that were given up */
  var name = function (stack, text) {
    var site = siteOf(stack), known = byText.get(text);
    if (known) {
      Array.from(site.ages).forEach(function (age) { /* first to the other: readings have both as they were */
        addTo(known, age[0], age[1][0], age[1][1]);
        addTo(site, age[0], -age[1][0], -age[1][1]);
      });
      if (site.growths) grow(known, site.growths, site.growth);
      grown.delete(site);
      stacks[stack] = known;
    } else {
      site.text = text;
      byText.set(text, site);
    }
    named++;
    if (missing > 0) missing--;
  };
  var empty = function () { /* the buffer */
    for (var spins = 0; Atomics.exchange(HEAP32, LOCK, 1) !== 0;)
      if (spins++ > 1e7) { /* its thread was ended: an event of it may be missing */
        lost++;
        break;
      }
    var count = Atomics.exchange(HEAP32, COUNT, 0), words = HEAPU32.slice(events / 4, events / 4 + count * WORDS);
    var batch = count ? Atomics.add(HEAP32, BATCH, 1) : -1;
    Atomics.store(HEAP32, LOCK, 0);
    if (count) receive(batch, words);
  };
  var isSettled = function (until, untilStack) { return next >= until && named + missing >= untilStack; };
  var giveUp = function (until, untilStack) {
    missing = Math.max(missing, untilStack - named);
    while (next < until) {
      if (!waiting.has(next)) {
        next++;
        lost += EVENTS;
      }
      applyWaiting();
    }
  };
  var siteCount = function () { return sites.reduce(function (sum, site) { return sum + (site.count > 0); }, 0); };

  var source = {
    "tollTake": receive,
    "tollNamed": name,
    "tollName": Module["tollHeapName"] || "",
    "tollNumbers": function () {
      return { "heapSize": HEAP8.length, "heapBase": address(0), "sbrkValue": (empty(), sbrkValue),
               "stackBase": address(1), "stackTop": address(2), "stackMax": address(3) };
    },
    /* A promise: all events that happened until now have come; null: they have. After two seconds in which none comes it goes on
     * without the missing ones, which are counted. */
    "tollSettled": function () {
      empty();
      var until = Atomics.load(HEAP32, BATCH), untilStack = Atomics.load(HEAP32, STACKS), seen = "", since = 0;
      if (isSettled(until, untilStack)) return null;
      return new Promise(function (resolve) {
        var look = function () {
          var now = performance.now();
          if (seen !== next + " " + named) since = now;
          seen = next + " " + named;
          if (!isSettled(until, untilStack) && now < since + 2000) return setTimeout(look, 1);
          giveUp(until, untilStack);
          resolve();
        };
        look();
      });
    },
    /* [stack, count, bytes, ages]; ages: [snapshot that was the first to have them, count, bytes, ...] */
    "tollSites": function () {
      empty();
      return read();
    },
    /* [stack, growths, bytes] */
    "tollGrowth": function () {
      empty();
      return [["initial heap sbrk limit", 1, address(0)]].concat(Array.from(grown).map(function (site) {
        return [site.text === null ? "unknown" : site.text, site.growths, site.growth];
      }));
    },
    "tollEndSnapshot": function () { source["tollSnapshots"] = ++snapshots; },
    "tollSnapshots": 0 /* of the page: all its programs count alike */
  };
  var define = function (name, get) {
    Object.defineProperty(source, name, { "get": function () { empty(); return get(); }, "enumerable": true });
  };
  define("totalMemoryAllocated", function () { return bytes; });
  define("totalTimesMallocCalled", function () { return allocated; });
  define("totalTimesFreeCalled", function () { return freed; });
  define("allocationsAtLoc", function () {
    var all = {}, reading = read();
    for (var each; !(each = reading["next"]())["done"];) {
      var site = each["value"], sum = all[site[0]] || (all[site[0]] = [0, 0]); /* "unknown" comes more than once */
      sum[0] += site[1];
      sum[1] += site[2];
    }
    return all;
  });
  define("tollSiteCount", siteCount);
  define("sbrkValue", function () { return sbrkValue; });
  define("tollGrowths", function () { return growths; });
  define("stackTopWatermark", function () { return address(4) || undefined; });
  define("pagePreRunIsFinished", function () { return typeof runtimeInitialized === "undefined" || runtimeInitialized; });
  define("tollIsShared", function () { return false; });
  define("tollStackLimit", function () { return HEAP32[NUMBER + 5]; });
  define("tollReused", function () { return reused; }); /* allocations at the address of a block in use */
  define("tollUnknown", function () { return unknown; }); /* frees of an address that has no block */
  define("tollLost", function () { return lost; }); /* events that did not come */
  Module["tollHeapSource"] = source;
  var sources = globalThis["tollHeapSources"] = globalThis["tollHeapSources"] || [];
  sources.forEach(function (other) { snapshots = source["tollSnapshots"] = Math.max(snapshots, other["tollSnapshots"] || 0); });
  sources.push(source);

  HEAP32[NUMBER + 5] = (globalThis["tollHeapOptions"] || {})["stackLimit"] || 256;
  if (!(HEAP8.buffer instanceof ArrayBuffer)) { /* threads are possible */
    var id = new Uint32Array(1);
    if (globalThis["crypto"] && crypto.getRandomValues) crypto.getRandomValues(id);
    else id[0] = Math.random() * HIGH;
    HEAP32[NUMBER + 4] = id[0] >>> 1 || 1;
    var Channel = typeof BroadcastChannel !== "undefined" ? BroadcastChannel : typeof require === "function" ? require("worker_threads")["BroadcastChannel"] : null;
    if (Channel) {
      var channel = new Channel("toll-heap-" + HEAP32[NUMBER + 4]);
      channel.onmessage = function (message) {
        if (message.data[0]) name(message.data[0], message.data[1]);
        else receive(message.data[1], message.data[2]);
      };
      if (channel["unref"]) channel["unref"](); /* Node may end */
    }
  } else HEAP32[NUMBER + 4] = 1;
  if (globalThis["tollHeap"]) globalThis["tollHeap"]["attach"]();
});

/* In each thread: make what captures stacks, and sends to the source. */
EM_JS(void, toll_heap_join, (double numbers, double events, double isMain), {
  if (Module["tollHeapThread"]) return; /* a worker runs one thread after another */
  var NUMBER = numbers / 4, WORDS = 6, ids = new Map(), channel = null;
  var limit = HEAP32[NUMBER + 5], source = Module["tollHeapSource"];
  if (!isMain) {
    var Channel = typeof BroadcastChannel !== "undefined" ? BroadcastChannel : typeof require === "function" ? require("worker_threads")["BroadcastChannel"] : null;
    if (Channel) channel = new Channel("toll-heap-" + HEAP32[NUMBER + 4]);
    if (channel && channel["unref"]) channel["unref"]();
  }
  /* The stack of the caller, whatever the page does with Error. */
  var capture = function () {
    var prepare = Error["prepareStackTrace"], most = Error["stackTraceLimit"], isOther = most !== undefined && most !== limit;
    if (prepare) Error["prepareStackTrace"] = undefined;
    if (isOther) Error["stackTraceLimit"] = limit;
    try {
      return String(new Error().stack);
    } finally { /* also where the stack has no room for a call */
      if (isOther) Error["stackTraceLimit"] = most;
      if (prepare) Error["prepareStackTrace"] = prepare;
    }
  };
  Module["tollHeapThread"] = {
    stack: function () {
      var text = capture(), id = ids.get(text);
      if (id) return id;
      id = Atomics.add(HEAP32, NUMBER + 3, 1) + 1;
      ids.set(text, id);
      if (isMain) source["tollNamed"](id, text);
      else if (channel) channel.postMessage([id, text]);
      return id;
    },
    full: function (batch, count) {
      var words = HEAPU32.subarray(events / 4, events / 4 + count * WORDS);
      if (isMain) source["tollTake"](batch, words);
      else if (channel) channel.postMessage([0, batch, words.slice()]);
    }
  };
});

EM_JS(double, toll_heap_stack, (void), { return Module["tollHeapThread"].stack(); });
EM_JS(void, toll_heap_full, (double batch, double count), { Module["tollHeapThread"].full(batch, count); });
#pragma clang diagnostic pop
// clang-format on

/* --- reporting ---------------------------------------------------------------------------------*/

static __thread bool has_begun, is_main;

/* Within functions of the allocator and of the runtime whose blocks are not the program's: some
 * call malloc by its name, and give the block back by another. */
static __thread bool is_inside;

static uintptr_t heap_end; /* as it was reported last; atomic */

/* Run in each thread before its first event; in the main thread in any case, since a program that
 * never allocates has a heap to show, too. */
__attribute__((constructor)) static void begin(void)
{
    double numbers = (double)(uintptr_t)state.numbers, events = (double)(uintptr_t)state.events;
    if (has_begun)
        return;
    has_begun = true;
    is_main = state.numbers[CHANNEL] == 0;
    if (is_main) {
        heap_end = (uintptr_t)&__heap_base;
        state.addresses[HEAP_BASE] = (double)heap_end;
        state.addresses[STACK_BASE] = (double)emscripten_stack_get_base();
        state.addresses[STACK_MAX] = (double)emscripten_stack_get_end();
        state.addresses[STACK_TOP] = (double)emscripten_stack_get_current();
        toll_heap_begin(numbers, (double)(uintptr_t)state.addresses, events);
    }
    toll_heap_join(numbers, events, is_main);
}

/* A fiber has a stack of its own, elsewhere. */
static void note_stack(void)
{
    double top = (double)emscripten_stack_get_current(), *lowest = &state.addresses[STACK_LOWEST];
    state.addresses[STACK_TOP] = top;
    if (top >= state.addresses[STACK_MAX] && top <= state.addresses[STACK_BASE] &&
        (*lowest == 0 || top < *lowest))
        *lowest = top;
}

/* Other threads hold the lock for some microseconds. One that was ended meanwhile never gives it
 * back: then it is taken. */
static void lock(void)
{
#ifdef HAS_THREADS
    for (uint32_t spins = 0; __atomic_exchange_n(&state.numbers[LOCK], 1, __ATOMIC_ACQUIRE);
         spins++)
        if (spins == 100000000)
            return;
#endif
}

static void unlock(void)
{
    __atomic_store_n(&state.numbers[LOCK], 0, __ATOMIC_RELEASE);
}

/* Put an event into the buffer; returns its ticket. */
static uint32_t put(event e)
{
    if (is_main)
        note_stack();
    lock();
    if (state.numbers[COUNT] == EVENTS) {
        toll_heap_full((double)state.numbers[BATCH], EVENTS);
        state.numbers[BATCH]++;
        state.numbers[COUNT] = 0;
    }
    int32_t place = state.numbers[COUNT];
    uint32_t ticket = ((uint32_t)state.numbers[BATCH] * EVENTS + (uint32_t)place) % TICKETS;
    state.events[place] = e;
    state.numbers[COUNT] = place + 1; /* after it: a thread may be ended in between */
    unlock();
    return ticket;
}

INLINED event event_of(uint32_t kind, void *block, size_t size, uint32_t stack)
{
    event e = { kind, stack, (uintptr_t)block, size };
    return e;
}

/* The number of this stack: of the function that calls malloc, since all between is inlined. */
INLINED uint32_t stack_number(void)
{
    begin();
    return (uint32_t)toll_heap_stack();
}

INLINED void report_growth(uint32_t stack)
{
    void *end = sbrk(0);
    if (__atomic_exchange_n(&heap_end, (uintptr_t)end, __ATOMIC_SEQ_CST) != (uintptr_t)end)
        put(event_of(GROWN, end, 0, stack));
}

/* The program gets a block (or NULL). */
INLINED void *report(void *block, size_t size)
{
    if (!block || is_inside)
        return block;
    uint32_t stack = stack_number();
    put(event_of(ALLOCATED, block, size, stack));
    report_growth(stack);
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
        begin();
        put(event_of(FREED, block, 0, 0));
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
 * freed. Another thread may get the old block's address before this function has returned: so there
 * is an event before. */
void *realloc(void *block, size_t size)
{
    if (!block || is_inside)
        return report(resize(block, size), size);
    begin();
    uint32_t ticket = put(event_of(RESIZING, block, 0, 0));
    void *resized = resize(block, size);
    uint32_t stack = resized ? stack_number() : 0;
    put(event_of(RESIZED | ticket << 3, resized, size, stack));
    if (resized)
        report_growth(stack);
    return resized;
}

void *memalign(size_t alignment, size_t size)
{
    return align(alignment, size);
}

/* The rule of C11, as Emscripten's own function has it. */
void *aligned_alloc(size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0 || size % alignment != 0)
        return NULL;
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

/* Weak, since those of mimalloc are not. */
__attribute__((weak)) void *valloc(size_t size)
{
    return align(PAGE, size);
}

__attribute__((weak)) void *pvalloc(size_t size)
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
