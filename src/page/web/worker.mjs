// worker.mjs - Decodes large blocks in workers, in parallel, while the page handles events. A worker runs the page's
// own script again, which then serves requests (page.mjs).
import { decodeSums } from "./sums.mjs";
import { decodeLanes } from "./timeline/timeline_decode.mjs";
import { decodeTree } from "./tree.mjs";

const TASKS = { tree: decodeTree, sums: decodeSums, lanes: decodeLanes };
const LEAST = 100000; // nodes or events; fewer take less time than starting a worker

/** The result of a task. It runs in a worker, or here if no worker may run. */
export function offThread(task, input) {
  if (input.count < LEAST) return TASKS[task](input);
  return new Promise((done, failed) => {
    const script = document.querySelector('script[type="module"]').textContent;
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    worker.onmessage = ({ data: { result, problem } }) => {
      worker.terminate();
      if (problem) failed(new Error(problem));
      else done(result);
    };
    worker.onerror = () => done(TASKS[task](input));
    worker.postMessage({ task, input });
  });
}

/** The buffers of all typed arrays in a value. */
const buffersOf = value => ArrayBuffer.isView(value) ? [value.buffer]
  : value && typeof value === "object" ? Object.values(value).flatMap(buffersOf) : [];

/** In a worker: run the requested tasks. Arrays of the result are moved to the page without a copy. */
export function serve() {
  onmessage = async ({ data: { task, input } }) => {
    try {
      const result = await TASKS[task](input);
      postMessage({ result }, buffersOf(result));
    } catch (error) {
      postMessage({ problem: error.message });
    }
  };
}
