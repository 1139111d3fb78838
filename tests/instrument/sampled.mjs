// sampled.mjs LIB - recordings with sampled time: calls and ticks are the same as in other recordings, and every
// nanosecond that has passed is accounted for.
import assert from "node:assert/strict";
import fs from "node:fs";
import inspector from "node:inspector";
import path from "node:path";
import { pathToFileURL } from "node:url";

const lib = process.argv[2];
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const { V8Sampler } = await import(pathToFileURL(path.join(lib, "v8_sampler.mjs")));
const { SampledRecording } = await import(pathToFileURL(path.join(lib, "sampled.mjs")));
const toll = await Toll.load(), env = { host: n => n * 2 };
const PATIENCE_MS = 60_000;

const values = (t, value) => t.summary({ value }).functions.map(f => [f.name, f.self, f.calls]).sort();
const noteOf = (summary, text) => summary.notes.filter(n => n.text.includes(text)).reduce((sum, n) => sum + n.count, 0);

/** Call `run` until V8 samples, and then until there are some samples: it does not say how many. */
function runUntilSampled(t, run) {
  const began = performance.now();
  let rounds = 0, sampled;
  for (; !t.isSampled || performance.now() - sampled < 50; rounds++) {
    assert.ok(performance.now() - began < PATIENCE_MS, "there are no samples");
    run();
    if (t.isSampled) sampled ??= performance.now();
  }
  return rounds;
}

/** Calls and ticks are those of as many rounds without time. */
async function holdCounts(t, rounds, options, what) {
  const same = await toll.instantiate(fs.readFileSync("calls.wasm"), { env }, options);
  for (let i = 0; i < rounds; i++) same.exports.run(12);
  for (const value of options.ticks === false ? ["calls"] : ["calls", "ticks"])
    assert.deepEqual(values(t, value), values(same, value), `${what}: ${value}`);
}

const ways = [{}, { ticks: false }, { depth: 3 }, { foldRecursion: true }, { skip: "fib" }];
for (const options of ways) {
  const bytes = fs.readFileSync("calls.wasm"), t = toll.record({ ...options, time: true, engine: new V8Sampler(() => inspector) });
  t.instantiate(new WebAssembly.Module(t.prepare(bytes)), { env });
  assert.ok(t instanceof SampledRecording);
  const rounds = runUntilSampled(t, () => t.exports.run(12)), what = JSON.stringify(options);
  await holdCounts(t, rounds, options, what);

  // The time and what is not in it are what passed.
  for (let again = 0; again < 2; again++) {
    t.aside(() => {
      const summary = t.summary({ value: "time" }), { samples, overhead } = t.overhead();
      assert.ok(samples >= 20 && noteOf(summary, "samples: the engine's own sampler") === samples, what);
      assert.equal(noteOf(summary, "that the profiler took, about; not in the time"), overhead, what);
      const late = noteOf(summary, "in no function of the module");
      assert.equal(summary.total + overhead + late, Number(t.library.c.spent_time()), what);
      assert.ok(summary.functions.every(f => f.self >= 0), what);
      // Of all that passed only the events before the first sample were not sampled. So reports know what a sample represents.
      const sampled = noteOf(summary, "nanoseconds that the samples represent");
      assert.ok(sampled > late && sampled < Number(t.library.c.spent_time()), what);
      assert.equal(summary.columns.find(c => c.type === "time").sample, Math.floor(sampled / samples), what);
    });
    t.exports.run(12);
  }
  console.log(`ok: sampled ${what}`);
}

// A program of few events needs no sampler: its time is the clock's.
const few = toll.record({ time: true, engine: new V8Sampler(() => inspector) });
few.instantiate(new WebAssembly.Module(few.prepare(fs.readFileSync("calls.wasm"))), { env }).run(5);
assert.ok(!few.isSampled && few.sampler === undefined && few.summary({ value: "time" }).total > 0);
assert.match(few.summary().notes.map(n => n.text).join(), /^nanoseconds of the time, about, that reading the clock took$/);

// Without a sampler the clock is read once in a window.
for (const options of [...ways, { callLines: true }, { callKinds: true }]) {
  const t = await toll.instantiate(fs.readFileSync("calls.wasm"), { env }, { ...options, time: true }), what = JSON.stringify(options);
  assert.ok(!(t instanceof SampledRecording) && t.hasWindows, what);
  for (let i = 0; i < 40; i++) t.exports.run(12);
  await holdCounts(t, 40, options, what);
  t.aside(() => {
    const summary = t.summary({ value: "time" }), all = noteOf(summary, "nanoseconds that the samples represent");
    assert.ok(summary.total > 0 && summary.functions.every(f => f.self >= 0), what);
    assert.equal(summary.total + noteOf(summary, "that the profiler took, about; not in the time"), all, what);
    assert.equal(Number(t.spent().time), all, what);
    assert.ok(noteOf(summary, "readings of the clock at events") > 0, what);
  });
  console.log(`ok: by windows ${what}`);
}

// An order in time needs the clock at each event; so does who asks for it.
for (const options of [{ time: true, timeline: true }, { time: "each" }]) {
  const t = await toll.instantiate(fs.readFileSync("calls.wasm"), { env }, options);
  t.exports.run(12);
  assert.ok(!t.hasWindows && noteOf(t.summary(), "that reading the clock took") > 0);
}
console.log("ok: at each event");
