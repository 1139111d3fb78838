// programs.mjs - tests of special programs: loaded late, with threads, or of a newer Emscripten.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { report, run } from "./common.mjs";
import { withPage } from "./chromium.mjs";
import { lines, ofSites, perfview, shown, shownFirst, speedscope } from "./judge.mjs";
import { attached, byCall, byKeys, counters, download, holdCounters, ready } from "./page.mjs";

const toll = process.argv[2];
const SHARED = /other threads may use/;
const COUNTERS = ["totalStaticMemory", "freeMemory", "heapSize", "sbrkValue", "stackBase", "stackMax"];

/** Run the page's thread to its end. */
async function runThread(page) {
  assert.equal(await page.evaluate(() => Module._start()), 0);
  await page.waitForFunction(() => Module._is_done(), null, { timeout: 30000 });
}

/** Whether `toll report` of a file prints the note on threads. */
const tellsThreads = file => SHARED.test(run(toll, "report", file));

/** A file in each format, and the profiler's own state: which of them say that threads use the heap. */
async function whichTellThreads(page, name) {
  const said = [];
  for (const [format, extension] of Object.entries({ speedscope: "speedscope.json", perfview: "PerfView.json", pprof: "pb.gz" })) {
    await byCall(page, `${name}.${extension}`, format);
    if (tellsThreads(`${name}.${extension}`)) said.push(format);
  }
  const sites = JSON.parse(await byCall(page, `${name}.sites.json`, "sites"));
  if (sites.notes.some(note => SHARED.test(note))) said.push("sites");
  fs.writeFileSync(`${name}.emscripten.json`, await page.evaluate(() => JSON.stringify(globalThis.emscriptenMemoryProfiler)));
  if (tellsThreads(`${name}.emscripten.json`)) said.push("emscripten");
  return said;
}

// --- family.cpp, linked with toll-heap.c ------------------------------------------------------------

const counted = async page => lines(await page.evaluate(() => Module.UTF8ToString(Module._truth())));

/** What the sites have in use in a file that the page saves, in the form of `counted`. */
async function saved(page, extension, format) {
  await byCall(page, `family.${extension}`, format);
  const by = value => Object.fromEntries(report(`family.${extension}`, "--by-site", "--value", value).functions
    .filter(f => f.self).map(f => [f.name, f.self]));
  const blocks = by("inuse_objects"), bytes = by("inuse_space");
  return Object.keys(blocks).map(name => `${name} ${blocks[name]} ${bytes[name] ?? 0}`).sort();
}

/** Which snapshot was the first to have the blocks of each site: "NAME SNAPSHOT BLOCKS". */
function agesOfSites(text) {
  const sums = {};
  for (const { callSiteKey: key, ages } of JSON.parse(text).allocationSites)
    for (const { snapshot, count } of ages) sums[`${key} ${snapshot}`] = (sums[`${key} ${snapshot}`] ?? 0) + count;
  return Object.entries(sums).map(entry => entry.join(" ")).sort();
}

/** The ages in a file of pprof, as `toll report --leaks` has them. The program's count is in `truth`. */
async function holdAges(page, truth) {
  await byCall(page, "family.pb.gz", "pprof");
  const { functions, others } = report("family.pb.gz", "--leaks", "--value", "inuse_space"), bySite = {};
  for (const line of truth) bySite[line.split(" ")[0]] = (bySite[line.split(" ")[0]] ?? 0) + Number(line.split(" ")[2]);
  assert.equal(others.reduce((a, b) => a + b), Object.values(bySite).reduce((a, b) => a + b));
  assert.ok(functions.every(f => f.ages === others.length));
}

/** In every file there is what the program counted itself, and no note. */
async function holdFiles(page) {
  const truth = await counted(page);
  assert.equal(truth.length, 10, truth.join("; "));
  for (const [extension, format] of [["speedscope.json", "speedscope"], ["pb.gz", "pprof"]])
    assert.deepEqual(await saved(page, extension, format), truth, format);
  assert.deepEqual((await page.evaluate(() => tollHeap.takeSnapshot())).notes, []);
  await holdCounters(page, speedscope(await byKeys(page, "family")));
}

/** Blocks of all kinds: after each of the first steps, and after many thousands. */
const family = (name, most = 1000) => (browser, { page: origin }) => withPage(browser, `${origin}/program.html?${name}`, async page => {
  await ready(page);
  await attached(page);
  for (let round = 0; round < 300; round++) {
    const [sites, truth, ages] = await page.evaluate(async steps => {
      Module._run(steps);
      const sites = await tollHeap.buildSitesJson(), truth = Module.UTF8ToString(Module._truth());
      Module._aged();
      return [sites, truth, Module.UTF8ToString(Module._truth_by_age())];
    }, round < 200 ? 1 : most);
    assert.deepEqual(ofSites(sites), lines(truth), `round ${round}`);
    assert.deepEqual(agesOfSites(sites), lines(ages), `ages, round ${round}`);
  }
  await holdAges(page, lines(await page.evaluate(() => Module.UTF8ToString(Module._truth_by_age()))));
  await holdFiles(page);
  assert.equal(await page.evaluate(() => Module._slip()), 1, "the allocator has taken another address");
  assert.deepEqual((await page.evaluate(() => tollHeap.takeSnapshot())).notes,
                   ["1 blocks allocated where one was in use, which counts as freed",
                    "1 frees of blocks that the profiler does not know"]);
  assert.deepEqual(ofSites(await page.evaluate(() => tollHeap.buildSitesJson())), await counted(page));
});

/** Four threads and the page allocate, resize and free each other's blocks at the same time. */
const threads = name => (browser, { isolated: origin }) => withPage(browser, `${origin}/program.html?${name}&losing`, async page => {
  await ready(page);
  await attached(page);
  for (let round = 0; round < 3; round++) {
    assert.equal(await page.evaluate(() => Module._start(4)), 0);
    await page.evaluate(() => Module._run(5000));
    assert.deepEqual((await page.evaluate(() => tollHeap.takeSnapshot())).notes, [], "while threads run");
    await page.waitForFunction(() => Module._is_done(), null, { timeout: 60000 });
    assert.deepEqual(ofSites(await page.evaluate(() => tollHeap.buildSitesJson())), await counted(page), `round ${round}`);
  }
  await holdFiles(page);
  // A block that another thread resizes is in every snapshot.
  assert.equal(await page.evaluate(() => Module._start_resizing()), 0);
  await page.waitForFunction(() => !Module._is_done());
  for (let round = 0; round < 50; round++) {
    const { allocationSites } = JSON.parse(await page.evaluate(() => tollHeap.buildSitesJson()));
    assert.deepEqual(allocationSites.filter(s => s.callSiteKey === "resize_one").map(s => s.outstandingCount), [1], `snapshot ${round}`);
  }
  await page.evaluate(() => Module._stop_resizing());
  await page.waitForFunction(() => Module._is_done());
  assert.deepEqual(ofSites(await page.evaluate(() => tollHeap.buildSitesJson())), await counted(page));
  // A message of a worker that is lost: the rest is there, and each file says so from then on.
  await page.evaluate(() => globalThis.loses = true);
  assert.equal(await page.evaluate(() => Module._start(4)), 0);
  await page.waitForFunction(() => Module._is_done(), null, { timeout: 60000 });
  for (let again = 0; again < 2; again++)
    assert.match((await page.evaluate(() => tollHeap.takeSnapshot())).notes.join("; "), /\b1024 events of other threads that did not come/);
});

export const programs = {
  /** The key and the button say what was saved; key, format and names are options. */
  async message(browser, { page: origin }) {
    await withPage(browser, `${origin}/program.html?family&named`, async page => {
      const said = () => page.textContent("output");
      await ready(page);
      await attached(page);
      let downloads = 0;
      page.on("download", () => downloads++);
      for (const key of ["Control+Shift+H", "F9", "Alt+Shift+F9", "Alt+F8"]) await page.keyboard.press(key);
      await page.waitForTimeout(300);
      assert.equal(downloads, 0);
      const first = perfview(await download(page, "app.PerfView.json", () => page.keyboard.press("Alt+F9")));
      const { sites, bytes } = first, text = n => (n < 10000 ? `${n.toLocaleString("en-US")} B` : `${(n / 1000).toFixed(1).replace(/\.0$/, "")} kB`);
      await page.waitForFunction(() => document.querySelector("output")?.textContent.startsWith("saved"));
      assert.equal(await said(), `saved: ${sites} sites, ${text(bytes)}`);
      await page.waitForFunction(() => !document.querySelector("output"), null, { timeout: 5000 });
      await page.evaluate(() => globalThis.kept = Module._malloc(5000));
      await download(page, "app.PerfView.json", () => page.evaluate(() => void tollHeap.snapshot()));
      await page.waitForFunction(() => document.querySelector("output")?.textContent.startsWith("saved"));
      assert.match(await said(), /^saved: .*, \+5,000 B since the last$/);
      await page.evaluate(() => (Module._free(globalThis.kept), tollHeap.attach({ message: false, key: null })));
      await page.waitForFunction(() => !document.querySelector("output"), null, { timeout: 5000 });
      await page.keyboard.press("Alt+F9");
      await download(page, "app.PerfView.json", () => page.evaluate(() => void tollHeap.snapshot()));
      assert.equal(await page.$("output"), null);
      assert.equal(downloads, 3);
      const failed = await page.evaluate(() => (tollHeap.attach({ message: true, format: "svg" }), tollHeap.snapshot().catch(e => e.message)));
      assert.match(failed, /no format "svg"/);
      assert.match(await said(), /^not saved: .*no format "svg"/);
    });
  },

  /** Two programs in a page: the last, one by its name or number, or both; and what is left out is said. */
  async family_module(browser, { page: origin }) {
    await withPage(browser, `${origin}/program.html?family_module`, async page => {
      await page.waitForFunction(() => globalThis.tollHeap && globalThis.Family);
      await page.evaluate(async () => {
        const [editor, viewer] = globalThis.both = [await Family({ tollHeapName: "editor" }), await Family()];
        editor._run(1000);
        viewer._run(3000);
      });
      const truths = await page.evaluate(() => both.map(one => one.UTF8ToString(one._truth())));
      const of = program => page.evaluate(async chosen => {
        tollHeap.attach(chosen);
        return [await tollHeap.buildSitesJson(), (await tollHeap.takeSnapshot()).notes];
      }, { program });
      for (const [program, i] of [[undefined, 1], ["editor", 0], [0, 0], [1, 1]]) {
        const [sites, notes] = await of(program);
        assert.deepEqual(ofSites(sites), lines(truths[i]), `program ${program}`);
        assert.match(notes.join("; "), /^1 other programs of the page, which are not in this file; choose by/);
        assert.match(JSON.parse(sites).notes.join("; "), /^1 other programs of the page/);
      }
      const [sites, notes] = await of("all");
      assert.deepEqual(notes, []);
      const sums = {};
      for (const [name, blocks, bytes] of truths.flatMap(lines).map(line => line.split(" ")))
        sums[name] = [(sums[name]?.[0] ?? 0) + Number(blocks), (sums[name]?.[1] ?? 0) + Number(bytes)];
      assert.deepEqual(ofSites(sites), Object.entries(sums).map(([name, sum]) => `${name} ${sum.join(" ")}`).sort());
      assert.match(await of("other").catch(error => error.message), /there is no program "other"; there are "editor", 1, "all"/);
      const odd = await page.evaluate(() => { try { tollHeap.attach({ key: "Control+F9" }); } catch (error) { return error.message; } });
      assert.match(odd, /the key "Control\+F9" has no modifier "control"; there are Ctrl/);
    });
  },

  /** Emscripten's own profiler, mended by toll-heap-pre.js: blocks that are not aligned are exact, also where aligned
   *  ones and a realloc that fails are among them. */
  async family_profiler(browser, { page: origin }) {
    await withPage(browser, `${origin}/program.html?family_profiler`, async page => {
      await ready(page);
      await attached(page);
      const blocks = list => list.filter(line => !/align/.test(line)).map(line => line.split(" ").slice(0, 2).join(" "));
      for (let round = 0; round < 100; round++) {
        const [sites, truth] = await page.evaluate(async () => {
          Module._run(300);
          return [await tollHeap.buildSitesJson(), Module.UTF8ToString(Module._truth())];
        });
        assert.deepEqual(blocks(ofSites(sites)), blocks(lines(truth)), `round ${round}`);
      }
    });
  },

  /** Emscripten's own profiler held against the allocator: blocks that it has too many, and too few. */
  async held(browser, { page: origin }) {
    await withPage(browser, `${origin}/program.html?held`, async page => {
      await ready(page);
      await attached(page);
      const notes = () => page.evaluate(async () => (await tollHeap.takeSnapshot()).notes);
      await page.evaluate(() => Module._fill(0, 1000, 2));
      assert.deepEqual(await notes(), []);
      await page.evaluate(() => emscriptenMemoryProfiler.onMalloc(7e6, 1e6)); // there is no such block
      const [excess, ...others] = await notes(), bytes = parseInt(excess);
      assert.match(excess, /^\d+ bytes more than the allocator has in use: freed blocks stand here$/);
      assert.ok(others.length === 0 && bytes <= 1e6 && bytes > 1e6 - 1000 * 32 - 1024, excess);
      assert.ok(JSON.parse(await byCall(page, "held.sites.json", "sites")).notes.includes(excess));
      await byCall(page, "held.pb.gz", "pprof");
      assert.ok(run(toll, "report", "held.pb.gz").includes("more than the allocator has in use"));
      await page.evaluate(() => {
        const profiler = globalThis.emscriptenMemoryProfiler, { onMalloc } = profiler;
        profiler.onMalloc = () => {};
        Module._malloc(3e6);
        profiler.onMalloc = onMalloc;
      });
      const [missing, ...more] = await notes(), left = parseInt(missing);
      assert.match(missing, /^\d+ bytes that the allocator has in use are not here: blocks are missing$/);
      assert.ok(more.length === 0 && left <= 2e6 && left > 2e6 - 1001 * 32 - 1024, missing);
    });
  },

  /** Files are made in a worker; in the page where its policy or an option forbids that: they are the same. */
  async forbidden(browser, { page: origin }) {
    const made = [];
    for (const [way, uses] of [["", 1], ["&strict", 0], ["", 0]])
      await withPage(browser, `${origin}/program.html?family${way}`, async page => {
        let workers = 0;
        page.on("worker", () => workers++);
        await ready(page);
        await attached(page);
        if (!way && !uses) await page.evaluate(() => tollHeap.attach({ worker: false }));
        await page.evaluate(() => Module._run(1000));
        for (const format of ["sites", "speedscope", "perfview", "pprof"])
          made.push(await page.evaluate(async f => {
            const { blob, sites, objects, bytes, notes } = await tollHeap.takeSnapshot(f);
            return [f, sites, objects, bytes, notes, Array.from(new Uint8Array(await blob.arrayBuffer())).join()];
          }, format));
        assert.equal(workers, 4 * uses, way);
        assert.match(await page.evaluate(() => (tollHeap.attach({ wasm: "data:,none" }), tollHeap.takeSnapshot().then(() => "good", e => e.message))),
                     uses ? /WebAssembly/ : /^good$/, "it is loaded once in a page, and by each worker");
      }, /Content Security Policy/);
    const [inWorker, strict, inPage] = [0, 4, 8].map(at => made.slice(at, at + 4));
    assert.deepEqual(strict, inPage);
    assert.deepEqual(inWorker, inPage);
  },

  /** While a file is made, the program goes on: the file is of the moment at which it was asked for. */
  async moment(browser, { page: origin }) {
    await withPage(browser, `${origin}/program.html?family`, async page => {
      await ready(page);
      await attached(page);
      for (let round = 0; round < 30; round++) {
        const [truth, sites] = await page.evaluate(async () => {
          Module._run(500);
          const truth = Module.UTF8ToString(Module._truth()), made = tollHeap.takeSnapshot("sites");
          let isMade = false;
          made.then(() => isMade = true);
          for (let turns = 0; !isMade; turns++) {
            Module._run(200);
            await new Promise(resume => setTimeout(resume, 0));
          }
          return [truth, await (await made).blob.text()];
        });
        assert.deepEqual(ofSites(sites), lines(truth), `round ${round}`);
      }
    });
  },

  family: family("family"),
  million: family("family", 10000), // calls
  family_emmalloc: family("family_emmalloc"),
  family_plain: family("family_plain"),
  family_lto: family("family_lto"),
  family_main: family("family_main"),
  family_threads: threads("family_threads"),
  family_proxy: threads("family_proxy"),

  /** Loaded after the page, without toll-heap-pre.js: the keys and the console's name are there. */
  async late(browser, { page: origin }) {
    await withPage(browser, `${origin}/program.html?bare&late`, async page => {
      await page.waitForFunction(() => globalThis.tollHeap && document.readyState === "complete");
      assert.equal(await page.evaluate(() => typeof globalThis.downloadSnapshot), "undefined");
      await page.evaluate(() => globalThis.loadProgram());
      await ready(page);
      await attached(page);
      await page.evaluate(() => Module._fill(0, 4, 1));
      assert.equal(speedscope(await byKeys(page, "late")).bytes, 16 + 17 + 18 + 19);
      await page.waitForTimeout(1500); // the profiler's page is drawn after 1 s
      assert.equal(await page.$("#memoryprofiler_canvas"), null, "the profiler draws over the page");
    });
  },

  /** With threads: nothing is said before one runs, and everything says so after that. */
  async threads(browser, { isolated: origin }) {
    return withPage(browser, `${origin}/program.html?threads`, async page => {
      const warnings = [];
      page.on("console", message => SHARED.test(message.text()) && warnings.push(message.type()));
      await ready(page);
      await attached(page);
      await page.evaluate(() => Module._allocate());
      assert.deepEqual(await whichTellThreads(page, "alone"), []);
      assert.deepEqual([warnings, (await counters(page)).isShared], [[], false]);
      await runThread(page);
      assert.deepEqual(await whichTellThreads(page, "threads"), ["speedscope", "perfview", "pprof", "sites", "emscripten"]);
      assert.deepEqual(warnings, ["warning"], "of four downloads");
      assert.equal((await counters(page)).isShared, true);
      const { notes } = await page.evaluate(() => tollHeap.takeSnapshot());
      assert.equal(notes.filter(note => SHARED.test(note)).length, 1);
      const names = report("threads.pb.gz").functions.map(f => f.name);
      assert.ok(names.includes("allocate"), "what a thread frees would be known: say so in the note");
      return notes[0];
    });
  },

  /** With threads, without toll-heap-pre.js: that there may be threads is all that can be said. */
  async unwatched(browser, { isolated: origin }) {
    await withPage(browser, `${origin}/program.html?unwatched`, async page => {
      await ready(page);
      await attached(page);
      assert.deepEqual(await whichTellThreads(page, "unwatched"), ["speedscope", "perfview", "pprof", "sites"]);
    });
  },

  /** Of a newer Emscripten (newer_library.js) in a page: counters, growth, no frame of the profiler's own. */
  async newer_page(browser, { page: origin }) {
    await withPage(browser, `${origin}/program.html?newer_page`, async page => {
      await ready(page);
      await attached(page);
      await page.evaluate(() => Module._fill(0, 2000, 0));
      const taken = speedscope(await byKeys(page, "newer"));
      await holdCounters(page, taken);
      assert.ok((await counters(page)).heapGrowthEventCount > 2);
      assert.ok(taken.growths.length > 2 && taken.growths.slice(1).every(s => /dlmalloc;keep;fill/.test(s)), taken.growths[1]);
      assert.deepEqual(perfview(await byCall(page, "newer.PerfView.json", "perfview")).stacks, taken.stacks);
    });
  },

  /** The same in Node, which has no document: toll-heap-pre.js starts the profiler. */
  async newer_node() {
    const { heap, counters: told } = JSON.parse(run(process.execPath, "node_program.cjs", "newer_node"));
    const taken = speedscope(heap);
    assert.equal(taken.objects, 2000);
    assert.ok(taken.growths.length > 2 && taken.growths.slice(1).every(s => /dlmalloc;keep;fill/.test(s)), taken.growths[1]);
    for (const name of COUNTERS) assert.ok(told[name] > 0, `${name} is not told`);
    assert.ok(told.heapGrowthEventCount > 2);
    fs.copyFileSync("page/toll.wasm", "elsewhere.wasm");
    for (const wasm of ["elsewhere.wasm", path.resolve("elsewhere.wasm"), String(pathToFileURL("elsewhere.wasm"))])
      assert.deepEqual(JSON.parse(run(process.execPath, "node_program.cjs", "newer_node", wasm)).counters, told, wasm);
  },

  /** With -sMEMORY64, which is imitated here, sbrk takes BigInts only; with and without toll-heap-pre.js. */
  async memory64(browser, { page: origin }) {
    for (const name of ["stacks", "newer_page"])
      await withPage(browser, `${origin}/program.html?${name}`, async page => {
        await ready(page);
        await attached(page);
        const { sbrkValue } = await counters(page);
        await page.evaluate(() => {
          const sbrk = globalThis._sbrk;
          globalThis._sbrk = by => sbrk(Number(BigInt.asIntN(64, by))); // a TypeError for a number
        });
        assert.ok(sbrkValue > 0);
        assert.equal((await counters(page)).sbrkValue, sbrkValue, name);
      });
  },

  /** What speedscope shows first is the one profile of the specification: bytes by site. */
  async first(browser, { page: origin, files, app }) {
    const bytes = await withPage(browser, `${origin}/program.html?stacks`, async page => {
      await ready(page);
      await attached(page);
      await page.evaluate(() => Module._fill(0, 3, 0)); // 51 bytes; the heap has grown by far more than that
      const taken = speedscope(await byKeys(page, "first"));
      assert.ok(taken.growth > taken.bytes);
      return taken.bytes;
    });
    run(toll, "convert", "-q", "-o", "first.pb.gz", "first.speedscope.json");
    run(toll, "convert", "-q", "-o", "again.speedscope.json", "first.pb.gz");
    for (const [file, name] of [["first", "Native Memory Allocations (1/3)"],
                                ["again", "Native Memory Allocations: inuse_space (4/6)"]]) {
      assert.equal(await shownFirst(browser, app, `${files}/${file}.speedscope.json`), name);
      const rows = await shown(browser, app, `${files}/${file}.speedscope.json`);
      assert.equal(rows.fill, `${bytes} B (100%)`, JSON.stringify(rows));
    }
  },
};
