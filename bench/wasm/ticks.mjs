// ticks.mjs LIB WORK.wasm - how much longer compute-bound code takes with counted ticks and calls; also with executions
// of each stretch of instructions (--lines); also with lines of calls (--call-lines); or only with executions
// (--no-calls).
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { leastTimes } from "./times.mjs";

const [lib, file] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.resolve(lib, "toll.mjs")));
const toll = await Toll.load(), bytes = fs.readFileSync(file), rounds = { hash: 4, codec: 2, matrix: 2 };
const plain = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
const ways = [{}, { lines: true }, { callLines: true }, { lines: true, calls: false }];
const all = [plain, ...await Promise.all(ways.map(async options => (await toll.instantiate(bytes, {}, options)).exports))];

const names = Object.keys(rounds), ratio = (a, b) => `${(a / b).toFixed(2)} times`;
for (const name of names) for (const e of all) assert.equal(e[name](rounds[name]), plain[name](rounds[name]));
const times = leastTimes(names.flatMap(name => all.map(e => () => e[name](rounds[name]))), 60);
names.forEach((name, i) => {
  const [without, counted, lines, placed, alone] = times.slice(all.length * i);
  console.log(`ticks: ${name.padEnd(6)} ${without.toFixed(2)} ms, counted ${counted.toFixed(2)} ms: ${ratio(counted, without)} (goal 1.6); ` +
              `with lines ${ratio(lines, counted)} that (goal 1.15), with call lines ${ratio(placed, counted)}, lines alone ${ratio(alone, without)} plain`);
});
