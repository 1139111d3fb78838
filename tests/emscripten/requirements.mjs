// requirements.mjs BROWSER TOLL - what users asked of the heap's snapshots, requirement by requirement (FR-1 to FR-9), and
// the counts of all threads: in Chromium or Firefox.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import puppeteer from "puppeteer-core";
import { ISOLATED, serve } from "./chromium.mjs";
import { lines, ofSites, perfview, speedscope } from "./judge.mjs";
import { perfviewSamples } from "./perfview_reader.mjs";

const [name, toll] = process.argv.slice(2), downloads = path.resolve(`downloads-${name}`);
const BROWSERS = {
  chromium: { browser: "chrome", executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] },
  firefox: { browser: "firefox", executablePath: "/usr/bin/firefox-esr",
             extraPrefsFirefox: { "browser.download.folderList": 2, "browser.download.dir": downloads, "browser.download.useDownloadDir": true,
                                  "browser.download.always_ask_before_handling_new_types": false,
                                  "browser.helperApps.neverAsk.saveToDisk": "application/json,application/gzip" } },
};
fs.rmSync(downloads, { recursive: true, force: true });
fs.mkdirSync(downloads);
const server = await serve("page", ISOLATED);
const browser = await puppeteer.launch({ ...BROWSERS[name], headless: true });
if (name === "chromium") {
  const session = await browser.target().createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads });
}

/** Call `work` with the page of a program; an error in the page is one of the test. */
async function withProgram(query, work) {
  const page = await browser.newPage(), problems = [];
  page.on("pageerror", error => problems.push(error.message));
  page.on("console", message => message.type() === "error" && problems.push(message.text()));
  await page.goto(`${server.origin}/program.html?${query}`);
  await page.waitForFunction(() => document.documentElement.dataset.state === "ready" && globalThis.tollHeap, { timeout: 60000 });
  await work(page);
  assert.deepEqual(problems, [], query);
  await page.close();
}

/** The file that `work` has the page download: { file, text }. */
async function downloaded(work) {
  const before = new Set(fs.readdirSync(downloads)), started = Date.now();
  await work();
  for (;;) {
    const made = fs.readdirSync(downloads).filter(f => !before.has(f) && !/\.(part|crdownload)$/.test(f) && !f.startsWith("."));
    const sizes = made.map(f => fs.statSync(path.join(downloads, f)).size);
    if (made.length === 1 && sizes[0] > 0 && !fs.readdirSync(downloads).some(f => /\.(part|crdownload)$/.test(f)))
      return { file: made[0], text: fs.readFileSync(path.join(downloads, made[0]), "utf8") };
    assert.ok(Date.now() < started + 20000, "no file was downloaded");
    await new Promise(r => setTimeout(r, 50));
  }
}

async function pressKeys(page) {
  for (const key of ["Control", "Shift"]) await page.keyboard.down(key);
  await page.keyboard.press("KeyH");
  for (const key of ["Shift", "Control"]) await page.keyboard.up(key);
}

const assertFalling = values => values.forEach((v, i) => assert.ok(i === 0 || values[i - 1] >= v, `${values[i - 1]} before ${v}`));
const STAMP = "memory-profile-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d-\\d{3}Z";

const tests = {
  async "FR-1, FR-2, FR-4: Ctrl+Shift+H downloads memory-profile-TIMESTAMP.speedscope.json, as speedscope's schema has it"() {
    await withProgram("mono", async page => {
      await page.evaluate(() => Module._load());
      const { file, text } = await downloaded(() => pressKeys(page)), { shared: { frames }, profiles: [profile] } = JSON.parse(text);
      assert.match(file, new RegExp(`^${STAMP}\\.speedscope\\.json$`));
      assert.equal(speedscope(text).bytes, 8404992 + 10 * 1100);
      assert.deepEqual([profile.type, profile.unit, profile.name, profile.startValue], ["sampled", "bytes", "Native Memory Allocations", 0]);
      const outermostFirst = profile.samples[0].map(f => frames[f].name);
      assert.ok(outermostFirst.indexOf("sgen_card_table_init") < outermostFirst.indexOf("internal_memalign"));
      assert.equal(profile.weights[0], 8404992);
    });
  },

  async "FR-3, FR-5: downloadSnapshot takes speedscope, the default, or perfview, which PerfView reads"() {
    await withProgram("mono", async page => {
      await page.evaluate(() => Module._load());
      const plain = await downloaded(() => page.evaluate(() => void downloadSnapshot()));
      assert.match(plain.file, /\.speedscope\.json$/);
      const { file, text } = await downloaded(() => page.evaluate(() => void downloadSnapshot("perfview")));
      assert.match(file, new RegExp(`^${STAMP}\\.PerfView\\.json$`));
      assert.deepEqual(perfview(text).stacks, speedscope(plain.text).stacks);
      assert.deepEqual(JSON.parse(text).Samples.map(s => s.Metric), perfviewSamples(text).map(s => s.metric));
      const { Stack: stack } = JSON.parse(text).Samples[0];
      assert.ok(stack.indexOf("internal_memalign") < stack.indexOf("sgen_card_table_init"), "innermost first");
    });
  },

  async "FR-6: all samples are in descending order of bytes, in both formats"() {
    await withProgram("family", async page => {
      await page.evaluate(() => Module._run(5000));
      const [a, b] = await page.evaluate(async () => [await tollHeap.buildSpeedscopeJson(), await tollHeap.buildPerfViewJson()]);
      assertFalling(JSON.parse(a).profiles[0].weights);
      assertFalling(JSON.parse(b).Samples.map(s => s.Metric));
      assert.ok(JSON.parse(b).Samples.length >= 10);
    });
  },

  async "FR-7: the call-site key skips allocators, Mono's too"() {
    await withProgram("mono", async page => {
      await page.evaluate(() => Module._load());
      assert.deepEqual(ofSites(await page.evaluate(() => tollHeap.buildSitesJson())),
                       ["load_image 10 10000", "load_type 10 1000", "sgen_card_table_init 1 8404992"]);
    });
  },

  async "FR-8: getSnapshotJson has the counters at once, also while a snapshot is written"() {
    await withProgram("family", async page => {
      const [during, after, files] = await page.evaluate(async () => {
        const both = [tollHeap.takeSnapshot("speedscope"), tollHeap.takeSnapshot("perfview")];
        Module._run(100);
        const during = JSON.parse(tollHeap.getSnapshotJson());
        const texts = await Promise.all((await Promise.all(both)).map(({ blob }) => blob.text()));
        return [during, JSON.parse(tollHeap.getSnapshotJson()), texts];
      });
      for (const [key, value] of Object.entries(during)) assert.notEqual(value, null, key);
      assert.ok(during.totalTimesMallocCalled - during.totalTimesFreeCalled > 0 && during.allocationSiteCount > 0);
      assert.equal(after.totalMemoryAllocated, during.totalMemoryAllocated);
      assert.equal(speedscope(files[0]).bytes, perfview(files[1]).bytes);
    });
  },

  async "FR-9: without the profiler there is no key, and no error"() {
    await withProgram("plain", async page => {
      const before = fs.readdirSync(downloads).length;
      await pressKeys(page);
      await new Promise(r => setTimeout(r, 500));
      assert.equal(fs.readdirSync(downloads).length, before);
      assert.deepEqual(await page.evaluate(async () => [await tollHeap.takeSnapshot(), tollHeap.getSnapshotJson(), typeof globalThis.downloadSnapshot]),
                       [null, null, "undefined"]);
    });
  },

  async "blocks and bytes by site are the program's own count, at every step"() {
    await withProgram("family", async page => {
      for (let round = 0; round < 120; round++) {
        const [sites, truth] = await page.evaluate(async steps => {
          Module._run(steps);
          return [await tollHeap.buildSitesJson(), Module.UTF8ToString(Module._truth())];
        }, round < 100 ? 1 : 5000);
        assert.deepEqual(ofSites(sites), lines(truth), `round ${round}`);
      }
    });
  },

  async "four threads and the page"() {
    await withProgram("family_threads", async page => {
      assert.equal(await page.evaluate(() => Module._start(4)), 0);
      await page.evaluate(() => Module._run(5000));
      await page.waitForFunction(() => Module._is_done(), { timeout: 100000 });
      const [sites, truth, notes] = await page.evaluate(async () =>
        [await tollHeap.buildSitesJson(), Module.UTF8ToString(Module._truth()), (await tollHeap.takeSnapshot()).notes]);
      assert.deepEqual([ofSites(sites), notes], [lines(truth), []]);
    });
  },

  async "toll reads what was downloaded"() {
    for (const file of fs.readdirSync(downloads)) execFileSync(toll, ["check", "-q", path.join(downloads, file)]);
    assert.ok(fs.readdirSync(downloads).length >= 3);
  },
};

try {
  for (const [what, test] of Object.entries(tests)) {
    await test();
    console.log(`${what}: good`);
  }
} finally {
  await browser.close();
  server.close();
}
