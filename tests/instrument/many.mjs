// many.mjs TOLL LIB - a module of more stretches than engines allow globals: --lines counts them in a memory of its own.
// Engines that do not know multi-memory have no use for it, and say so; a module without a memory needs none of that.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { executions, read } from "./section.mjs";

const FUNCTIONS = 600, IFS = 450; // each `if` begins two stretches
const number = n => (n < 128 ? [n] : [n & 127 | 128, ...number(n >> 7)]);
const section = (id, bytes) => [id, ...number(bytes.length), ...bytes];

/** Function f: (param $n i32), which has IFS times (if (local.get $n) (then (nop))). The export run calls the last. */
function module(hasMemory) {
  const body = [0, ...Array(IFS).fill([0x20, 0, 0x04, 0x40, 0x01, 0x0b]).flat(), 0x0b];
  const bodies = Array(FUNCTIONS).fill([...number(body.length), ...body]).flat();
  return new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ...section(1, [1, 0x60, 1, 0x7f, 0]),
    ...section(3, [...number(FUNCTIONS), ...Array(FUNCTIONS).fill(0)]), ...(hasMemory ? section(5, [1, 0, 1]) : []),
    ...section(7, [1, 3, ...Buffer.from("run"), 0, ...number(FUNCTIONS - 1)]), ...section(10, [...number(FUNCTIONS), ...bodies])]);
}

function counted(bytes) {
  fs.writeFileSync("many.wasm.bin", bytes);
  execFileSync(process.argv[2], ["instrument", "-q", "--lines", "--no-calls", "many.wasm.bin", "-o", "many.lines.wasm.bin"]);
  const instrumented = new WebAssembly.Module(fs.readFileSync("many.lines.wasm.bin")), { counters } = read(instrumented);
  const instance = new WebAssembly.Instance(instrumented);
  for (const n of [0, 1, 1]) instance.exports.run(n);
  const counts = executions(instance, counters), wanted = counters.map(c => c.function === FUNCTIONS - 1);
  assert.ok(counters.length > 500000);
  assert.ok(counts.every((n, i) => (wanted[i] ? n === 2n || n === 3n : n === 0n)));
  assert.equal(counts.reduce((sum, n) => sum + n, 0n), 3n * BigInt(IFS + 1) + 2n * BigInt(IFS));
  return counters.length;
}

console.log(`lines: ${counted(module(false))} counters in a memory`);
const [toll, lib] = process.argv.slice(2), whole = module(true), hasTwo = WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ...section(5, [2, 0, 0, 0, 0])]));
if (hasTwo) counted(whole);
else console.log("skipped: counting in a second memory, which this engine does not have");
if (fs.existsSync(path.join(lib, "toll.wasm"))) {
  const { Toll } = await import(pathToFileURL(path.join(path.resolve(lib), "toll.mjs"))), made = await Toll.load();
  const make = only => () => made.instrument(whole, { lines: true, calls: false, only });
  if (hasTwo) assert.ok(WebAssembly.validate(make("")()));
  else assert.throws(make(""), /^Error: toll: lines: .* Node 22 or 24, .*--only/);
  const some = make("^function\\[5[0-9][0-9]\\]$")(); // the last one is called run
  assert.equal(read(new WebAssembly.Module(some)).counters.length, 99 * (2 * IFS + 1));
  fs.writeFileSync("many.wasm.bin", whole);
  const { status, stderr } = spawnSync(toll, ["run", "-q", "--lines", "--invoke", "run", "-o", "many.pb.gz", "many.wasm.bin", "1"], { encoding: "utf8" });
  assert.equal(status, hasTwo ? 0 : 1, stderr);
  if (!hasTwo) assert.match(stderr, /^toll: many\.wasm\.bin: lines: .*use Node 22 or 24, or choose fewer functions \(--only, --skip\)\n$/);
}
