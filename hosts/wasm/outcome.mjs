// outcome.mjs - what toll run leaves: the files, the summary, the exit status; whatever ended the guest.
import fs from "node:fs";
import path from "node:path";
import util from "node:util";
import vm from "node:vm";
import zlib from "node:zlib";
import { printable } from "./printable.mjs";

/** Run `work`, which Ctrl-C ends at any place: Node's own way to stop code that never comes back. */
export function untilInterrupted(work) {
  const key = Symbol.for("toll:work");
  globalThis[key] = work;
  try {
    return new vm.Script("globalThis[Symbol.for('toll:work')]()").runInThisContext({ breakOnSigint: true });
  } finally {
    delete globalThis[key];
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

export const isInterrupt = error => error?.code === "ERR_SCRIPT_EXECUTION_INTERRUPTED";

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Write all of it, also to a pipe that is full for the moment. */
function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length;)
    try {
      at += fs.writeSync(fd, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, 2);
    }
}

/** Say something on standard output (1) or error (2). If nobody listens it is not said: that is no reason to
 *  lose a profile. */
export function say(fd, text) {
  try {
    writeAll(fd, Buffer.from(text));
  } catch {
    // closed, or full
  }
}

/** What a link leads to, whether that is there or not. */
function real(file, links = 40) {
  try {
    return fs.realpathSync(file);
  } catch {
    const target = links && linkTarget(file);
    return target ? real(path.resolve(path.dirname(file), target), links - 1) : file;
  }
}

function linkTarget(file) {
  try {
    return fs.readlinkSync(file);
  } catch {
    return undefined; // is no link
  }
}

/** `work` on a file, whose failure is told in the words that the command has for it (src/base/output.c). */
function doing(name, action, work) {
  try {
    return work();
  } catch (error) {
    const [, text] = util.getSystemErrorMap().get(error.errno) ?? [];
    throw text ? new Error(`${name}: cannot ${action}: ${text[0].toUpperCase()}${text.slice(1)}`) : error;
  }
}

/** The name that a file has until it is whole: no longer than a name may be. */
function besideName(file) {
  return path.join(path.dirname(file), `${path.basename(file).slice(0, 60)}.${process.pid}.tmp`);
}

/** Write a file whole or not at all: `produce` gets a function that takes its bytes. What is no plain file (a
 *  pipe, a device) is written as it is. */
function save(name, produce) {
  const file = real(name), plain = !fs.existsSync(file) || fs.statSync(file).isFile();
  const beside = plain ? besideName(file) : file;
  const fd = doing(name, plain ? "create" : "open", () => fs.openSync(beside, "w"));
  try {
    produce(bytes => doing(name, "write", () => writeAll(fd, bytes)));
    doing(name, "write", () => fs.closeSync(fd));
    if (plain) doing(name, "rename into place", () => fs.renameSync(beside, file));
  } catch (error) {
    if (plain) fs.rmSync(beside, { force: true });
    throw error;
  }
}

/** The name says so, or does not say otherwise: as toll_profile_save has it. */
const isCompressed = (format, name) => name.endsWith(".gz") || (format === "pprof" && !name.endsWith(".pb"));

export class Outcome {
  constructor(options) {
    this.options = options;
    this.value = options.value ?? ""; // "": the default one
    // While files are written; the guest's run is ended by SIGINT. The command gives the others on as that.
    for (const signal of SIGNALS) process.on(signal, () => {});
  }

  /** The profile that is to be written, and the recording whose order in time is. */
  follow(profile) {
    this.profile = profile;
  }

  write() {
    const { profile, options } = this;
    if (!profile) return;
    if (!options.quiet) profile.onWarning(text => say(2, `toll: warning: ${printable(text)}\n`));
    const clock = this.options["no-time"] ? "" : this.clock();
    const { output, format, timeline, "timeline-format": timelineFormat, flamechart, quiet } = options;
    this.written = this.file(output, format, flamechart);
    if (timeline) this.file(timeline, timelineFormat, true);
    if (!quiet) this.summary();
    if (!quiet) say(2, clock);
  }

  /** How much of the time measured is the clock itself: a line for people, and a note in the profile. */
  clock() {
    const { profile, options } = this, { time } = profile.spent(), { readings, each } = profile.clockCost();
    const cost = Math.round(readings * each), share = Math.round(100 * cost / Math.max(Number(time), 1));
    profile.note("nanoseconds of the time, about, that reading the clock took", cost);
    return `\nabout ${share}% of the time measured is the clock itself: ${readings.toLocaleString("en-US")} readings of ` +
      `${Math.round(each)} ns${options["no-ticks"] ? "" : "; --clock none counts ticks alone"}\n`;
  }

  /** What has happened since the profile's mark, in a file beside the whole: NAME.level-N.EXTENSION. */
  level(number) {
    const { output, format } = this.options, folder = path.dirname(output), [stem, ...rest] = path.basename(output).split(".");
    if (format === "chrome") return; // is nothing but an order in time: that of the whole
    const name = path.join(folder, [stem, `level-${number}`, ...rest].join("."));
    const pack = bytes => (isCompressed(format, output) ? zlib.gzipSync(bytes) : bytes);
    this.profile.aside(() => this.saved(name, take => take(pack(this.profile.since(format, this.value)))));
  }

  file(name, format, inOrder) {
    return this.saved(name, take => {
      if (isCompressed(format, name)) take(zlib.gzipSync(this.profile.write(format, this.value, inOrder)));
      else this.profile.write(format, this.value, inOrder, take);
    });
  }

  /** Save, or tell why not: has it been saved? */
  saved(name, produce) {
    try {
      save(name, produce);
      return true;
    } catch (error) {
      this.failed = true;
      const text = error.message.replace(/^toll: /, "");
      say(2, `toll: ${printable(text.startsWith(name) ? text : `${name}: ${text}`)}\n`);
      return false;
    }
  }

  summary() {
    const { profile, options } = this, rows = Number(options.rows ?? 0);
    const what = { rows, value: this.value || (options.heap ? "inuse_space" : "") };
    const text = options.tree ? profile.tree(what) : profile.top(what);
    const hint = this.hasNames ? "" : "the module has no name section, so functions have numbers; compilers have an option to keep it (-g)\n";
    say(2, `\ntoll: ${this.written ? printable(options.output) : "(not written)"}\n${hint}${text}`);
  }

  /** End as the guest did. */
  end(status, interrupted = false) {
    if (interrupted) {
      for (const signal of SIGNALS) process.removeAllListeners(signal);
      process.kill(process.pid, "SIGINT");
    }
    process.exitCode = this.status(status);
  }

  /** The guest's exit status, unless what was to be written was not. */
  status(ofGuest) {
    return this.failed && ofGuest === 0 ? 1 : ofGuest;
  }
}
