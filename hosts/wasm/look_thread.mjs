// look_thread.mjs - the sampling thread: the source text of a worker, for Node and pages. See looks.mjs.

// The words of `control`, which both threads share. The recording writes the first two, the sampling thread the others.
// WANTED is the state that the recording asks for, DOES the state in which the thread is.
export const WORDS = { WANTED: 0, AT: 1, DOES: 2, COUNT: 3, LOOKS: 4, BUSY_LOOKS: 5, TIMES: 6 };
export const TIMES = { BUSY: 0, UNSEEN: 1, ALL: 2 }; // three numbers of 64 bits from word TIMES on: nanoseconds
export const STATES = { IDLE: 0, READY: 1, LOOK: 2, STOP: 3, TELL: 4 }; // of WANTED and DOES
export const PERIOD_MS = 0.1, MOST_NS = 500_000; // the longest time that one look counts; the rest is UNSEEN
export const ENTRY_BYTES = 16; // of an entry of the table: host_look in toll/embedder.h

/** Look until this is no longer wanted, then write the table of what was seen. The thread has only this function's
 *  text, and passes what is exported above as `d`.
 *
 *  A look reads at most three words of toll.wasm's memory (cells, host_look_cells in toll/embedder.h), while the guest
 *  runs: is an event being handled, and which node is that of the innermost frame? */
function look(d, { control, memory, cells }) {
  const { WANTED, AT, DOES, COUNT, LOOKS, BUSY_LOOKS } = d.WORDS, { IDLE, READY, LOOK, STOP, TELL } = d.STATES, WAKES_LATE_MS = 0.055;
  const times = new Float64Array(control.buffer, 4 * d.WORDS.TIMES, 3), seen = new Map();
  const [busy, open, closed, closedNode] = [cells[0] >> 2, cells[1] >> 2, cells[2], cells[3] >> 2];
  const words = new Int32Array(memory.buffer); // the words that are read do not move when the memory grows
  const now = () => Math.round(performance.now() * 1e6);
  const say = (word, value) => {
    Atomics.store(control, word, value);
    Atomics.notify(control, word);
  };
  const whileWanted = state => {
    while (Atomics.load(control, WANTED) === state) Atomics.wait(control, WANTED, state);
  };
  say(DOES, READY);
  whileWanted(READY);
  let last = now();

  function lookOnce() {
    const isBusy = Atomics.load(words, busy), fast = Atomics.load(words, open);
    const node = fast === closed ? Atomics.load(words, closedNode) : fast;
    const at = now(), passed = at - last, spent = Math.min(passed, d.MOST_NS);
    last = at;
    control[LOOKS]++;
    times[d.TIMES.ALL] += passed;
    times[d.TIMES.UNSEEN] += passed - spent;
    if (isBusy) {
      control[BUSY_LOOKS]++;
      times[d.TIMES.BUSY] += spent;
    } else {
      seen.set(node, (seen.get(node) ?? 0) + spent);
    }
  }

  say(DOES, LOOK);
  for (let due = performance.now(); Atomics.load(control, WANTED) === LOOK;) {
    due = Math.max(due + d.PERIOD_MS, performance.now());
    const wait = due - performance.now() - WAKES_LATE_MS;
    if (wait > 0) Atomics.wait(control, WANTED, LOOK, wait);
    lookOnce();
  }
  control[COUNT] = seen.size;
  say(DOES, STOP);
  whileWanted(STOP);
  if (Atomics.load(control, WANTED) === TELL) {
    let at = control[AT] >>> 0;
    while (memory.buffer.byteLength < at + d.ENTRY_BYTES * seen.size) Atomics.wait(control, DOES, STOP, 1); // it grew just now
    const view = new DataView(memory.buffer);
    for (const [node, ns] of seen) {
      view.setUint32(at, node, true);
      view.setBigInt64(at + 8, BigInt(ns), true);
      at += d.ENTRY_BYTES;
    }
  }
  say(DOES, IDLE);
}

const definitions = JSON.stringify({ WORDS, TIMES, STATES, PERIOD_MS, MOST_NS, ENTRY_BYTES });

/** The text of the worker. Each message that it gets names a recording to look at. */
export const textForNode = `const { parentPort } = require("node:worker_threads");
parentPort.on("message", what => (${look})(${definitions}, what));`;
export const textForPage = `onmessage = ({ data }) => (${look})(${definitions}, data);`;
