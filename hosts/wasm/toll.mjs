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

const WITH_TICKS = 1, WITH_TIME = 2;

/** What toll.wasm's C library asks of an operating system: there is none. */
function noSystem(module) {
  const NONE = 52, NO_SUCH_FILE = 8, wasi = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module))
    if (from === "wasi_snapshot_preview1") wasi[name] = () => NONE;
  wasi.fd_prestat_get = () => NO_SUCH_FILE; // no folders
  wasi.environ_sizes_get = wasi.environ_get = () => 0; // no variables: both sizes stay 0
  return wasi;
}

/** An instance of toll.wasm: one recording. */
class Recording {
  constructor(module, now) {
    const imports = { wasi_snapshot_preview1: noSystem(module), toll_host: { now } };
    this.c = new WebAssembly.Instance(module, imports).exports;
    this.c._initialize();
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
    const text = new Uint8Array(this.c.memory.buffer, this.c.error_text(), this.c.error_size());
    throw new Error(`toll: ${new TextDecoder().decode(text)}`);
  }

  result() {
    return new Uint8Array(this.c.memory.buffer, this.c.result(), this.c.result_size()).slice();
  }
}

const cString = text => new TextEncoder().encode(`${text}\0`);

/** The names of functions, out of the custom section that toll instrument writes. */
function* functionNames(bytes) {
  let at = 1;
  const u32 = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  };
  yield u32();
  while (at < bytes.length) {
    const size = u32();
    yield bytes.subarray(at, at += size);
  }
}

async function gzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A module that is being profiled. */
class Profiled {
  /** Made by Toll.instantiate. */
  constructor(recording, module, imports, options) {
    this.recording = recording;
    this.module = module;
    this.options = options;
    this.begin();
    const { enter, leave, depth, unwind } = recording.c;
    this.instance = new WebAssembly.Instance(module, { ...imports, toll: { enter, leave, depth, unwind } });
    this.exports = this.guarded(this.instance.exports);
  }

  begin() {
    const section = WebAssembly.Module.customSections(this.module, "toll")[0];
    const names = functionNames(new Uint8Array(section));
    const { c } = this.recording, { value: count } = names.next();
    const hasTicks = WebAssembly.Module.exports(this.module).some(e => e.name === "toll:ticks");
    const flags = (hasTicks ? WITH_TICKS : 0) | (this.options.time ? WITH_TIME : 0);
    const imported = WebAssembly.Module.imports(this.module).filter(i => i.kind === "function" && i.module !== "toll").length;
    this.recording.check(c.begin(flags, count, this.options.depth ?? 0));
    let f = 0;
    for (const name of names)
      this.recording.with([name], at => this.recording.check(c.name(f, at, name.length, f++ < imported)));
  }

  get ticks() {
    return this.instance.exports["toll:ticks"]?.value ?? 0n;
  }

  /** The exports; a function that ends by an exception or a trap leaves no other standing. */
  guarded(exports) {
    const { depth, unwind } = this.recording.c, result = {};
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

  /** The profile so far: bytes of "pb.gz", "pprof", "folded", "speedscope", "perfview", "callgrind".
   *  `value`: which one, for formats that have one: ticks, time or calls. */
  async profile(format = "pb.gz", value = "") {
    const { recording } = this, name = format === "pb.gz" ? "pprof" : format;
    recording.with([cString(name), cString(value)], (f, v) => recording.check(recording.c.profile(f, v, this.ticks)));
    const bytes = recording.result();
    return format === "pb.gz" ? gzip(bytes) : bytes;
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

  /** The bytes of a module, instrumented. Options: only, skip (patterns), ticks: false. */
  instrument(bytes, { only = "", skip = "", ticks = true } = {}) {
    const recording = new Recording(this.module, () => 0), data = new Uint8Array(bytes);
    recording.with([data, cString(only), cString(skip)], (at, o, s) =>
      recording.check(recording.c.instrument(at, data.length, o, s, !ticks)));
    return recording.result();
  }

  /** Profile a module. Options: those of instrument; time: true (nanoseconds, too); depth: N. */
  async instantiate(bytes, imports = {}, options = {}) {
    let module = await WebAssembly.compile(bytes);
    if (!WebAssembly.Module.customSections(module, "toll").length)
      module = await WebAssembly.compile(this.instrument(bytes, options));
    const start = performance.now();
    const recording = new Recording(this.module, () => (performance.now() - start) * 1e6);
    return new Profiled(recording, module, imports, options);
  }
}
