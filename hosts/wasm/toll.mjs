// toll.mjs - profiles a WebAssembly module in any page or Node program: every call, every tick.
//
//     import { Toll } from "./toll.mjs";
//     const toll = await Toll.load();                            // toll.wasm beside this file
//     const t = await toll.instantiate(bytes, imports, { time: true });
//     t.exports.run(10);
//     fs.writeFileSync("run.pb.gz", await t.profile("pb.gz"));   // or folded, speedscope, ...
//
// `bytes` may be instrumented already (toll instrument); else it is done here. Events go from the
// module straight to toll.wasm; only `time` takes a trip to JavaScript for the clock.

const WITH_TICKS = 1, WITH_TIME = 2, WITH_TIMELINE = 4, WITH_HEAP = 8;
const TOP = 0, TREE = 1, JSON_TEXT = 2; // forms of a report
const FAILED = 29, NONE = 52, NO_SUCH_FILE = 8; // of WASI

const cString = text => new TextEncoder().encode(`${text}\0`);

/** An instance of toll.wasm: the library with a memory of its own. */
class Library {
  constructor(module, now) {
    const imports = { wasi_snapshot_preview1: this.system(module), toll_host: { now } };
    this.c = new WebAssembly.Instance(module, imports).exports;
    this.c._initialize();
  }

  /** What a C library asks of an operating system: here there is none, but for a place to write to. */
  system(module) {
    const wasi = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module))
      if (from === "wasi_snapshot_preview1") wasi[name] = () => NONE;
    wasi.fd_prestat_get = () => NO_SUCH_FILE; // no folders
    wasi.environ_sizes_get = wasi.environ_get = () => 0; // no variables: both sizes stay 0
    wasi.fd_write = (fd, vectors, count, written) => this.take(vectors, count, written);
    return wasi;
  }

  take(vectors, count, written) {
    const view = new DataView(this.c.memory.buffer);
    let sum = 0;
    for (let at = vectors; at < vectors + 8 * count; at += 8) {
      const size = view.getUint32(at + 4, true);
      try {
        this.sink(new Uint8Array(view.buffer, view.getUint32(at, true), size));
      } catch (error) {
        this.sinkError = error;
        return FAILED;
      }
      sum += size;
    }
    view.setUint32(written, sum, true);
    return 0;
  }

  /** Call `work` with pointers to copies of byte arrays, which it may use until it returns. */
  with(blocks, work) {
    const pointers = blocks.map(bytes => {
      const at = this.c.alloc(bytes.length);
      if (!at) throw new Error("toll: no memory");
      new Uint8Array(this.c.memory.buffer).set(bytes, at);
      return at;
    });
    try {
      return work(...pointers);
    } finally {
      pointers.forEach(at => this.c.release(at));
    }
  }

  check(status) {
    if (!status) return;
    if (this.sinkError) throw this.sinkError;
    const text = new Uint8Array(this.c.memory.buffer, this.c.error_text(), this.c.error_size());
    throw new Error(`toll: ${new TextDecoder().decode(text)}`);
  }

  result() {
    return new Uint8Array(this.c.memory.buffer, this.c.result(), this.c.result_size()).slice();
  }

  /** What `work` writes: all of it, or piece by piece to `sink`, which must not keep them. */
  written(work, sink) {
    const chunks = [];
    this.sink = sink ?? (bytes => chunks.push(bytes.slice()));
    this.sinkError = null;
    this.check(work());
    return sink ? undefined : concatenate(chunks);
  }
}

function concatenate(chunks) {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  chunks.reduce((at, chunk) => (all.set(chunk, at), at + chunk.length), 0);
  return all;
}

async function gzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** What the custom section tells that toll instrument writes (toll/wasm.h): how deep calls are
 *  followed, how many functions there are, and then the name of each. */
function* told(module) {
  const bytes = new Uint8Array(section(module));
  if (bytes[0] !== 2) throw new Error(`toll: section toll of version ${bytes[0]}, not 2; instrument the module again`);
  let at = 1;
  const u32 = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  };
  yield u32();
  const table = u32();
  at += table; // the name of the table of costs
  yield u32();
  while (at < bytes.length) {
    const size = u32();
    yield bytes.subarray(at, at += size);
  }
}

const section = module => WebAssembly.Module.customSections(module, "toll")[0];
const isInstrumented = bytes => WebAssembly.validate(bytes) && section(new WebAssembly.Module(bytes)) !== undefined;
const hasTicks = module => WebAssembly.Module.exports(module).some(e => e.name === "toll:ticks");
const hasTable = module => [...WebAssembly.Module.imports(module), ...WebAssembly.Module.exports(module)]
  .some(e => e.kind === "table");

/** Profiles that are added up, or (Recording) one in the making. */
class Profile {
  constructor(module, now) {
    this.library = new Library(module, now);
  }

  /** Add a profile: bytes of any format but pb.gz. */
  add(bytes) {
    const { library } = this;
    library.with([bytes], at => library.check(library.c.add(at, bytes.length)));
  }

  /** The profile so far: bytes of "pb.gz", "pprof", "folded", "speedscope", "perfview", "callgrind".
   *  `value`: which one, for formats that have one: ticks, time or calls. With a `timeline`, `inOrder`
   *  tells the order of calls in "speedscope", "folded" and "chrome". */
  async profile(format = "pb.gz", value = "", { inOrder = false } = {}) {
    const bytes = this.write(format === "pb.gz" ? "pprof" : format, value, inOrder);
    return format === "pb.gz" ? gzip(bytes) : bytes;
  }

  /** The same, at once, but not compressed; to `sink` piece by piece, if there is one. */
  write(format, value = "", inOrder = false, sink = undefined) {
    const { library } = this;
    return library.with([cString(format), cString(value)], (f, v) =>
      library.written(() => library.c.profile(3, f, v, inOrder), sink));
  }

  report(form, { value = "", rows = 0 } = {}) {
    const { library } = this;
    return new TextDecoder().decode(library.with([cString(value)], v =>
      library.written(() => library.c.report(3, v, rows, form))));
  }

  /** For people: the functions that cost most, and the tree of calls. */
  top(options) {
    return this.report(TOP, options);
  }

  tree(options) {
    return this.report(TREE, options);
  }

  /** { columns, functions, threads, notes }, as toll report --json gives it. */
  summary(options) {
    return JSON.parse(this.report(JSON_TEXT, options));
  }
}

/** What one instance after the other of instrumented modules does. */
export class Recording extends Profile {
  /** Made by Toll.record. Options are those of Toll.instantiate. */
  constructor(toll, options) {
    const start = performance.now();
    super(toll.module, () => (performance.now() - start) * 1e6);
    this.toll = toll;
    this.options = options;
    const { ticks = true, time = false, timeline = false, heap = false, depth = 0 } = options;
    const flags = (ticks ? WITH_TICKS : 0) | (time ? WITH_TIME : 0) | (timeline ? WITH_TIMELINE : 0) |
                  (heap ? WITH_HEAP : 0);
    this.library.check(this.library.c.begin(flags, depth, BigInt(Date.now()) * 1000000n));
  }

  /** The ticks of the current instance; while it is being made, those that it told last. */
  get ticks() {
    const { instance, library } = this;
    return instance ? instance.exports["toll:ticks"]?.value ?? 0n : library.c.ticks();
  }

  /** `work` as a phase: a frame of that name. */
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
    this.phaseBegan = { name, ...this.spent() };
  }

  endPhase() {
    const { name, ticks, time } = this.phaseBegan;
    this.library.c.phase_end(this.ticks);
    const now = this.spent();
    this.onPhase?.({ name, ticks: now.ticks - ticks, time: now.time - time });
  }

  /** What has been spent so far, in all instances: { ticks, time } (nanoseconds). */
  spent() {
    const { c } = this.library;
    c.charge(this.ticks);
    return { ticks: c.spent_ticks(), time: c.spent_time() };
  }

  /** From here on, what `since` writes. */
  mark() {
    this.aside(() => this.library.check(this.library.c.mark()));
  }

  /** The profile since the mark: bytes of a format, as `write` has them. */
  since(format, value = "") {
    const { library } = this;
    return this.aside(() =>
      library.with([cString(format), cString(value)], (f, v) => library.written(() => library.c.since(3, f, v))));
  }

  /** Work of the profiler's own, whose time is nobody's. */
  aside(work) {
    const { c } = this.library;
    c.charge(this.ticks);
    try {
      return work();
    } finally {
      c.pass(this.ticks);
    }
  }

  /** A section begins, ends: a frame that stands until then, whatever is called meanwhile. */
  beginSection(name) {
    this.library.with([cString(name)], at => this.library.check(this.library.c.section(at, this.ticks)));
  }

  endSection(name) {
    this.library.with([cString(name)], at => this.library.check(this.library.c.section_end(at, this.ticks)));
  }

  /** The bytes of a module as they can be instantiated here: instrumented. */
  prepare(bytes) {
    return isInstrumented(bytes) ? bytes : this.aside(() => this.toll.instrument(bytes, this.options));
  }

  /** Make an instance of an instrumented module; its exports. */
  instantiate(module, imports = {}) {
    const { c } = this.library, { enter, leave, depth, unwind, allocating, heap } = c;
    this.name(module);
    c.next_instance(this.ticks);
    this.instance = null;
    const all = { ...(hasTable(module) ? this.watched(imports) : imports),
                  toll: { enter, leave, depth, unwind, allocating, heap } };
    this.instance = new WebAssembly.Instance(module, all);
    return this.exports = this.guarded(this.instance.exports);
  }

  /** Tell what the module's functions are called. */
  name(module) {
    const { library } = this, names = told(module);
    names.next(); // the depth is the whole recording's
    const imported = WebAssembly.Module.imports(module).filter(i => i.kind === "function" && i.module !== "toll");
    library.check(library.c.functions(names.next().value));
    this.names = [...names];
    this.names.forEach((name, f) =>
      library.with([name], at => library.check(library.c.name(f, at, name.length, f < imported.length))));
    this.firstMoved = imported.length; // functions from this on have other numbers than in the old module
    this.moved = WebAssembly.Module.imports(module).filter(i => i.module === "toll").length;
  }

  /** The name of a function by its number in the instrumented module, as engines tell it. */
  nameOf(number) {
    const old = number < this.firstMoved ? number : number - this.moved;
    return this.names[old] && new TextDecoder().decode(this.names[old]);
  }

  /** The exports; a function that ends by an exception or a trap leaves no other standing. */
  guarded(exports) {
    const { depth, unwind } = this.library.c, result = {};
    for (const [name, value] of Object.entries(exports)) {
      if (name === "toll:ticks") continue;
      result[name] = typeof value !== "function" ? value : (...args) => {
        const before = depth();
        try {
          return value(...args);
        } catch (error) {
          unwind(before, this.ticks);
          throw error;
        }
      };
    }
    return Object.freeze(result);
  }

  /** The imports, where these may call functions of a table and catch what they throw. */
  watched(imports) {
    const { depth, unwind } = this.library.c;
    const watch = f => (...args) => {
      const before = depth(), result = f(...args);
      if (depth() > before) unwind(before, this.ticks);
      return result;
    };
    const isPlain = f => typeof f === "function" && !/^\d+$/.test(f.name); // not WebAssembly's own
    const watchAll = from => new Proxy(from, {
      get: (target, name) => (isPlain(target[name]) ? watch(target[name]) : target[name]),
    });
    return Object.fromEntries(Object.entries(imports).map(([name, from]) => [name, watchAll(from)]));
  }

  write(...how) {
    return this.aside(() => super.write(...how));
  }

  report(...how) {
    return this.aside(() => super.report(...how));
  }
}

export class Toll {
  constructor(module) {
    this.module = module;
  }

  /** `source`: the bytes of toll.wasm, or where it is; else it is beside this file. */
  static async load(source = new URL("toll.wasm", import.meta.url)) {
    if (source instanceof URL && source.protocol === "file:")
      source = (await import("node:fs")).readFileSync(source);
    else if (source instanceof URL || typeof source === "string")
      source = await (await fetch(source)).arrayBuffer();
    return new Toll(await WebAssembly.compile(source));
  }

  /** The bytes of a module, instrumented. Options: only, skip (patterns), ticks: false, costs ("fuel", or
   *  lines NAME COST), heap: true (functions that allocate tell it). */
  instrument(bytes, { only = "", skip = "", costs = "", ticks = true, heap = false } = {}) {
    const library = new Library(this.module, () => 0), data = new Uint8Array(bytes);
    library.with([data, cString(only), cString(skip), cString(costs)], (at, ...texts) =>
      library.check(library.c.instrument(at, data.length, ...texts, !ticks, heap)));
    return library.result();
  }

  /** The types of the parameters of an exported function, as in the binary format: 0x7f is i32, ... */
  parameters(bytes, name) {
    const library = new Library(this.module, () => 0), data = new Uint8Array(bytes);
    library.with([data, cString(name)], (at, n) => library.check(library.c.parameters(at, data.length, n)));
    return [...library.result()];
  }

  /** A profile to add others to. */
  sum() {
    return new Profile(this.module, () => 0);
  }

  /** A recording that instances are made in, one after the other. Options: see instantiate. */
  record(options = {}) {
    return new Recording(this, options);
  }

  /** Profile a module. Options: those of instrument; time: true (nanoseconds, too); depth: N (deeper
   *  calls are charged to their ancestor there); timeline: true (keep the order in time); heap: true (bytes
   *  allocated and in use, by stack). */
  async instantiate(bytes, imports = {}, options = {}) {
    let module = await WebAssembly.compile(bytes);
    if (!section(module))
      module = await WebAssembly.compile(this.instrument(bytes, options));
    const recording = this.record({ depth: told(module).next().value, ...options, ticks: hasTicks(module) });
    recording.instantiate(module, imports);
    return recording;
  }
}
