// page_sampler.mjs - sampled time in a page: the browser's own sampler (JS Self-Profiling) finds whole call stacks, about
// every 10 ms. The page must be served with `Document-Policy: js-profiling`. Chromium has it.
import { V8Stacks } from "./v8_sampler.mjs";

const PAGE_PERIOD_MS = 10; // Chromium takes none sooner
const MOST_PAGE_SAMPLES = 360_000, PAGE_SLICE_MS = 1_800_000; // an hour, of which half is used
const OF_IMPORTS = "nanoseconds of imported functions, in the time of those that call them: the browser did not show which import it was";
const LOST = "times that the browser did not pass on what it has sampled";

const beginTrace = () => new globalThis.Profiler({ sampleInterval: PAGE_PERIOD_MS, maxBufferSize: MOST_PAGE_SAMPLES });

/** Whether the browser has the sampler, and the page may use it. */
export function canSamplePage() {
  if (typeof globalThis.Profiler !== "function") return false;
  try {
    beginTrace().stop();
    return true;
  } catch {
    return false;
  }
}

/** A trace in the form of V8's own profiles, whose times are microseconds and whose columns begin at 0. */
function traceProfile({ frames, resources, stacks, samples }, from, to) {
  const nodes = [{ id: 0, callFrame: { url: "", functionName: "(root)", columnNumber: 0 }, children: [] }];
  for (const { frameId } of stacks) {
    const { name = "", resourceId, column = 0 } = frames[frameId];
    const url = resources[resourceId] ?? (/^(js-to-wasm|wasm-to-js)/.test(name) ? "wasm:" : "");
    nodes.push({ id: nodes.length, callFrame: { url, functionName: name, columnNumber: column - 1 }, children: [] });
  }
  stacks.forEach(({ parentId }, i) => nodes[parentId === undefined ? 0 : parentId + 1].children.push(i + 1));
  const times = samples.map(({ timestamp }) => Math.round(1000 * Math.max(timestamp, from)));
  return {
    nodes: callersFirst(nodes),
    samples: samples.map(({ stackId }) => (stackId === undefined ? 0 : stackId + 1)),
    timeDeltas: times.map((at, i) => at - (i ? times[i - 1] : Math.round(1000 * from))),
    startTime: Math.round(1000 * from),
    endTime: Math.round(1000 * to),
  };
}

/** Callers before those that they call. */
function callersFirst(nodes) {
  const ordered = [nodes[0]];
  for (let i = 0; i < ordered.length; i++) for (const id of ordered[i].children) ordered.push(nodes[id]);
  return ordered;
}

const charging = new Map(); // by where a module's functions begin: a WeakRef to the sampler that charges their time

/** The sampler. It samples one recording at a time. The browser passes on what it has sampled only later. */
export class PageSampler {
  constructor() {
    this.isReady = true;
    this.sliceMs = PAGE_SLICE_MS; // a trace has each stack once
    this.pending = [];
  }

  /** Whether no other recording samples this module, whose functions begin there: each would get the time of both. */
  mayCharge(bodies) {
    const module = `${bodies.length} ${bodies.at(-1)} ${bodies.reduce((sum, at) => sum + at, 0)}`;
    const other = charging.get(module)?.deref();
    if (!other) charging.set(module, new WeakRef(this));
    return !other || other === this;
  }

  prepare(recording) {
    this.recording = recording;
    this.ownUrl ??= recording.toll.urlInStacks();
  }

  start() {
    this.began = performance.now();
    this.profiler = beginTrace();
  }

  /** Stop sampling. What was sampled since start() is one of the next `traces`. Returns 0, the number of samples so far. */
  stop() {
    const { profiler, began } = this, ended = performance.now(), places = this.recording.places();
    this.pending.push(profiler.stop().then(trace => ({ profile: traceProfile(trace, began, ended), places }), () => undefined));
    return 0;
  }

  /** What was sampled until the last stop(), as far as it was not passed on before. */
  traces() {
    return Promise.all(this.pending.splice(0));
  }

  /** Add a trace to the recording. Returns the number of samples. */
  charge(trace) {
    if (!trace) {
      this.recording.note(LOST);
      return 0;
    }
    const stacks = new V8Stacks(trace.profile, this.recording.library.c, trace.places, this.ownUrl), count = stacks.add();
    if (stacks.ofImports) this.recording.note(OF_IMPORTS, 1000 * stacks.ofImports);
    return count;
  }
}
