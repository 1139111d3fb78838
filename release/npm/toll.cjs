#!/usr/bin/env node
// toll.cjs - the command `toll`: the program of the package for this system, or else the same as WebAssembly, which is slower.
// TOLLPROF_WASM=1 asks for WebAssembly.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const path = require("node:path");

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
const lib = path.join(__dirname, "lib"), args = process.argv.slice(2);
process.env.TOLL_WASM_DIR ||= lib; // where toll run finds what it runs modules with,
process.env.TOLL_NODE ||= process.execPath; // and by what

/** The program; undefined: there is none, or not for what is asked. Other programs than Linux's have no toll run. */
function find() {
  if (process.env.TOLLPROF_WASM === "1" || (args[0] === "run" && process.platform !== "linux")) return;
  const name = process.platform === "win32" ? "toll.exe" : "toll";
  try {
    return require.resolve(`tollprof-${process.platform}-${process.arch}/bin/${name}`);
  } catch {
    // it was not installed
  }
}

/** Run the program, and end as it does. The terminal's signals reach it without this process, others are passed on. */
function run(program) {
  const child = spawn(program, args, { stdio: "inherit" });
  for (const name of SIGNALS)
    process.on(name, () => {
      if (name !== "SIGINT" || !process.stdin.isTTY) child.kill(name);
    });
  child.on("error", error => {
    process.stderr.write(`toll: cannot run ${program}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (status, signal) => {
    SIGNALS.forEach(name => process.removeAllListeners(name));
    if (signal) process.kill(process.pid, signal);
    process.exitCode = signal ? 128 + constants.signals[signal] : status;
  });
}

const program = find();
if (program) run(program);
else require("./lib/fallback.cjs").command(args);
