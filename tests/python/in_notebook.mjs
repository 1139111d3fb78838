// in_notebook.mjs PAGE - a notebook that nbconvert has made a page of, in Chromium: the profiles in it are pages in frames, which
// work, and from which nothing leaves.
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./driver.mjs";

const browser = await launch("chromium"), page = await browser.newPage(), asked = [], problems = [];
await page.setViewport({ width: 1200, height: 1400 });
await page.setRequestInterception(true);
page.on("request", request => { // the notebook's own page asks for MathJax and the like
  if (/^(file|blob|data):/.test(request.url())) return request.continue();
  if (request.frame() !== page.mainFrame()) asked.push(request.url());
  return request.abort();
});
await page.goto(pathToFileURL(path.resolve(process.argv[2])));
const frames = [];
for (const element of await page.$$(".jp-OutputArea iframe")) {
  await element.scrollIntoView();
  frames.push(await element.contentFrame());
}
assert.equal(frames.length, 2);
for (const [i, frame] of frames.entries()) {
  await frame.waitForFunction(() => document.querySelector("#listed").textContent, { timeout: 20000 });
  const names = await frame.$$eval(".rows tbody .function", list => list.map(e => e.textContent));
  assert.deepEqual(names.sort(), [["f", "g", "h"], ['&lt"/b"', "g", "main"]][i]);
  assert.equal(await frame.$eval("#title", e => e.textContent), ["example.folded", 'a"><b>&c'][i]);
  assert.equal(await frame.$eval("#problem", e => e.hidden), true);
  // Nothing is reached from the frame: no notebook, no network, no window.
  const tries = await frame.evaluate(async () => {
    const result = async work => { try { return String(await work()); } catch (error) { return error.name; } };
    return [await result(() => parent.document.title), await result(() => fetch("https://example.invalid/").then(() => "sent")),
      await result(() => open("https://example.invalid/")), await result(() => localStorage.length), await result(() => { top.location = "https://example.invalid/"; return "moved"; })];
  });
  assert.deepEqual(tries, ["SecurityError", "TypeError", "null", "SecurityError", "SecurityError"]);
  if (process.env.PICTURES) await page.screenshot({ path: path.join(process.env.PICTURES, `notebook-${i}.png`) });
}
await (await frames[0].$("#search")).type("g");
await frames[0].waitForFunction(() => document.querySelector("#matched").textContent && location.hash === "#search=g", { timeout: 20000 });
assert.deepEqual([asked, problems], [[], []]);
await browser.close();
console.log("chromium: two profiles in frames, which work, and reach nothing outside of them");
