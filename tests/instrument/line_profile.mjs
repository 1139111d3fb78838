// line_profile.mjs LIB - toll.mjs turns counters into stacks of one function at the address of a stretch. Their ticks
// add up to the function's own, over several instances and modules, traps and exits.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { samples } from "./pprof.mjs";
import { executions, read } from "./section.mjs";

const { Toll } = await import(pathToFileURL(path.join(process.argv[2], "toll.mjs")));
const toll = await Toll.load(), host = n => n * 2;
const imports = () => ({ env: { host, base: 2, count: new WebAssembly.Global({ value: "i32", mutable: true }, 100) } });

const byFunction = (recording, value) => new Map(recording.summary({ value }).functions
  .filter(f => f.self).map(f => [f.name, f.self]));

/** The ticks of each function's stretches are its own. */
function compare(recording, what) {
  assert.deepEqual([...byFunction(recording, "line ticks")].sort(), [...byFunction(recording, "ticks")].sort(), what);
}

const attempt = work => {
  try {
    return work();
  } catch (error) {
    return `${error}`;
  }
};

// Modules, one after the other and again; traps; exceptions that leave the module.
const recording = toll.record({ lines: true }), alone = toll.record({ lines: true, calls: false });
const runs = [["calls", 9], ["work", 2], ["traps", 0], ["traps", 1], ["places", 61], ["calls", 4], ["exceptions", 5], ["places", 7]];
for (const [name, argument] of runs) {
  const bytes = fs.readFileSync(`${name}.wasm`), results = [];
  for (const r of [recording, alone]) {
    const { run } = r.instantiate(new WebAssembly.Module(r.prepare(bytes)), imports());
    for (let i = 0; i < 2; i++) results.push(attempt(() => run(argument)));
  }
  assert.deepEqual(results.slice(2), results.slice(0, 2), name);
  compare(recording, name);
}
assert.deepEqual([...byFunction(alone, "ticks")].sort(), [...byFunction(recording, "ticks")].sort(), "without calls");
assert.deepEqual(alone.summary().columns.map(c => c.type), ["ticks", "executions"]);
assert.deepEqual(recording.summary().columns.map(c => c.type).sort(), ["calls", "executions", "line ticks", "ticks"]);
assert.equal(recording.summary().value ?? "ticks", "ticks");

// Each stretch is a stack of one frame at its address, with the executions of its counter.
const single = await toll.instantiate(fs.readFileSync("work.wasm"), {}, { lines: true, name: "work.wasm", time: true });
single.exports.run(3);
const told = read(new WebAssembly.Module(toll.instrument(fs.readFileSync("work.wasm"), { lines: true, name: "work.wasm" })));
const counts = executions(single.instance, told.counters), wanted = new Map();
told.counters.forEach(({ address, cost }, i) => counts[i] && wanted.set(BigInt(address), [counts[i], counts[i] * BigInt(cost)]));
const lines = samples(single.write("pprof")).filter(({ values }) => values.executions);
assert.equal(lines.length, wanted.size);
for (const { addresses, values } of lines) {
  assert.equal(addresses.length, 1, "a stack of one frame");
  assert.deepEqual([values.executions, values["line ticks"]], wanted.get(addresses[0]), `at ${addresses[0]}`);
  assert.ok(!values.calls && !values.ticks && !values.time);
}

// What comes after a mark alone.
single.mark();
single.exports.run(1);
const again = executions(single.instance, told.counters).reduce((sum, n) => sum + n, 0n) - counts.reduce((sum, n) => sum + n, 0n);
const since = samples(single.since("pprof"));
assert.equal(since.reduce((sum, { values }) => sum + (values.executions ?? 0n), 0n), again);

// A start function that traps: the instance is never there, and nobody can ask its counters.
const starts = toll.record({ lines: true }), start = new WebAssembly.Module(starts.prepare(fs.readFileSync("start.wasm")));
assert.throws(() => starts.instantiate(start, { env: { host: () => 1 } }), WebAssembly.RuntimeError);
assert.match(JSON.stringify(starts.summary().notes), /failed while they were made/);
assert.throws(() => toll.record({ lines: true }).prepare(fs.readFileSync("work.toll.wasm")), /lines is for toll instrument/);
assert.throws(() => toll.record({ lines: true, calls: false, time: true }), /without calls there is no time/);
console.log(`lines: ${lines.length} stretches are stacks of their own; sums by function are exact over ${runs.length} instances`);
