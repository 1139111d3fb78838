// outcome.mjs - writes the results of toll run, however the guest has ended: files, summary, exit status.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import util from "node:util";
import vm from "node:vm";
import zlib from "node:zlib";
import { printable } from "./printable.mjs";

/** Run `work`, so that Ctrl-C interrupts it at any point. Node offers this only for scripts, so `work` is run as one.
 */
export function untilInterrupted(work) {
  const key = Symbol.for("toll:work");
  globalThis[key] = work;
  try {
    return new vm.Script("globalThis[Symbol.for('toll:work')]()").runInThisContext({ breakOnSigint: true });
  } finally {
    delete globalThis[key];
  }
}

/** A number as text, with commas. Number.toLocaleString would load tables of all languages first, which takes 12 ms. */
const withCommas = value => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

export const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

export const INTERRUPTED = "ERR_SCRIPT_EXECUTION_INTERRUPTED";
export const isInterrupt = error => error?.code === INTERRUPTED;

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Write all bytes; wait if a pipe is full. */
function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length;)
    try {
      at += fs.writeSync(fd, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, 2);
    }
}

/** Print on standard output (1) or error (2). If this fails only the text is lost, so that the profile is still
 *  written. */
export function say(fd, text) {
  try {
    writeAll(fd, Buffer.from(text));
  } catch {
    // closed, or full
  }
}

/** The path that a symbolic link leads to, whether a file is there or not. */
export function real(file) {
  try {
    return fs.realpathSync(file);
  } catch (error) {
    const target = error.code === "ENOENT" ? linkTarget(file) : undefined; // else no file can be there: links in a circle
    return target === undefined ? file : real(path.resolve(path.dirname(file), target));
  }
}

function linkTarget(file) {
  try {
    return fs.readlinkSync(file);
  } catch {
    return undefined; // not a link
  }
}

/** Do `work` on a file. A failure has the same message as in the command (src/base/output.c). */
function doing(name, action, work) {
  try {
    return work();
  } catch (error) {
    const [, text] = util.getSystemErrorMap().get(error.errno) ?? [];
    throw text ? new Error(`${name}: cannot ${action}: ${text[0].toUpperCase()}${text.slice(1)}`) : error;
  }
}

/** The name of a file while it is written, short enough for a file name. */
function besideName(file) {
  return path.join(path.dirname(file), `${path.basename(file).slice(0, 60)}.${randomBytes(8).toString("hex")}.tmp`);
}

/** Sync the names in a folder to the disk, on systems where a folder can be opened for that (not on Windows). */
function syncFolder(folder) {
  let fd;
  try {
    fd = fs.openSync(folder, "r");
    fs.fsyncSync(fd);
  } catch {
    // The file is complete; the system writes its name to the disk later.
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

/** Write a file whole or not at all. It is renamed when it is complete, and gets the mode of the file that it replaces.
 *  `produce` is called with a function that writes bytes. A pipe or device is written directly. */
export function save(name, produce) {
  const file = real(name), old = doing(name, "create", () => fs.statSync(file, { throwIfNoEntry: false })), plain = !old || old.isFile();
  const beside = plain ? besideName(file) : file;
  const fd = doing(name, plain ? "create" : "open", () => fs.openSync(beside, plain ? "wx" : "w"));
  try {
    try {
      if (old && plain) fs.fchmodSync(fd, old.mode);
      produce(bytes => doing(name, "write", () => writeAll(fd, bytes)));
      if (plain) doing(name, "write to the disk", () => fs.fsyncSync(fd)); // a machine that stops now leaves the old file
    } finally {
      doing(name, "write", () => fs.closeSync(fd));
    }
    if (plain) doing(name, "rename into place", () => fs.renameSync(beside, file));
    if (plain) syncFolder(path.dirname(file));
  } catch (error) {
    if (plain) fs.rmSync(beside, { force: true });
    throw error;
  }
}

/** Whether a file of that name is compressed, by the rules of toll_profile_save_as. */
export const isCompressed = (format, name) => name.endsWith(".gz") || (format === "pprof" && !name.endsWith(".pb"));

export class Outcome {
  constructor(options) {
    this.options = options;
    this.value = options.value ?? ""; // "": the default column
    const { timeline, "timeline-format": format } = options;
    this.streams = format === "timeline" && !isCompressed(format, timeline); // the timeline's file grows during the run
    // Signals do not interrupt the writing of files. SIGINT ends the guest; the command forwards the others as SIGINT.
    for (const signal of SIGNALS) process.on(signal, () => {});
  }

  /** Set the profile (or recording) to write. With `parts`, the profile is parts.complete(), the sum of its parts; only
   *  what is in the order of time is written from the recording: its events in this.part, if that is set. */
  follow(profile, parts) {
    this.profile = profile;
    this.parts = parts;
  }

  /** Write all files. Their time is not charged, so that all show the same moment. `beforeWriting`, if it is set, is called
   *  first. */
  write() {
    this.hasWritten = true;
    this.beforeWriting?.();
    this.profile?.aside(() => this.writeAll());
  }

  writeAll() {
    const { profile, options } = this;
    this.sum = this.parts?.complete() ?? profile;
    for (const each of new Set([profile, this.sum])) this.prepare(each);
    const { output, format, timeline, "timeline-format": timelineFormat, flamechart, quiet } = options;
    this.written = profile.withPart(this.part, () => this.file(output, format, flamechart));
    if (this.streams) this.attempt(timeline, () => profile.endTimeline());
    else if (timeline) profile.withPart(this.part, () => this.file(timeline, timelineFormat, true));
    if (!quiet) this.summary();
    if (!quiet) say(2, profile.isSampled ? this.overhead() : profile.hasWindows ? this.windows() : this.options["no-time"] ? "" : this.clock());
  }

  /** Let a profile write what the options say. */
  prepare(profile) {
    profile.keepAll(this.options["keep-all"]);
    if (!this.options.quiet) profile.onWarning(text => say(2, `toll: warning: ${printable(text)}\n`));
  }

  /** A line to print: the time that the profiler took. */
  overhead() {
    if (this.parts) this.profile.summary(); // else it is that of the last part
    const { profile } = this, { samples, overhead, all } = profile.overhead();
    if (profile.isTwice) return `\ntime is that of a second run of the module as it is, without the profiler: ${withCommas(samples)} samples of V8\n`;
    return `\ntime is sampled: ${withCommas(samples)} samples of V8; about ${Math.round(100 * overhead / Math.max(all, 1))}% ` +
      "of what passed was the profiler, and is not in it\n";
  }

  /** A line to print: how often the clock was read, and what that took. */
  windows() {
    if (this.parts) this.profile.summary(); // else it is that of the last part
    const { readings, overhead, all } = this.profile.windows(), share = Math.round(100 * overhead / Math.max(all, 1));
    return `\nthe clock was read ${withCommas(readings)} times: time between two readings is divided as ` +
      `${this.options["no-ticks"] ? "calls" : "ticks"} are; about ${share}% of what passed was the profiler, and is not in it\n`;
  }

  /** A line to print: how much of the measured time reading the clock took, as the profile notes it. */
  clock() {
    const { profile, options } = this, { time } = profile.spent(), { readings, overhead } = profile.clockCost();
    const each = overhead / Math.max(readings, 1), share = Math.round(100 * overhead / Math.max(Number(time), 1));
    return `\nabout ${share}% of the time measured is the clock itself: ${withCommas(readings)} readings of ` +
      `${Math.round(each)} ns${options["no-ticks"] ? "" : "; --clock none counts ticks alone"}\n`;
  }

  /** Write the profile of a level to a file beside the whole profile: NAME.level-N.EXTENSION. If that is in the order of
   *  time, so is the level's, of which `part` are the events. */
  level(number, profile, part) {
    const { output, format, flamechart } = this.options, folder = path.dirname(output), [stem, ...rest] = path.basename(output).split(".");
    const name = path.join(folder, [stem, `level-${number}`, ...rest].join("."));
    profile.keepAll(this.options["keep-all"]);
    if (flamechart) this.profile.withPart(part, () => this.fileOf(this.profile, name, format, true));
    else this.fileOf(profile, name, format, false);
  }

  file(name, format, inOrder) {
    return this.fileOf(inOrder ? this.profile : this.sum, name, format, inOrder);
  }

  fileOf(profile, name, format, inOrder) {
    return this.saved(name, take => {
      if (isCompressed(format, name)) take(zlib.gzipSync(profile.write(format, this.value, inOrder)));
      else profile.write(format, this.value, inOrder, take);
    });
  }

  /** Save a file, or print why that failed. Returns whether it was saved. */
  saved(name, produce) {
    return this.attempt(name, () => save(name, produce));
  }

  attempt(name, work) {
    try {
      work();
      return true;
    } catch (error) {
      this.failed = true;
      const text = error.message.replace(/^toll: /, "");
      say(2, `toll: ${printable(text.startsWith(name) ? text : `${name}: ${text}`)}\n`);
      return false;
    }
  }

  summary() {
    const { sum: profile, options } = this, rows = Number(options.rows);
    const what = { rows, value: this.value || (options.heap ? "inuse_space" : "") };
    const text = options.tree ? profile.tree(what) : profile.top(what);
    const hint = this.hasNames ? "" : "the module has no name section, so functions have numbers; compilers have an option to keep it (-g)\n";
    say(2, `\ntoll: ${this.written ? printable(options.shown ?? options.output) : "(not written)"}\n${hint}${text}`);
  }

  /** End this process as the guest ended. */
  end(status, interrupted) {
    if (interrupted) {
      for (const signal of SIGNALS) process.removeAllListeners(signal);
      process.kill(process.pid, "SIGINT");
    }
    process.exitCode = this.status(status);
  }

  /** The guest's exit status, or 1 in the place of 0 if a file could not be written. */
  status(ofGuest) {
    return this.failed && ofGuest === 0 ? 1 : ofGuest;
  }
}
