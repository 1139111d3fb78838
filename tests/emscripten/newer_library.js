// newer_library.js - a small imitation of the heap profiler of Emscripten's main branch (6.0.9), for programs
// that an older Emscripten links with --tracing --js-library: it has that profiler's interface, not its code.
// What is new there: the tracing functions hand each event's stack over, the heap's growth is an event as
// well, the profiler makes itself global, and __heap_base is a variable of the script.
mergeInto(LibraryManager.library, {
  $emscriptenMemoryProfiler: {
    allocationsAtLoc: {},
    allocationSitePtrs: {},
    sizeOfAllocatedPtr: {},
    sbrkSources: [],
    totalMemoryAllocated: 0,
    totalTimesMallocCalled: 0,
    totalTimesFreeCalled: 0,
    pagePreRunIsFinished: false,

    onMalloc: function(ptr, size, loc) {
      if (!ptr || ptr in this.sizeOfAllocatedPtr) return;
      const site = this.allocationsAtLoc[loc] || (this.allocationsAtLoc[loc] = [0, 0, ""]);
      site[0]++;
      site[1] += size;
      this.allocationSitePtrs[ptr] = loc;
      this.sizeOfAllocatedPtr[ptr] = size;
      this.totalMemoryAllocated += size;
      this.totalTimesMallocCalled++;
      this.stackTopWatermark = Math.min(this.stackTopWatermark, _emscripten_stack_get_current());
    },
    onFree: function(ptr) {
      const size = this.sizeOfAllocatedPtr[ptr], loc = this.allocationSitePtrs[ptr];
      if (size === undefined) return;
      const site = this.allocationsAtLoc[loc];
      site[0]--;
      site[1] -= size;
      if (!site[0]) delete this.allocationsAtLoc[loc];
      delete this.allocationSitePtrs[ptr];
      delete this.sizeOfAllocatedPtr[ptr];
      this.totalMemoryAllocated -= size;
      this.totalTimesFreeCalled++;
    },
    onRealloc: function(before, after, size, loc) {
      this.onFree(before);
      this.onMalloc(after, size, loc);
    },
    onSbrkGrow: function(begin, end, loc) {
      if (!this.sbrkSources.length) this.sbrkSources.push({ stack: "initial heap sbrk limit<br>", begin: 0, end: begin });
      if (end > begin) this.sbrkSources.push({ stack: loc.replace(/\n/g, "<br />"), begin, end });
    },
    updateUi: function() {},

    /** As the real one does when its script runs: in a page only. */
    start: function() {
      this.stackTopWatermark = Infinity;
      if (typeof document !== "undefined") {
        for (const name of ["onMalloc", "onRealloc", "onFree", "onSbrkGrow"])
          Module[name] = (...args) => this[name](...args);
        Module["preRun"] = [].concat(Module["preRun"] || [], () => { this.pagePreRunIsFinished = true; });
      }
      globalThis.emscriptenMemoryProfiler = this;
    },
  },
  $emscriptenMemoryProfiler__postset: "emscriptenMemoryProfiler.start();",

  $traceEvent: function(name, ...args) {
    delete Module["___heap_base"]; // of the older one: only the variable is left
    if (Module[name]) Module[name](...args);
  },
  emscripten_trace_record_allocation__deps: ["$emscriptenMemoryProfiler", "$traceEvent"],
  emscripten_trace_record_allocation: function(ptr, size) {
    traceEvent("onMalloc", ptr, size, new Error().stack);
  },
  emscripten_trace_record_reallocation__deps: ["$traceEvent"],
  emscripten_trace_record_reallocation: function(before, after, size) {
    traceEvent("onRealloc", before, after, size, new Error().stack);
  },
  emscripten_trace_record_free__deps: ["$traceEvent"],
  emscripten_trace_record_free: function(ptr) {
    traceEvent("onFree", ptr);
  },
  emscripten_memprof_sbrk_grow__deps: ["$traceEvent"],
  emscripten_memprof_sbrk_grow: function(begin, end) {
    traceEvent("onSbrkGrow", begin, end, new Error().stack);
  },
});
