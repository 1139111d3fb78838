// preload.mjs LIB MODULES - where preload.mjs of LIB writes a profile, and what it refuses before the program begins.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const [lib, modules] = process.argv.slice(2).map(name => path.resolve(name));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toll-preload-"));
process.chdir(folder);
// A module with a function `f`, which returns 42.
fs.writeFileSync("program.mjs", `
  const bytes = Buffer.from("0061736d010000000105016000017f03020100070501016600000a06010400412a0b", "hex");
  console.log((await WebAssembly.instantiate(bytes)).instance.exports.f());`);

function run(variables, program = "program.mjs") {
  const env = { ...process.env, ...variables };
  return spawnSync(process.execPath, ["--import", path.join(lib, "preload.mjs"), program], { env, encoding: "utf8" });
}

function good(output, variables = {}) {
  const { status, stdout, stderr } = run({ TOLL_OUTPUT: output, ...variables });
  assert.equal(status, 0, stderr);
  assert.equal(stdout, "42\n");
}

function refused(variables, wanted) {
  const { status, stdout, stderr } = run(variables);
  assert.equal(status, 1, stdout);
  assert.equal(stdout, "", "the program has begun");
  assert.match(stderr, wanted);
  assert.equal(stderr.trim().split("\n").length, 1, stderr);
}

const tests = {
  "a link leads to the file, which keeps its mode"() {
    fs.writeFileSync("target", "old", { mode: 0o600 });
    fs.symlinkSync("target", "link.folded");
    good("link.folded");
    assert(fs.lstatSync("link.folded").isSymbolicLink());
    assert.equal(fs.statSync("target").mode & 0o777, 0o600);
    assert.notEqual(fs.readFileSync("target", "utf8"), "old");
  },
  async "a pipe is written to"() {
    assert.equal(spawnSync("mkfifo", ["pipe.folded"]).status, 0);
    const reader = spawn("cat", ["pipe.folded"]), ended = new Promise(resolve => reader.on("close", resolve));
    let text = "";
    reader.stdout.on("data", data => (text += data));
    good("pipe.folded");
    assert(fs.statSync("pipe.folded").isFIFO());
    await ended;
    assert.equal(text, fs.readFileSync("target", "utf8"));
  },
  "many calls of node:wasi while memory grows"() { // see "reads" in run.mjs
    fs.writeFileSync("much.txt", "x".repeat(16384));
    fs.writeFileSync("reads.mjs", `
      import fs from "node:fs";
      import { WASI } from "node:wasi";
      const wasi = new WASI({ version: "preview1", args: ["app", "reads", "much.txt"], preopens: { ".": "." }, returnOnExit: true });
      const module = new WebAssembly.Module(fs.readFileSync(${JSON.stringify(path.join(modules, "app.wasm"))}));
      wasi.start(new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport }));`);
    for (let i = 0; i < 3; i++) {
      const { status, stdout, stderr } = run({ TOLL_OUTPUT: "reads.folded" }, "reads.mjs");
      assert.equal(status, 0, stderr);
      assert.equal(stdout, "16384000 bytes\n");
      assert.match(fs.readFileSync("reads.folded", "utf8"), /;__wasi_fd_read /);
      fs.rmSync("reads.folded");
    }
    for (const name of ["much.txt", "reads.mjs"]) fs.rmSync(name);
  },
  "labels of the environment"() {
    const named = text => new RegExp(`"name":"main${text}`);
    good("labels.speedscope.json", { TOLL_LABELS: "commit=3f2a,host=a" });
    assert.match(fs.readFileSync("labels.speedscope.json", "utf8"), named(" {commit=3f2a, host=a}"));
    const { status, stderr } = run({ TOLL_OUTPUT: "labels.speedscope.json", TOLL_LABELS: "host" });
    assert.equal(status, 0, stderr);
    assert.equal(stderr.split("\n").filter(line => line === "toll: warning: TOLL_LABELS is left out: a label is KEY=VALUE, and not 'host'").length, 1, stderr);
    assert.match(fs.readFileSync("labels.speedscope.json", "utf8"), named(": calls"));
    fs.rmSync("labels.speedscope.json");
  },
  "formats that cannot be written, and unknown ones"() {
    refused({ TOLL_OUTPUT: "x.xyz" }, /x\.xyz: .*extension/);
    refused({ TOLL_OUTPUT: "/dev/null" }, /\/dev\/null: .*extension/);
    refused({ TOLL_OUTPUT: "x.html" }, /x\.html: html .*toll convert/);
    refused({ TOLL_OUTPUT: "none/(x.folded" }, /none\/\(x\.folded: /);
  },
  "options that are none"() {
    refused({ TOLL_OPTIONS: "{" }, /TOLL_OPTIONS: /);
    refused({ TOLL_OPTIONS: '{"timee":true}' }, /TOLL_OPTIONS: .*'timee'.*time/);
  },
};

try {
  for (const [name, test] of Object.entries(tests)) {
    await test();
    console.log(`preload: ${name}`);
  }
  assert.deepEqual(fs.readdirSync(".").sort(), ["link.folded", "pipe.folded", "program.mjs", "target"], "files are left");
} finally {
  fs.rmSync(folder, { recursive: true });
}
