// The documentation's site, opened from disk in Chromium: pages, links, search. `node docs.mjs FOLDER`
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const [folder] = process.argv.slice(2);
const pages = fs.readdirSync(folder, { recursive: true }).filter(name => name.endsWith(".html"));
assert.ok(pages.length > 25, `${pages.length} pages`);

const browser = await puppeteer.launch({ browser: "chrome", executablePath: "/usr/bin/chromium", headless: true,
                                         args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
const page = await browser.newPage();
const problems = [];
page.on("pageerror", error => problems.push(`${page.url()}: ${error.message}`));
page.on("request", request => {
  if (!/^(file|data|blob|about):/.test(request.url())) problems.push(`${page.url()} asks ${request.url()}`);
});

const anchors = new Map(); // page: the ids that it has
const links = [];
for (const name of pages) {
  await page.goto(pathToFileURL(path.join(folder, name)).href, { waitUntil: "load" });
  anchors.set(name, new Set(await page.$$eval("[id]", list => list.map(e => e.id))));
  for (const href of await page.$$eval("article a[href]", list => list.map(a => a.href))) links.push([name, href]);
}
let inside = 0;
for (const [name, href] of links) {
  if (!href.startsWith("file:")) continue;
  const url = new URL(href);
  const target = path.relative(folder, fileURLToPath(url.href.split("#")[0]));
  inside++;
  if (!fs.existsSync(path.join(folder, target))) problems.push(`${name}: no ${target}`);
  else if (url.hash && anchors.has(target) && !anchors.get(target).has(decodeURIComponent(url.hash.slice(1))))
    problems.push(`${name}: ${target} has no ${url.hash}`);
}
assert.ok(inside > 100, `${inside} links`);

await page.goto(pathToFileURL(path.join(folder, "start.html")).href, { waitUntil: "load" });
for (let tries = 0; tries < 60; tries++) { // until the site's script listens, and its field has the keys
  if (await page.evaluate(() => Boolean(document.activeElement?.shadowRoot?.activeElement))) break;
  await page.keyboard.press("/");
  await new Promise(resolve => setTimeout(resolve, 500));
}
const found = () => [...document.querySelectorAll("*")].some(e => e.shadowRoot?.textContent.includes("Threads (coroutines)"));
await page.keyboard.type("coroutine");
await page.waitForFunction(found, { timeout: 60000 }).catch(() => problems.push("the search finds no coroutines"));
await browser.close();
assert.deepEqual(problems, []);
console.log(`${pages.length} pages, ${inside} links, a search`);
