// second_run.mjs - runs a program a second time, as it is, in a thread of its own, so that V8's samples show what its
// functions take when nothing records them. The second run reads what the first one has read from standard input, and
// what it writes to standard output and error goes nowhere.
import fs from "node:fs";
import { createRequire } from "node:module";
import { Guest } from "./guest.mjs";
import { DiskFile } from "./wasi_file.mjs";
import { bodyOffsets, namedImports, V8Sampler } from "./v8_sampler.mjs";

const MOST_KEPT = 64 << 20, FIRST_KEPT = 4096; // bytes of what the first run reads from a pipe
const PATIENCE = 2, LEAST_PATIENCE_MS = 10_000; // the second run may take so many times as long as the recorded one
const findThreads = () => createRequire(import.meta.url)("node:worker_threads");

/** How a run ended, to compare two: by an exit status, or by an error. */
export const endOf = status => `exit ${status}`, TRAP = "trap";

// --- the first run ---

/** Standard input that keeps what is read from a pipe or terminal. A file is opened again. */
class KeptInput extends DiskFile {
  constructor(...how) {
    super(...how);
    this.bytes = Buffer.alloc(this.isStream ? FIRST_KEPT : 0);
    this.size = 0;
  }

  read(bytes, at, size) {
    const done = super.read(bytes, at, size);
    if (this.isStream) this.keep(bytes.subarray(at, at + done));
    return done;
  }

  keep(part) {
    const size = this.size + part.length;
    if (size > MOST_KEPT) this.bytes = undefined;
    else if (this.bytes && size > this.bytes.length) this.bytes = Buffer.concat([this.bytes], Math.max(size, 2 * this.bytes.length));
    this.bytes?.set(part, this.size);
    this.size = size;
  }
}

/** Standard output or error; counts the bytes. */
class CountedOutput extends DiskFile {
  written = 0;

  write(bytes, at, size) {
    const done = super.write(bytes, at, size);
    this.written += done;
    return done;
  }

  writePieces(pieces) {
    const done = super.writePieces(pieces); // of a stream by write
    if (!this.isStream) this.written += done;
    return done;
  }
}

/** Where a file stands; undefined: it is a stream, or the system does not say. */
function startOf(file) {
  try {
    return file.isStream ? undefined : file.tell();
  } catch {
    return undefined;
  }
}

/** The files of the first run, for the second one. */
export class FirstFiles {
  constructor() {
    this.input = KeptInput.inherited(0);
    this.start = startOf(this.input);
    this.outputs = [CountedOutput.inherited(1), CountedOutput.inherited(2)];
  }

  get all() {
    return [this.input, ...this.outputs];
  }

  /** What the second run reads: { type, rights } and bytes or start. undefined: it cannot be had again. */
  get kept() {
    const { type, rights, isStream, bytes, size } = this.input;
    if (!isStream) return this.start === undefined ? undefined : { type, rights, start: this.start };
    return bytes && { type, rights, bytes: bytes.subarray(0, size) };
  }

  get written() {
    return this.outputs.map(file => file.written).join();
  }
}

/** Run a program again. `what`: its bytes, arguments, variables and input, as runAgain takes them. Returns { profile,
 *  written, end }; undefined: it did not end in time. `script`: that of this thread. */
export function secondRun(script, what, firstMs) {
  const { MessageChannel, receiveMessageOnPort, Worker } = findThreads(), { port1, port2 } = new MessageChannel();
  const done = new Int32Array(new SharedArrayBuffer(4)), worker = new Worker(script, { workerData: { ...what, done, port: port2 }, transferList: [port2] });
  worker.on("error", () => {}); // then there is no answer
  try {
    Atomics.wait(done, 0, 0, Math.max(LEAST_PATIENCE_MS, PATIENCE * firstMs));
    return receiveMessageOnPort(port1)?.message;
  } finally {
    worker.terminate();
    port1.close();
  }
}

// --- the second run, in its thread ---

/** A file to which nothing is written; counts the bytes. */
class NoOutput extends DiskFile {
  written = 0;

  write(bytes, at, size) {
    this.written += size;
    return size;
  }

  writePieces(pieces) {
    return pieces.reduce((sum, piece) => sum + this.write(piece, 0, piece.length), 0);
  }

  writeAt(bytes, at, size) {
    return size;
  }

  writePiecesAt(pieces) {
    return pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  setSize() {}
  setTimes() {}
  allocate() {}
  sync() {}
  syncData() {}
}

/** Standard input: what the first run has read. */
class ReplayedInput extends NoOutput {
  constructor({ type, rights, bytes }) {
    super(0, type, { rights });
    this.bytes = bytes;
    this.at = 0;
  }

  read(bytes, at, size) {
    const part = this.bytes.subarray(this.at, this.at + size);
    bytes.set(part, at);
    this.at += part.length;
    return part.length;
  }

  readable() {
    return this.bytes.length - this.at;
  }
}

const openAgain = ({ type, rights, start }) => new NoOutput(fs.openSync("/proc/self/fd/0", fs.constants.O_RDONLY), type, { position: start, rights });

class SilentGuest extends Guest {
  print() {}
}

/** The data of the second run's thread; undefined in the first run's, which has arguments. */
export const ofSecondRun = () => (process.argv.length > 2 ? undefined : findThreads().workerData ?? undefined);

/** Run the program in this thread, and pass what V8 has sampled to the first run's. */
export function runAgain({ bytes, args, env, dir, invoke, types, input, done, port }) {
  const sampler = new V8Sampler(() => createRequire(import.meta.url)("node:inspector"));
  const outputs = [NoOutput.inherited(1), NoOutput.inherited(2)];
  const finish = end => {
    const profile = sampler.isRunning ? sampler.end() : undefined;
    port.postMessage({ profile, end, written: outputs.map(file => file.written).join() });
    Atomics.store(done, 0, 1);
    Atomics.notify(done, 0);
  };
  const exit = status => {
    finish(endOf(status));
    process.exit(); // of this thread
  };
  try {
    const files = [input.bytes ? new ReplayedInput(input) : openAgain(input), ...outputs], guest = new SilentGuest(args, { dir, env }, exit, files);
    const module = new WebAssembly.Module(bytes), call = invoke && guest.call(invoke, types);
    const { exports } = new WebAssembly.Instance(module, namedImports(module, guest.imports(module)));
    sampler.start();
    if (call) call(exports);
    else guest.start(exports);
    finish(endOf(0));
  } catch {
    finish(TRAP); // as the first one, if that has ended so
  }
}

/** Where V8's samples of the module as it is are to be charged. */
export const placesOf = bytes => ({
  bodies: bodyOffsets(bytes), oldNumber: number => number,
  firstBody: WebAssembly.Module.imports(new WebAssembly.Module(bytes)).filter(i => i.kind === "function").length,
});
