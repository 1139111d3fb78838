// worker.mjs - Decodes large blocks in workers. A worker runs the page's own script again, which then handles requests
// (page.mjs). Blocks are decoded in parallel, while the page handles events.
import { decodeSums } from "./sums.mjs";
import { decodeLanes } from "./timeline/timeline_decode.mjs";
import { decodeTree } from "./tree.mjs";

const TASKS = { tree: decodeTree, sums: decodeSums, lanes: decodeLanes };
const LEAST = 100000; // nodes or events; fewer take less time than starting a worker

/** What the task makes of its input. Where no worker may run, it is done here. */
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

/** Of all arrays in a value. */
const buffersOf = value => ArrayBuffer.isView(value) ? [value.buffer]
  : value && typeof value === "object" ? Object.values(value).flatMap(buffersOf) : [];

/** In a worker: do what is asked for; arrays of the result go over to the page without a copy. */
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
