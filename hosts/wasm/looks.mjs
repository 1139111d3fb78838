// looks.mjs - sampled time: a thread looks every 100 us which frame of a recording is innermost. It reads this from the
// memory of toll.wasm, which is shared with it, so the guest does no work for a look.
import { ENTRY_BYTES, STATES, textForNode, textForPage, TIMES, WORDS } from "./look_thread.mjs";
import { readNumber, sections } from "./module_sections.mjs";

const { WANTED, AT, DOES, COUNT, LOOKS, BUSY_LOOKS } = WORDS, { IDLE, READY, LOOK, STOP, TELL } = STATES;
const PATIENCE_MS = 10_000; // a thread that does not answer for so long has died

/** Whether memory can be shared with another thread here. A page must be isolated from other origins for that. */
export const canLook = () => typeof SharedArrayBuffer === "function" &&
  (globalThis.crossOriginIsolated ?? true) && (globalThis.process?.versions?.node !== undefined || typeof Worker === "function");

/** The sampling thread. It looks at one recording at a time. */
export class Looks {
  /** `NodeWorker` is the class of node:worker_threads. Without it, the page's class is used. */
  constructor(NodeWorker = undefined) {
    if (NodeWorker) {
      this.worker = new NodeWorker(textForNode, { eval: true });
      this.worker.unref();
    } else {
      this.worker = new Worker(URL.createObjectURL(new Blob([textForPage], { type: "text/javascript" })));
    }
    this.control = new Int32Array(new SharedArrayBuffer(64));
  }

  /** Get ready to look at a recording; isReady says when. */
  prepare({ library }) {
    const { memory, look_cells } = library.c;
    this.library = library;
    this.control.fill(0);
    Atomics.store(this.control, WANTED, READY);
    const cells = [...new Uint32Array(memory.buffer, look_cells(), 4)];
    this.worker.postMessage({ control: this.control, memory, cells });
  }

  get isReady() {
    return Atomics.load(this.control, DOES) === READY;
  }

  /** Look from now on, until stop(). */
  start() {
    this.wait(READY);
    this.demand(LOOK, LOOK);
  }

  /** How often it has looked since start(). */
  get count() {
    return Atomics.load(this.control, LOOKS);
  }

  demand(what, answer) {
    Atomics.store(this.control, WANTED, what);
    Atomics.notify(this.control, WANTED);
    this.wait(answer);
  }

  /** Wait until the thread is in a state. The main thread of a page must not sleep, so it waits in a loop, for less
   *  time than a look takes. */
  wait(state) {
    const { control } = this, end = performance.now() + PATIENCE_MS;
    for (let does; (does = Atomics.load(control, DOES)) !== state;) {
      if (performance.now() > end) throw new Error("toll: the sampling thread does not answer; use --clock each");
      try {
        Atomics.wait(control, DOES, does, 100);
      } catch {
        // wait in the loop
      }
    }
  }

  /** Stop looking, and add what was seen since start() to the recording. Returns { looks, busyLooks }. */
  stop() {
    const { library: { c }, control } = this;
    this.demand(STOP, STOP);
    const count = control[COUNT], at = c.alloc(ENTRY_BYTES * count);
    control[AT] = at;
    this.demand(at ? TELL : IDLE, IDLE);
    if (!at) throw new Error("toll: no memory");
    const times = new Float64Array(control.buffer, 4 * WORDS.TIMES, 3), ns = name => BigInt(times[TIMES[name]]);
    c.looked(at, count, BigInt(control[LOOKS] >>> 0), ns("ALL"), ns("BUSY"), ns("UNSEEN"));
    c.release(at);
    return { looks: control[LOOKS], busyLooks: control[BUSY_LOOKS] };
  }
}

const MEMORY = 5; // the id of the section of memories

/** How many memories a module defines. */
export function memories(bytes) {
  for (const { id, content } of sections(bytes)) if (id === MEMORY) return readNumber(bytes, content)[0];
  return 0;
}

/** toll.wasm with a memory that can be shared: the same bytes except for the limits of the memory. */
export function withSharedMemory(bytes) {
  const SHARED = 3, MOST_PAGES = [0x80, 0x80, 0x04]; // 65536
  for (const { id, start, content, end } of sections(bytes)) {
    if (id !== MEMORY) continue;
    const least = bytes.subarray(content + 2, readNumber(bytes, content + 2)[1]), memory = [1, SHARED, ...least, ...MOST_PAGES];
    const all = new Uint8Array(start + 2 + memory.length + bytes.length - end);
    all.set(bytes.subarray(0, start));
    all.set([MEMORY, memory.length, ...memory], start);
    all.set(bytes.subarray(end), all.length - (bytes.length - end));
    return all;
  }
  throw new Error("toll: toll.wasm has no memory of its own");
}
