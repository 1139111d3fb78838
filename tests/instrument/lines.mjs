// lines.mjs TOLL - executions of stretches, with --lines, are those of their instructions in a module in which each
// instruction has a counter of its own; and the ticks of a function's stretches are its own ticks.
import assert from "node:assert/strict";
import fs from "node:fs";
import { addresses, byInstruction, imports, outcome, run } from "./each.mjs";
import { recorder } from "./recorder.mjs";
import { executions, read } from "./section.mjs";

const toll = process.argv[2];
/** Run the module with --lines and `options`; returns what it counted. */
function counted(name, argument, ...options) {
  run(toll, "instrument", "-q", "--lines", ...options, `${name}.wasm`, "-o", `${name}.lines.wasm.bin`);
  const module = new WebAssembly.Module(fs.readFileSync(`${name}.lines.wasm.bin`)), told = read(module);
  const record = recorder(module), instance = new WebAssembly.Instance(module, { ...imports(), toll: record.toll });
  const result = outcome(() => instance.exports.run(argument)), ticks = instance.exports["toll:ticks"]?.value;
  record.toll.unwind(0, ticks ?? 0n);
  return { told, record, result, ticks, counts: executions(instance, told.counters), module };
}

/** The ticks of each function's stretches. */
function ticksByFunction({ told, counts }) {
  const sums = new Map();
  told.counters.forEach(({ function: f, cost }, i) =>
    counts[i] && sums.set(told.names[f], (sums.get(told.names[f]) ?? 0n) + counts[i] * BigInt(cost)));
  return sums;
}

/** The self ticks of each function, over all stacks. */
function selfByFunction({ record }) {
  const sums = new Map();
  for (const [stack, ticks] of record.self) {
    const name = stack.slice(stack.lastIndexOf(";") + 1);
    sums.set(name, (sums.get(name) ?? 0n) + ticks);
  }
  return sums;
}

const sorted = map => [...map].sort();
const sum = map => [...map.values()].reduce((a, b) => a + b, 0n);

/** Each instruction, which costs 1, ran as often as its stretch, and never if it is in none. In a stretch that trapped
 *  (`traps` of them) the rest did not run. */
function compareEach(name, argument, { told, counts }, traps) {
  const places = addresses(`${name}.wasm`), each = byInstruction(name, argument), want = places.map(() => 0n);
  assert.equal(each.length, places.length, `${name}: instructions`);
  told.counters.forEach(({ address, cost }, i) => want.fill(counts[i], places.indexOf(address), places.indexOf(address) + cost));
  const wrong = want.map((n, i) => [n - each[i], places[i]]).filter(([difference]) => difference);
  assert.ok(wrong.every(([difference]) => difference === 1n) && wrong.length <= (traps ? 4 : 0), `${name}(${argument}): ${wrong}`);
}

const programs = [["calls", 9], ["work", 1], ["places", 1], ["places", 30], ["places", 61, 1], ["traps", 0, 1], ["traps", 2, 1], ["traps", 3],
                  ["exceptions", 5], ["exceptions", 0]];
if (WebAssembly.validate(fs.readFileSync("tail.wasm"))) programs.push(["tail", 10]);
let stretches = 0;
for (const [name, argument, traps = 0] of programs) {
  const plain = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(`${name}.wasm`)), imports());
  const result = outcome(() => plain.exports.run(argument)), whole = counted(name, argument);
  assert.equal(whole.result, result, name);
  compareEach(name, argument, whole, traps);
  assert.deepEqual(sorted(ticksByFunction(whole)), sorted(selfByFunction(whole)), `${name}(${argument}): ticks by function`);
  assert.equal(sum(ticksByFunction(whole)), whole.ticks, name);
  stretches += whole.counts.length;

  const without = counted(name, argument, "--no-calls");
  assert.equal(without.result, result, name);
  assert.deepEqual(without.counts, whole.counts, `${name}: without calls`);
  assert.ok(WebAssembly.Module.imports(without.module).every(i => i.module !== "toll") && without.ticks === undefined);

  const fuel = counted(name, argument, "--costs", "fuel");
  assert.deepEqual(fuel.counts, whole.counts, `${name}: other costs`);
  assert.equal(sum(ticksByFunction(fuel)), fuel.ticks, `${name}: fuel`);

  // Functions that are not followed have no counters; those of the others are the same.
  const of = ({ told, counts }, isWanted) => told.counters.map(({ function: f, address, cost }, i) => [told.names[f], address, cost, counts[i]])
    .filter(([called]) => isWanted(called));
  for (const options of [[], ["--no-calls"]]) {
    assert.deepEqual(of(counted(name, argument, "--skip", "run|fib", ...options), () => true), of(whole, called => !/run|fib/.test(called)), `${name}: --skip`);
    assert.deepEqual(of(counted(name, argument, "--only", "run|fib", ...options), () => true), of(whole, called => /run|fib/.test(called)), `${name}: --only`);
  }
}
console.log(`lines: ${stretches} stretches ran as often as each of their instructions`);
