// hook.mjs LIB - Toll.hook records the program's modules, however it has them compiled, and none of Node's own.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const [lib] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
/** What a program can see of the functions that are replaced. */
const seen = () => [WebAssembly, WebAssembly.Table.prototype].flatMap(object =>
  Object.entries(Object.getOwnPropertyDescriptors(object)).filter(([, { value }]) => typeof value === "function")
    .map(([key, { value, ...flags }]) => [key, value.name, value.length, flags]));
const before = seen(), toll = await Toll.load(), h = toll.hook();
assert.deepEqual(seen(), before, "names, lengths and property flags are as they were");
const bytes = fs.readFileSync("calls.wasm"), imports = { env: { host: n => n } };

// Node itself compiles modules: one parses HTTP for fetch, one scans CommonJS, one strips types.
const server = http.createServer((_, response) => {
  response.writeHead(200, { "content-encoding": "gzip", "content-type": "application/wasm" });
  response.end(zlib.gzipSync(bytes));
});
await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
assert.equal((await (await fetch(url)).arrayBuffer()).byteLength, bytes.length);
fs.writeFileSync("common.cjs", "exports.answer = 42;\n");
assert.equal((await import(pathToFileURL(path.resolve("common.cjs")))).answer, 42);
if (process.features.typescript) {
  fs.writeFileSync("typed.ts", "export const answer: number = 42;\n");
  assert.equal((await import(pathToFileURL(path.resolve("typed.ts")))).answer, 42);
}
const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
assert.ok((await new Response(packed).arrayBuffer()).byteLength > 0);
assert.equal(h.recordings.length, 0, "modules of Node's own");

// Modules without functions are not recorded, whatever else they have: here a section of 300 bytes, each of which would be
// the number of the section with code.
const header = bytes.subarray(0, 8), long = Uint8Array.of(0, 0xac, 2, 1, ...new Uint8Array(299).fill(10));
new WebAssembly.Instance(new WebAssembly.Module(Buffer.concat([header, long])));
assert.equal(h.recordings.length + h.modules.length, 0, "a module without functions");

// The program's modules, compiled in every possible way; also when no function of the program is on the stack.
const compiled = await WebAssembly.compile(bytes);
const ways = [
  async () => (await WebAssembly.instantiate(bytes, imports)).instance,
  async () => (await WebAssembly.instantiate(Buffer.concat([header, long, bytes.subarray(8)]), imports)).instance,
  async () => await WebAssembly.instantiate(compiled, imports),
  async () => new WebAssembly.Instance(new WebAssembly.Module(bytes), imports),
  async () => new WebAssembly.Instance(await WebAssembly.compileStreaming(fetch(url)), imports),
  async () => (await WebAssembly.instantiateStreaming(fetch(url), imports)).instance,
  async () => new WebAssembly.Instance(await Promise.resolve(bytes).then(WebAssembly.compile), imports),
  () => new Promise(resolve => setImmediate(async () => resolve((await WebAssembly.instantiate(bytes, imports)).instance))),
  async () => new WebAssembly.Instance(
    await new Promise(resolve => fs.readFile("calls.wasm", (_, data) => resolve(WebAssembly.compile(data)))), imports),
];
for (const way of ways) (await way()).exports.run(3);
assert.equal(h.recordings.length, ways.length);
const sum = toll.sum();
for (const recording of h.recordings) sum.add(recording.write("pprof"));
assert.equal(sum.summary({ value: "calls" }).functions.find(f => f.name === "run").calls, ways.length);
assert.ok((await h.profile("pb.gz")).length > 0);

// A program that has its own way with stacks, or wants none.
const { stackTraceLimit } = Error, prepare = () => assert.fail("the program's own function for stacks was called");
Object.assign(Error, { stackTraceLimit: 0, prepareStackTrace: prepare });
new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
assert.ok(Error.stackTraceLimit === 0 && Error.prepareStackTrace === prepare);
Object.assign(Error, { stackTraceLimit, prepareStackTrace: undefined });
assert.equal(h.recordings.length, ways.length + 1);

server.close();
console.log(`Toll.hook: ${ways.length} ways to compile a module, and none of Node's own modules`);
process.exit(0); // fetch keeps its connection
