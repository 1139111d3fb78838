// host.mjs TOLL LIB - the profile by toll.mjs and toll.wasm in LIB is the same as that of recorder.mjs, and toll report
// reads the same from it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { recorder } from "./recorder.mjs";

const [tollCommand, lib] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const toll = await Toll.load();
const host = n => n * 2;

/** Self values by stack, as recorder.mjs has them. */
function expected(name, argument) {
  const module = new WebAssembly.Module(fs.readFileSync(`${name}.toll.wasm`)), record = recorder(module);
  const { exports } = new WebAssembly.Instance(module, { env: { host }, toll: record.toll });
  exports.run(argument);
  record.self.delete("");
  return { self: record.self, ticks: exports["toll:ticks"].value };
}

const folded = async (t, value) => new Map(new TextDecoder().decode(await t.profile("folded", value)).trim().split("\n")
  .map(line => [line.slice(0, line.lastIndexOf(" ")), BigInt(line.slice(line.lastIndexOf(" ") + 1))]));
const sorted = map => [...map].filter(([, n]) => n).sort();

for (const [name, argument] of [["calls", 12], ["work", 3], ["exceptions", 6], ["exceptions", 0]]) {
  const want = expected(name, argument);
  for (const bytes of [fs.readFileSync(`${name}.wasm`), fs.readFileSync(`${name}.toll.wasm`)]) {
    const t = await toll.instantiate(bytes, { env: { host } });
    t.exports.run(argument);
    assert.equal(t.ticks, want.ticks, name);
    assert.deepEqual(sorted(await folded(t, "ticks")), sorted(want.self), name);
  }
}
assert.deepEqual(Buffer.from(toll.instrument(fs.readFileSync("work.wasm"), { name: "work.wasm" })), fs.readFileSync("work.toll.wasm"));

// An exception of JavaScript that passes through the module leaves no frame open.
const t = await toll.instantiate(fs.readFileSync("calls.wasm"), { env: { host: n => { if (n === 9) throw new Error("no"); return n; } } });
assert.throws(() => t.exports.run(9), /no/);
t.exports.run(3);
t.beginSection("mine");
t.exports.run(3); // and the last call is known to come from there
assert.throws(() => t.exports.run(9), /no/);
assert.equal(t.depth, 0);
t.endSection("mine");
const stacks = [...(await folded(t, "calls")).keys()].filter(s => s !== "mine");
assert.ok(stacks.length && stacks.every(s => /^(mine;)?run/.test(s) && s.split(";").filter(f => f === "run").length === 1), stacks.join("\n"));

// What the heap needs costs no ticks, also where an allocator ends by a tail call.
if (WebAssembly.validate(fs.readFileSync("pool.wasm"))) {
  const ticks = [];
  for (const heap of [false, true]) {
    const pool = await toll.instantiate(fs.readFileSync("pool.wasm"), {}, { heap });
    assert.equal(pool.exports.run(100), 16 + 100 * 101 / 2 + 100 * 8);
    ticks.push(pool.ticks);
    assert.deepEqual(pool.summary().notes, [], "nothing odd to tell");
    if (heap) assert.deepEqual(await folded(pool, "alloc_space"), new Map([["run;malloc", 5050n]]));
  }
  assert.equal(ticks[1], ticks[0]);
} else {
  console.log("skipped: an allocator with tail calls, which this engine does not have");
}

// The file is what other tools read; time is a value of its own, and goes on.
const timed = await toll.instantiate(fs.readFileSync("work.wasm"), {}, { time: true, skip: "nothing" });
timed.exports.run(1);
fs.writeFileSync("work.pb.gz", await timed.profile("pb.gz"));
const report = value => JSON.parse(execFileSync(tollCommand, ["report", "--json", "--value", value, "work.pb.gz"], { encoding: "utf8" }));
assert.equal(BigInt(report("ticks").total), timed.ticks);
assert.ok(report("time").total > 10000);
await assert.rejects(toll.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 1, 1])), WebAssembly.CompileError);
assert.throws(() => toll.instrument(new Uint8Array([1, 2, 3])), /toll: module: is no WebAssembly module/);
// A start function that traps leaves no frame open either: the next instance's calls are outermost.
const starts = toll.record(), start = new WebAssembly.Module(fs.readFileSync("start.toll.wasm"));
assert.throws(() => starts.instantiate(start, { env: { host: () => 1 } }), WebAssembly.RuntimeError);
assert.equal(starts.depth, 0);
starts.instantiate(start, { env: { host: () => 0 } }).run(1);
assert.ok((await folded(starts, "calls")).has("run"));

// A module that is instrumented already accepts no options of instrument's; with time alone its ticks are ignored.
const before = fs.readFileSync("work.toll.wasm");
assert.throws(() => toll.record({ heap: true }).prepare(before), /was instrumented before: heap is for toll instrument/);
assert.throws(() => toll.instrument(before), /was instrumented before/);
const timeOnly = toll.record({ ticks: false, time: true }), began = performance.now();
timeOnly.instantiate(new WebAssembly.Module(before)).run(1);
assert.ok(timeOnly.summary({ value: "time" }).total <= (performance.now() - began + 1000) * 1e6);

// A section that is forged, in all the ways that a short one can be.
const plain = new Uint8Array(fs.readFileSync("work.wasm"));
const forged = (...content) => {
  const name = [4, ...Buffer.from("toll")], size = name.length + content.length;
  return new Uint8Array([...plain, 0, size, ...name, ...content]);
};
for (const content of [[], [9], [9, 0], [8], [8, 0], [8, 0, 0], [8, 0, 0, 0], [8, 0, 5, 0, 0], [8, 0, 1, 0, 0, 9, 65], [8, 0, 1, 9, 80],
                       [8, 0, 255, 255, 255, 255, 15, 0, 0], [8, 128, 128, 128, 128, 128, 0], [8, 0, 0, 255, 255, 255, 255, 15, 0],
                       [7, 0], [7, 0, 0, 5], [7, 0, 0, 255, 255, 255, 255, 15], [7, 0, 200]])
  assert.throws(() => toll.record().instantiate(new WebAssembly.Module(forged(...content))), /section toll is damaged/, `${content}`);
assert.throws(() => toll.record().instantiate(new WebAssembly.Module(forged(10))), /section toll of version 10/);

// Nothing recorded, nothing marked, something that is no profile.
const sum = toll.sum();
assert.equal(new TextDecoder().decode(await sum.profile("folded")), "# no stacks\n");
assert.throws(() => toll.record().since("folded"), /no mark was set/);
sum.add(timed.write("pprof"));
assert.throws(() => sum.add(new Uint8Array([1, 2, 3])), /toll: profile/);
assert.equal(BigInt(sum.summary({ value: "ticks" }).total), timed.ticks);

console.log("toll.wasm: the same profile as in JavaScript, to the last tick");
