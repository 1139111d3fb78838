// linked.mjs LIB MODULE... - linked modules do what they do alone: MODULEs are valid in each way to record, and the program app.wasm
// and globals.wasm have the same results and the same profile.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { WASI } from "node:wasi";

const [lib, ...files] = process.argv.slice(2), from = name => import(pathToFileURL(path.resolve(lib, name)).href);
const { Toll } = await from("toll.mjs"), { LinkedModules } = await from("linked.mjs"), toll = await Toll.load();

const WAYS = [{}, { ticks: false }, { lines: true }, { callLines: true }, { callKinds: true }, { heap: true }, { lines: true, calls: false }];
let valid = 0;
for (const file of files) {
  const bytes = fs.readFileSync(file);
  if (!WebAssembly.validate(bytes)) continue; // this Node lacks a proposal
  if (WebAssembly.Module.customSections(new WebAssembly.Module(bytes), "toll").length) continue; // it is instrumented
  for (const options of WAYS) {
    const linked = new LinkedModules(toll, toll.record(options));
    for (const module of [1, 2]) assert.ok(linked.compile(bytes, `${module}.wasm`), file); // throws if it is not valid
    valid++;
  }
}
assert.ok(valid > 40, `${valid} modules`);
console.log(`ok: ${valid} pairs of modules are valid`);

/** The profile without what differs from run to run. */
const costs = recording => recording.summary().functions.map(({ name, calls, self, total }) => [name, calls, self, total]);

/** Run a module alone, and as the second of two linked modules. make() returns { imports, run(exports) }. */
function both(bytes, make) {
  const one = make(), alone = toll.record({ name: "m.wasm" }), module = new WebAssembly.Module(alone.prepare(bytes));
  const two = make(), recording = toll.record({ name: "m.wasm" }), linked = new LinkedModules(toll, recording);
  linked.compile(bytes, "m.wasm");
  const { exports } = linked.instantiate(linked.compile(bytes, "m.wasm"), two.imports);
  assert.deepEqual(two.run(exports), one.run(alone.instantiate(module, one.imports)));
  assert.deepEqual(costs(recording), costs(alone));
}

const read = name => fs.readFileSync(files.find(file => path.basename(file) === name));
const folder = fs.mkdtempSync(path.join(process.cwd(), "linked-"));
let made = 0;
both(read("app.wasm"), () => {
  const file = path.join(folder, `out${made++}`), stdout = fs.openSync(file, "w");
  const wasi = new WASI({ version: "preview1", args: ["app", "fib", "15"], returnOnExit: true, stdout });
  return { imports: wasi.getImportObject(), run: exports => [wasi.start({ exports }), fs.readFileSync(file, "utf8")] };
});
fs.rmSync(folder, { recursive: true });
console.log("ok: a program of WASI");

both(read("globals.wasm"), () => {
  const logged = [], global = (value, mutable, start) => new WebAssembly.Global({ value, mutable }, start), shared = global("i64", true, 10n);
  return {
    imports: { host: { at: global("i32", false, 16), one: global("i32", false, 1), shared, log: value => logged.push(value) } },
    run({ run, own, copy, f, memory }) {
      const wanted = 2.5 + 2 + 1 + "a".charCodeAt(), results = [run(3), run(4)];
      assert.deepEqual([results, logged, shared.value], [[wanted, wanted], [16, 16], 20n]);
      assert.deepEqual([own.value, copy.value, f.value], [14, 16, 2.5]);
      return Buffer.from(memory.buffer, 16, 20).toString("latin1");
    },
  };
});
console.log("ok: each place that names a global");
