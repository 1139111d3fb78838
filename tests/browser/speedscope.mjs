// speedscope.mjs TOLL FILE... - speedscope, in Chromium, opens each file and shows the functions that cost
// most with the figures that toll report has for them. With SHOT=FOLDER: a picture of each flame graph.
import assert from "node:assert/strict";
import path from "node:path";
import { launch, serve, withPage } from "./chromium.mjs";
import { report } from "./common.mjs";

const number = text => Number(text.match(/^[\d,.]+/)[0].replaceAll(",", ""));

/** What the sandwich view shows first: { name, self, total }. */
async function rows(page) {
  await page.keyboard.press("3");
  await page.waitForFunction(() => document.querySelector("table tr td"), null, { timeout: 30000 });
  const cells = await page.$$eval("table", tables => // the last: one before it may list profiles
    [...tables.at(-1).querySelectorAll("tr")].map(r => [...r.querySelectorAll("td")].map(c => c.innerText.trim())));
  return cells.filter(c => c.length >= 3).map(([total, self, name]) => ({ name, self: number(self), total: number(total) }));
}

async function open(browser, files, app, file) {
  const url = `${app.origin}/#profileURL=${encodeURIComponent(`${files.origin}/${file}`)}`;
  return withPage(browser, url, async page => {
    await page.waitForFunction(() => document.body.innerText.includes("Export"), null, { timeout: 30000 });
    if (process.env.SHOT) {
      await page.keyboard.press("2"); // left heavy
      await page.waitForTimeout(1000);
      await page.screenshot({ path: path.join(process.env.SHOT, `${file}.png`) });
    }
    return rows(page);
  });
}

function hold(file, shown, expected) {
  const same = (f, row) => f.name === row.name && f.self === row.self && f.total === row.total;
  assert.ok(shown.length >= 10, `${file}: ${shown.length} rows`);
  for (const row of shown)
    assert.ok(expected.some(f => same(f, row)), `${file}: toll report has no ${JSON.stringify(row)}`);
  for (const f of expected.slice(0, 10))
    assert.ok(shown.some(row => same(f, row)), `${file}: speedscope shows no ${f.name} ${f.self} ${f.total}`);
}

const files = process.argv.slice(3);
const [app, profiles] = [await serve("node_modules/speedscope/dist/release"), await serve(".")];
const browser = await launch();
try {
  for (const file of files) {
    const shown = await open(browser, profiles, app, file), { functions } = report(file, "--value", "ticks");
    hold(file, shown, functions);
    assert.throws(() => hold(file, shown, functions.map(f => ({ ...f, self: f.self + 1 }))), /has no/);
    console.log(`${file}: speedscope shows ${shown.length} functions as toll report does`);
  }
} finally {
  await browser.close();
  [app, profiles].forEach(s => s.close());
}
