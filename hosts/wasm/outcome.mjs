// outcome.mjs - what toll run leaves: the files, the summary, the exit status; whatever ended the guest.
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";
import zlib from "node:zlib";

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

export const isInterrupt = error => error?.code === "ERR_SCRIPT_EXECUTION_INTERRUPTED";

/** Write a file whole or not at all: `produce` gets a function that takes its bytes. */
function save(file, produce) {
  const beside = `${file}.${process.pid}.tmp`;
  const fd = fs.openSync(beside, "w");
  try {
    produce(bytes => {
      for (let at = 0; at < bytes.length;) at += fs.writeSync(fd, bytes, at);
    });
    fs.closeSync(fd);
    fs.renameSync(beside, file);
  } catch (error) {
    fs.rmSync(beside, { force: true });
    throw error;
  }
}

export class Outcome {
  constructor(options) {
    this.options = options;
    process.on("SIGINT", () => {}); // while files are written; the guest's run is ended by it
  }

  /** The profile that is to be written, and the recording whose order in time is. */
  follow(profile) {
    this.profile = profile;
  }

  write() {
    const { profile, options } = this;
    if (!profile) return;
    const { output, format, timeline, "timeline-format": timelineFormat, flamechart, quiet } = options;
    this.file(output, format, flamechart, format === "pprof" || output.endsWith(".gz"));
    if (timeline) this.file(timeline, timelineFormat, true, timeline.endsWith(".gz"));
    if (!quiet) this.summary();
  }

  /** What has happened since the profile's mark, in a file beside the whole: NAME.level-N.EXTENSION. */
  level(number) {
    const { output, format } = this.options, folder = path.dirname(output), [stem, ...rest] = path.basename(output).split(".");
    if (format === "chrome") return; // is nothing but an order in time: that of the whole
    const name = path.join(folder, [stem, `level-${number}`, ...rest].join("."));
    const pack = bytes => (format === "pprof" || output.endsWith(".gz") ? zlib.gzipSync(bytes) : bytes);
    this.profile.aside(() => this.saved(name, take => take(pack(this.profile.since(format)))));
  }

  file(name, format, inOrder, compressed) {
    this.saved(name, take => {
      if (compressed) take(zlib.gzipSync(this.profile.write(format, "", inOrder)));
      else this.profile.write(format, "", inOrder, take);
    });
  }

  /** Save, or tell why not. */
  saved(name, produce) {
    try {
      save(name, produce);
    } catch (error) {
      this.failed = true;
      fs.writeSync(2, `toll: ${path.basename(name)}: ${error.message.replace(/^toll: /, "")}\n`);
    }
  }

  summary() {
    const { profile, options } = this, rows = Number(options.rows ?? 0);
    const what = { rows, value: options.heap ? "inuse_space" : "" };
    const text = options.tree ? profile.tree(what) : profile.top(what);
    const hint = this.hasNames ? "" : "the module has no name section, so functions have numbers; compilers have an option to keep it (-g)\n";
    fs.writeSync(2, `\ntoll: ${options.output}\n${hint}${text}`);
  }

  /** End as the guest did. */
  end(status, interrupted = false) {
    if (interrupted) {
      process.removeAllListeners("SIGINT");
      process.kill(process.pid, "SIGINT");
    }
    process.exitCode = this.failed && status === 0 ? 1 : status;
  }
}
