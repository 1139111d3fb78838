// entry.mjs LIB OUT NAME plain|instrumented - does the work of one row of the table; leaves in OUT what
// came of it: NAME.MODE.json; instrumented also, for each instance, NAME.N.toll.wasm and NAME.N.pb.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { digest, numbers } from "./common.mjs";
import { table } from "./table.mjs";

const [lib, out, name, mode] = process.argv.slice(2);
const row = table.find(r => r.name === name);
let now = Date.UTC(2020, 1, 1); // neither chance nor time: the same work each time
Date.now = () => now++;
const chance = numbers();
Math.random = () => chance.next().value / 256;

const hooked = { recordings: [], modules: [] };
if (mode === "instrumented") {
  const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
  Object.assign(hooked, (await Toll.load()).hook({ keepModules: true }));
}

/** What an instance's recording contains. BigInts as text. */
function told(recording, i) {
  const file = path.join(out, `${name}.${i}`);
  fs.writeFileSync(`${file}.toll.wasm`, hooked.modules[i]);
  fs.writeFileSync(`${file}.pb`, recording.write("pprof"));
  const lines = new TextDecoder().decode(recording.write("folded", "ticks")).trim().split("\n");
  const selfs = lines.filter(line => line !== "# no stacks").map(line => BigInt(line.slice(line.lastIndexOf(" ") + 1)));
  return {
    file,
    valid: WebAssembly.validate(hooked.modules[i]),
    depth: recording.depth,
    ticks: String(recording.ticks),
    selfSum: String(selfs.reduce((a, b) => a + b, 0n)),
  };
}

let result;
process.on("exit", () => { // Go programs end the process themselves
  if (result === undefined) result = row.result?.();
  if (result === undefined) return;
  const about = { digest: digest(result), counts: row.counts?.(result), instances: hooked.recordings.map(told) };
  fs.writeFileSync(path.join(out, `${name}.${mode}.json`), JSON.stringify(about));
});
result = await row.work();
