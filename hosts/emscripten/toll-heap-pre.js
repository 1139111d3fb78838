// toll-heap-pre.js - for `emcc --memoryprofiler --pre-js toll-heap-pre.js`: what must be done before a
// program allocates, and what only its own script can tell. toll-heap.mjs does the rest.
//
// It keeps whole stacks (engines cut them at 10 frames), also starts the profiler where there is no
// document (in workers, in Node), and makes it known to the page when the program is a function's own
// (-sMODULARIZE). In a program without the profiler it does nothing more than the first.
(() => {
  const limit = (globalThis.tollHeapOptions || {}).stackLimit || 256;
  if ("stackTraceLimit" in Error && Error.stackTraceLimit < limit) Error.stackTraceLimit = limit;

  // Declared later in this script, or never.
  const profiler = () => (typeof emscriptenMemoryProfiler === "undefined" ? undefined : emscriptenMemoryProfiler);

  // In a page the profiler takes these itself.
  if (typeof document === "undefined")
    for (const name of ["onMalloc", "onRealloc", "onFree"])
      Module[name] = (...args) => profiler() && profiler()[name](...args);

  /** Addresses, in bytes; none before the program can be called and after its end. */
  function numbers() {
    if (typeof runtimeInitialized !== "undefined" && !runtimeInitialized) return {};
    if (typeof runtimeExited !== "undefined" && runtimeExited) return {};
    const told = {}, tell = (name, get) => {
      try {
        told[name] = get();
      } catch (error) { // this version of Emscripten has it not
      }
    };
    tell("heapSize", () => HEAP8.length);
    tell("heapBase", () => Module["___heap_base"]);
    tell("sbrkValue", () => _sbrk(0));
    tell("stackBase", () => _emscripten_stack_get_base());
    tell("stackTop", () => _emscripten_stack_get_current());
    tell("stackMax", () => _emscripten_stack_get_end());
    return told;
  }

  Module["preRun"] = [].concat(Module["preRun"] || [], () => {
    if (!profiler()) return;
    globalThis.emscriptenMemoryProfiler = profiler();
    profiler().tollNumbers = numbers;
    if (typeof document === "undefined") profiler().pagePreRunIsFinished = true;
    if (globalThis.tollHeap) globalThis.tollHeap.attach();
  });
})();
