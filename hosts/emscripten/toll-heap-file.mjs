// toll-heap-file.mjs - makes the file of a snapshot with toll.wasm, for toll-heap.mjs: in a worker, so that the page is
// not held up; or, where none can be had, in the caller's thread, in slices between which the page runs.
//
// toll.wasm parses the stacks, sorts the sites and writes the files. It has a memory of its own, so the profiled heap
// does not change.
import { cString, Library } from "./library.mjs";

const WORKER = "toll-heap-file"; // the name of such a worker
const SLICE = 8; // milliseconds, after which the page runs: at most 10 with the last step
const PIECE = 1000; // sites that one step writes
const MORE = -1; // returned by sites_step: call it again

// --- slices ---------------------------------------------------------------------------------------

/** Let the page run: resolves after the events that are waiting. */
const pause = () => new Promise(resume => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resume();
  };
  port2.postMessage(0);
});

/** Call `step` until it returns false; pauses in between. */
export async function inSlices(step) {
  for (let end = performance.now() + SLICE; step();)
    if (performance.now() > end) {
      await pause();
      end = performance.now() + SLICE;
    }
}

// --- toll.wasm ------------------------------------------------------------------------------------

/** In Node, the file that `place`, a URL or text, names. Undefined in a page, and if `place` must be fetched. */
function fileOf(place) {
  const text = String(place);
  if (!globalThis.process?.versions?.node || /^(https?|data|blob):/i.test(text)) return undefined;
  return text.startsWith("file:") ? new URL(text) : text;
}

/** The bytes of toll.wasm. A page fetches them; Node reads the file. */
async function fetchLibrary(place) {
  const file = fileOf(place);
  if (file !== undefined) return (await import("node:fs")).readFileSync(file);
  const response = await fetch(place);
  if (!response.ok) throw new Error(`toll: ${place}: ${response.status}; put toll.wasm beside toll-heap.mjs`);
  return response.arrayBuffer();
}

let loading; // of toll.wasm, once for each thread

/** A buffer for one text in toll.wasm's memory. It is used again for each text, and grows if one is longer. */
class Text {
  constructor(c) {
    this.c = c;
    this.room = this.at = 0;
    this.encoder = new TextEncoder();
  }

  /** Write the text at this.at; returns its size in bytes. */
  put(text) {
    const most = text.length * 3; // of UTF-8
    if (most > this.room) {
      this.c.release(this.at);
      this.at = this.c.alloc(this.room = most * 2);
      if (!this.at) throw new Error("toll: no memory for a stack");
    }
    return this.encoder.encodeInto(text, new Uint8Array(this.c.memory.buffer, this.at, this.room)).written;
  }
}

const gzip = (blob, type) => new Response(blob.stream().pipeThrough(new CompressionStream("gzip")),
                                          { headers: { "content-type": type } }).blob();

/** A file that is made in this thread. */
class FileHere {
  /** facts: { limit, isShared, noted, allocators }, of sites_begin, sites_noted and sites_allocator; wasm: the URL of
   *  toll.wasm, or undefined for the one beside this script.
   */
  async begin({ limit, isShared, noted, allocators, wasm }) {
    loading ??= fetchLibrary(wasm ?? new URL("toll.wasm", import.meta.url)).then(WebAssembly.compile).catch(error => {
      loading = undefined; // so that the next snapshot tries again
      throw error;
    });
    const library = this.library = new Library(await loading, () => 0), { c } = library;
    this.text = new Text(c);
    library.check(c.sites_begin(limit, isShared));
    noted.forEach((count, what) => library.check(c.sites_noted(what, count)));
    for (const name of allocators) {
      this.text.put(`${name}\0`);
      library.check(c.sites_allocator(this.text.at));
    }
  }

  /** Add sites: [stack, count, bytes, ages]. */
  add(sites) {
    const { text, library } = this, { c } = library;
    for (const [stack, count, bytes, ages] of sites) {
      const size = text.put(stack); // before text.at is read, since the buffer may move
      library.check(c.site(text.at, size, count, bytes));
      for (let a = 0; a < ages.length; a += 3) library.check(c.site_age(...ages.slice(a, a + 3)));
    }
  }

  /** Add growths of the heap: [stack, count, bytes]. */
  grow(growths) {
    const { text, library } = this;
    for (const [stack, count, bytes] of growths) {
      const size = text.put(stack);
      library.check(library.c.growth(text.at, size, count, bytes));
    }
  }

  /** Write the file. Returns { blob, told }, what sites_told knows. */
  async finish(format) {
    const pieces = [], { library } = this, { c } = library;
    library.sink = bytes => pieces.push(bytes.slice());
    library.sinkError = null;
    library.with([cString(format)], at => library.check(c.sites_write(3, at)));
    await inSlices(() => {
      const status = c.sites_step(PIECE);
      if (status !== MORE) library.check(status);
      return status === MORE;
    });
    const type = format === "pprof" ? "application/gzip" : "application/json", plain = new Blob(pieces, { type });
    const told = Array.from({ length: 8 }, (_, what) => c.sites_told(what));
    return { blob: format === "pprof" ? await gzip(plain, type) : plain, told };
  }

  end() {}
}

// --- workers --------------------------------------------------------------------------------------

/** The same, made in a worker. It is not usable if `isReady` resolves to false: the page does not allow workers, or
 *  the script is not there for one.
 */
class FileInWorker {
  constructor() {
    this.worker = new Worker(new URL("toll-heap-file.mjs", import.meta.url), { type: "module", name: WORKER });
    this.isReady = new Promise(resolve => {
      this.worker.onmessage = () => resolve(true);
      this.worker.onerror = event => {
        event.preventDefault?.(); // makeFile goes on without a worker
        resolve(false);
      };
    });
  }

  ask(message) {
    this.worker.postMessage(message);
    return new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data: { error, result } }) => (error ? reject(new Error(error)) : resolve(result));
      this.worker.onerror = event => reject(new Error(`toll: the worker that makes the file: ${event.message}`));
    });
  }

  begin(facts) {
    const wasm = facts.wasm === undefined ? undefined : new URL(facts.wasm, globalThis.document?.baseURI ?? globalThis.location?.href).href;
    return this.ask(["begin", { ...facts, wasm }]);
  }
  add(sites) { this.worker.postMessage(["add", sites]); }
  grow(growths) { this.worker.postMessage(["grow", growths]); }
  finish(format) { return this.ask(["finish", format]); }
  end() { this.worker.terminate(); }
}

/** A file that can be begun. The caller must call its end(). `mayWork`: whether a worker may be used. */
export async function makeFile(mayWork) {
  if (!mayWork || typeof Worker === "undefined") return new FileHere();
  try {
    const file = new FileInWorker();
    if (await file.isReady) return file;
    file.end();
  } catch { // this script is of another origin than the page
  }
  return new FileHere();
}

/** In such a worker: do what messages ask, in their order. The first failure is the answer to the next question. */
function answer() {
  const file = new FileHere();
  let work = Promise.resolve();
  globalThis.onmessage = ({ data: [what, value] }) => {
    work = work.then(() => file[what](value));
    work.catch(() => {}); // it is the answer, below or later
    if (what === "begin" || what === "finish")
      work.then(result => postMessage({ result }), error => postMessage({ error: error.message }));
  };
  postMessage("ready");
}

if (typeof WorkerGlobalScope !== "undefined" && globalThis.name === WORKER) answer();
