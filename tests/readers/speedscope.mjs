// speedscope itself, in headless Chromium: opens each kind of file that Toll writes, and shows in its
// sandwich view the functions, self and total that toll report prints.
// speedscope.mjs TOLL [FILE...]
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { chromium } from "playwright-core";
import { report } from "./common.mjs";

const app = "node_modules/speedscope/dist/release";
const server = http.createServer((request, response) => {
  const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
  const file = name.startsWith("/profiles/") ? name.slice("/profiles/".length)
                                             : path.join(app, name === "/" ? "index.html" : name);
  fs.readFile(file, (error, data) => {
    response.statusCode = error ? 404 : 200;
    response.end(data);
  });
});
await new Promise(ready => server.listen(0, "127.0.0.1", ready));
const origin = `http://127.0.0.1:${server.address().port}`;

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update"],
});

const scales = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9, B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, "": 1 };

/** The rows of the sandwich view: { name, self, total }, in the profile's unit, to two or three places. */
async function open(file) {
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", e => problems.push(e.message));
  page.on("dialog", d => { problems.push(d.message()); d.dismiss(); });
  await page.goto(`${origin}/#profileURL=${encodeURIComponent(`${origin}/profiles/${file}`)}`);
  await page.waitForFunction(() => document.body.innerText.includes("Export"), null, { timeout: 60000 });
  await page.keyboard.press("3");
  await page.waitForFunction(() => document.querySelector("table tbody tr td, table tr td"), null, { timeout: 60000 });
  const cells = await page.$$eval("table", tables => // the last: one before it lists the profiles
    [...tables.at(-1).querySelectorAll("tr")].map(r => [...r.querySelectorAll("td")].map(c => c.innerText.trim())));
  const title = await page.title();
  await page.close();
  assert.deepEqual(problems, [], file);
  const value = text => {
    assert.match(text, /^[\d.,]/, `${file}: ${JSON.stringify(cells)}`);
    const [, number, unit] = text.match(/^([\d.,]+)\s*([a-zµ]*)/i);
    assert.ok(unit in scales, `${file}: unit ${unit}`);
    return Number(number.replaceAll(",", "")) * scales[unit];
  };
  return { title, rows: cells.filter(c => c.length >= 3)
    .map(([total, self, name]) => ({ name, self: value(self), total: value(total) })) };
}

/** Shown to two or three figures: within half a per cent, or a unit. */
const near = (a, b) => Math.abs(a - b) <= Math.max(1, Math.abs(b) * 0.006);

async function hold(file, expected) {
  const { rows } = await open(file);
  assert.ok(rows.length > 0, `${file}: nothing is shown`);
  for (const f of expected.functions.filter(f => f.name !== "(outside)" && (f.self || f.total))) {
    // Blanks are one blank on a page; where functions share a name Toll writes "name (file:line)".
    const name = f.name.replace(/\s+/g, " ");
    const row = rows.find(r => (r.name === name || r.name.startsWith(`${name} (`)) && near(r.self, f.self) && near(r.total, f.total));
    assert.ok(row, `${file}: no row ${f.name} with self ${f.self}, total ${f.total}: ${JSON.stringify(rows.filter(r => r.name === f.name))}`);
  }
  console.log(`${file}: ${rows.length} rows, as toll report`);
}

async function holdAll() {
  // The whole profile: pprof; one thread of it, the one with most: speedscope's own files.
  await hold("small.pb.gz", report("small.pb.gz"));
  const main = report("small.pb.gz", "--thread", "^main$");
  await hold("small.speedscope.json", main);
  await hold("small.evented.speedscope.json", main);
  await hold("names.speedscope.json", report("names.pb.gz"));
  await hold("run.pb.gz", { functions: report("run.pb.gz").functions.slice(0, 10) });
  // Other formats that speedscope opens.
  await hold("small.trace.json", report("small.pb.gz", "--thread", "^coroutine")); // the first of its threads
  await hold("names.folded", report("names.folded"));
  await hold("names.callgrind", report("names.folded"));
  await assert.rejects(hold("small.speedscope.json", { functions: [{ name: "spin", self: 1, total: 1e12 }] }),
                       "a wrong figure was not noticed");
}

try {
  const given = process.argv.slice(3); // files to look at instead
  for (const file of given) await hold(file, { functions: report(file).functions.slice(0, 10) });
  if (given.length === 0) await holdAll();
} finally {
  await browser.close();
  server.close();
}
