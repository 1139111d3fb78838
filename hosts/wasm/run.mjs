// run.mjs - toll run app.wasm: a WASI program, or a module's export, profiled under Node. src/cli/run_wasm.c
// calls it. Standard output and input are the guest's; what this file says goes to standard error.
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { Toll } from "./toll.mjs";
import { Guest, Exit } from "./guest.mjs";
import { isInterrupt, Outcome, untilInterrupted } from "./outcome.mjs";

const TRAPPED = 134; // 128 + SIGABRT, as other runners have it
const text = { type: "string" }, flag = { type: "boolean", default: false }, list = { ...text, multiple: true, default: [] };
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    output: text, format: text, timeline: text, "timeline-format": text, invoke: text, only: text, skip: text,
    costs: text, inbox: text, preimages: text, depth: text, rows: text, dir: list, env: list, kernel: flag, "no-ticks": flag,
    "no-time": flag, flamechart: flag, heap: flag, tree: flag, quiet: flag,
  },
});

/** A table of costs by its name or its file's. */
function costs(table) {
  if (table === undefined || ["instructions", "fuel"].includes(table)) return table;
  if (!fs.existsSync(table)) throw new Error(`--costs: there is no file '${table}'; or say instructions or fuel`);
  return fs.readFileSync(table, "utf8");
}

function recordingOptions() {
  return {
    ticks: !options["no-ticks"], time: !options["no-time"], heap: options.heap,
    timeline: options.flamechart || options.timeline !== undefined,
    depth: Number(options.depth ?? 0), only: options.only, skip: options.skip, costs: costs(options.costs),
  };
}

/** The steps of an engine, each a phase: decode, link, init. `imports` makes them. */
function instantiate(recording, instrumented, imports) {
  const module = recording.phase("%interpreter(decode)", () => new WebAssembly.Module(instrumented));
  const linked = recording.phase("%interpreter(link)", () => imports(module));
  return recording.phase("%interpreter(init)", () => recording.instantiate(module, linked));
}

async function runProgram(toll, bytes, outcome) {
  const guest = new Guest(positionals, options), recording = toll.record(recordingOptions());
  const prepared = recording.prepare(bytes);
  const call = options.invoke && guest.call(options.invoke, toll.parameters(bytes, options.invoke));
  if (!call) guest.check(bytes);
  return untilInterrupted(() => {
    const exports = instantiate(recording, prepared, module => {
      const imports = guest.imports(module);
      outcome.follow(recording); // from here on there is something to tell
      return imports;
    });
    return call ? call(exports) : guest.start(exports);
  });
}

async function runKernel(toll, bytes, outcome) {
  const { runInbox } = await import("./run_kernel.mjs");
  return runInbox(toll, bytes, { ...options, recording: recordingOptions(), outcome, instantiate, describe }, TRAPPED);
}

/** The functions of a trap's stack, innermost first. */
function trapStack(error, recording) {
  const calls = (error.stack ?? "").matchAll(/wasm-function\[(\d+)\]/g);
  return [...calls].slice(0, 20).map(([, number]) => recording?.nameOf(Number(number)) ?? `wasm-function[${number}]`);
}

/** [exit status, what to say] of an error. */
function describe(error, recording) {
  const name = path.basename(positionals[0]);
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError)
    return [TRAPPED, [`${name}: trap: ${error.message}`, ...trapStack(error, recording).map(f => `    in ${f}`)].join("\n")];
  return [1, `${name}: ${String(error?.message ?? error).replace(/^toll: /, "")}`];
}

function readModule(file, outcome) {
  const bytes = fs.readFileSync(file);
  outcome.hasNames = !WebAssembly.validate(bytes) || // which is told in time
    WebAssembly.Module.customSections(new WebAssembly.Module(bytes), "name").length > 0;
  return bytes;
}

Error.stackTraceLimit = 20;
const outcome = new Outcome(options);
let status = 0, interrupted = false;
try {
  const toll = await Toll.load(), bytes = readModule(positionals[0], outcome);
  status = await (options.kernel ? runKernel : runProgram)(toll, bytes, outcome);
} catch (error) {
  interrupted = isInterrupt(error);
  if (error instanceof Exit) {
    status = error.status;
  } else if (!interrupted) {
    const [code, message] = describe(error, outcome.profile);
    status = code;
    fs.writeSync(2, `toll: ${message}\n`);
  }
}
outcome.write();
outcome.end(status, interrupted);
