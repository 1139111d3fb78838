// v8_stacks.mjs LIB - time that V8 samples is charged to the stacks that were recorded: by caller, in imports, and where
// V8 shows the innermost functions alone.
import assert from "node:assert/strict";
import fs from "node:fs";
import inspector from "node:inspector";
import path from "node:path";
import { pathToFileURL } from "node:url";

const lib = process.argv[2], ROUNDS = 40, TURNS = 2_000_000, WAIT_MS = 5;
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const { V8Sampler } = await import(pathToFileURL(path.join(lib, "v8_sampler.mjs")));

let waited = 0; // milliseconds: on a machine that does other work they are more
function wait() {
  const begin = performance.now();
  while (performance.now() < begin + WAIT_MS);
  waited += performance.now() - begin;
}

/** Nanoseconds by stack. */
function stacksOf(options) {
  const recording = toll.record({ ...options, time: true, engine: new V8Sampler(() => inspector) });
  const { events, run } = recording.instantiate(new WebAssembly.Module(recording.prepare(bytes)), { env: { wait } });
  while (!recording.isSampled) events(10_000); // at first the clock is read
  for (let i = 0; i < ROUNDS; i++) run(TURNS);
  const lines = recording.aside(() => new TextDecoder().decode(recording.write("folded", "time"))).trim().split("\n");
  return new Map(lines.map(line => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]));
}

/** Wide limits: the machine may do other work. A sample of a deep stack takes V8 a third of the time between two, and many
 *  times as long if two programs share a processor: `most` is then no limit. */
function close(a, b, what, most = 2) {
  assert.ok(a > 0.5 * b && a < most * b, `${what}: ${a}, not about ${b}`);
}

const toll = await Toll.load(), bytes = fs.readFileSync("sampled.wasm");
const oneSpin = (stacks, end) => (stacks.get(`run;one${end}`) + stacks.get(`run;three${end}`)) / 4;
const sumOf = (stacks, is) => [...stacks].reduce((sum, [stack, ns]) => sum + (is(stack) ? ns : 0), 0);

/** Measure until it fits, five times at most: other work of the machine changes one part of a run, a wrong stack each run. */
function judge(options, check) {
  for (let tries = 1; ; tries++)
    try {
      waited = 0;
      return check(stacksOf(options));
    } catch (error) {
      if (tries === 5) throw error;
    }
}

judge({}, stacks => {
  const one = oneSpin(stacks, ";spin");
  close(stacks.get("run;three;spin"), 3 * one, "three calls");
  close(stacks.get("run;waits;wait"), 1e6 * waited, "an import");
  close(sumOf(stacks, s => s.startsWith("[outer calls that the engine does not show];deep;deep;") && s.endsWith(";deep;spin")), one, "deep in a recursion", Infinity);
});
judge({ skip: "spin" }, stacks => close(stacks.get("run;three"), 3 * oneSpin(stacks, ""), "a function that is not followed"));
judge({ foldRecursion: true }, stacks =>
  close(sumOf(stacks, s => /^(run|\[outer [^;]*);deep;spin$/.test(s)), oneSpin(stacks, ";spin"), "recursion that is folded", Infinity));
console.log("ok: V8's stacks");
