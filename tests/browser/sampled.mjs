// sampled.mjs TOLL - time in a page by the browser's own sampler: shares of functions whose work is known, the import's
// own time, several instances, parts of a run; and what happens in a page that may not sample.
import assert from "node:assert/strict";
import fs from "node:fs";
import { launch, serve, withPage } from "./chromium.mjs";
import { report, run } from "./common.mjs";

const toll = process.argv[2], SECONDS = 3;

/** A module: `run(n)` calls light, heavy (three times as much work) and the import; `warm` makes so many events that
 *  sampling begins. */
const source = name => `(module $${name} (import "env" "wait" (func $wait))
  (func $spin (param $n i32) (result i32) (local $x i32) (loop $again
    (local.set $x (i32.add (i32.mul (local.get $x) (i32.const 31)) (i32.rem_u (local.get $n) (i32.const 7))))
    (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1))))) (local.get $x))
  (func $light (result i32) (call $spin (i32.const 200000)))
  (func $heavy (result i32) (i32.add (call $spin (i32.const 300000)) (call $spin (i32.const 300000))))
  (func $tiny)
  (func (export "warm") (local $n i32) (local.set $n (i32.const 20000)) (loop $again (call $tiny)
    (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1))))))
  (func $${name} (export "run") (param $n i32) (result i32) (local $x i32) (loop $again
    (local.set $x (i32.add (local.get $x) (i32.add (call $light) (call $heavy)))) (call $wait)
    (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1))))) (local.get $x)))`;

const page = `<!doctype html><link rel=icon href=data:,><script type=module>
import { Toll } from "./toll.mjs";
globalThis.profiled = async (names, seconds, options) => {
  const toll = await Toll.load(), made = [];
  let waited = 0; // milliseconds
  const wait = () => {
    const began = performance.now();
    let now = began;
    while (now < began + 0.5) now = performance.now();
    waited += now - began;
  };
  const one = toll.record({ time: true, ...options });
  for (const name of names) {
    const bytes = new Uint8Array(await (await fetch(name + ".wasm")).arrayBuffer());
    const module = await WebAssembly.compile(one.prepare(bytes)), { run, warm } = one.instantiate(module, { env: { wait } });
    warm();
    const before = one.moment();
    waited = 0;
    for (const end = performance.now() + 1000 * seconds; performance.now() < end;) { run(20); await new Promise(done => setTimeout(done)); }
    made.push(await one.profile("pb.gz", "", { since: before }));
  }
  made.push(await one.profile("pb.gz"));
  const waitedLast = waited;
  await one.sampled();
  const again = toll.record({ time: true, ...options }), bytes = new Uint8Array(await (await fetch(names[0] + ".wasm")).arrayBuffer());
  again.instantiate(await WebAssembly.compile(again.prepare(bytes)), { env: { wait } }).warm(); // its time is not the first one's
  made.push(await again.profile("pb.gz"));
  return { files: made.map(bytes => [...bytes]), summary: one.top({ rows: 20 }), waited: waitedLast };
};
</script>`;

for (const name of ["first", "second"]) {
  fs.writeFileSync("page/module.wat", source(name));
  run("wat2wasm", "--debug-names", "page/module.wat", "-o", `page/${name}.wasm`);
}
fs.writeFileSync("page/sampled.html", page);
const browser = await launch();

/** Profiles of a page that is served with those headers: a report of each. */
async function profiles(headers, names, { expected, ...options } = {}) {
  const server = await serve("page", headers);
  try {
    const { files, summary, waited } = await withPage(browser, `${server.origin}/sampled.html`, async page => {
      await page.waitForFunction("globalThis.profiled");
      return page.evaluate(([names, seconds, options]) => globalThis.profiled(names, seconds, options), [names, SECONDS, options]);
    }, expected);
    return { summary, waited, of: files.map((bytes, i) => {
      fs.writeFileSync(`sampled-${i}.pb.gz`, new Uint8Array(bytes));
      run(toll, "check", "-q", `sampled-${i}.pb.gz`);
      return report(`sampled-${i}.pb.gz`, "--value", "time");
    }) };
  } finally {
    server.close();
  }
}

const SAMPLED = { "document-policy": "js-profiling" };
const share = ({ functions, total }, name) => (functions.find(f => f.name === name)?.total ?? 0) / total;
const near = (profile, name, wanted, what) =>
  assert.ok(Math.abs(share(profile, name) - wanted) < 0.12, `${what}: ${name} has ${share(profile, name)}, not about ${wanted}`);
const note = ({ notes }, text) => notes.find(n => n.text.includes(text));

/** The work of a module is about 1 to 3, whatever the import took. */
function holdShares(profile, name, what) {
  const own = share(profile, "light") + share(profile, "heavy");
  assert.ok(share(profile, name) > 0.5, `${what}: ${name} has ${share(profile, name)}`); // the rest is the page's
  assert.ok(own > 0.2, `${what}: ${own} is of the module's own`);
  assert.ok(Math.abs(share(profile, "heavy") / own - 0.75) < 0.12, `${what}: heavy has ${share(profile, "heavy") / own} of light and heavy`);
}

/** Do it again, twice at most, if other processes have disturbed the samples of so short a run. */
async function undisturbed(work) {
  for (let left = 2; ; left--)
    try {
      return await work();
    } catch (error) {
      if (!left || error.code !== "ERR_ASSERTION") throw error;
    }
}

try {
  const { of: [first, second, both, again], summary, waited } = await profiles(SAMPLED, ["first", "second"]);
  holdShares(first, "first", "the first part");
  holdShares(second, "second", "the second part");
  near(both, "first", share(both, "second"), "both");
  // In its own time, or in that of its caller, which a note counts. Of some 100 samples each share is right to a third.
  const ofImport = second.functions.find(f => f.name === "wait").self + (note(second, "imported functions, in the time")?.count ?? 0);
  assert.ok(Math.abs(ofImport / (1e6 * waited) - 1) < 0.37, `the import has waited for ${waited} ms, and has ${ofImport} ns`);
  const samples = note(both, "samples: the engine")?.count;
  assert.ok(samples > 30 * SECONDS && samples < 300 * SECONDS, `${samples} samples in ${2 * SECONDS} s: ${JSON.stringify(both.notes)}`);
  assert.ok(both.total > 0.8e9 * SECONDS && both.total < 2.2e9 * SECONDS, `${both.total} ns in ${2 * SECONDS} s`);
  assert.ok(Math.abs(first.total + second.total - both.total) <= 0.05 * both.total, "the parts are the whole");
  assert.match(summary, /first/);
  assert.ok(note(again, "the clock was read at each event"), `a second recording of a module: ${JSON.stringify(again.notes)}`);

  await undisturbed(async () => {
    const { of: [strict] } = await profiles({ ...SAMPLED, "content-security-policy": "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'" }, ["first"]);
    holdShares(strict, "first", "a page without eval");
  });

  // By windows, with the page's clock, which has a resolution of 100 us.
  for (const [headers, options] of [[{}, { expected: /js-profiling is not allowed/ }], [SAMPLED, { callKinds: true }]])
    await undisturbed(async () => {
      const { of: [part, windows], waited } = await profiles(headers, ["first"], options), ns = windows.functions.find(f => f.name === "wait").self;
      assert.ok(note(windows, "readings of the clock at events"), JSON.stringify(windows.notes));
      holdShares(part, "first", "windows");
      assert.ok(Math.abs(ns / (1e6 * waited) - 1) < 0.1, `the import has waited for ${waited} ms, and has ${ns} ns`);
    });
  console.log(`a page's own sampler: ${samples} samples in ${2 * SECONDS} s`);
} finally {
  await browser.close();
}
