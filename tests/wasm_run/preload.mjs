// preload.mjs TOLL LIB - where preload.mjs of LIB writes a profile, of which threads, and what it refuses before the
// program begins.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const [toll, lib] = process.argv.slice(2).map(name => path.resolve(name));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toll-preload-"));
process.chdir(folder);
// A module with a function `f`, which returns 42.
fs.writeFileSync("module.mjs", `
  const bytes = Buffer.from("0061736d010000000105016000017f03020100070501016600000a06010400412a0b", "hex");
  export const make = async () => (await WebAssembly.instantiate(bytes)).instance.exports;`);
fs.writeFileSync("program.mjs", `
  import { make } from "./module.mjs";
  console.log((await make()).f());`);

function run(variables, program = "program.mjs") {
  const env = { ...process.env, ...variables };
  return spawnSync(process.execPath, ["--import", path.join(lib, "preload.mjs"), program], { env, encoding: "utf8", timeout: 60_000 });
}

/** The calls of f in a thread of a profile. */
function calls(file, thread) {
  const text = execFileSync(toll, ["report", "-q", "--json", "--value", "calls", "--thread", `^${thread}$`, file], { encoding: "utf8" });
  return JSON.parse(text).functions.find(({ name }) => name === "f")?.calls;
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
  "without a name it is toll.pb.gz, and no temporary files are left"() {
    fs.mkdirSync("temporary");
    const { status, stderr } = run({ TOLL_OUTPUT: "", TMPDIR: path.join(folder, "temporary") });
    assert.equal(status, 0, stderr);
    assert.match(stderr, /^toll: toll\.pb\.gz\nticks: [^]* f\n/);
    assert.equal(calls("toll.pb.gz", "main"), 1);
    assert.deepEqual(fs.readdirSync("temporary"), []);
    fs.rmSync("toll.pb.gz");
    fs.rmdirSync("temporary");
  },
  "all calls of all threads, however they end"() {
    fs.writeFileSync("threads.mjs", `
      import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
      import { make } from "./module.mjs";
      const ended = worker => new Promise(done => worker.on("exit", done));
      const calls = async counts => {
        for (const count of counts) for (let { f } = await make(), i = 0; i < count; i++) f();
      };
      if (isMainThread) {
        await calls([1, 2]);
        for (const [isTerminated, ...counts] of [[true, 3], [true, 4, 5], [false, 6, 7], [false]]) {
          const worker = new Worker(new URL(import.meta.url), { workerData: [isTerminated, counts] }), end = ended(worker);
          if (isTerminated) worker.on("message", () => worker.terminate());
          await end;
        }
      } else {
        const [isTerminated, counts] = workerData;
        await calls(counts);
        if (isTerminated) {
          parentPort.postMessage("terminate me");
          for (;;) await make(); // nothing more is called
        }
      }`);
    const { status, stderr } = run({ TOLL_OUTPUT: "threads.pb.gz" }, "threads.mjs");
    assert.equal(status, 0, stderr);
    assert.deepEqual(["main", "worker 1", "worker 2", "worker 3"].map(name => calls("threads.pb.gz", name)), [3, 3, 9, 13]);
    fs.rmSync("threads.mjs");
    fs.rmSync("threads.pb.gz");
  },
  "what a worker calls later is seen as well, also without ticks"() {
    fs.writeFileSync("later.mjs", `
      import fs from "node:fs";
      import { Worker, isMainThread, parentPort, threadId } from "node:worker_threads";
      import { make } from "./module.mjs";
      if (isMainThread) {
        const worker = new Worker(new URL(import.meta.url));
        worker.on("message", () => worker.terminate());
      } else {
        const { f } = await make(), file = process.env.TOLL_THREADS + "/" + threadId + ".pb";
        const content = () => fs.existsSync(file) ? fs.readFileSync(file, "hex") : "";
        for (let turn = 0, last = ""; turn < 3; turn++) { // each time it waits until it is written, being idle
          f();
          while (content() === last) await new Promise(done => setTimeout(done, 1));
          last = content();
        }
        parentPort.postMessage("terminate me");
      }`);
    for (const options of ["{}", '{"ticks":false}']) {
      const { status, stderr } = run({ TOLL_OUTPUT: "later.pb.gz", TOLL_OPTIONS: options }, "later.mjs");
      assert.equal(status, 0, stderr);
      assert.equal(calls("later.pb.gz", "worker 1"), 3, options);
    }
    fs.rmSync("later.mjs");
    fs.rmSync("later.pb.gz");
  },
  "what cannot be written at the end: one line, and a status that says so"() {
    const failing = status => {
      fs.mkdirSync("gone");
      fs.writeFileSync("failing.mjs", `
        import fs from "node:fs";
        import "./program.mjs";
        for (const folder of ["gone", process.env.TOLL_THREADS]) fs.rmdirSync(folder);
        process.exitCode = ${status};`);
      return run({ TOLL_OUTPUT: "gone/x.folded" }, "failing.mjs");
    };
    for (const [own, wanted] of [[0, 1], [3, 3]]) {
      const { status, stdout, stderr } = failing(own);
      assert.deepEqual([status, stdout], [wanted, "42\n"], stderr);
      assert.match(stderr, /^toll: gone\/x\.folded: [^\n]*\n$/);
    }
    fs.rmSync("failing.mjs");
  },
  "a worker that cannot save its part goes on, and says so once"() {
    fs.writeFileSync("worker.mjs", `
      import fs from "node:fs";
      import { Worker, isMainThread, parentPort } from "node:worker_threads";
      import { make } from "./module.mjs";
      const folder = process.env.TOLL_THREADS, { f } = await make();
      if (isMainThread) {
        f();
        new Worker(new URL(import.meta.url)).on("message", text => console.log(text)).on("exit", () => {
          fs.rmSync(folder);
          fs.mkdirSync(folder);
        });
      } else {
        fs.rmdirSync(folder);
        fs.writeFileSync(folder, ""); // no folder any more
        for (let turn = 0; turn < 3; turn++) parentPort.postMessage(f());
      }`);
    const { status, stdout, stderr } = run({ TOLL_OUTPUT: "worker.folded" }, "worker.mjs");
    assert.deepEqual([status, stdout], [0, "42\n42\n42\n"], stderr);
    assert.equal(stderr.match(/^toll: .*1\.pb: cannot create: Not a directory$/gm).length, 1, stderr);
    assert.equal(fs.readFileSync("worker.folded", "utf8"), "f 2\n"); // of the main thread: 2 ticks
    for (const name of ["worker.mjs", "worker.folded"]) fs.rmSync(name);
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
  assert.deepEqual(fs.readdirSync(".").sort(), ["link.folded", "module.mjs", "pipe.folded", "program.mjs", "target"], "files are left");
} finally {
  fs.rmSync(folder, { recursive: true });
}
