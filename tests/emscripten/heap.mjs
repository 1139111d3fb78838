// heap.mjs TOLL [TEST...] - heaps of Emscripten's programs, saved from real pages with the keyboard.
import assert from "node:assert/strict";
import fs from "node:fs";
import { ISOLATED, launch, serve, withPage } from "./chromium.mjs";
import { columns, report, run } from "./common.mjs";
import { perfview, shown, speedscope } from "./judge.mjs";
import { attached, byCall, byKeys, counters, download, holdCounters, ready } from "./page.mjs";
import { programs } from "./programs.mjs";

const [toll, ...only] = process.argv.slice(2);
const STB = ["stbi__malloc", "stbi__create_png_image_raw", "stbi__convert_format"]; // given as allocators
const WAYS = 100000, DEPTH = 6; // of stacks.c

const changes = (before, after, ...options) =>
  JSON.parse(run(toll, "diff", "--json", "-n", "0", ...options, before, after)).functions;
/** Two files say the same of each function. */
function sameFunctions(a, b) {
  for (const value of ["inuse_space", "inuse_objects", "growth_space"])
    assert.deepEqual(report(a, "--value", value).functions, report(b, "--value", value).functions, a);
}
/** In the page: how long a snapshot takes, how often the page has its turn meanwhile, and how long it waits
 *  for it at most. The times are printed, not checked: machines differ. */
async function watched(format) {
  const start = performance.now();
  let last = start, longest = 0, turns = 0;
  const timer = setInterval(() => {
    turns++;
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  await globalThis.tollHeap.takeSnapshot(format);
  clearInterval(timer);
  longest = Math.max(longest, performance.now() - last);
  return { took: Math.round(performance.now() - start), longest: Math.round(longest), turns };
}

const bytesOfWays = n => Array.from({ length: n }, (_, i) => 16 + i % 1000).reduce((a, b) => a + b, 0);

/** 10^5 sites: while the page goes on, and nothing is allocated in the program's heap. */
const stacks = name => (browser, { page: origin }) => withPage(browser, `${origin}/program.html?${name}`, async page => {
  await ready(page);
  await attached(page);
  await page.evaluate(([ways, depth]) => Module._fill(0, ways, depth), [WAYS, DEPTH]);
  const before = await counters(page);
  const runs = [], told = [];
  for (const format of ["speedscope", "pprof", "sites"]) {
    const those = [];
    for (let i = 0; i < 3; i++) those.push(await page.evaluate(watched, format));
    told.push(`${format} ${Math.min(...those.map(r => r.took))} ms, the page waited ${Math.min(...those.map(r => r.longest))} ms at most`);
    runs.push(...those);
  }
  const taken = speedscope(await byKeys(page, "many"));
  assert.deepEqual([taken.sites, taken.objects, taken.bytes], [WAYS, WAYS, bytesOfWays(WAYS)]);
  assert.equal(Object.keys(taken.stacks).length, WAYS);
  const deep = Object.keys(taken.stacks).filter(s => s.match(/;way\d/g).length === DEPTH);
  assert.equal(deep.length, WAYS, "stacks are cut");
  assert.deepEqual(await counters(page), before);
  await page.evaluate(() => Module._empty());
  assert.deepEqual(speedscope(await byKeys(page, "emptied")).stacks, {});
  assert.deepEqual(perfview(await byCall(page, "emptied.PerfView.json", "perfview")).sites, 0);
  const difference = JSON.parse(run(toll, "diff", "--json", "emptied.speedscope.json", "many.speedscope.json"));
  assert.equal(difference.after, taken.bytes);
  assert.ok(runs.every(r => r.turns >= 5), "the page has had no turn");
  return `${WAYS} sites: ${told.join("; ")}`;
});

const tests = {
  /** The example in C++: what leaked, by toll diff and in speedscope, by name. */
  async editor(browser, { editor, files, app }) {
    const after = await withPage(browser, editor, async page => {
      await ready(page);
      await attached(page);
      const typed = async name => {
        await page.click("text=Type 100 words");
        await page.click("text=Close all");
        const snapshot = speedscope(await byKeys(page, name));
        await holdCounters(page, snapshot);
        return snapshot;
      };
      const before = await typed("before"), after = await typed("after");
      assert.ok(after.bytes > before.bytes && after.objects > before.objects);
      assert.deepEqual(perfview(await byCall(page, "after.PerfView.json", "perfview")).stacks, after.stacks);
      await byCall(page, "after.pb.gz", "pprof");
      return after;
    });
    run(toll, "check", "-q", "after.pb.gz");
    assert.deepEqual(columns("after.pb.gz").map(c => c.type),
                     ["inuse_objects", "inuse_space", "growths", "growth_space"]);
    sameFunctions("after.speedscope.json", "after.pb.gz");
    const leak = changes("before.speedscope.json", "after.speedscope.json", "--by-site")[0];
    assert.equal(leak.name, "Editor::remember()");
    assert.equal(leak.after, after.bytes);
    const [objects] = changes("before.speedscope.json", "after.speedscope.json", "--by-site", "--value", "inuse_objects");
    assert.deepEqual([objects.name, objects.after], [leak.name, after.objects]);
    const text = run(toll, "diff", "before.speedscope.json", "after.speedscope.json");
    assert.match(text, /stack \(self\)\n +\+[\d,]+ B  .*;type_words;.*Editor::remember\(\);/, "what grew first");
    const rows = await shown(browser, app, `${files}/after.speedscope.json`);
    assert.ok(rows[leak.name]?.startsWith(`${(after.bytes / 1024).toFixed(2)} KB`), JSON.stringify(rows));
    return `${leak.name} holds ${after.bytes} bytes in ${after.objects} blocks; speedscope shows ${rows[leak.name]}`;
  },

  /** stb in C: freed blocks are not listed, leaked ones are; a wrapper of malloc that is given as an allocator is
   *  not a call site. */
  async gallery(browser, { page: origin }) {
    if (!fs.existsSync("page/gallery.js")) return "skipped: there is no stb_image.h";
    return withPage(browser, `${origin}/program.html?gallery&allocators=${STB}`, async page => {
      await ready(page);
      await attached(page);
      await page.evaluate(() => Module._draw(10, 0));
      assert.deepEqual(speedscope(await byKeys(page, "freed")).stacks, {});
      await page.evaluate(() => Module._draw(7, 1));
      const taken = speedscope(await byKeys(page, "forgotten"));
      assert.deepEqual([taken.bytes, taken.objects], [7 * 64 * 48 * 3, 7]);
      await holdCounters(page, taken);
      assert.equal(await page.$("#memoryprofiler_canvas"), null, "the profiler draws over the page");
      fs.writeFileSync("forgotten.emscripten.json",
                       await page.evaluate(() => JSON.stringify(globalThis.emscriptenMemoryProfiler)));
      sameFunctions("forgotten.speedscope.json", "forgotten.emscripten.json");
      const all = JSON.parse(await byCall(page, "forgotten.sites.json", "sites"));
      const { allocationSites: sites, heapGrowthEvents: growth } = all;
      for (const s of sites) {
        assert.ok(s.frames.some(f => f.name === "show_and_forget" && f.functionIndex > 0 && f.byteOffset > 0));
        const at = s.frames.findIndex(f => f.name === s.callSiteKey), what = JSON.stringify(s);
        const inner = s.frames.slice(0, at).map(f => f.name);
        assert.ok(at > 0 && inner.every(name => name === "dlmalloc" || STB.includes(name)), what);
        assert.ok(inner.some(name => STB.includes(name)) && !STB.includes(s.callSiteKey), what);
      }
      assert.equal(growth.reduce((sum, g) => sum + g.bytes, 0), taken.growth);
      return `${taken.objects} pictures forgotten by show_and_forget; key ${sites[0].callSiteKey}`;
    });
  },

  stacks: stacks("stacks"),
  stacks_own: stacks("stacks_own"),

  /** No allocations at all. */
  async none(browser, { page: origin, files, app }) {
    await withPage(browser, `${origin}/program.html?none`, async page => {
      await ready(page);
      await attached(page);
      const taken = speedscope(await byKeys(page, "none"));
      assert.deepEqual([taken.sites, taken.bytes, taken.objects], [0, 0, 0]);
      assert.equal(perfview(await byCall(page, "none.PerfView.json", "perfview")).sites, 0);
      assert.equal((await counters(page)).allocationSiteCount, 0);
    });
    run(toll, "check", "-q", "none.speedscope.json");
    await shown(browser, app, `${files}/none.speedscope.json`);
  },

  /** Linked without toll-heap-pre.js: the counters exist, and a warning says that stacks are cut. */
  async bare(browser, { page: origin }) {
    await withPage(browser, `${origin}/program.html?bare`, async page => {
      const warnings = [];
      page.on("console", message => message.type() === "warning" && warnings.push(message.text()));
      await ready(page);
      await attached(page);
      await page.evaluate(() => (Module._fill(0, 5, 6), Module._fill(0, 3, 0)));
      const taken = speedscope(await byKeys(page, "bare"));
      await byKeys(page, "bare");
      await holdCounters(page, taken);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0], /memory-profile-.*: 2 stacks of 10 frames.*--pre-js toll-heap-pre.js/);
    });
  },

  /** Without the profiler: no keys, no error, no global name. */
  async plain(browser, { page: origin }) {
    await withPage(browser, `${origin}/program.html?plain`, async page => {
      await ready(page);
      await page.waitForFunction(() => globalThis.tollHeap);
      let downloads = 0;
      page.on("download", () => downloads++);
      await page.keyboard.press("Control+Shift+H");
      const told = await page.evaluate(async () => [
        tollHeap.getSnapshotJson(), await tollHeap.buildSpeedscopeJson(), await tollHeap.buildPerfViewJson(),
        await tollHeap.downloadSnapshot(), typeof globalThis.downloadSnapshot]);
      assert.deepEqual(told, [null, null, null, null, "undefined"]);
      await page.waitForTimeout(300);
      assert.equal(downloads, 0);
    });
  },

  /** A page of classic scripts, whose own rendering takes it from the profiler's: no error in three seconds. */
  async classic(browser, { page: origin }) {
    await withPage(browser, `${origin}/program.html?stacks&classic&gone`, async page => {
      await ready(page);
      await attached(page);
      await page.evaluate(() => Module._fill(0, 10, 5));
      await page.waitForTimeout(3000); // the profiler's page is drawn after 1 s and each 2 s
      assert.equal(speedscope(await byKeys(page, "classic")).bytes, bytesOfWays(10));
      assert.equal(await page.textContent("body > :not(output)"), "All mine.");
      const wrong = await page.evaluate(() => tollHeap.downloadSnapshot("svg").catch(error => error.message));
      assert.equal(wrong, 'toll: there is no format "svg"; there are speedscope, perfview, pprof, sites');
    });
  },

  /** In a worker, by Emscripten's optimiser and in a function of its own. */
  async worker(browser, { page: origin }) {
    await withPage(browser, `${origin}/worker.html`, async page => {
      await ready(page);
      const ask = (file, format) => download(page, file, () => page.evaluate(f => globalThis.ask(f), format));
      const taken = speedscope(await ask("worker.speedscope.json", "speedscope"));
      assert.deepEqual([taken.sites, taken.bytes], [100, bytesOfWays(100)]);
      assert.deepEqual(perfview(await ask("worker.PerfView.json", "perfview")).stacks, taken.stacks);
    });
  },

  ...programs,
};

const folders = { page: "page", isolated: "page", editor: "editor", files: ".", app: "node_modules/speedscope/dist/release" };
const browser = await launch(), servers = [], origins = {};
for (const [name, folder] of Object.entries(folders)) {
  servers.push(await serve(folder, name === "isolated" ? ISOLATED : {}));
  origins[name] = servers.at(-1).origin;
}
try {
  for (const [name, test] of Object.entries(tests))
    if (!only.length || only.includes(name)) console.log(`${name}: ${(await test(browser, origins)) ?? "good"}`);
} finally {
  await browser.close();
  servers.forEach(s => s.close());
}
