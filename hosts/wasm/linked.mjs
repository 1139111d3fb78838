// linked.mjs - records several modules that call one another as one program, such as the core modules of a component.
//
// All modules have the same globals for ticks and for the pending event, and their functions have different numbers. So
// a call from one module to another is like any other: nothing needs to know which module runs.
import { TOLL } from "./embedder.mjs";
import { Library } from "./library.mjs";
import { memories } from "./module_sections.mjs";

const { Instance, Module } = WebAssembly; // the engine's own: hook.mjs replaces these
const MOST_GLUE = 1_000_000; // bytes
const ADAPTER = /^adapter\d+$/;

/** Whether a module only passes calls on to functions that did not exist yet when it was made: tools that make components
 *  add two of them, with a table of this name. Their functions get no frames; what they cost is their callers'. */
function isGlue(module) {
  return [...Module.exports(module), ...Module.imports(module)].some(({ kind, name }) => kind === "table" && name === "$imports");
}

/** Whether jco has made a module to pass values from one component to another. It is not of the program: other engines have
 *  code of their own there. Such a module calls the other component by imports "callee". */
function isAdapter(module) {
  return Module.imports(module).some(({ module: from, name }) => from === "callee" && ADAPTER.test(name)) &&
    Module.exports(module).every(({ name }) => ADAPTER.test(name));
}

const i64 = () => new WebAssembly.Global({ value: "i64", mutable: true }, 0n);
const i32 = () => new WebAssembly.Global({ value: "i32", mutable: true }, 0);

/** The globals that linked modules import. Modules that need fewer ignore the others. */
function makeGlobals({ callLines, callKinds }) {
  const place = i32(), hasPlaces = callLines || callKinds;
  return { ticks: i64(), pending: hasPlaces ? i64() : i32(), pending_ticks: i64(), place, call_kind: place };
}

export class LinkedModules {
  /** `recording`: a recording that has no instance yet, with the options for instrumenting. */
  constructor(toll, recording) {
    if (recording.instance !== undefined) throw new Error("toll: the recording has an instance already; make another one for linked modules");
    const { ticks = true, callLines, callKinds } = recording.options, globals = makeGlobals(recording.options);
    const place = callLines ? { "toll:place": globals.place } : callKinds ? { "toll:call_kind": globals.place } : {};
    Object.assign(this, { toll, recording, globals, adapters: new WeakSet(), modules: new WeakMap(), memories: 0 }); // module -> { tellers, memories }
    this.counting = new Set(); // modules with instances that count executions
    this.numbering = new Library(toll.module, () => 0); // numbers the functions
    this.shared = { exports: { "toll:pending": globals.pending, "toll:pending_ticks": globals.pending_ticks, ...place,
                               ...(ticks ? { "toll:ticks": globals.ticks } : {}) } };
  }

  /** Instrument and compile a module of the program. `name` is that of its file, `how` options of the engine. */
  compile(bytes, name = this.recording.options.name ?? "module", how = undefined) {
    const plain = bytes.byteLength > MOST_GLUE ? undefined : new Module(bytes, how);
    if (plain && isAdapter(plain)) return this.adapter(plain);
    const { recording, toll } = this, options = { ...recording.options, name, ...(plain && isGlue(plain) ? { only: "", skip: ".*" } : {}) };
    return recording.aside(() => {
      const module = new Module(toll.rewrite("instrument", bytes, options, this.numbering), how);
      recording.keepDebugInfo(bytes, name);
      this.modules.set(module, { tellers: [], memories: memories(new Uint8Array(bytes)) });
      return module;
    });
  }

  /** Leave a module unrecorded. */
  adapter(module) {
    this.adapters.add(module);
    this.recording.note("modules between components, which are not recorded");
    return module;
  }

  /** Is the module recorded? */
  has(module) {
    return this.modules.has(module);
  }

  /** Make an instance of a module that was compiled here. */
  instantiate(module, imports = {}) {
    if (this.adapters.has(module)) return new Instance(module, imports);
    const { recording, globals } = this, { c } = recording.library, { tellers, memories: more } = this.modules.get(module);
    this.memories += more;
    if (recording.options.heap && this.memories > 1)
      throw new Error("heap: blocks are known by their addresses, and the modules have several memories, with the same addresses in each; record without it");
    recording.aside(() => recording.name(module));
    if (!recording.instance) this.begin();
    const { depth, unwind, allocating, heap } = c, [enter, leave, settle] = recording.events(recording.options.callLines || recording.options.callKinds);
    const all = { ...imports, toll: { ...globals, enter, leave, settle, depth, unwind, allocating, heap } };
    const before = recording.depth;
    try {
      const instance = new Instance(module, all), tell = instance.exports["toll:executions"];
      if (tell) {
        tellers.push(tell);
        this.counting.add(module);
      }
      return instance;
    } catch (error) { // in its start function
      recording.noteNoExecutions();
      throw recording.failure(error, before);
    }
  }

  /** All modules together are the recording's instance. */
  begin() {
    const { recording } = this, { c } = recording.library;
    c.next_instance(recording.ticks);
    recording.instance = this.shared;
    recording.linked = this;
    c.settles(true);
  }

  /** Pass to toll.wasm how often each basic block has run. */
  gather() {
    for (const module of this.counting) {
      this.recording.name(module); // the counters are those of the module that is set last
      this.recording.passExecutions(this.modules.get(module).tellers);
    }
  }
}
