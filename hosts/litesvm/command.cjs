// command.cjs - runs the command `toll` (toll-command.wasm) in this process, on files in memory.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { Exit, Files } = require("./memory_files.cjs");

let compiled;

/** Runs `toll ARGS`. `files`: of each path that ARGS name, its bytes or where it is on the disk. Returns { status,
 * output, messages, take(path) }; it throws if the command fails. */
function toll(args, files = {}) {
  compiled ??= new WebAssembly.Module(fs.readFileSync(path.join(__dirname, "toll-command.wasm")));
  const seen = new Files(files);
  let memory, status = 0;
  const imports = { wasi_snapshot_preview1: seen.imports(["toll", ...args], () => memory) };
  try {
    const { exports } = new WebAssembly.Instance(compiled, imports);
    memory = exports.memory;
    exports._start();
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    status = error.status;
  } finally {
    seen.close();
  }
  if (status) throw new Error(seen.text(2).replace(/^toll: warning: .*\n/gm, "").trim() || `toll ${args[0]}: status ${status}`);
  return { output: seen.text(1), messages: seen.text(2), take: name => seen.take(name) };
}

module.exports = { toll };
