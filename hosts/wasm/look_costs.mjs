// look_costs.mjs - measures the cost of an event outside of toll.wasm's functions: the call of such a function, and the
// code around it. Sampling cannot distinguish this cost from the guest's own work. So it is measured on a guest that
// does nothing but call.
const CALLS = 20_000, ENOUGH_LOOKS = 200, PLAIN_MS = 4, MOST_MS = 300;

// (module (func $called (param i32) (result i32) local.get 0 i32.const 1 i32.sub)
//         (func (export "run") (param i32) loop local.get 0 call $called local.tee 0 br_if 0 end))
const GUEST = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 10, 2, 96, 1, 127, 1, 127, 96, 1, 127, 0, 3, 3, 2, 0, 1, 7, 7, 1, 3, 114, 117, 110, 0, 1,
  10, 23, 2, 7, 0, 32, 0, 65, 1, 107, 11, 13, 0, 3, 64, 32, 0, 16, 0, 34, 0, 13, 0, 11, 11]);

/** The shortest time of a round, in nanoseconds per call. Rounds are run until `isEnough(milliseconds so far)`. */
function leastTime(run, isEnough) {
  let least = Infinity, passed = 0;
  for (const begin = performance.now(); passed < MOST_MS && !isEnough(passed);) {
    const start = performance.now();
    run(CALLS);
    const end = performance.now();
    least = Math.min(least, (end - start) * 1e6 / CALLS);
    passed = end - begin;
  }
  return least;
}

/** { received, made }: the cost of recording a call in picoseconds, in the callee and in the caller. `recording` is a
 *  new one that is being sampled. */
export function measureCosts(recording) {
  const { toll, sampler, options: { ticks } } = recording;
  const plain = new WebAssembly.Instance(new WebAssembly.Module(GUEST)).exports.run;
  const bare = leastTime(plain, passed => passed > PLAIN_MS) / 2; // per call, for each of the two functions
  const { run } = recording.instantiate(new WebAssembly.Module(toll.instrument(GUEST, { ticks })));
  const whole = leastTime(run, () => sampler.count > ENOUGH_LOOKS), { looks: count, busyLooks } = recording.endSampling();
  const time = new Map(recording.summary({ value: "time" }).functions.map(f => [f.name, f.self]));
  const called = time.get("function[0]") ?? 0, calls = time.get("run") ?? 0;
  const share = of => (1 - busyLooks / count) * of / Math.max(called + calls, 1);
  const cost = of => Math.max(0, Math.round(1000 * (whole * share(of) - bare)));
  return { received: cost(called), made: cost(calls) };
}
