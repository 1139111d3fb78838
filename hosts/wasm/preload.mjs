// preload.mjs - profiles a Node program whose packages load WebAssembly, in all of its threads:
//
//     node --import /usr/share/toll/preload.mjs program.mjs
//
// Every module that the program compiles is instrumented (hook.mjs), in this thread and in each worker. When the
// program ends, the profile of all threads is written to TOLL_OUTPUT (toll.pb.gz). Each worker is a thread of that
// profile, "worker 1" and so on.
//
// Until the end, a worker's profile is in a file of its own. The worker writes it again when it is idle, and before it
// sends a message, since nothing announces that a worker will be terminated.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import zlib from "node:zlib";
import { isMainThread, parentPort, threadId } from "node:worker_threads";
import { sumOf } from "./hook.mjs";
import { onServer } from "./http_server.mjs";
import { isCompressed, save, SIGNALS } from "./outcome.mjs";
import { printable } from "./printable.mjs";
import { RequestProfiles } from "./requests.mjs";
import { Toll } from "./toll.mjs";

const OUTPUT = process.env.TOLL_OUTPUT || "toll.pb.gz";
const LOOK_MS = 10; // between two looks of a worker that is idle
const REST_IDLE = 1, REST_SENDING = 10; // after it has written, a worker waits so many times as long
const SIGNALLED = 128; // an exit status: plus the signal's number
const FORMATS = ["pprof", "speedscope", "perfview", "folded", "callgrind"]; // others need a timeline, or the command
const OPTIONS = ["only", "skip", "ticks", "time", "costs", "heap", "depth", "lines", "callLines", "callKinds", "inlines", "debug", "calls", "foldRecursion", "linked"];

function fail(name, error) {
  const text = error.message.replace(/^toll: /, "");
  process.stderr.write(`toll: ${printable(text.startsWith(`${name}: `) ? text : `${name}: ${text}`)}\n`);
}

/** The value of `work`. If it fails, the program does not begin. */
function needed(name, work) {
  try {
    return work();
  } catch (error) {
    fail(name, error);
    process.exit(1);
  }
}

function readOptions() {
  const options = JSON.parse(process.env.TOLL_OPTIONS || "{}"), other = Object.keys(options).find(name => !OPTIONS.includes(name));
  if (other !== undefined) throw new Error(`there is no option '${other}' here; there are ${OPTIONS.join(", ")}`);
  return options;
}

/** The format of OUTPUT, by its name. Throws if the file cannot be written. */
function readFormat() {
  fs.accessSync(path.dirname(path.resolve(OUTPUT)), fs.constants.W_OK);
  const format = toll.formatOf(OUTPUT);
  if (!FORMATS.includes(format)) throw new Error(`${format} cannot be written here; write .pb.gz, and make it of that with toll convert`);
  return format;
}

// The V8 of Node 20 and 22 damages its heap in fast API calls of node:wasi, which the program may use: memory that is
// allocated there may start a garbage collection, which does not know the stack's innermost frame. So fast API calls
// are off. `toll run` does not use node:wasi (wasi.mjs).
setFlagsFromString("--no-turbo-fast-api-calls");

const toll = await Toll.load();
const options = needed("TOLL_OPTIONS", readOptions);
const format = isMainThread ? needed(OUTPUT, readFormat) : undefined;
const hooked = toll.hook({ ...options, thread: isMainThread ? "main" : `worker ${threadId}` });

let requests; // of a server, in place of the recording of linked modules
if (options.linked) onServer(handled);

/** Begin to record requests apart, and have each handled as one. All servers of the program have the same recording. */
function handled(handler) {
  if (typeof handler?.handle !== "function") return handler; // the server says so
  if (!requests) {
    requests = new RequestProfiles(hooked.recordings[0]);
    for (const signal of isMainThread ? SIGNALS : [])
      if (process.listenerCount(signal) === 0) process.once(signal, (_, number) => process.exit(SIGNALLED + number));
  }
  return { handle: (request, response) => requests.handle(request, () => handler.handle(request, response)) };
}

/** Everything so far, as profiles. */
const all = () => requests ? [requests.complete(), ...hooked.recordings.slice(1)] : hooked.recordings;

/** Write a file whole or not at all. */
const saveBytes = (file, bytes) => save(file, take => take(bytes));

function followMain() {
  const folder = process.env.TOLL_THREADS = fs.mkdtempSync(path.join(os.tmpdir(), "toll-")); // workers inherit it
  process.on("exit", () => {
    try {
      const ofWorkers = fs.readdirSync(folder).filter(name => name.endsWith(".pb")).sort();
      const sum = ofWorkers.length ? toll.sum() : sumOf(toll, all());
      for (const recording of ofWorkers.length ? all() : []) sum.add(recording.write("pprof"));
      for (const name of ofWorkers) sum.add(fs.readFileSync(path.join(folder, name)));
      const bytes = sum.write(format);
      saveBytes(OUTPUT, isCompressed(format, OUTPUT) ? zlib.gzipSync(bytes) : bytes);
      process.stderr.write(`toll: ${OUTPUT}\n${sum.top({ rows: 10 })}`);
    } catch (error) {
      fail(OUTPUT, error);
      process.exitCode ||= 1;
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
}

function followWorker() {
  const file = path.join(process.env.TOLL_THREADS, `${threadId}.pb`), { recordings } = hooked;
  let saved = "", ended = 0, took = 0;
  let complain = error => {
    fail(file, error);
    complain = () => {}; // once is enough
  };
  const allTicks = () => recordings.map(recording => recording.ticks).join();
  const write = () => {
    const start = performance.now();
    saved = allTicks();
    try {
      saveBytes(file, sumOf(toll, all()).write("pprof"));
    } catch (error) {
      complain(error); // the program goes on
    }
    ended = performance.now();
    took = ended - start;
  };
  /** Have guests run since it was last written? Those without ticks do not show it. */
  const isNew = () => allTicks() !== saved || recordings.some(({ options }) => !options.ticks);
  const look = rest => performance.now() >= ended + rest * took && isNew() && write();
  const { postMessage } = parentPort;
  parentPort.postMessage = function (...message) {
    look(REST_SENDING);
    return postMessage.apply(this, message);
  };
  setInterval(look, LOOK_MS, REST_IDLE).unref();
  process.on("exit", write);
}

(isMainThread ? followMain : followWorker)();
