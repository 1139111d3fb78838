// check.mjs LIB CONTRACT CALLS - the calls that cosmwasm-gas has made, in Node: the ticks of each with the costs "cosmwasm" are
// the gas that the VM has charged, without what it charges for reading and writing the memory of the contract.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [lib, contract, calls] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const bytes = fs.readFileSync(contract), env = {};
for (const { name, kind } of WebAssembly.Module.imports(new WebAssembly.Module(bytes)))
  if (kind === "function") env[name] = () => { throw new Error(`the contract calls ${name}, which costs gas, too`); };
const t = await (await Toll.load()).instantiate(bytes, { env }, { costs: "cosmwasm" });
const { exports } = t, view = () => new DataView(exports.memory.buffer);

// A region: where it is, its capacity, its length (cosmwasm-vm, src/memory.rs).
function give(data) {
  const region = exports.allocate(data.length);
  new Uint8Array(exports.memory.buffer).set(data, view().getUint32(region, true));
  view().setUint32(region + 8, data.length, true);
  return region;
}
const take = region => Buffer.from(exports.memory.buffer, view().getUint32(region, true), view().getUint32(region + 8, true)).toString("hex");

/** What the VM charges for writing the arguments and reading the result (GasConfig in src/environment.rs). */
const regions = (args, result) => args.reduce((sum, { length }) => sum + 230_000 + 570 * length, 0) + 200_000 + 115 * result.length;

for (const line of fs.readFileSync(calls, "utf8").trim().split("\n")) {
  const { entry, args, gas, result } = JSON.parse(line), data = args.map(arg => Buffer.from(arg, "hex")), before = t.spent().ticks;
  const region = exports[entry](...data.map(give)), got = take(region);
  exports.deallocate(region);
  const ticks = Number(t.spent().ticks - before), expected = gas - regions(data, Buffer.from(result, "hex"));
  assert.equal(got, result);
  assert.equal(ticks, expected, `${entry} ${data.at(-1)}`);
  console.log(`${path.basename(contract)}: ${entry} ${data.at(-1)}: ${ticks} gas`);
}
