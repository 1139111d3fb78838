// work.js - a program in a worker (worker.html): it allocates, and answers with snapshots.
importScripts("toll-heap.js", "worker.js");

const ready = Promise.all([globalThis.tollHeapReady, Stacks()]).then(([toll, program]) => {
  program._fill(0, 100, 7);
  postMessage("ready");
  return toll;
});

onmessage = async ({ data }) => postMessage(await (await ready).downloadSnapshot(data));
