// heap.mjs TOLL - heaps of Emscripten's programs, taken out of real pages by the keys that people press.
import assert from "node:assert/strict";
import fs from "node:fs";
import { launch, serve, withPage } from "./chromium.mjs";
import { report, run } from "./common.mjs";
import { perfview, shown, speedscope } from "./judge.mjs";

const toll = process.argv[2];
const NAME = /^memory-profile-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z(\.speedscope\.json|\.PerfView\.json|\.pb\.gz|\.sites\.json)$/;

const ready = page => page.waitForFunction(() => document.documentElement.dataset.state === "ready", null, { timeout: 30000 });
const hasHeap = page => page.waitForFunction(() => globalThis.downloadSnapshot, null, { timeout: 30000 });

/** The file that `work` has the page download, as FILE. */
async function download(page, file, work) {
  const [taken] = await Promise.all([page.waitForEvent("download", { timeout: 30000 }), work()]);
  assert.match(taken.suggestedFilename(), NAME);
  assert.ok(taken.suggestedFilename().endsWith(file.slice(file.indexOf("."))), `${file}: ${taken.suggestedFilename()}`);
  await taken.saveAs(file);
  return fs.readFileSync(file, "utf8");
}

const byKeys = (page, file) => download(page, `${file}.speedscope.json`, () => page.keyboard.press("Control+Shift+H"));
const byCall = (page, file, format) => download(page, file, () => page.evaluate(f => void globalThis.downloadSnapshot(f), format));
const counters = page => page.evaluate(() => JSON.parse(tollHeap.getSnapshotJson()));
const keyRows = (files, ...options) => JSON.parse(run(toll, "diff", "--json", "--by-site", ...options, ...files)).functions;

/** A file tells as much as the profiler's counters do. */
async function holdCounters(page, { bytes, objects, sites }) {
  const c = await counters(page);
  assert.equal(bytes, c.totalMemoryAllocated);
  assert.equal(objects, c.totalTimesMallocCalled - c.totalTimesFreeCalled);
  assert.equal(sites, c.allocationSiteCount);
  for (const [name, value] of Object.entries(c)) assert.ok(value !== null, `${name} is not told`);
  assert.ok(c.stackMax < c.stackTop && c.stackTop <= c.stackBase && c.stackBase <= c.sbrkValue && c.sbrkValue <= c.heapSize);
  return c;
}

const tests = {
  /** The example: what leaked, by toll diff and in speedscope, by name. */
  async editor({ browser, origins }) {
    await withPage(browser, origins.editor, async page => {
      await ready(page);
      await hasHeap(page);
      await page.click("text=Type 100 words");
      await page.click("text=Close all");
      const before = speedscope(await byKeys(page, "before"));
      await holdCounters(page, before);
      await page.click("text=Type 100 words");
      await page.click("text=Close all");
      const after = speedscope(await byKeys(page, "after"));
      await holdCounters(page, after);
      const other = perfview(await byCall(page, "after.PerfView.json", "perfview"));
      assert.deepEqual(other.stacks, after.stacks);
      await byCall(page, "after.pb.gz", "pprof");
      assert.equal(await page.$("#memoryprofiler_canvas"), null, "the profiler draws over the page");
    });
    run(toll, "check", "-q", "after.pb.gz");
    for (const value of ["inuse_space", "inuse_objects", "growth_space"])
      assert.deepEqual(report("after.pb.gz", "--value", value).functions, report("after.speedscope.json", "--value", value).functions);
    const rows = keyRows(["before.speedscope.json", "after.speedscope.json"]);
    console.log(JSON.stringify(rows.slice(0, 3)));
    assert.match(rows[0].name, /^Editor::remember\(\)/);
  },
};

const only = process.argv[3];
const browser = await launch(), servers = {};
for (const [name, folder] of Object.entries({ page: "page", editor: "editor", files: ".", speedscope: "node_modules/speedscope/dist/release" }))
  servers[name] = await serve(folder);
const origins = Object.fromEntries(Object.entries(servers).map(([name, s]) => [name, s.origin]));
try {
  for (const [name, test] of Object.entries(tests)) {
    if (only && only !== name) continue;
    const told = await test({ browser, origins });
    console.log(`${name}: ${told ?? "good"}`);
  }
} finally {
  await browser.close();
  Object.values(servers).forEach(s => s.close());
}
