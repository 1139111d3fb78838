// node_program.cjs NAME [WASM] - a program of -sMODULARIZE in Node: prints its heap for speedscope, and its counters.
// WASM: where toll.wasm is.
const fs = require("node:fs");

(async () => {
  const program = await require(`./page/${process.argv[2]}.js`)({ wasmBinary: fs.readFileSync(`page/${process.argv[2]}.wasm`) });
  globalThis.tollHeapOptions = process.argv[3] && { wasm: process.argv[3] };
  const { tollHeap } = await import("./page/toll-heap.mjs").then(() => globalThis);
  program._fill(0, 2000, 0);
  if ((await tollHeap.snapshot()).objects !== 2000) throw new Error("a snapshot without a page");
  const heap = await tollHeap.buildSpeedscopeJson(), counters = JSON.parse(tollHeap.getSnapshotJson());
  fs.writeFileSync(1, JSON.stringify({ heap, counters }));
})();
