// events.mjs LIB FIB.wasm - the additional nanoseconds of a call and return under toll.wasm (in LIB). For comparison,
// the same with two empty functions in its place, from another module and from JavaScript. Each figure is the least of
// several rounds.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { leastTimes } from "./times.mjs";

const [lib, file] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.resolve(lib, "toll.mjs")));
const { TimelineFile } = await import(pathToFileURL(path.resolve(lib, "timeline_file.mjs")));
const toll = await Toll.load(), bytes = fs.readFileSync(file);

// (module (func (export "enter") (param i32 i64 i32 i64) (result i32) i32.const 0), and so "leave")
const nothing = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 9, 1, 96, 4, 127, 126, 127, 126, 1, 127, 3, 3, 2, 0, 0,
  7, 17, 2, 5, 101, 110, 116, 101, 114, 0, 0, 5, 108, 101, 97, 118, 101, 0, 1, 10, 11, 2, 4, 0, 65, 0, 11, 4, 0, 65, 0, 11]))).exports;
const plain = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
const hooked = new WebAssembly.Instance(new WebAssembly.Module(toll.instrument(bytes)), { toll: nothing }).exports;
const script = new WebAssembly.Instance(new WebAssembly.Module(toll.instrument(bytes, { ticks: false })),
                                        { toll: { enter() {}, leave() {} } }).exports;
const ticks = await toll.instantiate(bytes), calls = await toll.instantiate(bytes, {}, { ticks: false });

/** How many calls fib(n) makes. */
async function countCalls(n) {
  const t = await toll.instantiate(bytes);
  t.exports.run(n);
  return t.summary({ value: "calls" }).total;
}

for (const [n, rounds] of [[24, 200], [32, 8]]) {
  const pairs = await countCalls(n);
  const [base, ...others] = leastTimes([plain, ticks.exports, calls.exports, hooked, script].map(e => () => e.run(n)), rounds);
  const [withTicks, without, empty, ofScript] = others.map(ms => ((ms - base) * 1e6 / pairs).toFixed(1));
  console.log(`toll.wasm: fib(${n}), ns a call and return: ${withTicks} (goal 8), without ticks ${without}; ` +
              `two empty functions of another module ${empty}, of JavaScript ${ofScript}`);
}

// With folded recursion: in fib nearly every call is one of an open function, in turns none is.
const folded = await toll.instantiate(bytes, {}, { foldRecursion: true });
for (const [call, pairs] of [[e => e.run(24), await countCalls(24)], [e => e.turns(20000), 40000]]) {
  const [base, usual, fold] = leastTimes([plain, ticks.exports, folded.exports].map(e => () => call(e)), 100);
  const [withoutFolding, withFolding] = [usual, fold].map(ms => ((ms - base) * 1e6 / pairs).toFixed(1));
  console.log(`toll.wasm: ns a call and return: ${withoutFolding}, with folded recursion ${withFolding}`);
}

// Also with a timeline, of ticks and of time (then reading the clock costs most), in memory and in a file.
const scratch = path.join(path.dirname(file), "events.toll-timeline");
for (const time of [false, true]) {
  const ways = [undefined, true, new TimelineFile(scratch)], pairs = await countCalls(24);
  const made = await Promise.all(ways.map(timeline => toll.instantiate(bytes, {}, { time, timeline })));
  const [base, ...others] = leastTimes([plain, ...made.map(t => t.exports)].map(e => () => e.run(24)), 40);
  const [without, inMemory, inFile] = others.map(ms => ((ms - base) * 1e6 / pairs).toFixed(1));
  console.log(`toll.wasm: ticks${time ? " and time" : ""}, ns a call and return: ${without}, with a timeline in memory ${inMemory}, in a file ${inFile}`);
}
fs.rmSync(scratch);

// A function that two lines call in turn: with lines, and also with lines of calls. (fib calls itself from two lines,
// so it would have a stack for each of its calls.)
const lines = await toll.instantiate(bytes, {}, { lines: true }), placed = await toll.instantiate(bytes, {}, { callLines: true });
const most = 20000, [base, ...others] = leastTimes([plain, ticks.exports, lines.exports, placed.exports].map(e => () => e.turns(most)), 100);
const [withTicks, withLines, withPlaces] = others.map(ms => ((ms - base) * 1e6 / (2 * most)).toFixed(1));
console.log(`toll.wasm: calls of two lines, ns a call and return: ${withTicks}, with lines ${withLines}, with call lines ${withPlaces}`);
