// asyncify.mjs LIB - a function that asyncify resumes was not called again: calls are those of the program.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [lib] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const toll = await Toll.load(), bytes = fs.readFileSync("asyncify.wasm"), UNWINDING = 1, REWINDING = 2, DATA = 16;

async function run(options) {
  let exports, sleeps = 0;
  const sleep = () => {
    if (exports.asyncify_get_state() === REWINDING) exports.asyncify_stop_rewind();
    else sleeps++, exports.asyncify_start_unwind(DATA);
  };
  const t = await toll.instantiate(bytes, { env: { sleep } }, options);
  ({ exports } = t);
  for (let turn = 0; turn < 3; turn++) {
    new Uint32Array(exports.memory.buffer).set([DATA + 8, 4096], DATA / 4);
    for (exports.run(); exports.asyncify_get_state() === UNWINDING; exports.run()) {
      exports.asyncify_stop_unwind();
      exports.asyncify_start_rewind(DATA);
    }
  }
  assert.equal(sleeps, 9);
  const { functions } = t.summary({ value: "calls", rows: 0 });
  const calls = name => functions.find(f => f.name === name)?.calls;
  assert.deepEqual(["run", "middle", "leaf", "sleep"].map(calls), [3, 3, 9, 9], JSON.stringify(options));
  assert.equal(calls("asyncify_start_rewind"), 9);
  assert.equal(calls("asyncify_stop_rewind"), 9);
  return t;
}

const t = await run({});
const sums = t.summary({ value: "ticks", rows: 0 });
assert.equal(sums.functions.reduce((sum, f) => sum + f.self, 0), sums.total);
assert.match(t.tree({ value: "calls" }), /run\n.*middle\n.*leaf\n.*sleep/);
await run({ time: true });
await run({ callLines: true });
const timed = await run({ timeline: true });
const events = JSON.parse(new TextDecoder().decode(await timed.profile("chrome", "", { inOrder: true }))).traceEvents;
assert.ok(events.length > 0);

// An exception ends it: what is called then is called.
const broken = await toll.instantiate(bytes, { env: { sleep: () => { throw new Error("no"); } } }, {});
broken.exports.asyncify_start_rewind(DATA); // there is nothing to come back to
assert.throws(() => broken.exports.run());
new Uint32Array(broken.exports.memory.buffer).set([DATA + 8, 4096], DATA / 4); // which asyncify checks
broken.exports.asyncify_stop_rewind();
assert.throws(() => broken.exports.run(), /no/);
assert.equal(broken.summary({ value: "calls", rows: 0 }).functions.find(f => f.name === "run").calls, 1);
console.log("asyncify: calls are those of the program, however often its functions are resumed");
