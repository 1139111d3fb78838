// modules.mjs TOLL - the instrumented modules of run.sh have the same results as the original ones. Calls are those
// that arithmetic predicts, ticks those of a module in which every instruction counts itself.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { recorder } from "./recorder.mjs";

const toll = process.argv[2];
const run = (program, ...args) => execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
const host = n => n * 2;
const imports = () => ({ env: { host, base: 2, count: new WebAssembly.Global({ value: "i32", mutable: true }, 100) } });
const outcome = work => {
  try {
    return work();
  } catch (error) {
    return `${error}`;
  }
};

/** Run the module as it is and instrumented; returns the recorder of the latter. */
function both(name, argument, ...options) {
  const plain = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(`${name}.wasm`)), imports());
  const file = options.length ? `${name}.chosen.toll.wasm` : `${name}.toll.wasm`;
  if (options.length) run(toll, "instrument", ...options, `${name}.wasm`, "-o", file);
  const module = new WebAssembly.Module(fs.readFileSync(file));
  const record = recorder(module);
  const instance = new WebAssembly.Instance(module, { ...imports(), toll: record.toll });
  const result = outcome(() => instance.exports.run(argument));
  assert.equal(result, outcome(() => plain.exports.run(argument)), `${name}(${argument})`);
  for (const [key, value] of Object.entries(plain.exports))
    if (value instanceof WebAssembly.Global) assert.equal(instance.exports[key].value, value.value, `${name}: ${key}`);
  if (typeof result === "number") assert.deepEqual(record.stack, [], `${name}: functions stand at the end`);
  record.ticks = instance.exports["toll:ticks"]?.value;
  record.toll.unwind(0, record.ticks ?? 0n);
  if (record.ticks !== undefined)
    assert.equal([...record.self.values()].reduce((a, b) => a + b, 0n), record.ticks, `${name}: the sum`);
  return record;
}

/** Another way to the same number: in the text of the module, an increment in front of every instruction. */
function counted(name, argument) {
  const text = run("wasm2wat", "--enable-all", "--generate-names", `${name}.wasm`);
  const one = "global.get $toll_count i64.const 1 i64.add global.set $toll_count ";
  let inBody = false;
  const lines = text.split("\n").map(line => {
    if (/^  \(func /.test(line)) inBody = true;
    else if (/^  \(/.test(line)) inBody = false;
    if (!inBody || /^  \(func /.test(line) || /^ *\((local|param|result|type)/.test(line)) {
      // The last `end` of a function is not in the text: it counts after the last line.
      return line;
    }
    const [, blank, instruction, closing] = /^( *)(.*?)(\)*)$/.exec(line);
    const open = (instruction.match(/\(/g) ?? []).length;
    const ends = closing.slice(open), kept = closing.slice(0, open);
    return `${blank}${one}${instruction}${kept}${ends ? " " + one + ends : ""}`;
  });
  const global = '  (global $toll_count (export "toll_count") (mut i64) (i64.const 0))';
  const last = lines.findLastIndex(line => /\)\s*$/.test(line));
  lines[last] = lines[last].replace(/\)$/, `\n${global})`);
  fs.writeFileSync(`${name}.counted.wat`, lines.join("\n"));
  run("wat2wasm", "--enable-all", `${name}.counted.wat`, "-o", `${name}.counted.wasm.bin`);
  const instance = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(`${name}.counted.wasm.bin`)), imports());
  outcome(() => instance.exports.run(argument));
  return instance.exports.toll_count.value;
}

const fibCalls = n => n < 2 ? 1 : 1 + fibCalls(n - 1) + fibCalls(n - 2);
let ackermannCalls = 0;
const ackermann = (m, n) => (ackermannCalls++, m === 0 ? n + 1 : ackermann(m - 1, n === 0 ? 1 : ackermann(m, n - 1)));
ackermann(2, 3);
const calls = both("calls", 12);
assert.equal(calls.calls.get("fib"), fibCalls(12));
assert.equal(calls.calls.get("ackermann"), ackermannCalls);
assert.equal(calls.calls.get("even") + calls.calls.get("odd"), 13);
assert.equal(calls.calls.get("host"), 2);
assert.equal(calls.calls.get("run"), 1);

for (const [name, argument] of [["calls", 9], ["work", 1], ["work", 77]])
  assert.equal(both(name, argument).ticks, counted(name, argument), `${name}(${argument}): ticks`);

// Also where it traps (above 60), and whichever functions are followed.
for (const argument of [1, 30, 60, 61, 200]) {
  const want = counted("places", argument);
  for (const options of [[], ["--skip", "."], ["--only", "run|late"], ["--skip", "run|host"]])
    assert.equal(both("places", argument, ...options).ticks, want, `places(${argument}) ${options}: ticks`);
}
// The rest of the basic block, after the instruction that traps, is counted already.
for (const [argument, rest] of [[0, 2n], [1, 2n], [2, 1n], [3, 0n]])
  assert.equal(both("traps", argument).ticks, counted("traps", argument) + rest, `traps(${argument}): ticks`);
assert.match(run("wasm2wat", "--enable-all", "places.toll.wasm"), /global.get \$own\b/, "names of globals stay");

const exceptions = both("exceptions", 5);
assert.equal(exceptions.calls.get("throws"), 18);
assert.equal(exceptions.calls.get("host"), 1);
assert.ok(![...exceptions.self.keys()].some(stack => stack.endsWith(";host")), "the host has no ticks");
for (const n of [0, 1, 4, 30]) both("exceptions", n);

if (WebAssembly.validate(fs.readFileSync("tail.wasm"))) {
  const tail = both("tail", 10);
  assert.equal(tail.deepest, 2);
  assert.equal(tail.calls.get("even") + tail.calls.get("odd"), 1000001);
} else {
  console.log("skipped: tail calls, which this engine does not have");
}

const some = both("calls", 10, "--only", "^(fib|run)$");
assert.deepEqual([...some.calls.keys()].sort(), ["fib", "run"]);
assert.equal(some.ticks, both("calls", 10).ticks);
const without = both("calls", 10, "--skip", "fib|host", "--no-ticks");
assert.ok(!without.calls.has("fib") && without.ticks === undefined);
both("exceptions", 6, "--skip", "catches|nested");
console.log(`calls, ticks and exceptions of ${["calls", "work", "places", "exceptions", "tail"].join(", ")} are exact`);
