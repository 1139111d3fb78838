// v8_sampler.mjs - sampled time: V8's own sampler finds whole call stacks, about every 165 us. It knows which machine code
// belongs to which function, also where functions were inlined, so that the guest's functions need nothing for it.
import { CODE, readNumber, sections } from "./module_sections.mjs";

const PERIOD_US = 100, LONGEST_US = 12_800; // what V8 is asked for

/** The offset of each function's body in the module, which V8's samples have in place of a column. */
export function bodyOffsets(bytes) {
  const starts = [];
  for (const { id, content } of sections(bytes)) {
    if (id !== CODE) continue;
    let [count, at] = readNumber(bytes, content);
    for (; count > 0; count--) {
      const [size, start] = readNumber(bytes, at);
      starts.push(start);
      at = start + size;
    }
  }
  return starts;
}

/** Names the imports, so that samples show which one was called: V8 knows functions of JavaScript by the name in their
 *  source. `number`: of the import among all functions. */
export function namedImports(module, imports) {
  const named = {};
  let number = 0;
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const value = imports[from]?.[name];
    (named[from] ??= {})[name] = kind === "function" && from !== "toll" && typeof value === "function" ? withName(value, number) : value;
    number += kind === "function";
  }
  return named;
}

const IMPORT = "toll_import_";
const MOST_PARAMETERS = 9; // of a function whose length says how many it has

function withName(f, number) {
  const rest = f.length === 0 || f.length > MOST_PARAMETERS, list = rest ? "...a" : Array.from({ length: f.length }, (_, i) => `a${i}`).join();
  return new Function("f", `return function ${IMPORT}${number}(${list}) { return f(${list}); }`)(f);
}

// What the time of a sampled function is: outside of the guest; in a stack of the guest; the profiler's own; in a stack
// whose outermost functions V8 does not show, since it keeps the innermost 255.
const KIND = { OUTSIDE: 0, WHOLE: 1, OWN: 2, CUT: 3 };

const isSharedCode = (url, name) => url.startsWith("wasm:") && /^(js-to-wasm|wasm-to-js)/.test(name); // of all modules
const isOfModule = (url, name) => url.startsWith("wasm:") && !isSharedCode(url, name);

/** The stacks of a profile of V8. */
export class V8Stacks {
  /** c: toll.wasm's functions. places: { bodies, firstBody, oldNumber, firstCaller, callers }: where the functions' bodies are
   *  in the module that was sampled, the number of the first of them, a function's number in the original module; and, where
   *  imports have no names, the number of the first function that instrumenting has added to call an import, and how many
   *  these are, in the order of the imports. ownUrl: of toll.wasm. */
  constructor({ nodes, samples, timeDeltas, startTime, endTime }, c, places, ownUrl) {
    Object.assign(this, { nodes, c, of: places, ownUrl, all: endTime - startTime });
    this.functions = new Map(places.bodies.map((offset, i) => [offset, places.firstBody + i]));
    this.guestUrls = this.findGuest();
    this.count = samples.length;
    this.ofImports = 0; // microseconds of imports that are in the time of the functions that call them
    this.micros = new Map();
    samples.forEach((id, i) => this.micros.set(id, (this.micros.get(id) ?? 0) + Math.max(timeDeltas[i], 0)));
  }

  /** The URLs of modules most of whose functions begin where the guest's do: a page may have other modules. */
  findGuest() {
    const known = new Map();
    for (const { callFrame: { url, functionName, columnNumber } } of this.nodes)
      if (isOfModule(url, functionName)) known.set(url, (known.get(url) ?? 0) + (this.functions.has(columnNumber) ? 1 : -1));
    return new Set([...known].filter(([, surplus]) => surplus > 0).map(([url]) => url));
  }

  /** Charge the time of all stacks. Returns the number of samples. */
  add() {
    const { c } = this, spent = [0, 0, 0, 0];
    this.places = new Map();
    for (const node of this.nodes) { // callers come first
      const place = this.places.get(node.id) ?? { kind: KIND.OUTSIDE, stack: 0 }, micros = this.micros.get(node.id) ?? 0;
      spent[place.isOwn ? KIND.OWN : place.kind] += micros;
      this.ofImports += place.isOfImport ? micros : 0;
      if (micros && !place.isOwn && (place.kind === KIND.WHOLE || place.kind === KIND.CUT)) c.sampled(place.stack, BigInt(1000 * micros));
      for (const id of node.children ?? []) this.places.set(id, this.placeOf(id, place, node === this.nodes[0]));
    }
    const seen = spent.reduce((sum, micros) => sum + micros), all = Math.max(this.all, seen), ns = micros => BigInt(1000 * micros);
    c.samples_counted(BigInt(this.count), ns(all), ns(spent[KIND.OWN]), ns(spent[KIND.OUTSIDE] + all - seen)); // the last sample is before the end
    return this.count;
  }

  /** What a function is, called from `caller`: { kind, stack, isOwn }. */
  placeOf(id, caller, isOutermost) {
    this.frames ??= new Map(this.nodes.map(n => [n.id, n.callFrame]));
    const { url, functionName, columnNumber } = this.frames.get(id);
    if (isSharedCode(url, functionName)) return caller;
    if (caller.kind === KIND.OWN || (this.ownUrl && url === this.ownUrl)) return { kind: KIND.OWN, stack: 0 };
    if (this.guestUrls.has(url)) {
      const number = this.functions.get(columnNumber), old = number === undefined ? undefined : this.of.oldNumber(number);
      const from = isOutermost ? { kind: KIND.CUT, stack: 0 } : caller, called = number - this.of.firstCaller;
      if (old !== undefined) return { ...this.called(old, from), callsImports: this.of.callers !== undefined };
      return called < this.of.callers ? this.called(called, from) : { ...caller, isOwn: true };
    }
    if (caller.callsImports) return { ...caller, callsImports: false, isOfImport: true };
    const imported = functionName.startsWith(IMPORT) && caller.kind !== KIND.OUTSIDE;
    return imported ? this.called(Number(functionName.slice(IMPORT.length)), caller) : caller.isOwn ? { ...caller, isOwn: false } : caller;
  }

  called(number, { kind, stack }) {
    const { c } = this;
    return kind === KIND.CUT ? { kind, stack: c.sampled_cut(stack, number) } : { kind: KIND.WHOLE, stack: c.sampled_stack(stack, number) };
  }
}

/** The sampler. It samples one recording at a time. */
export class V8Sampler {
  /** `findInspector` returns the module node:inspector. Programs of few events do not need it. */
  constructor(findInspector) {
    this.findInspector = findInspector;
    this.isReady = true;
    this.period = PERIOD_US;
  }

  /** The module's functions are known: it runs alone. */
  mayCharge() {
    return true;
  }

  connect() {
    const { Session } = this.findInspector();
    this.session = new Session();
    this.session.connect();
    this.post("Profiler.enable");
    this.post("Profiler.setSamplingInterval", { interval: this.period });
  }

  /** Take half as many samples, since there are so many different stacks that charging them takes long. */
  sampleLess() {
    this.period = Math.min(2 * this.period, LONGEST_US);
    this.post("Profiler.setSamplingInterval", { interval: this.period });
  }

  /** Within one thread the answer comes at once. */
  post(method, parameters) {
    let answer;
    this.session.post(method, parameters, (error, result) => {
      if (error) throw new Error(`toll: ${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  }

  prepare(recording) {
    this.recording = recording;
    this.ownUrl ??= recording.toll.urlInStacks();
  }

  start() {
    if (!this.session) this.connect();
    this.post("Profiler.start");
    this.isRunning = true;
  }

  /** Stop sampling. Returns what V8 has sampled since start(). */
  end() {
    this.isRunning = false;
    return this.post("Profiler.stop").profile;
  }

  /** Stop sampling, and add what was sampled since start() to the recording. Returns the number of samples. */
  stop() {
    const { recording, ownUrl } = this;
    return new V8Stacks(this.end(), recording.library.c, recording.places(), ownUrl).add();
  }
}
