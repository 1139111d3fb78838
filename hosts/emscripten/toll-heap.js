// toll-heap.js - loads toll-heap.mjs into pages and workers that use classic scripts:
//
//     <script src="toll-heap.js"></script> before the program's script, or importScripts("toll-heap.js")
//
// Once it is loaded, globalThis.tollHeap exists; globalThis.tollHeapReady is a promise of it.
(() => {
  const options = globalThis.tollHeapOptions || {}, limit = options.stackLimit || 256;
  if ("stackTraceLimit" in Error && Error.stackTraceLimit < limit) Error.stackTraceLimit = limit;
  const script = typeof document === "undefined" ? undefined : document.currentScript;
  const base = script ? script.src : globalThis.location.href;
  globalThis.tollHeapReady = import(options.module || new URL("toll-heap.mjs", base).href);
})();
