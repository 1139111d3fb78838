// toll-heap-pre.js - for `emcc --memoryprofiler --pre-js toll-heap-pre.js`: what must be done before a
// program allocates, and what only code inside its script can read. toll-heap.mjs does the rest.
//
// It raises the limit at which engines cut stacks (10 frames), starts the profiler also where there is no
// document (in workers, in Node), makes it known to the page when the program is built as a function
// (-sMODULARIZE), and marks it once other threads use the heap. In a program without the profiler, and in a
// thread's worker, which runs no preRun, it does only the first.
(() => {
  const limit = (globalThis.tollHeapOptions || {}).stackLimit || 256;
  if ("stackTraceLimit" in Error && Error.stackTraceLimit < limit) Error.stackTraceLimit = limit;

  // The profiler is declared later in this script, or never.
  const profiler = () => (typeof emscriptenMemoryProfiler === "undefined" ? undefined : emscriptenMemoryProfiler);

  /** Connect the profiler to malloc and its kin, as it does itself in a page. Old versions of Emscripten pass a
   *  block's address and size, newer ones also its stack, and they report the heap's growth in the same way. */
  function startWithoutDocument(profiler) {
    for (const name of ["onMalloc", "onRealloc", "onFree", "onSbrkGrow"])
      Module[name] = (...args) => profiler[name](...args);
    profiler.pagePreRunIsFinished = true;
  }

  /** Mark the profiler when a thread starts: it does not see what threads allocate and free, or sees it late.
   *  It is marked at once if the memory is shared without pthreads (Wasm Workers), whose start is not seen. */
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

  /** Addresses, in bytes. Empty before the program's functions can be called, and after its end. */
  function numbers() {
    if (typeof runtimeInitialized !== "undefined" && !runtimeInitialized) return {};
    if (typeof runtimeExited !== "undefined" && runtimeExited) return {};
    const told = {}, tell = (name, ...ways) => {
      for (const get of ways)
        try {
          told[name] = told[name] === undefined ? get() : told[name];
        } catch (error) { // this version of Emscripten does not have it
        }
    };
    tell("heapSize", () => HEAP8.length);
    tell("heapBase", () => ___heap_base, () => Module["___heap_base"]);
    tell("sbrkValue", () => _sbrk(0), () => Number(_sbrk(BigInt(0)))); // the second: -sMEMORY64
    tell("stackBase", () => _emscripten_stack_get_base());
    tell("stackTop", () => _emscripten_stack_get_current());
    tell("stackMax", () => _emscripten_stack_get_end());
    return told;
  }

  Module["preRun"] = [].concat(Module["preRun"] || [], () => {
    if (!profiler()) return;
    globalThis.emscriptenMemoryProfiler = profiler();
    profiler().tollNumbers = numbers;
    watchThreads(profiler());
    if (typeof document === "undefined") startWithoutDocument(profiler());
    if (globalThis.tollHeap) globalThis.tollHeap.attach();
  });
})();
