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
const toll = await Toll.load(undefined, { sampled: true }), plain = await Toll.load(), env = { host: n => n * 2 };
const PATIENCE_MS = 60_000;

const values = (t, value) => t.summary({ value }).functions.map(f => [f.name, f.self, f.calls]).sort();
const noteOf = (summary, text) => summary.notes.filter(n => n.text.includes(text)).reduce((sum, n) => sum + n.count, 0);

/** Call `run` until it is sampled, and then until there are some samples: V8 does not say how many. */
function runUntilSeen(t, run) {
  const began = performance.now();
  let rounds = 0, sampled;
  const isEnough = () => (t.options.engine ? performance.now() - sampled > 50 : t.sampler.count >= 20);
  for (; !t.isSampled || !isEnough(); rounds++) {
    assert.ok(performance.now() - began < PATIENCE_MS, "there are no samples");
    run();
    if (t.isSampled) sampled ??= performance.now();
  }
  return rounds;
}

const HOW = [
  { samples: "sampled every 100 us at exact stacks", unseen: "between looks that came late; not in the time" },
  { samples: "samples: the engine's own sampler", unseen: "in no function of the module" },
];
const engine = { get engine() { return new V8Sampler(() => inspector); } };
const ways = [{}, { ticks: false }, { callLines: true }, { depth: 3 }];
for (const options of [...ways, { ...engine }, { ...engine, ticks: false }, { ...engine, depth: 3 }, { ...engine, foldRecursion: true }, { ...engine, skip: "fib" }]) {
  const bytes = fs.readFileSync("calls.wasm"), t = toll.record({ ...options, time: "sampled" });
  t.instantiate(new WebAssembly.Module(t.prepare(bytes)), { env });
  assert.ok(t instanceof SampledRecording);
  const rounds = runUntilSeen(t, () => t.exports.run(12));
  const what = JSON.stringify({ ...options, engine: options.engine && "V8" }), { samples, unseen } = HOW[Number(options.engine !== undefined)];
  const same = await plain.instantiate(bytes, { env }, { ...options, engine: undefined });
  for (let i = 0; i < rounds; i++) same.exports.run(12);
  for (const value of options.ticks === false ? ["calls"] : ["calls", "ticks"])
    assert.deepEqual(values(t, value), values(same, value), `${what}: ${value}`);

  // The time and what is not in it are what passed.
  for (let again = 0; again < 2; again++) {
    t.aside(() => {
      const summary = t.summary({ value: "time" }), { looks, overhead } = t.overhead();
      assert.ok(looks >= 20 && noteOf(summary, samples) === looks, what);
      assert.equal(noteOf(summary, "that the profiler took, about; not in the time"), overhead, what);
      const late = noteOf(summary, unseen);
      assert.equal(summary.total + overhead + late, Number(t.library.c.spent_time()), what);
      assert.ok(summary.functions.every(f => f.self >= 0), what);
      // Of all that passed only the events before the first sample were not sampled. So reports know what a sample represents.
      const sampled = noteOf(summary, "nanoseconds that the samples represent");
      assert.ok(sampled > late && sampled < Number(t.library.c.spent_time()), what);
      assert.equal(summary.columns.find(c => c.type === "time").sample, Math.floor(sampled / looks), what);
    });
    t.exports.run(12);
  }
  console.log(`ok: sampled ${what}`);
}

// A program of few events needs no thread: its time is the clock's.
const few = toll.record({ time: "sampled" });
few.instantiate(new WebAssembly.Module(few.prepare(fs.readFileSync("calls.wasm"))), { env }).run(5);
assert.ok(!few.isSampled && few.sampler === undefined && few.summary({ value: "time" }).total > 0);
assert.match(few.summary().notes.map(n => n.text).join(), /^nanoseconds of the time, about, that reading the clock took$/);

// Where time cannot be sampled the clock is read, and the profile says so.
const cannot = plain.record({ time: "sampled" });
assert.ok(!(cannot instanceof SampledRecording));
assert.ok(cannot.summary().notes.some(n => n.text.startsWith("the clock was read at each event")));
assert.equal(noteOf(toll.record({ time: "sampled", timeline: true }).summary(), "the clock was read at each event"), 1);
console.log("ok: without sampling");
process.exit(0); // threads are not waited for
