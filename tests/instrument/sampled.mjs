// sampled.mjs LIB - recordings with sampled time: calls and ticks are the same as in other recordings, and every
// nanosecond that has passed is accounted for.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const lib = process.argv[2];
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const { SampledRecording } = await import(pathToFileURL(path.join(lib, "sampled.mjs")));
const toll = await Toll.load(undefined, { sampled: true }), plain = await Toll.load(), env = { host: n => n * 2 };
const PATIENCE_MS = 60_000;

const values = (t, value) => t.summary({ value }).functions.map(f => [f.name, f.self, f.calls]).sort();
const noteOf = (summary, text) => summary.notes.filter(n => n.text.includes(text)).reduce((sum, n) => sum + n.count, 0);

/** Call `run` until the thread looks, and then until it has looked some times. */
function runUntilSeen(t, run) {
  let rounds = 0;
  for (const began = performance.now(); !t.isSampled || t.looks.count < 20; rounds++) {
    assert.ok(performance.now() - began < PATIENCE_MS, "the thread does not look");
    run();
  }
  return rounds;
}

for (const options of [{}, { ticks: false }, { callLines: true }, { depth: 3 }]) {
  const bytes = fs.readFileSync("calls.wasm"), t = await toll.instantiate(bytes, { env }, { ...options, time: "sampled" });
  assert.ok(t instanceof SampledRecording);
  const rounds = runUntilSeen(t, () => t.exports.run(12));
  const what = JSON.stringify(options), same = await plain.instantiate(bytes, { env }, options);
  for (let i = 0; i < rounds; i++) same.exports.run(12);
  for (const value of options.ticks === false ? ["calls"] : ["calls", "ticks"])
    assert.deepEqual(values(t, value), values(same, value), `${what}: ${value}`);

  // The time and what is not in it are what passed.
  for (let again = 0; again < 2; again++) {
    t.aside(() => {
      const summary = t.summary({ value: "time" }), { looks, overhead } = t.overhead();
      assert.ok(looks >= 20 && noteOf(summary, "sampled every 100 us at exact stacks") === looks, what);
      assert.equal(noteOf(summary, "that the profiler took, about; not in the time"), overhead, what);
      const late = noteOf(summary, "between looks that came late; not in the time");
      assert.equal(summary.total + overhead + late, Number(t.library.c.spent_time()), what);
      assert.ok(summary.functions.every(f => f.self >= 0), what);
    });
    t.exports.run(12);
  }
  console.log(`ok: sampled ${what}`);
}

// A program of few events needs no thread: its time is the clock's.
const few = toll.record({ time: "sampled" });
few.instantiate(new WebAssembly.Module(few.prepare(fs.readFileSync("calls.wasm"))), { env }).run(5);
assert.ok(!few.isSampled && few.looks === undefined && few.summary({ value: "time" }).total > 0);
assert.match(few.summary().notes.map(n => n.text).join(), /^nanoseconds of the time, about, that reading the clock took$/);

// Where time cannot be sampled the clock is read, and the profile says so.
const cannot = plain.record({ time: "sampled" });
assert.ok(!(cannot instanceof SampledRecording));
assert.ok(cannot.summary().notes.some(n => n.text.startsWith("the clock was read at each event")));
assert.equal(noteOf(toll.record({ time: "sampled", timeline: true }).summary(), "the clock was read at each event"), 1);
console.log("ok: without sampling");
process.exit(0); // threads are not waited for
