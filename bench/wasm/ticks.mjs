// ticks.mjs LIB WORK.wasm - how much longer compute-bound code takes with its ticks and calls counted.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { leastTimes } from "./times.mjs";

const [lib, file] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.resolve(lib, "toll.mjs")));
const toll = await Toll.load(), bytes = fs.readFileSync(file), rounds = { hash: 4, codec: 2, matrix: 2 };
const plain = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
const { exports } = await toll.instantiate(bytes);

const names = Object.keys(rounds);
for (const name of names) assert.equal(exports[name](rounds[name]), plain[name](rounds[name]));
const times = leastTimes(names.flatMap(name => [plain, exports].map(e => () => e[name](rounds[name]))), 60);
names.forEach((name, i) => {
  const [without, counted] = times.slice(2 * i);
  console.log(`ticks: ${name.padEnd(6)} ${without.toFixed(2)} ms, counted ${counted.toFixed(2)} ms: ` +
              `${(counted / without).toFixed(2)} times (goal 1.6)`);
});
