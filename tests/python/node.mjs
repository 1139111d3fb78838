// node.mjs LIB OPTIONS CALLS GUEST ARGS - runs GUEST by toll.mjs of LIB, and prints its folded profiles as JSON, by
// value. OPTIONS: those of toll.mjs, as JSON. CALLS: [export, argument...] for each call, as JSON; [] for a WASI program,
// which gets ARGS. The import env.host returns twice its argument.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { WASI } from "node:wasi";

const [lib, options, calls, guest, ...args] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const toll = await Toll.load(), wanted = JSON.parse(options);
const out = fs.openSync("/dev/null", "w");
const wasi = new WASI({ version: "preview1", args: ["guest", ...args], env: {}, returnOnExit: true, stdout: out });
const t = await toll.instantiate(fs.readFileSync(guest), { env: { host: n => 2 * n }, ...wasi.getImportObject() }, wanted);
const list = JSON.parse(calls);
for (const [name, ...values] of list) {
  try {
    t.exports[name](...values);
  } catch { /* a trap */ }
}
if (!list.length) {
  try {
    wasi.start({ exports: t.exports });
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
  }
}
const values = ["calls", ...(wanted.ticks === false ? [] : ["ticks"]), ...(wanted.heap ? ["alloc_space", "alloc_objects", "inuse_space"] : [])];
const folded = {};
for (const value of values) folded[value] = new TextDecoder().decode(await t.profile("folded", value));
console.log(JSON.stringify(folded));
