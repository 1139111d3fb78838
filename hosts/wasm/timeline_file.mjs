// timeline_file.mjs - a timeline's file that grows while the program runs, in Node:
//
//     const t = await toll.instantiate(bytes, imports, { time: true, timeline: new TimelineFile("run.toll-timeline") });
//     t.exports.run(10);
//     t.endTimeline();
//
// The file of a killed process contains everything up to a hundredth of a second before its last event.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** Create a file. An existing one is removed, not truncated, so that a program that reads it keeps its content. */
function create(file) {
  if (fs.existsSync(file) && !fs.statSync(file).isFile())
    throw new Error(`${file}: is no file: a timeline grows while the program runs; name a file`);
  fs.rmSync(file, { force: true });
  return fs.openSync(file, "wx+");
}

/** A file without a name, in TMPDIR. */
function createTemporary() {
  let folder;
  try {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "toll-"));
  } catch (error) {
    throw new Error(`no temporary file for the order in time: ${error.message}; set TMPDIR to a folder with room`);
  }
  try {
    return fs.openSync(path.join(folder, "timeline"), "wx+");
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

export class TimelineFile {
  /** Without a name it is a temporary file, from which other formats are written. */
  constructor(name) {
    this.isTemporary = name === undefined;
    this.fd = this.isTemporary ? createTemporary() : create(name);
  }

  write(bytes, at) {
    for (let done = 0; done < bytes.length;)
      done += fs.writeSync(this.fd, bytes, done, bytes.length - done, at + done);
  }

  /** Returns how many bytes were read. */
  read(bytes, at) {
    return fs.readSync(this.fd, bytes, 0, bytes.length, at);
  }

  setSize(size) {
    fs.ftruncateSync(this.fd, size);
  }
}
