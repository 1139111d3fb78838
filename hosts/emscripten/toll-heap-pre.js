// toll-heap-pre.js - runs inside a program's script, before it allocates; toll-heap.mjs does the rest. Use it with
// `emcc --memoryprofiler --pre-js toll-heap-pre.js`.
//
// - It raises the limit at which engines cut stacks (10 frames).
// - It starts the profiler also where there is no document (in workers, in Node).
// - It makes the profiler known to the page if the program is built as a function (-sMODULARIZE).
// - It marks the profiler once other threads use the heap.
// - It mends what the profiler gets wrong of aligned blocks, and of a realloc that fails.
//
// In a program without the profiler, and in a thread's worker, which runs no preRun, it only raises the limit.
(() => {
  const limit = (globalThis.tollHeapOptions || {}).stackLimit || 256;
  if ("stackTraceLimit" in Error && Error.stackTraceLimit < limit) Error.stackTraceLimit = limit;

  // The profiler is declared later in this script, or never.
  const profiler = () => (typeof emscriptenMemoryProfiler === "undefined" ? undefined : emscriptenMemoryProfiler);

  /** Connect the profiler to malloc, realloc, free and the heap's growth, as it does itself in a page. Old versions of
   *  Emscripten pass a block's address and size, newer ones also its stack.
   */
  function startWithoutDocument(profiler) {
    for (const name of ["onMalloc", "onRealloc", "onFree", "onSbrkGrow"])
      Module[name] = (...args) => profiler[name](...args);
    profiler.pagePreRunIsFinished = true;
  }

  /** Mend two faults. When dlmalloc aligns a block, the profiler hears the address of the piece that the block is cut
   *  from, but at its end the block's own. And of a realloc that fails it hears that the old block has gone.
   */
  function mend(profiler) {
    const { onMalloc, onRealloc, onFree } = profiler, sizes = profiler.sizeOfAllocatedPtr;
    const tables = [sizes, profiler.allocationSitePtrs, profiler.sizeOfPreRunAllocatedPtr || {}], FURTHEST = 65536;
    profiler.tollUnknown = 0;

    /** The beginning of a piece is given out again: its block is further inside. Keep it under a key that is no address. */
    const displaced = new Map(); // by address: the keys of the pieces that began there
    let places = 0;
    const displace = ptr => {
      const key = `${ptr}#${places++}`;
      displaced.set(ptr, [...displaced.get(ptr) || [], key]);
      for (const table of tables)
        if (ptr in table) {
          table[key] = table[ptr];
          delete table[ptr];
        }
    };

    const forget = key => {
      const at = parseInt(key), left = (displaced.get(at) || []).filter(other => other !== key);
      if (left.length) displaced.set(at, left);
      else displaced.delete(at);
    };

    /** The key of the nearest piece that `ptr` is in; undefined: there is none. */
    const pieceAround = ptr => {
      for (let at = ptr - 8; at > 0 && at > ptr - FURTHEST; at -= 8)
        for (const key of [at, ...displaced.get(at) || []])
          if (at + sizes[key] > ptr) return key;
      return undefined;
    };

    profiler.onMalloc = (ptr, ...rest) => {
      if (ptr && ptr in sizes) displace(ptr);
      onMalloc.call(profiler, ptr, ...rest);
    };
    profiler.onFree = (ptr, ...rest) => {
      const key = !ptr || ptr in sizes ? ptr : pieceAround(ptr);
      if (key === undefined) profiler.tollUnknown++;
      else onFree.call(profiler, key, ...rest);
      if (key !== ptr) forget(key);
    };
    profiler.onRealloc = (old, ptr, size, ...rest) => {
      if (ptr || !size) onRealloc.call(profiler, old, ptr, size, ...rest);
    };
  }

  /** Mark the profiler when a thread starts, since it does not see what threads allocate and free, or sees it late.
   *  Mark it at once if the memory is shared without pthreads (Wasm Workers), since their start is not seen.
   */
  function watchThreads(profiler) {
    profiler.tollIsShared = false;
    if (typeof PThread !== "undefined" && PThread.getNewWorker) {
      const getNewWorker = PThread.getNewWorker;
      PThread.getNewWorker = (...args) => {
        const worker = getNewWorker.apply(PThread, args);
        if (worker) profiler.tollIsShared = true;
        return worker;
      };
    } else if (typeof HEAP8 !== "undefined" && HEAP8) {
      profiler.tollIsShared = !(HEAP8.buffer instanceof ArrayBuffer);
    }
  }

  /** The program's addresses, in bytes. Empty before its functions can be called, and after its end. */
  function numbers() {
    if (typeof runtimeInitialized !== "undefined" && !runtimeInitialized) return {};
    if (typeof runtimeExited !== "undefined" && runtimeExited) return {};
    const known = {}, read = (name, ...ways) => {
      for (const get of ways)
        try {
          known[name] = known[name] === undefined ? get() : known[name];
        } catch (error) { // this version of Emscripten does not have it
        }
    };
    read("heapSize", () => HEAP8.length);
    read("heapBase", () => ___heap_base, () => Module["___heap_base"]);
    read("sbrkValue", () => _sbrk(0), () => Number(_sbrk(BigInt(0)))); // the second: -sMEMORY64
    read("stackBase", () => _emscripten_stack_get_base());
    read("stackTop", () => _emscripten_stack_get_current());
    read("stackMax", () => _emscripten_stack_get_end());
    read("allocatorBytes", usedByAllocator);
    return known;
  }

  /** The bytes that the allocator has in use, uordblks of mallinfo: the eighth of ten numbers. */
  function usedByAllocator() {
    const stack = stackSave();
    try {
      const info = stackAlloc(40);
      _mallinfo(info); // a BigInt is asked for with -sMEMORY64: it is not read
      return HEAPU32[info / 4 + 7];
    } finally {
      stackRestore(stack);
    }
  }

  Module["preRun"] = [].concat(Module["preRun"] || [], () => {
    if (!profiler()) return;
    globalThis.emscriptenMemoryProfiler = profiler();
    profiler().tollNumbers = numbers;
    watchThreads(profiler());
    if (profiler().sizeOfAllocatedPtr) mend(profiler());
    if (typeof document === "undefined") startWithoutDocument(profiler());
    if (globalThis.tollHeap) globalThis.tollHeap.attach();
  });
})();
