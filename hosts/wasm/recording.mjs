// recording.mjs - records instances of instrumented modules, and makes profiles and reports of them.
import { TOLL } from "./embedder.mjs";
import { cString } from "./library.mjs";
import { printable } from "./printable.mjs";
import { OUTPUT, Profile } from "./profile.mjs";
import { startTime } from "./start_time.mjs";

/** What the section "toll" begins with, which toll instrument writes (toll/wasm.h): the depth limit, and the number of
 *  functions. */
export function sectionHead(module) {
  const bytes = new Uint8Array(section(module)), [version] = bytes;
  let at = 1;
  const whole = good => {
    if (!good) throw new Error("toll: section toll is damaged; instrument the module again");
  };
  whole(bytes.length > 0);
  if (version < 7 || version > 9) throw new Error(`toll: section toll of version ${version}, not 9; instrument the module again`);
  const u32 = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      whole(at < bytes.length && shift < 35);
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  };
  const depth = u32();
  if (version === 7) at += u32(); // the name of the table of costs
  return { depth, functions: u32() };
}

export const section = module => WebAssembly.Module.customSections(module, "toll")[0];
export const exportsOne = (module, name) => WebAssembly.Module.exports(module).some(e => e.name === name);
const hasPlaces = module => exportsOne(module, "toll:place") || hasKinds(module); // callLines, callKinds
const hasKinds = module => exportsOne(module, "toll:call_kind");
/** The options for recording an instrumented module: what it reports, but without ticks if the options exclude them. */
export const reported = (module, options) =>
  ({ ...options, ticks: options.ticks !== false && exportsOne(module, "toll:ticks"), callKinds: hasKinds(module) });
const placeOf = exports => exports?.["toll:place"] ?? exports?.["toll:call_kind"];
const OWN = ["toll:ticks", "toll:pending", "toll:pending_ticks", "toll:place", "toll:call_kind", "toll:executions"]; // exports that instrumenting has added
const hasTable = module => [...WebAssembly.Module.imports(module), ...WebAssembly.Module.exports(module)]
  .some(e => e.kind === "table");

/** Whether an import can suspend the stack (JSPI): then several stacks would be recorded as one. Only properties that
 *  the module imports are read, since with dynamic linking reading a property creates a symbol. */
const suspends = (module, imports) => WebAssembly.Suspending !== undefined &&
  WebAssembly.Module.imports(module).some(({ module: from, name, kind }) =>
    kind === "function" && imports[from]?.[name] instanceof WebAssembly.Suspending);
const NO_EXECUTIONS = "instances that failed while they were made: the cost of their lines is not known";
const REPLACED = "toll: this function is of an instance that was replaced by a newer one of its recording; " +
  "make a recording for each instance that is called later (toll.record)";
const SUSPENDS = "imports that suspend the stack: calls that wait at the same time are on one stack here";

/** The engine that runs guests, of which only Node shows the version; "": not known. */
const engineName = ({ node, v8 } = {}) => node ? `Node ${node}, V8 ${v8}` : "";

const standsIn = new WeakSet();

/** Make `made`, which replaces `f`, have that name and as many parameters as `f`. */
function standIn(made, f, name) {
  Object.defineProperties(made, { name: { value: name, configurable: true }, length: { value: f.length, configurable: true } });
  standsIn.add(made);
  return made;
}

/** Whether `f` is a JavaScript function, and not an exported function of a module, whose name is its index. */
const isPlain = f => typeof f === "function" && (standsIn.has(f) || !/^\d+$/.test(f.name));

let wrongLabels; // a value of TOLL_LABELS that is not a list of labels; the warning is printed once

/** Whether the time of a recording with these options is read by windows, unless a sampler is found for it. */
export const byWindows = ({ time, timeline, engine }) => time === true && !timeline && !engine;

/** Records instances of instrumented modules, one after the other. */
export class Recording extends Profile {
  /** Made by Toll.record. Options are those of Toll.instantiate. */
  constructor(toll, options) {
    super(toll.module, () => this.read());
    this.began = performance.now();
    this.toll = toll;
    this.options = options;
    const { ticks = true, time = false, timeline = false, heap = false, depth = 0, calls = true, foldRecursion = false, callKinds = false, thread, mostFrames = 0 } = options;
    const flags = (calls ? (ticks ? TOLL.RECORD_TICKS : 0) : TOLL.RECORD_NO_CALLS) | this.timeFlags(time) |
      (heap ? TOLL.RECORD_HEAP : 0) | (foldRecursion ? TOLL.RECORD_FOLD_RECURSION : 0) |
      (callKinds ? TOLL.RECORD_CALL_KINDS : 0) | (timeline ? TOLL.RECORD_TIMELINE | this.inFile(timeline) : 0);
    if (thread !== undefined) this.library.with([cString(thread)], at => this.library.c.name_thread(at));
    const most = mostFrames ? Math.max(1, Math.min(depth || mostFrames, mostFrames - 1)) : depth; // the last ones have no nodes
    this.library.check(this.library.c.begin(flags, most, startTime()));
    this.library.c.limit_frames(mostFrames);
    this.fact("engine", engineName(globalThis.process?.versions));
    this.takeLabels(globalThis.process?.env?.TOLL_LABELS);
  }

  /** Set the labels of the environment, which exists in Node only. A value that is not a list of labels only causes a
   *  warning, since the profile is worth more. */
  takeLabels(own) {
    if (!own || own === wrongLabels) return;
    try {
      this.label(own);
    } catch (error) {
      wrongLabels = own;
      globalThis.process.stderr.write(`toll: warning: TOLL_LABELS is left out: ${printable(error.message.replace(/^toll: /, ""))}\n`);
    }
  }

  /** The clock: nanoseconds since the recording began. */
  read() {
    return (performance.now() - this.began) * 1e6;
  }

  timeFlags(time) {
    return time ? TOLL.RECORD_TIME | (this.hasWindows ? TOLL.RECORD_WINDOWS : 0) : 0;
  }

  /** Whether the clock is read once in a window: semantics.md, "Time by windows". */
  get hasWindows() {
    return byWindows(this.options);
  }

  /** The functions enter, leave and settle that the guest imports. */
  events(placed) {
    const { c } = this.library, with_ = placed ? "_placed" : "", ending = this.hasWindows ? `${with_}_clocked` : with_;
    return [c[`enter${ending}`], c[`leave${ending}`], c[`settle${with_}`]];
  }

  /** The flags for a timeline in memory (true), or in a file (an object that writes, reads and truncates it, like
   *  TimelineFile). */
  inFile(timeline) {
    if (timeline === true) return 0;
    if (timeline.isTaken) throw new Error("toll: another recording uses the timeline's file; make one for each");
    timeline.isTaken = true;
    this.library.file = timeline;
    return TOLL.RECORD_TIMELINE_FILE | (timeline.isTemporary ? TOLL.RECORD_TIMELINE_TEMPORARY : 0);
  }

  /** Complete the timeline's file. No event may follow. */
  endTimeline() {
    const { library } = this;
    this.aside(() => library.check(library.c.timeline_end()));
  }

  /** Deliver the pending event of the current instance. This must precede any other event. */
  settle() {
    const exports = this.instance?.exports, pending = exports?.["toll:pending"];
    if (!(pending?.value > 1)) return;
    const { settle, settle_placed } = this.library.c, then = exports["toll:pending_ticks"].value;
    pending.value = placeOf(exports) ? settle_placed(pending.value, then) : settle(pending.value, then);
  }

  /** The ticks of the current instance; while it is being made, those of its last event. */
  get ticks() {
    const { instance, library } = this;
    this.settle();
    return instance ? instance.exports["toll:ticks"]?.value ?? 0n : library.c.ticks();
  }

  /** How many frames are open. */
  get depth() {
    this.settle();
    return this.library.c.depth();
  }

  unwind(depth) {
    const place = placeOf(this.instance?.exports);
    if (place && this.depth > depth) place.value = 0; // the place may be in a function that is left now
    this.library.c.unwind(depth, this.ticks);
    this.clearPending();
  }

  /** The next event is reported at once. */
  clearPending() {
    const pending = this.instance?.exports["toll:pending"];
    if (pending) pending.value = typeof pending.value === "bigint" ? 0n : 0;
  }

  /** The guest has ended with `error`: leave the functions deeper than `depth`. Returns what to throw. */
  failure(error, depth) {
    const isExhausted = this.library.c.frames_exhausted();
    if (isExhausted) this.recover(true);
    this.unwind(depth);
    if (!isExhausted) return error;
    const exhausted = new RangeError(`call stack exhausted: ${this.options.mostFrames} functions are open`);
    exhausted.stack = error.stack; // the functions, for messages
    return exhausted;
  }

  /** The engine has ended the guest within an event, or perhaps so: at a signal. What is then to be done is said in
   *  toll/embedder.h. `isHandled`: the pending event is handled, or it is the call that failed. */
  recover(isHandled = false) {
    const answer = this.library.c.recover();
    if (isHandled || answer === TOLL.IS_SETTLED) this.clearPending();
  }

  /** Call `work` as a phase, a frame of that name. */
  phase(name, work) {
    this.beginPhase(name);
    try {
      return work();
    } finally {
      this.endPhase();
    }
  }

  beginPhase(name) {
    this.library.with([cString(name)], at => this.library.check(this.library.c.phase(at, this.ticks)));
    this.clearPending(); // the clock is read where the guest is called in the phase
  }

  endPhase() {
    this.library.c.phase_end(this.ticks);
  }

  /** Add to the ticks, as if the guest had executed instructions. No event may be under way. */
  spend(ticks) {
    const counter = this.instance?.exports["toll:ticks"];
    if (counter) counter.value += ticks;
    else if (this.options.ticks !== false) this.library.c.charge(this.ticks + ticks);
  }

  /** The cost so far, in all instances: { ticks, time } (nanoseconds). */
  spent() {
    const { c } = this.library;
    if (!this.isAside) c.charge(this.ticks);
    return { ticks: c.spent_ticks(), time: c.spent_time() };
  }

  /** Set the mark: `since` writes the profile from this call on. */
  mark() {
    this.aside(() => {
      this.gather();
      this.library.check(this.library.c.mark());
      this.hasMark = true;
    });
  }

  /** The profile since the mark, as bytes in a format, like `write`. */
  since(format, value = "") {
    const { library } = this;
    return this.aside(() => {
      this.gather();
      return library.with([cString(format), cString(value)], (f, v) => library.written(() => library.c.since(OUTPUT, f, v)));
    });
  }

  /** Do work of the profiler itself, whose time is not charged. Calls may be nested. */
  aside(work) {
    if (this.isAside) return work();
    this.pause();
    try {
      return work();
    } finally {
      this.goOn();
    }
  }

  /** From here until goOn() nothing is charged. No event may follow in between. */
  pause() {
    this.library.c.charge(this.ticks);
    this.isAside = true;
  }

  goOn() {
    this.isAside = false;
    this.library.c.pass(this.ticks);
  }

  /** Begin and end a section: a frame that is open until its end, whatever is called and returns in between. `isLate`:
   *  the innermost functions only begin the section; its frame is entered when they have returned. */
  beginSection(name, { isLate = false } = {}) {
    const { library } = this, { section: now, section_late: late } = library.c;
    library.with([cString(name)], at => library.check((isLate ? late : now)(at, this.ticks)));
  }

  endSection(name) {
    this.library.with([cString(name)], at => this.library.check(this.library.c.section_end(at, this.ticks)));
  }

  /** End a section that is left open, as of the guest's last event. */
  dropSection(name) {
    this.settle();
    this.library.with([cString(name)], at => this.library.check(this.library.c.section_drop(at)));
  }

  /** The bytes of a module, instrumented if they are not yet. */
  prepare(bytes) {
    return this.prepareOwn(bytes).slice();
  }

  /** The same, for our own use: they may be a part of a larger buffer. */
  prepareOwn(bytes) {
    return this.aside(() => {
      const prepared = this.toll.rewrite("prepare", bytes, this.options);
      this.keepDebugInfo(bytes);
      return prepared;
    });
  }

  /** Keep the lines of a module's DWARF, if lines are recorded. `bytes` is the module before it was instrumented. */
  keepDebugInfo(bytes, name = this.options.name ?? "module") {
    const { lines, callLines, debug = true, inlines = false, costs = "" } = this.options, { library } = this;
    if (!(lines || callLines) || !debug) return;
    library.with([new Uint8Array(bytes), cString(name), cString(costs)], (at, ...texts) =>
      library.check(library.c.debug_info(at, bytes.byteLength, ...texts, inlines)));
  }

  /** Keep where the functions of an instrumented module begin, if time is sampled by the engine. */
  keepBodies() {}

  note(text, count = 1) {
    this.library.with([cString(text)], at => this.library.check(this.library.c.note(at, BigInt(count))));
  }

  /** The cost of reading the clock, which is part of the recorded time, as the last profile or report notes it: {
   *  readings, overhead }, the overhead in nanoseconds. */
  clockCost() {
    const { c } = this.library;
    return { readings: Number(c.clock_readings()), overhead: Number(c.overhead()) };
  }

  /** What a line about the time says, as in the last profile: { readings, overhead, all }, the latter in nanoseconds. */
  windows() {
    const { c } = this.library;
    return { readings: Number(c.clock_readings()), overhead: Number(c.overhead()), all: c.time() };
  }

  /** Make an instance of an instrumented module. Returns its exports. */
  instantiate(module, imports = {}) {
    const { c } = this.library, { depth, unwind, allocating, heap } = c, [enter, leave, settle] = this.events(hasPlaces(module));
    this.aside(() => {
      this.gather();
      this.name(module);
    });
    if (suspends(module, imports)) this.note(SUSPENDS);
    c.next_instance(this.ticks);
    this.instance = null;
    const all = { ...(hasTable(module) ? this.watched(imports) : imports),
                  toll: { enter, leave, settle, depth, unwind, allocating, heap } };
    const before = this.depth;
    c.settles(false); // a pending event is in an export, and there are no exports yet
    try {
      this.instance = new WebAssembly.Instance(module, all);
    } catch (error) { // in its start function
      const failure = this.failure(error, before);
      this.noteNoExecutions();
      throw failure;
    }
    c.settles(true);
    return this.exports = this.guarded(this.instance.exports);
  }

  /** An instance failed while it was made: its counters cannot be read. */
  noteNoExecutions() {
    if (this.library.c.counters()) this.note(NO_EXECUTIONS);
  }

  /** Pass to toll.wasm how often each basic block of the current instance has run. */
  gather() {
    const tell = this.instance?.exports["toll:executions"];
    if (this.linked) this.linked.gather();
    else if (tell) this.passExecutions([tell]);
  }

  /** Pass the executions in the module that was set last: the sums over its instances, of which `tellers` are the exports
   *  "toll:executions". */
  passExecutions(tellers) {
    const { library } = this, count = library.c.counters();
    const pages = Math.ceil(count / TOLL.COUNTERS_OF_PAGE), counts = new BigUint64Array(pages * TOLL.COUNTERS_OF_PAGE);
    const [first, ...others] = tellers;
    for (let page = 0; page < pages; page++) {
      const at = page * TOLL.COUNTERS_OF_PAGE;
      counts.set(first(page), at);
      for (const tell of others) tell(page).forEach((executions, i) => { counts[at + i] += BigInt.asUintN(64, executions); });
    }
    if (count) library.with([new Uint8Array(counts.buffer)], at => library.c.executions(at, count));
  }

  /** Say what made the profile: a fact of toll_profile_add_run in toll/profile.h. */
  fact(key, text) {
    this.library.with([cString(key), cString(text)], (at, value) => this.library.check(this.library.c.fact(at, value)));
  }

  /** Pass the module's functions to toll.wasm. */
  name(module) {
    const { library } = this, bytes = new Uint8Array(section(module));
    library.with([bytes], at => library.check(library.c.module(at, bytes.length)));
    this.functions = sectionHead(module).functions;
    const imported = WebAssembly.Module.imports(module).filter(i => i.kind === "function" && i.module !== "toll");
    this.firstMoved = imported.length; // from this index on, functions have other indices than in the original module
    this.moved = WebAssembly.Module.imports(module).filter(i => i.kind === "function" && i.module === "toll").length;
  }

  /** The name of a function by its index in the instrumented module, which is the one in stack traces. */
  nameOf(number) {
    const old = this.oldNumber(number);
    if (old === undefined) return undefined;
    this.library.check(this.library.c.function_name(old));
    return new TextDecoder().decode(this.library.result());
  }

  /** The function's index in the original module; undefined for functions that Toll has added. */
  oldNumber(number) {
    const old = number < this.firstMoved ? number : number - this.moved;
    return old < this.functions ? old : undefined;
  }

  /** The exports, with functions that unwind the recorded stack if they end by an exception or a trap. They throw an
   *  error if another instance has replaced this one, since their events would be recorded as that one's. */
  guarded(exports) {
    const result = {};
    for (const [name, value] of Object.entries(exports)) {
      if (OWN.includes(name)) continue;
      result[name] = typeof value === "function" ? this.guard(value) : value;
    }
    return Object.freeze(result);
  }

  guard(f) {
    const { instance } = this;
    const guarded = (...args) => {
      if (this.instance !== instance) throw new Error(REPLACED);
      const before = this.depth;
      try {
        return f(...args);
      } catch (error) {
        throw this.failure(error, before);
      }
    };
    return standIn(guarded, f, String(this.oldNumber(Number(f.name)) ?? f.name));
  }

  /** The imports, with functions that unwind the recorded stack when they return. It is needed for those (invoke_...)
   *  that call functions of a table and catch their exceptions. */
  watched(imports) {
    const watch = f => (...args) => {
      const before = this.depth, result = f(...args);
      if (this.depth > before) this.unwind(before);
      return result;
    };
    const watchAll = from => new Proxy({}, { // not a proxy of `from`, which may be frozen
      get: (_, name) => (isPlain(from[name]) ? watch(from[name]) : from[name]),
    });
    return Object.fromEntries(Object.entries(imports).map(([name, from]) => [name, watchAll(from)]));
  }

  write(...how) {
    return this.aside(() => super.write(...how));
  }

  writeAll(...how) {
    this.gather();
    return super.writeAll(...how);
  }

  moment() {
    return this.aside(() => {
      this.gather();
      return super.moment();
    });
  }

  part(...moments) {
    return this.aside(() => super.part(...moments));
  }

  /** How many events the timeline has. */
  get eventCount() {
    this.settle();
    return this.library.c.timeline_events();
  }

  /** Do `work`, in which `write` writes only these events in the order of time: { from, to }, as `eventCount` returned them;
   *  undefined: all. */
  withPart(part, work) {
    const { c } = this.library;
    if (part) c.timeline_part(part.from, part.to);
    try {
      return work();
    } finally {
      c.timeline_part(0n, 0n);
    }
  }

  report(...how) {
    return this.aside(() => super.report(...how));
  }

  reportAll(...how) {
    this.gather();
    return super.reportAll(...how);
  }
}
