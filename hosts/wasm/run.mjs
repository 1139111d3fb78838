// run.mjs - toll run app.wasm: runs a WASI program, or an export of a module, under Node, and profiles it.
// cmake/join_scripts.cmake joins it with what it imports into run.cjs, which src/cli/run_wasm.c starts. Standard input
// and output belong to the guest; messages go to standard error.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { Toll } from "./toll.mjs";
import { folders, Guest, variables } from "./guest.mjs";
import { printable } from "./printable.mjs";
import { TimelineFile } from "./timeline_file.mjs";
import { endOf, FirstFiles, ofSecondRun, placesOf, runAgain, secondRun, TRAP } from "./second_run.mjs";
import { isInstrumented } from "./module_sections.mjs";
import { V8Sampler } from "./v8_sampler.mjs";
import { isInterrupt, Outcome, real, say, untilInterrupted } from "./outcome.mjs";
import { isComponent, startComponent } from "./run_component.mjs";

const TRAPPED = 134; // 128 + SIGABRT, as other runners have it
const WORTH_SAYING = 1e9; // nanoseconds
const WORTH_AGAIN = 500; // samples; for less than 0.1 s a second run is not worth its start
const NOT_TWICE = "the time is that of the recorded run, not of a second one";
const TABLES = ["instructions", "fuel", "pvm", "cosmwasm"];
const PVM_FRAMES = 60_000, FIRST_PVM_FRAMES = 300; // stack_size_limit: the call of a function that would have this number traps
const text = { type: "string" }, flag = { type: "boolean", default: false }, list = { ...text, multiple: true, default: [] };
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    output: text, functions: text, format: text, shown: text, timeline: text, "timeline-format": text, invoke: text, serve: text, only: text, skip: text,
    costs: text, value: text, inbox: text, preimages: text, "preimage-endpoint": text, "dal-pages-dir": text,
    "installer-config": text, rollup: text, "pvm-version": text, run: text, show: list, "frame-limit": text, depth: text, rows: text, dir: list, env: list, kernel: flag, "no-ticks": flag,
    "no-time": flag, sampled: flag, lines: flag, "call-lines": flag, "call-kinds": flag, "no-calls": flag, "keep-all": flag, "fold-recursion": flag, twice: flag, flamechart: flag, heap: flag, tree: flag, quiet: flag,
  },
});

/** The table of costs: one of the names, or the text of a file. */
function costs(table) {
  if (table === undefined || TABLES.includes(table)) return table;
  if (!fs.existsSync(table) || !fs.statSync(table).isFile())
    throw new Error(`--costs: there is no file '${table}'; give a file, ${TABLES.join(", ")}`);
  const text = fs.readFileSync(table, "utf8");
  if (text.includes("\0")) throw new Error(`--costs: ${table} is not a text file: it contains a NUL`);
  return text;
}

/** Where the timeline is kept: in the output file if that has Toll's own format; else in a temporary file, from which
 *  the output is written. */
function timelineFile() {
  const { timeline, flamechart } = options;
  return outcome.streams ? new TimelineFile(real(timeline)) : flamechart || timeline !== undefined ? new TimelineFile() : false;
}

/** The text with the definitions of the module's functions, from the process that started this one, for toll.wasm. */
const readDefinitions = () => options.functions === undefined ? undefined : Buffer.concat([fs.readFileSync(Number(options.functions)), Buffer.of(0)]);

/** How many functions may be open: a kernel's trap at the limit of Tezos' PVM. */
const pvmFrames = () => (options["pvm-version"] === "2.0.0" ? FIRST_PVM_FRAMES : PVM_FRAMES);
const mostFrames = () => Math.max(0, Number(options["frame-limit"] ?? (options.kernel ? pvmFrames() : 0)) - 1);

/** `debug`: read the debug information here. Of a module, toll run reads it afterwards (src/cli/run_lines.c). */
function recordingOptions({ debug = false } = {}) {
  return {
    mostFrames: mostFrames(),
    ticks: !options["no-ticks"], time: options.sampled || (!options["no-time"] && "each"), heap: options.heap,
    timeline: timelineFile(),
    lines: options.lines, debug, callLines: options["call-lines"], callKinds: options["call-kinds"], calls: !options["no-calls"], foldRecursion: options["fold-recursion"], name: path.basename(positionals[0]),
    depth: Number(options.depth ?? 0), only: options.only, skip: options.skip, costs: costs(options.costs), definitions: readDefinitions(),
  };
}

/** Let V8 optimise the guest as early as it does by default: src/cli/run_wasm.c has made Node 18 and 20 do so as late as
 *  Node 22, for the functions of toll.wasm. */
function useDefaultTiering() {
  if (parseInt(process.versions.node, 10) < 22) createRequire(import.meta.url)("node:v8").setFlagsFromString("--wasm-tiering-budget=1800000");
}

/** Make an instance. The engine's steps are phases of the profile: decode, link, init. `imports(module)` returns the
 *  imports. `ticks`: what each phase takes, if that is known. */
function instantiate(recording, instrumented, imports, ticks = {}) {
  const phase = (name, work) => recording.phase(`%interpreter(${name})`, () => {
    const made = work();
    if (ticks[name]) recording.spend(ticks[name]);
    return made;
  });
  const module = phase("decode", () => new WebAssembly.Module(instrumented));
  const linked = phase("link", () => imports(module));
  return phase("init", () => recording.instantiate(module, linked));
}

/** Can V8's sampler sample the time of a program? It does not know from which place a function was called; and Node can
 *  be built without it. */
const canSampleByEngine = () => options.sampled && process.features.inspector && !options["call-lines"] && !options["call-kinds"];
const engineSampler = () => (canSampleByEngine() ? new V8Sampler(() => createRequire(import.meta.url)("node:inspector")) : undefined);

/** The result of `work`, or { error }. */
function attempt(work) {
  try {
    return work();
  } catch (error) {
    return { error: isInterrupt(error) ? "it was interrupted" : error.message };
  }
}

/** Why the second run does not show the time of the first one; undefined: it does. */
function difference(again, written, ended) {
  if (!again) return "it took too long";
  if (again.error) return again.error;
  if (!again.profile) return "it did not begin";
  if (again.end !== ended) return `it ended by ${again.end}, not ${ended}`;
  return again.written === written ? undefined : `it has written ${again.written} bytes to standard output, error; not ${written}`;
}


/** Sample a second run of the program as it is, if time was sampled for long enough, and take the time from that. */
function timeAgain(toll, bytes, outcome, recording, files) {
  outcome.beforeWriting = undefined;
  const { kept } = files, { samples, all } = recording.overhead();
  if (samples < WORTH_AGAIN) return;
  if (!kept) return recording.note(`${NOT_TWICE}: its input was not kept`);
  if (!options.quiet && all > WORTH_SAYING) say(2, "toll: once more, as it is, for the time; Ctrl-C: without\n");
  const types = options.invoke && toll.parameters(bytes, options.invoke), what = { bytes, args: positionals, env: options.env, dir: options.dir, invoke: options.invoke, types, input: kept };
  const again = attempt(() => untilInterrupted(() => secondRun(new URL(import.meta.url), what, all / 1e6))), differs = difference(again, files.written, outcome.ended);
  if (differs) recording.note(`${NOT_TWICE}: ${differs}`);
  else recording.replaceTime(again.profile, placesOf(bytes));
}

async function runProgram(toll, bytes, outcome) {
  const exit = status => { // from within the guest
    outcome.ended = endOf(status);
    outcome.write();
    process.exit(outcome.status(status));
  };
  if (options.twice && isInstrumented(bytes)) throw new Error("--twice: the module is instrumented; give the one that it was made of");
  const engine = engineSampler(), files = engine && options.twice ? new FirstFiles() : undefined;
  const guest = new Guest(positionals, options, exit, files?.all), recording = toll.record({ ...recordingOptions(), engine });
  const again = () => recording.aside(() => recording.isSampled && timeAgain(toll, bytes, outcome, recording, files));
  if (files) outcome.beforeWriting = () => attempt(again); // within the guest's call of proc_exit nothing may be thrown
  return untilInterrupted(() => {
    const prepared = recording.prepareOwn(bytes);
    useDefaultTiering();
    const call = options.invoke && guest.call(options.invoke, toll.parameters(bytes, options.invoke));
    if (!call) guest.check(bytes);
    const exports = instantiate(recording, prepared, module => {
      const imports = guest.imports(module);
      outcome.follow(recording); // from here on there is a profile to write
      return imports;
    });
    return call ? call(exports) : guest.start(exports);
  });
}

function runComponent(toll, bytes, outcome) {
  if (options.twice) throw new Error("--twice is for modules, not for components");
  if (options.serve !== undefined && options.invoke !== undefined) throw new Error("--serve calls the handler of requests: leave out one of --serve and --invoke");
  const guest = { args: positionals, env: Object.fromEntries(variables(options.env)), folders: Object.fromEntries(folders(options.dir)) };
  return startComponent(bytes, positionals[0], () => toll.record(recordingOptions({ debug: true })), guest, { toll, outcome, invoke: options.invoke, serve: options.serve, untilInterrupted });
}

/** Run a kernel. Its host is installed in a folder beside this file; the sources are in hosts/kernel. */
async function runKernel(toll, bytes, outcome) {
  const { runInbox } = await import("./kernel/run_kernel.mjs"), recording = toll.record(recordingOptions());
  const isPvm = options.costs === "pvm" && !options["no-ticks"];
  const runner = { recording, isPvm, hasTime: !options["no-time"], outcome, say, untilInterrupted, instantiate, describe };
  return runInbox(bytes, runner, options, TRAPPED);
}

/** The engine's name of a function: MODULE.FUNCTION; undefined if it is the module's alone. */
const nameWithin = name => name?.includes(".") ? name : undefined;

/** The functions of a trap's stack, innermost first, without those of toll.wasm. Of several modules the engine's names
 *  are taken, since its numbers do not say of which module they are. */
function trapStack(error, recording) {
  const calls = (error.stack ?? "").matchAll(/at (?:(.*) \()?(wasm:[^\s:]*):wasm-function\[(\d+)\]/g), own = recording?.toll.urlInStacks();
  return [...calls].filter(([, , url]) => url !== own).slice(0, 20)
    .map(([, name, , number]) => (recording?.linked ? nameWithin(name) : recording?.nameOf(Number(number))) ?? `wasm-function[${number}]`);
}

/** The message for a trap; undefined if the error is not a trap. */
function trapText(error) {
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) return `trap: ${error.message.replace(/^wasm trap: /, "")}`;
  if (WebAssembly.Exception && error instanceof WebAssembly.Exception) return "an uncaught exception";
}

/** [exit status, message] of an error. */
function describe(error, recording) {
  const name = printable(path.basename(positionals[0])), trap = trapText(error);
  if (trap) return [TRAPPED, [`${name}: ${printable(trap)}`, ...trapStack(error, recording).map(f => `    in ${printable(f)}`)].join("\n")];
  const text = String(error?.message ?? error).replace(/^toll: /, "").replace(/^costs:/, `${options.costs}:`);
  return [1, text.startsWith(`${name}: `) ? printable(text) : `${name}: ${printable(text)}`];
}

/** A kernel's file may also be hex, as the kernel's installer has it. */
function readBytes(file) {
  const bytes = fs.readFileSync(file);
  if (!options.kernel) return bytes;
  const extension = path.extname(file);
  if (extension === ".wast" || extension === ".wat")
    throw new Error(`is the text of a module; make the module first: wat2wasm --debug-names ${path.basename(file)}`);
  if (extension !== ".hex") return bytes;
  const digits = bytes.toString("latin1").trim();
  if (!/^([0-9A-Fa-f]{2})+$/.test(digits)) throw new Error("is not hex, of whole bytes");
  return Buffer.from(digits, "hex");
}

function readModule(file, outcome) {
  const bytes = readBytes(file);
  outcome.hasNames = !WebAssembly.validate(bytes) || // an invalid module gets its own message later
    WebAssembly.Module.customSections(new WebAssembly.Module(bytes), "name").length > 0;
  return bytes;
}

const outcome = new Outcome(options);

async function main() {
  Error.stackTraceLimit = 20;
  let status = 0, interrupted = false;
  try {
    const bytes = readModule(positionals[0], outcome), run = options.kernel ? runKernel : isComponent(bytes) ? runComponent : runProgram;
    if (options.serve !== undefined && run !== runComponent) throw new Error("--serve is for components that handle HTTP requests (wasi:http), and this is a module");
    const toll = await Toll.load();
    status = await run(toll, bytes, outcome);
    outcome.ended = endOf(status);
  } catch (error) {
    interrupted = isInterrupt(error);
    outcome.ended = TRAP;
    if (interrupted) {
      outcome.profile?.recover();
      outcome.beforeWriting = undefined;
    } else {
      const [code, message] = describe(error, outcome.profile);
      status = code;
      say(2, `toll: ${message}\n`);
    }
  }
  outcome.write();
  outcome.end(status, interrupted);
  if (options.serve !== undefined) process.exit(); // the server would go on
}

const inSecondRun = ofSecondRun(); // its thread runs this script, too
await (inSecondRun ? runAgain(inSecondRun) : main());
