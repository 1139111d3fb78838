// preload.mjs - profiles a program of Node whose packages load WebAssembly, in all of its threads:
//
//     node --import /usr/share/toll/preload.mjs program.mjs
//
// Every module that the program compiles is instrumented (hook.mjs), in this thread and in each worker. When the
// program ends, the profile of all threads is written to TOLL_OUTPUT (toll.pb.gz). A worker has a thread of its own in
// it, "worker 1" and so on; what it has done is in a file of its own until then, which is written anew when it is idle,
// and before it sends a message: a worker that is terminated says nothing of it.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { isMainThread, parentPort, threadId } from "node:worker_threads";
import { Toll } from "./toll.mjs";

const OUTPUT = process.env.TOLL_OUTPUT || "toll.pb.gz";
const LOOK_MS = 10; // between two looks of a worker that is idle
const REST_IDLE = 1, REST_SENDING = 10; // after it has written, it rests that many times as long
const FORMATS = { ".folded": "folded", ".json": "speedscope", ".callgrind": "callgrind" }; // by extension; else pprof

function fail(error) {
  process.stderr.write(`toll: ${OUTPUT}: ${error.message.replace(/^toll: /, "")}\n`);
}

if (isMainThread)
  try {
    fs.accessSync(path.dirname(path.resolve(OUTPUT)), fs.constants.W_OK);
  } catch (error) {
    fail(error);
    process.exit(1);
  }
const options = JSON.parse(process.env.TOLL_OPTIONS || "{}"); // of toll.hook
const toll = await Toll.load();
const hooked = toll.hook({ ...options, thread: isMainThread ? "main" : `worker ${threadId}` });

/** Write a file as a whole or not at all. */
function save(file, bytes) {
  fs.writeFileSync(`${file}.tmp`, bytes);
  fs.renameSync(`${file}.tmp`, file);
}

function followMain() {
  const folder = process.env.TOLL_THREADS = fs.mkdtempSync(path.join(os.tmpdir(), "toll-")); // workers inherit it
  process.on("exit", () => {
    const sum = toll.sum();
    try {
      for (const recording of hooked.recordings) sum.add(recording.write("pprof"));
      for (const name of fs.readdirSync(folder).filter(name => name.endsWith(".pb")).sort())
        sum.add(fs.readFileSync(path.join(folder, name)));
      const bytes = sum.write(FORMATS[path.extname(OUTPUT.replace(/\.gz$/, ""))] ?? "pprof");
      save(OUTPUT, OUTPUT.endsWith(".gz") ? zlib.gzipSync(bytes) : bytes);
      process.stderr.write(`toll: ${OUTPUT}\n${sum.top({ rows: 10 })}`);
    } catch (error) {
      fail(error);
      process.exitCode ||= 1;
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
}

function pprofOf(recordings) {
  if (recordings.length === 1) return recordings[0].write("pprof");
  const sum = toll.sum();
  for (const recording of recordings) sum.add(recording.write("pprof"));
  return sum.write("pprof");
}

function followWorker() {
  const file = path.join(process.env.TOLL_THREADS, `${threadId}.pb`);
  let written = -1n, ended = 0, took = 0;
  const write = () => {
    const { recordings } = hooked, spent = recordings.reduce((sum, recording) => sum + recording.ticks, 0n);
    if (spent === written) return;
    const start = performance.now();
    save(file, pprofOf(recordings));
    written = spent;
    ended = performance.now();
    took = ended - start;
  };
  const look = rest => performance.now() >= ended + rest * took && write();
  const { postMessage } = parentPort;
  parentPort.postMessage = function (...message) {
    look(REST_SENDING);
    return postMessage.apply(this, message);
  };
  setInterval(look, LOOK_MS, REST_IDLE).unref();
  process.on("exit", write);
}

(isMainThread ? followMain : followWorker)();
