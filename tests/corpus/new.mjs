// new.mjs LIB - instructions that Node's engine may not have yet, in Chromium: modules in new/ do the same
// instrumented as plain, with exactly the calls that they count themselves.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import binaryen from "binaryen";
import { launch, serve, withPage } from "./chromium.mjs";

const lib = process.argv[2], names = ["exceptions", "objects", "memories", "suspends"];

function valid(bytes, what) {
  const module = binaryen.readBinary(bytes, binaryen.Features.All);
  assert.ok(module.validate(), `${what} is not valid`);
  module.dispose();
}

function assemble(name) {
  const module = binaryen.parseText(fs.readFileSync(`new/${name}.wat`, "utf8"));
  module.setFeatures(binaryen.Features.All);
  assert.ok(module.validate(), name);
  binaryen.setDebugInfo(true); // with names
  fs.writeFileSync(`page/${name}.wasm`, module.emitBinary());
  module.dispose();
}

/** In the page: the results, the module's own counts, and the profile's. */
async function inPage(name) {
  const { Toll } = await import("./toll.mjs");
  const bytes = await (await fetch(`${name}.wasm`)).arrayBuffer();
  const later = n => new Promise(done => setTimeout(() => done(n * 2), n));
  const imports = () => ({ env: { host: n => n * 2, wait: new WebAssembly.Suspending(later) } });
  const run = ({ exports, instance }, n) => // one at a time: a recording has one stack
    name === "suspends" ? WebAssembly.promising((instance?.exports ?? exports).run)(n) : exports.run(n);
  const plain = (await WebAssembly.instantiate(bytes, imports())).instance, toll = await Toll.load();
  const instrumented = toll.instrument(bytes), recording = await toll.instantiate(bytes, imports());
  const depths = [], results = [];
  for (const n of [1, 8, 9, 17]) {
    results.push([await run(plain, n), await run(recording, n)]);
    depths.push(recording.depth);
  }
  const counted = Object.entries(recording.exports).filter(([n]) => n.startsWith("calls:"))
    .map(([n, g]) => [n.slice(6), g.value]);
  return { results, depths, counted, instrumented: [...instrumented], valid: WebAssembly.validate(instrumented),
           ticks: Number(recording.ticks), summary: recording.summary({ value: "ticks" }),
           calls: recording.summary({ value: "calls" }).functions };
}

async function hold(browser, origin, name) {
  const told = await withPage(browser, origin, page => page.evaluate(inPage, name));
  const instrumented = new Uint8Array(told.instrumented);
  fs.writeFileSync(`page/${name}.toll.wasm`, instrumented);
  assert.ok(told.valid, `${name}: the engine refuses it`);
  valid(instrumented, `${name}, instrumented`);
  for (const [plain, instrumented] of told.results) assert.equal(instrumented, plain, `${name}: results`);
  assert.ok(told.depths.every(depth => depth === 0), `${name}: functions stand: ${told.depths}`);
  assert.equal(told.summary.total, told.ticks, name);
  assert.equal(told.summary.functions.reduce((sum, f) => sum + f.self, 0), told.ticks, `${name}: the sum`);
  for (const [f, calls] of told.counted) {
    assert.ok(calls > 0, `${name}: ${f} was not called`);
    assert.equal(told.calls.find(g => g.name === f)?.calls, calls, `${name}: calls of ${f}`);
  }
  console.log(`${name}: ${told.ticks} ticks, calls of ${told.counted.map(c => c.join(" ")).join(", ")}`);
}

fs.mkdirSync("page", { recursive: true });
for (const file of fs.readdirSync(lib).filter(name => /\.mjs$|^toll\.wasm$/.test(name))) fs.copyFileSync(path.join(lib, file), `page/${file}`);
fs.writeFileSync("page/index.html", '<!doctype html><title>new</title><link rel="icon" href="data:,">');
names.forEach(assemble);
const server = await serve("page"), browser = await launch();
try {
  for (const name of names) await hold(browser, server.origin, name);
} finally {
  await browser.close();
  server.close();
}
