// fold_recursion.mjs TOLL LIB - recursion that is folded while a module runs: the profile is the one that folding makes of
// the whole profile, for exports that call back, throw, and go deep.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

const [command, lib] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const toll = await Toll.load(), bytes = fs.readFileSync("recursion.wasm");

/** Some of the host's functions call back, some throw through the module; a nested export is caught there. */
async function record(options, withPhases = false) {
  let calls = 0, t, exports;
  const again = n => exports.again(n >> 1);
  const host = n => {
    calls++;
    if (calls % 7 === 3 && n > 1) withPhases ? t.phase(`phase ${calls % 2}`, () => again(n)) : again(n);
    if (calls % 11 === 5) throw new Error("left");
  };
  t = await toll.instantiate(bytes, { env: { host: n => {
    try {
      host(n);
    } catch (error) {
      if (calls % 22 === 5) throw error;
    }
  } } }, options);
  ({ exports } = t);
  for (const n of [6, 9, 14])
    try {
      exports.run(n);
    } catch (error) {
      assert.equal(error.message, "left");
    }
  assert.equal(exports.go_deep(3000), 3000);
  return t;
}

const lines = bytes => Buffer.from(bytes).toString().trim().split("\n").sort();

/** The profile that is folded while the module runs is that of folding the whole. */
async function compare(withPhases) {
  const plain = await record({}, withPhases), folded = await record({ foldRecursion: true }, withPhases);
  fs.writeFileSync("recursion.pb", await plain.profile("pprof"));
  for (const value of ["ticks", "calls"]) {
    const wanted = execFileSync(command, ["convert", "-q", "--fold-recursion", "--value", value, "recursion.pb", "--to", "folded", "-o", "-"]);
    assert.deepEqual(lines(await folded.profile("folded", value)), lines(wanted), value);
  }
  assert.deepEqual(folded.summary().notes, plain.summary().notes);
  return [plain, folded];
}

const [, phases] = await compare(true), [plain, folded] = await compare(false);
assert.ok(lines(await phases.profile("folded")).some(line => line.includes(";phase 1;again")), "no phase in a call");
assert.ok(lines(await plain.profile("folded")).length > 3000 && lines(await folded.profile("folded")).length < 200);

// Deep: there is a node for each function, whatever the depth; and with time, too.
const timed = await record({ foldRecursion: true, time: true });
assert.deepEqual(lines(await timed.profile("folded", "ticks")), lines(await folded.profile("folded", "ticks")));
// What needs every frame in its place is refused.
await assert.rejects(record({ foldRecursion: true, timeline: true }), /no order of calls/);
await assert.rejects(record({ foldRecursion: true, callLines: true }), /no lines of calls/);
assert.throws(() => folded.beginSection("s"), /no sections/);
// A limit of frames that is set later counts the functions that are open, not the nodes.
const limited = await toll.instantiate(bytes, { env: { host() {} } }, { foldRecursion: true });
for (let i = 0; i < 3; i++) assert.equal(limited.exports.go_deep(60), 60);
limited.library.c.limit_frames(20);
assert.throws(() => limited.exports.go_deep(50), /call stack exhausted/);
assert.equal(limited.depth, 0);

// The engine ends the guest anywhere, also within an event, which is counted in whole or not at all.
const ended = await toll.instantiate(bytes, { env: { host() {} } }, { foldRecursion: true });
globalThis.endless = () => { for (;;) ended.exports.run(14); };
for (let i = 0; i < 400; i++) {
  assert.throws(() => new vm.Script("endless()").runInThisContext({ timeout: 1 + i % 3 }), { code: "ERR_SCRIPT_EXECUTION_TIMEOUT" });
  ended.recover();
  ended.unwind(0);
}
assert.ok(!ended.summary().notes.some(({ text }) => /not open|innermost/.test(text)), JSON.stringify(ended.summary().notes));
console.log("recursion folded while a module runs: the profile is that of folding the whole");
