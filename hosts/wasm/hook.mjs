// hook.mjs - Toll.hook: instruments every module that a program compiles from now on, and records every instance. It is
// for packages that load their modules themselves. Modules that Node compiles for itself are not recorded.
import { LinkedModules } from "./linked.mjs";
import { viewOf } from "./library.mjs";
import { CODE, isInstrumented, sections } from "./module_sections.mjs";
import { makeProfile } from "./profile.mjs";
import { reported, section } from "./recording.mjs";

const METHODS = ["Module", "Instance", "compile", "instantiate", "compileStreaming", "instantiateStreaming"];

const hasSection = module => section(module) !== undefined;
const bytesOf = async response => (await response).arrayBuffer();

/** Whether a module defines functions. Emscripten makes modules that do not, to put a JavaScript function into a table.
 *  They are not recorded: they have nothing to count, and an exception only passes through them. */
function hasCode(source) {
  for (const { id } of sections(viewOf(source))) if (id === CODE) return true;
  return false;
}

/** Whether `callee` was called by code that is part of Node. Some of Node's dependencies compile modules for
 *  themselves: fetch parses HTTP with one, import scans CommonJS with another. Such calls come directly from files in
 *  node:internal/deps. Other files of Node (timers, streams) may also be on the stack when the program itself compiles
 *  a module. */
function calledByNode(callee) {
  if (!globalThis.process?.versions?.node) return false;
  const { stackTraceLimit } = Error, prepare = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  const place = {};
  Error.stackTraceLimit = 1;
  Error.prepareStackTrace = (_, [caller]) => caller?.getFileName() ?? "";
  try {
    Error.captureStackTrace(place, callee);
    return place.stack.startsWith("node:internal/deps/");
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    if (prepare) Object.defineProperty(Error, "prepareStackTrace", prepare);
    else delete Error.prepareStackTrace;
  }
}

/** `replacement` with the name and the length of `original`, which a program may look at. */
function alike(original, replacement) {
  const of = property => ({ value: original[property], configurable: true });
  return Object.defineProperties(replacement, { name: of("name"), length: of("length") });
}

/** A function that replaces `original`, but calls it when Node's own code is the caller. */
function replaced(original, make) {
  return alike(original, function replacement(...args) {
    return calledByNode(replacement) ? original.apply(WebAssembly, args) : make(...args);
  });
}

/** The same for a constructor. What `make` returns is an `instanceof` the original. */
function replacedConstructor(original, make) {
  const constructor = function (...args) {
    return calledByNode(constructor) ? new original(...args) : make(...args);
  };
  constructor.prototype = original.prototype;
  return Object.setPrototypeOf(alike(original, constructor), original);
}

/** Returns { recordings, modules, profile, moment, sampled }. `recordings` and `modules` are arrays that grow: the recording of each
 *  instance, and, with the option `keepModules`, the instrumented bytes of its module. The others are those of
 *  the sum of all recordings. */
export function hook(toll, options = {}) {
  const plain = Object.fromEntries(["validate", ...METHODS].map(name => [name, WebAssembly[name]]));
  const recordings = [], modules = [], bytesOfModule = new WeakMap(), sourceOfModule = new WeakMap(), unguarded = new WeakMap();

  const keepsBytes = options.keepModules || options.time === true; // they are as large as the program's code
  const linked = options.linked ? new LinkedModules(toll, toll.record(options)) : undefined; // all modules, in one recording
  if (linked) recordings.push(linked.recording);

  function instrumented(bytes, how) {
    try {
      return toll.rewrite("instrument", bytes, options);
    } catch (error) {
      new plain.Module(bytes, how); // throws the engine's own error if the engine refuses the bytes too
      throw error;
    }
  }

  /** `how`: options of the engine, such as its builtins. */
  function compile(bytes, how) {
    if (!hasCode(bytes)) return new plain.Module(bytes, how);
    const isNew = !isInstrumented(viewOf(bytes));
    if (linked && isNew) return linked.compile(bytes, undefined, how);
    const rewritten = isNew ? instrumented(bytes, how) : bytes, module = new plain.Module(rewritten, how);
    if (keepsBytes) bytesOfModule.set(module, rewritten);
    if (options.lines || options.callLines) sourceOfModule.set(module, bytes);
    return module;
  }

  function instantiate(module, imports) {
    if (!hasSection(module) || imports?.toll) return new plain.Instance(module, imports);
    if (linked?.has(module)) {
      const { exports } = linked.instantiate(module, imports);
      return standIn(linked.recording.guarded(exports), exports);
    }
    const recording = toll.record(reported(module, options));
    recordings.push(recording);
    if (options.keepModules) modules.push(bytesOfModule.get(module)?.slice());
    if (sourceOfModule.has(module)) recording.keepDebugInfo(sourceOfModule.get(module));
    recording.keepBodies(bytesOfModule.get(module));
    const exports = recording.instantiate(module, imports);
    return standIn(exports, recording.instance.exports);
  }

  /** An instance with guarded exports. */
  function standIn(exports, own) {
    for (const [name, value] of Object.entries(exports))
      if (typeof value === "function") unguarded.set(value, own[name]);
    return Object.create(plain.Instance.prototype, { exports: { value: exports } });
  }

  const both = (bytes, imports, how) => {
    const module = compile(bytes, how);
    return { module, instance: instantiate(module, imports) };
  };

  const functions = {
    compile: async (bytes, how) => compile(bytes, how),
    compileStreaming: async (response, how) => compile(await bytesOf(response), how),
    instantiate: async (what, imports, how) =>
      what instanceof plain.Module ? instantiate(what, imports) : both(what, imports, how),
    instantiateStreaming: async (response, imports, how) => both(await bytesOf(response), imports, how),
  };
  for (const [name, make] of Object.entries(functions)) WebAssembly[name] = replaced(plain[name], make);
  WebAssembly.Module = replacedConstructor(plain.Module, compile);
  WebAssembly.Instance = replacedConstructor(plain.Instance, instantiate);
  acceptGuarded(unguarded);
  const source = { whole: () => sumOf(toll, recordings), moment: () => sumOfMoments(toll, recordings).moment(),
                   sampled: () => allOf(recordings.map(recording => recording.sampled()).filter(late => late)),
                   get isEmpty() { return recordings.length === 0; },
                   part: (...moments) => sumOfMoments(toll, recordings).part(...moments) };
  return { recordings, modules, profile: (...how) => makeProfile(source, ...how), moment: source.moment, sampled: source.sampled };
}

const allOf = promises => (promises.length ? Promise.all(promises) : undefined);

/** The sum of recordings. A single recording is its own sum, which needs less memory. */
export function sumOf(toll, recordings) {
  if (recordings.length === 1) return recordings[0];
  const sum = toll.sum();
  for (const recording of recordings) sum.add(recording.write("pprof"));
  return sum;
}

/** The sum of all that was recorded, also before a reset. It has the labels of the first recording. */
export function sumOfMoments(toll, recordings) {
  const sum = toll.sum();
  for (const recording of recordings) sum.add(recording.moment().bytes);
  for (const labels of recordings[0]?.labels ?? []) sum.label(labels);
  return sum;
}

/** Let a table accept a function that toll.mjs has wrapped. A table only takes exported functions of modules, so the
 *  wrapped original is stored. */
function acceptGuarded(unguarded) {
  const table = WebAssembly.Table.prototype, { set, grow } = table;
  const own = value => unguarded.get(value) ?? value;
  table.set = alike(set, function (at, ...value) { return set.call(this, at, ...value.map(own)); });
  table.grow = alike(grow, function (by, ...value) { return grow.call(this, by, ...value.map(own)); });
}
