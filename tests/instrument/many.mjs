// many.mjs TOLL - a module of more stretches than engines allow globals: --lines counts them in a memory of its own.
// Engines that do not know multi-memory have no use for it, and say so; a module without a memory needs none of that.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
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
try {
  counted(module(true));
} catch (error) {
  if (!/CompileError/.test(error.name)) throw error;
  console.log("skipped: a second memory, which this engine does not have");
}
