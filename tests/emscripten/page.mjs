// page.mjs - uses a page in tests: the keys, the downloads, the counters.
import assert from "node:assert/strict";
import fs from "node:fs";

const NAME = /^(?:memory-profile|app)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z(\.speedscope\.json|\.PerfView\.json|\.pb\.gz|\.sites\.json)$/;

export const ready = page =>
  page.waitForFunction(() => document.documentElement.dataset.state === "ready", null, { timeout: 30000 });
export const attached = page => page.waitForFunction(() => globalThis.downloadSnapshot, null, { timeout: 30000 });

/** The file that `work` has the page download, as `file`: its text. */
export async function download(page, file, work) {
  const [taken] = await Promise.all([page.waitForEvent("download", { timeout: 30000 }), work()]);
  assert.match(taken.suggestedFilename(), NAME);
  assert.ok(taken.suggestedFilename().endsWith(file.slice(file.indexOf("."))), `${file}: ${taken.suggestedFilename()}`);
  await taken.saveAs(file);
  return fs.readFileSync(file, "utf8");
}

export const byKeys = (page, name) =>
  download(page, `${name}.speedscope.json`, () => page.keyboard.press("Control+Shift+H"));
export const byCall = (page, file, format) =>
  download(page, file, () => page.evaluate(f => void globalThis.downloadSnapshot(f), format));
export const counters = page => page.evaluate(() => JSON.parse(tollHeap.getSnapshotJson()));

/** A file has the same sums as the profiler's counters; none of these is missing, addresses are in order. */
export async function holdCounters(page, { bytes, objects, sites }) {
  const c = await counters(page);
  assert.deepEqual([bytes, objects, sites],
                   [c.totalMemoryAllocated, c.totalTimesMallocCalled - c.totalTimesFreeCalled, c.allocationSiteCount]);
  for (const [name, value] of Object.entries(c)) assert.ok(value !== null, `${name} is not told`);
  const addresses = [c.stackMax, c.stackTop, c.stackBase, c.sbrkValue, c.heapSize];
  assert.deepEqual(addresses, [...addresses].sort((a, b) => a - b));
  return c;
}
