// timeline_file.mjs - the file of a timeline that grows while the program runs, in Node:
//
//     const t = await toll.instantiate(bytes, imports, { time: true, timeline: new TimelineFile("run.toll-timeline") });
//     t.exports.run(10);
//     t.endTimeline();
//
// A process that is killed leaves what was recorded until a hundredth of a second before its last event.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** A file that is there already is removed, not cut: whoever reads it keeps what it has. */
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
  /** Without a name it is a temporary one, for other formats to be written from. */
  constructor(name) {
    this.isTemporary = name === undefined;
    this.fd = this.isTemporary ? createTemporary() : create(name);
  }

  write(bytes, at) {
    for (let done = 0; done < bytes.length;)
      done += fs.writeSync(this.fd, bytes, done, bytes.length - done, at + done);
  }

  /** Returns how many bytes there were. */
  read(bytes, at) {
    return fs.readSync(this.fd, bytes, 0, bytes.length, at);
  }

  setSize(size) {
    fs.ftruncateSync(this.fd, size);
  }
}
