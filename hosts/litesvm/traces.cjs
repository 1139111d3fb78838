// traces.cjs - the register traces that LiteSVM writes. It looks for SBF_TRACE_DIR once, when a machine is made, so that
// is set as soon as this package is imported.
"use strict";
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const vm = require("node:vm");
const { cannotWrite, copyAll } = require("./disk.cjs");

// In Jest `process` is a copy, whose variables LiteSVM does not see, and each file of tests has modules of its own.
const real = vm.runInThisContext("process");
const state = (real[Symbol.for("toll-litesvm")] ??= begin());

/** A folder of our own for temporary files. */
function makeOwnFolder() {
  try {
    return fs.mkdtempSync(path.join(os.tmpdir(), "toll-litesvm-"));
  } catch (error) {
    throw cannotWrite(`the register traces into ${os.tmpdir()} (TMPDIR)`, error);
  }
}

/** From now on machines write traces. */
function begin() {
  const folder = makeOwnFolder(), now = path.join(folder, "now");
  const users = real.env.SBF_TRACE_DIR; // a folder of the user's own gets the traces when they have been read
  const ends = new Set();
  real.env.SBF_TRACE_DIR = now;
  real.on("exit", () => {
    try {
      for (const end of ends) end();
    } finally {
      clear({ folder });
    }
  });
  return { folder, now, users, ends, count: 0 };
}

/** Forget what machines that are not profiled have written. */
function discard() {
  fs.rmSync(state.now, { recursive: true, force: true });
}

/** The traces that have been written since: a folder, and the names in it. */
function take() {
  const kept = path.join(state.folder, String(++state.count));
  if (!fs.existsSync(state.now)) return { folder: kept, names: [] };
  fs.renameSync(state.now, kept);
  return { folder: kept, names: fs.readdirSync(kept) };
}

/** They have been read. Returns why they are not in the user's folder. */
function release({ folder: kept, names }) {
  const why = state.users && names.length ? copyAll(names, kept, state.users) : undefined;
  fs.rmSync(kept, { recursive: true, force: true });
  return why;
}

/** Why traces may be missing or torn: where LiteSVM finds no room it goes on without. */
function room() {
  const folder = os.tmpdir(), { bavail, bsize } = fs.statfsSync(folder);
  return `${Math.floor(bavail * bsize / 1024)} KiB are free in ${folder}; if that was too little for the traces free some space, or set TMPDIR to another folder`;
}

/** Leave nothing on the disk; machines make the folder again. Runners may kill a process when its tests have ended. */
function clear({ folder } = state) {
  fs.rmSync(folder, { recursive: true, force: true });
}

/** Have `end` called when the process ends. */
const atEnd = end => state.ends.add(end);

module.exports = { atEnd, clear, discard, real, release, room, take };
