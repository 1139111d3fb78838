// toll.mjs - profiles a WebAssembly module in any page or Node program: every call, every tick.
//
//     import { Toll } from "./toll.mjs";
//     const toll = await Toll.load();                            // toll.wasm beside this file
//     const t = await toll.instantiate(bytes, imports, { time: true });
//     t.exports.run(10);
//     fs.writeFileSync("run.pb.gz", await t.profile("pb.gz"));   // or folded, speedscope, ...
//
// `bytes` may be instrumented already (toll instrument); if not, this is done here. The module calls toll.wasm directly
// for each event. JavaScript is called only with `time`, to read the clock.

import { TOLL } from "./embedder.mjs";
import { hook } from "./hook.mjs";
import { cString, Library, viewOf } from "./library.mjs";
import { memories } from "./module_sections.mjs";
import { canSamplePage, PageSampler } from "./page_sampler.mjs";
import { Profile } from "./profile.mjs";
import { byWindows, Recording, reported, sectionHead } from "./recording.mjs";
import { SampledRecording } from "./sampled.mjs";

export { Profile, Recording };

const USUAL_GROWTH = 3, LEAST_ROOM = 4096; // of the bytes of a module that is instrumented
const TOO_MANY = "toll: lines: with more than 500,000 basic blocks their counters are in a second memory, which this engine does not have: " +
  "use Node 22 or 24, or choose fewer functions (--only, --skip)";

const instrumentFlags = ({ ticks = true, heap = false, lines = false, callLines = false, callKinds = false, calls = true, ...time }) =>
  (byWindows(time) ? TOLL.INSTRUMENT_TIME : 0) | (ticks ? 0 : TOLL.INSTRUMENT_NO_TICKS) | (heap ? TOLL.INSTRUMENT_HEAP : 0) |
  (lines || callLines ? TOLL.INSTRUMENT_LINES : 0) | (callLines ? TOLL.INSTRUMENT_CALL_LINES : 0) |
  (callKinds ? TOLL.INSTRUMENT_CALL_KINDS : 0) | (calls ? 0 : TOLL.INSTRUMENT_NO_CALLS);

export class Toll {
  constructor(module) {
    this.module = module;
  }

  /** `source`: the bytes of toll.wasm, or its URL; by default toll.wasm beside this file. */
  static async load(source = new URL("toll.wasm", import.meta.url)) {
    if (source instanceof URL && source.protocol === "file:")
      source = (await import("node:fs")).readFileSync(source);
    else if (source instanceof URL || typeof source === "string")
      source = await (await fetch(source)).arrayBuffer();
    return new Toll(await WebAssembly.compile(source));
  }

  /** Instrument a module; returns its bytes. Options:
   *  - only, skip: patterns of functions to follow, or not;
   *  - ticks: false (do not count instructions); costs ("fuel", "pvm", "cosmwasm", or lines NAME COST);
   *  - heap: true (allocators report blocks);
   *  - lines: true (count executions); callLines: true (also report where a function was called);
   *  - callKinds: true (report whether a function was called directly); calls: false (follow no calls);
   *  - name: of the module's file, for profiles and messages. */
  instrument(bytes, options = {}) {
    return this.rewrite("instrument", bytes, options).slice();
  }

  /** The same; but the bytes as they are if the module is instrumented already, which must be with these options. */
  prepare(bytes, options = {}) {
    return this.rewrite("prepare", bytes, options).slice();
  }

  /** The same, for our own use: the result may be a part of a larger buffer. `linked`: for modules that are linked
   *  (linked.mjs), the library that numbers their functions. */
  rewrite(how, bytes, options, linked = undefined) {
    const { only = "", skip = "", costs = "", name = "module", definitions = Uint8Array.of(0) } = options;
    const library = linked ?? new Library(this.module, () => 0), data = viewOf(bytes);
    const flags = instrumentFlags(options) | (linked ? TOLL.INSTRUMENT_LINKED : TOLL.INSTRUMENT_WRITTEN);
    const work = () => library.with([data, definitions, ...[name, only, skip, costs].map(cString)], (at, lines, ...texts) => {
      library.c.define(lines);
      return library.c[how](at, data.length, ...texts, flags);
    });
    const made = linked ? (library.check(work()), library.result()) : library.gathered(USUAL_GROWTH * data.length + LEAST_ROOM, work);
    if (memories(made) > memories(data) && WebAssembly.validate(data) && !WebAssembly.validate(made)) throw new Error(TOO_MANY);
    return made;
  }

  /** The types of the parameters of an exported function, as in the binary format: 0x7f is i32, ... */
  parameters(bytes, name) {
    const library = new Library(this.module, () => 0), data = new Uint8Array(bytes);
    library.with([data, cString(name)], (at, n) => library.check(library.c.parameters(at, data.length, n)));
    return [...library.result()];
  }

  /** How many ticks Tezos' WASM PVM takes to start a module, by phase: { decode, link, init }, BigInts. */
  pvmStart(bytes) {
    const library = new Library(this.module, () => 0), data = new Uint8Array(bytes);
    library.with([data], at => library.check(library.c.pvm_start(at, data.length)));
    const { buffer } = library.result(), view = new DataView(buffer), [decode, link, init] = [0, 8, 16].map(at => view.getBigUint64(at, true));
    return { decode, link, init };
  }

  /** The format of a file, by the extension of its name. */
  formatOf(name) {
    const library = new Library(this.module, () => 0);
    library.with([cString(name)], at => library.check(library.c.format_of(at)));
    return new TextDecoder().decode(library.result());
  }

  /** The URL of toll.wasm in stack traces of this engine. */
  urlInStacks() {
    let stack = "";
    const library = new Library(this.module, () => ((stack = new Error().stack ?? ""), 0));
    library.check(library.c.begin(TOLL.RECORD_TIME, 0, 0n)); // so that the clock is called
    library.c.charge(0n);
    return /(wasm:[^\s:]*):wasm-function/.exec(stack)?.[1];
  }

  /** An empty profile, to which others can be added. */
  sum() {
    return new Profile(this.module);
  }

  /** A recording of one or several instances, one after the other. Options: see instantiate. */
  record(options = {}) {
    const engine = byWindows(options) ? this.findSampler(options) : options.engine;
    return engine && !options.timeline ? new SampledRecording(this, { ...options, engine }) : new Recording(this, options);
  }

  /** The browser's own sampler, if the page may use it. It does not know from where a function was called, nor the
   *  functions of linked modules. */
  findSampler({ callLines, callKinds, linked }) {
    this.maySamplePage ??= canSamplePage();
    return this.maySamplePage && !callLines && !callKinds && !linked ? new PageSampler() : undefined;
  }

  /** Profile a module. Options are those of instrument, and:
   *  - time: true (also nanoseconds, by the browser's own sampler, or by reading the clock once in a window of
   *    microseconds), or "each" (by reading it at each event, as with a timeline: for an order in time);
   *  - depth: N (deeper calls are charged to their ancestor at that depth);
   *  - timeline: true (keep the order in time, in memory), or a TimelineFile (in a file that grows: timeline_file.mjs);
   *  - heap: true (bytes allocated and in use, by stack);
   *  - lines: true (how often each line ran, and its ticks, if the module has DWARF; else each basic block, which toll
   *    convert --debug turns into lines; with calls: false nothing else is recorded, which is faster);
   *  - inlines: true (with lines: frames for inlined functions); debug: false (basic blocks even with DWARF);
   *  - callLines: true (as lines, and callees are under the place that called them);
   *  - callKinds: true (a column of calls that came by call_indirect or call_ref);
   *  - foldRecursion: true (a call of an open function is charged to that one: deep recursion takes no memory);
   *  - thread: its name in the profile;
   *  - compile: options of the engine, such as { builtins: ["js-string"] }. */
  async instantiate(bytes, imports = {}, options = {}) {
    // The engine has the best messages for a wrong module.
    if (!WebAssembly.validate(bytes, options.compile)) await WebAssembly.compile(bytes, options.compile);
    const prepared = this.rewrite("prepare", bytes, options), module = await WebAssembly.compile(prepared, options.compile);
    const recording = this.record({ depth: sectionHead(module).depth, ...reported(module, options) });
    recording.keepDebugInfo(bytes);
    recording.keepBodies(prepared);
    recording.instantiate(module, imports);
    return recording;
  }

  /** Profile every module that is compiled from now on, for packages that load their modules themselves. Options: as
   *  for instantiate. hook.mjs says what is returned. */
  hook(options = {}) {
    return hook(this, options);
  }
}
