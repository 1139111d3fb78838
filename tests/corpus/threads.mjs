// threads.mjs TOLL LIB - a program with threads: each worker has its own recording, and the one that worked
// has exactly the calls. A worker that is not given Toll fails, with the engine's word for it.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const [toll, lib] = process.argv.slice(2);
if (!fs.existsSync("built/json-threads.wasm")) {
  console.log("skipped: there is no built/json-threads.wasm; the test corpus/setup tells why");
  process.exit(77);
}

const options = { encoding: "utf8", timeout: 20000, env: { ...process.env, TOLL_LIB: lib } };
const program = (...flags) => spawnSync("node", [...flags, "threads_program.mjs"], options);
const report = (value, ...flags) =>
  JSON.parse(execFileSync(toll, ["report", "-q", "--json", "-n", "0", "--value", value, ...flags, output],
    { encoding: "utf8", maxBuffer: 1 << 28 }));

fs.mkdirSync("out", { recursive: true });
const output = "out/threads.pb.gz", preload = path.join(lib, "preload.mjs");
options.env.TOLL_OUTPUT = output;
fs.rmSync(output, { force: true });

// One profile of all threads: the worker that worked has exactly the calls.
const plain = program(), after = program("--import", preload);
assert.equal(after.stdout, plain.stdout, after.stderr);
assert.match(after.stderr, /toll: out\/threads\.pb\.gz\n/);
const [, values, checks] = JSON.parse(after.stdout);
execFileSync(toll, ["check", "-q", output]);
const of = (thread, name) => report("calls", "--thread", `^${thread}$`).functions.find(f => f.name === name)?.calls;
const { threads } = report("ticks"), workers = threads.filter(name => /^worker \d+$/.test(name));
const working = workers.filter(name => of(name, "run") === 1);
assert.equal(working.length, 1, `workers that ran: ${working} of ${workers}`);
assert.equal(of(working[0], "Parser::value()"), values);
assert.equal(of(working[0], "check(int)"), checks);
assert.ok(of("main", "run_in_thread") === 1);
const { total, functions } = report("ticks");
assert.equal(functions.reduce((sum, f) => sum + f.self, 0), total);

// A profile that could not be written is said before the program starts.
options.env.TOLL_OUTPUT = "out/none/threads.pb.gz";
const failed = program("--import", preload);
assert.deepEqual([failed.status, failed.stdout], [1, ""]);
assert.match(failed.stderr, /toll: out\/none\/threads\.pb\.gz: /);

// Each version of V8 has its own words for it.
const withoutToll = /Import #\d+ (module=)?"toll"/;

/** The program without Toll in its workers: until it says what is wrong, as it then waits for ever. */
const alone = new Promise(done => {
  const child = spawn("node", ["--import", "./main_only.mjs", "threads_program.mjs"], options);
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", data => withoutToll.test(said += data) && child.kill());
  child.on("close", () => done(said));
});
assert.match(await alone, withoutToll);
console.log(`threads: ${values} values in a worker of ${workers.length}; without Toll a worker does not begin`);
