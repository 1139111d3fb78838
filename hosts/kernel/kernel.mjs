// kernel.mjs - runs a smart rollup's kernel as Tezos' WASM PVM does: over levels of messages, with a durable store,
// reboots and upgrades. It knows nothing of profiling: the caller makes the instances.
//
//     const kernel = new Kernel({ preimages: "folder", debug: text => process.stderr.write(text) });
//     kernel.load(parseInbox(text));
//     await kernel.run({ instantiate: () => new WebAssembly.Instance(module, kernel.imports(...)).exports });
//
// Each kernel_run is in a new instance. Only the store keeps data between them.
import { wholeLevel } from "./inbox.mjs";
import { HostError, smartRollupCore } from "./kernel_imports.mjs";
import { checkPreimage, dalPagesIn, preimagesIn } from "./reveal_sources.mjs";
import { Store } from "./store.mjs";

export { HostError };
export const MAX_REBOOTS = 1000; // of a level
const REBOOT = "/kernel/env/reboot", CODE = "/kernel/boot.wasm", FALLBACK = "/readonly/kernel/boot.wasm";
const COUNTER = "/readonly/kernel/env/reboot_counter", TOO_MANY = "/readonly/kernel/env/too_many_reboot";
const STUCK = "/readonly/kernel/env/stuck", NO_UPGRADE = "/readonly/kernel/env/upgrade_error";
const VERSION = "/readonly/wasm_version", NOTHING = new Uint8Array(0), METADATA_SIZE = 24;
const BLAKE2B = 0, PREIMAGE_HASH = 33; // its first byte is the kind of hash
export const PVM_VERSIONS = ["2.0.0", ...[1, 2, 3, 4, 5, 6].map(revision => `2.0.0-r${revision}`)];
const USUAL_VERSION = "2.0.0-r5";

const hex = bytes => Buffer.from(bytes).toString("hex");

/** The memory of a kernel's instance: the one that it exports, by any name. */
export function memoryOf(exports) {
  return Object.values(exports).find(value => value instanceof WebAssembly.Memory);
}

/** Whether WebAssembly itself ended the call: by a trap, a stack overflow or an uncaught exception. */
function isTrap(error) {
  const { RuntimeError, Exception } = WebAssembly;
  return error instanceof RuntimeError || error instanceof RangeError || (Exception && error instanceof Exception);
}

export class Kernel {
  store = new Store();
  outputs = []; // { level, bytes }
  levels = [];
  failure = null;

  /** preimages: a folder, or a function from a hash to the bytes; dalPages: the same, from a level, a slot and a page;
   *  metadata: 20 bytes of address, then 4 of the level of origination, big-endian; version: of the PVM; debug: called with the kernel's debug texts; section: { start, end, unmatched
   *  (an end without a start), leftOpen (the kernel_run ends without the end) }, called with the data of marks.
   */
  constructor({ preimages, dalPages, metadata = new Uint8Array(METADATA_SIZE), version = USUAL_VERSION, debug = () => {}, section } = {}) {
    if (metadata.length !== METADATA_SIZE)
      throw new Error(`metadata of ${metadata.length} bytes; give ${METADATA_SIZE}: an address and a level`);
    this.preimageOf = typeof preimages === "function" ? preimages : preimagesIn(preimages);
    this.dalPageOf = typeof dalPages === "function" ? dalPages : dalPagesIn(dalPages);
    this.metadata = metadata;
    this.version = version;
    this.debug = debug;
    this.section = { start() {}, end() {}, unmatched() {}, leftOpen() {}, ...section };
    this.store.set(VERSION, new TextEncoder().encode(version));
  }

  /** The imports of one instance. `getMemory` returns its memory once it exists. */
  imports(getMemory) {
    return { smart_rollup_core: smartRollupCore(this, getMemory) };
  }

  /** Add levels, as parseInbox returns them. */
  load(levels) {
    this.levels = levels;
  }

  /** Put the kernel into the store, where it may replace itself: `instantiate` is called with the current code. */
  install(code) {
    this.store.set(CODE, code);
  }

  /** Set keys of the store, as the kernel's installer does: { to, value }. */
  configure(instructions) {
    for (const [i, { to, value }] of instructions.entries())
      try {
        this.store.writableKey(to, false);
        this.store.set(to, value);
      } catch (error) {
        throw new Error(`instruction ${i} of the installer's configuration: ${error.message}`);
      }
  }

  /** Run every level. `instantiate({ level, run, code })` returns the exports of a new instance, or a promise of them.
   *  `onLevel({ level, messages })`, `onRun(run)` and `onLevelEnd({ level })` are optional (a run is what runOnce returns).
   *  Returns { runs, traps, failures (to start the code in the store), unread (messages) }.
   */
  async run({ instantiate, onLevel, onRun, onLevelEnd }) {
    const sum = { runs: 0, traps: 0, failures: 0, unread: 0 };
    for (const [level, messages] of this.levels.entries()) {
      this.begin(level, messages);
      await onLevel?.({ level, messages: this.inbox.length });
      for (let reboot = true; reboot; ) {
        const run = await this.runOnce(level, sum.runs++, instantiate);
        reboot = run.reboot;
        sum.traps += run.trap ? 1 : 0;
        sum.failures += run.error ? 1 : 0;
        sum.unread += reboot ? 0 : run.unread;
        await onRun?.(run);
      }
      await onLevelEnd?.({ level });
    }
    return sum;
  }

  begin(level, messages) {
    this.inbox = wholeLevel(messages, level);
    this.level = level;
    this.read = this.outputsOfLevel = 0;
    this.store.delete(REBOOT, true);
    this.setCounter(MAX_REBOOTS);
  }

  setCounter(remaining) {
    this.rebootsRemaining = remaining;
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setInt32(0, remaining, true);
    this.store.set(COUNTER, bytes);
  }

  /** Call kernel_run once. Returns { level, run (its number, from 0), reboot (another one follows in this level),
   *  forced (the kernel wants another one, but has used them all), trap or error (or null), and the numbers of
   *  messages: inputs, outputs, unread }.
   */
  async runOnce(level, run, instantiate) {
    const { read } = this, written = this.outputs.length, result = { level, run, trap: null, error: null };
    const exports = await this.start(level, run, instantiate, result);
    if (exports) result.trap = this.call(exports);
    const wanted = this.store.value(REBOOT) !== null;
    result.reboot = wanted && this.rebootsRemaining > 0;
    result.forced = wanted && !result.reboot;
    this.endRun(result);
    return {
      ...result, inputs: this.read - read, outputs: this.outputs.length - written, unread: this.inbox.length - this.read,
    };
  }

  endRun({ reboot, forced }) {
    if (reboot) {
      this.store.delete(REBOOT, true);
      this.setCounter(this.rebootsRemaining - 1);
    } else if (forced) {
      this.store.set(TOO_MANY, NOTHING);
    } else {
      this.store.delete(TOO_MANY, true);
    }
  }

  /** The exports of a new instance; undefined if the code in the store cannot be started and the previous code was
   *  restored.
   */
  async start(level, run, instantiate, result) {
    this.openSections = [];
    try {
      const exports = await instantiate({ level, run, code: this.code() });
      if (typeof exports.kernel_run !== "function") throw new Error("exports no function kernel_run, which a kernel has");
      this.keep();
      return exports;
    } catch (error) {
      if (this.failure) throw this.failure;
      if (!this.fallBack()) throw error;
      result.error = error;
    }
  }

  /** The code in the store; undefined if there is none. The result is the same array until the code is written to,
   *  so that the caller instruments each version once.
   */
  code() {
    const value = this.store.value(CODE);
    if (!value) return undefined;
    if (value !== this.codeValue || value.version !== this.codeVersion) {
      this.codeBytes = value.read(0, value.size);
      this.codeValue = value;
      this.codeVersion = value.version;
    }
    return this.codeBytes;
  }

  /** Keep a copy of this code, which could be started, to restore it if its successor cannot be started. */
  keep() {
    const code = this.code();
    if (code && code !== this.kept) this.store.copy(CODE, FALLBACK, true);
    this.kept = code;
  }

  fallBack() {
    const code = this.code();
    if (!this.kept || (code && Buffer.compare(this.kept, code) === 0)) return false;
    this.store.copy(FALLBACK, CODE);
    this.store.set(NO_UPGRADE, NOTHING);
    return true;
  }

  /** Call kernel_run. Returns its trap, or null. */
  call(exports) {
    let trap = null;
    try {
      exports.kernel_run();
    } catch (error) {
      trap = error;
    }
    this.closeSections();
    if (this.failure) throw this.failure;
    if (trap && !isTrap(trap)) throw trap;
    if (trap) {
      this.store.set(STUCK, NOTHING);
    } else {
      this.store.delete(STUCK, true);
      this.store.delete(NO_UPGRADE, true);
    }
    return trap;
  }

  // Called by the imports.

  nextMessage() {
    if (this.read === this.inbox.length) return null;
    const id = this.read++;
    return { level: this.level, id, bytes: this.inbox[id] };
  }

  write(bytes) {
    this.outputsOfLevel++;
    this.outputs.push({ level: this.level, bytes });
  }

  startSection(data) {
    this.openSections.push(data);
    this.section.start(data);
  }

  /** End the section that began last. */
  endSection(data) {
    if (this.openSections.pop()) this.section.end(data);
    else this.section.unmatched(data);
  }

  /** End the open sections: a section does not outlast its kernel_run. The caller calls this where the time of
   *  kernel_run ends; else it is done a little later. */
  closeSections() {
    while (this.openSections.length) this.section.leftOpen(this.openSections.pop());
  }

  /** The preimage of a hash. As in the PVM it is empty if `hash` is not a hash. */
  preimage(hash) {
    if (hash.length !== PREIMAGE_HASH || hash[0] !== BLAKE2B) return NOTHING;
    const bytes = this.preimageOf(hash);
    checkPreimage(bytes, hex(hash));
    return bytes;
  }
}
