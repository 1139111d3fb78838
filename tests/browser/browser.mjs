// browser.mjs TOLL - SQLite in a page, in a worker and in Node has the same result, calls and ticks; the files that the
// page offers are complete, and contain the same.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import { launch, serve, withPage } from "./chromium.mjs";
import { report, run } from "./common.mjs";
import { profiled } from "./page/work.mjs";

const toll = process.argv[2];
// Emscripten copies the language into the module's memory, as it does in the page.
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en-US"] }, configurable: true });

/** Open the page; its result, and its downloads as NAME.*. */
const inBrowser = (browser, url, name) => withPage(browser, url, async page => {
  await page.waitForFunction(() => document.querySelector("#state").textContent !== "working", null, { timeout: 30000 });
  for (const link of await page.$$("#files a")) {
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    await download.saveAs(download.suggestedFilename().replace("sqlite", name));
  }
  return { result: await page.textContent("#state"), top: await page.textContent("#top") };
});

async function inNode() {
  const require = createRequire(import.meta.url);
  const { result, files, top } = await profiled(require("sql.js"));
  for (const [file, bytes] of Object.entries(files)) fs.writeFileSync(file.replace("sqlite", "node"), bytes);
  return { result, top };
}

/** Functions with their figures, whatever the order. */
const figures = (file, value) => report(file, "--value", value).functions
  .map(f => `${f.name} ${f.self} ${f.total} ${f.calls}`).sort();

function holdFiles(name) {
  const pprof = `${name}.pb.gz`, { total, functions } = report(pprof, "--value", "ticks");
  run(toll, "check", "-q", pprof);
  assert.equal(functions.reduce((sum, f) => sum + f.self, 0), total, `${name}: the sum`);
  assert.ok(total > 10000000 && functions.length > 200, `${name}: ${total} ticks of ${functions.length} functions`);
  const selfs = file => report(file, "--value", "ticks").functions.filter(f => f.total)
    .map(f => `${f.name} ${f.self} ${f.total}`).sort();
  assert.deepEqual(selfs(`${name}.speedscope.json`), selfs(pprof), `${name}: speedscope's file`);
  return total;
}

const server = await serve("page"), browser = await launch();
try {
  const node = await inNode();
  const page = await inBrowser(browser, server.origin, "page");
  const worker = await inBrowser(browser, `${server.origin}/?worker`, "worker");
  assert.match(node.result, /^\[\["WORD 1\d*",\d+,\d+\]/);
  assert.deepEqual(page, node);
  assert.equal(worker.result, node.result);
  const totals = ["node", "page", "worker"].map(holdFiles);
  assert.deepEqual(totals, totals.map(() => totals[0]), "ticks in Node, page, worker");
  for (const value of ["ticks", "calls"])
    for (const name of ["page", "worker"])
      assert.deepEqual(figures(`${name}.pb.gz`, value), figures("node.pb.gz", value), `${name}: ${value}`);
  assert.ok(report("worker.pb.gz", "--value", "time").total > 100000, "the worker's time");
  console.log(`SQLite in Node, a page, a worker: ${totals[0]} ticks, ${node.result.length} characters of result`);
} finally {
  await browser.close();
  server.close();
}
