// threads.mjs TOLL LIB - a program with threads: each worker has its own recording, and the one that worked
// has exactly the calls. A worker that is not given Toll fails, with the engine's word for it.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";

const [toll, lib] = process.argv.slice(2);
if (!fs.existsSync("built/json-threads.wasm")) {
  console.log("skipped: there is no built/json-threads.wasm; the test corpus/setup tells why");
  process.exit(77);
}

const options = { encoding: "utf8", timeout: 20000, env: { ...process.env, TOLL_LIB: lib } };
const program = (...flags) => spawnSync("node", [...flags, "threads_program.mjs"], options);
const report = (file, value) =>
  JSON.parse(execFileSync(toll, ["report", "-q", "--json", "-n", "0", "--value", value, file],
    { encoding: "utf8", maxBuffer: 1 << 28 }));

fs.mkdirSync("out", { recursive: true });
const written = () => fs.readdirSync("out").filter(name => /^thread\.\d+\.\d+\.pb$/.test(name)).map(name => `out/${name}`);
written().forEach(name => fs.rmSync(name));

const plain = program(), after = program("--import", "./preload.mjs");
assert.equal(after.stdout, plain.stdout, after.stderr);
const [, values, checks] = JSON.parse(after.stdout);

const files = written(), calls = (file, name) => report(file, "calls").functions.find(f => f.name === name)?.calls;
const working = files.filter(file => calls(file, "run") === 1);
assert.equal(working.length, 1, `workers that ran: ${working} of ${files}`);
assert.equal(calls(working[0], "Parser::value()"), values);
assert.equal(calls(working[0], "check(int)"), checks);
for (const file of files) {
  execFileSync(toll, ["check", "-q", file]);
  const { total, functions } = report(file, "ticks");
  assert.equal(functions.reduce((sum, f) => sum + f.self, 0), total, file);
}

// Each version of V8 has its own words for it.
const withoutToll = /Import #\d+ (module=)?"toll"/;

/** The program without Toll in its workers: until it says what is wrong, as it then waits for ever. */
const alone = new Promise(done => {
  const child = spawn("node", ["--import", "./preload.mjs", "threads_program.mjs"],
    { ...options, env: { ...options.env, TOLL_WORKERS: "no" } });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", data => withoutToll.test(said += data) && child.kill());
  child.on("close", () => done(said));
});
assert.match(await alone, withoutToll);
console.log(`threads: ${values} values in a worker of ${files.length}; without Toll a worker does not begin`);
