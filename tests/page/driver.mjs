// driver.mjs - a headless Chromium and Firefox, which open pages from disk. Any error, dialog or request in a page is a
// failure of the test.
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const BROWSERS = {
  chromium: { browser: "chrome", executablePath: "/usr/bin/chromium",
              args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"] },
  firefox: { browser: "firefox", executablePath: "/usr/bin/firefox-esr" },
};

export const launch = name => puppeteer.launch({ ...BROWSERS[name], headless: true });

/** An opened page with what the tests ask of it. */
class Opened {
  constructor(page, problems) {
    Object.assign(this, { page, problems });
  }

  text = selector => this.page.$eval(selector, e => e.textContent);
  count = selector => this.page.$$eval(selector, list => list.length);
  click = selector => this.page.click(selector);
  hash = () => this.page.evaluate(() => decodeURIComponent(location.hash));

  /** Wait until `check`, run in the page with `args`, is true. */
  async until(check, ...args) {
    try {
      await this.page.waitForFunction(check, { timeout: 20000 }, ...args);
    } catch {
      throw new Error(`not seen: ${check} ${JSON.stringify(args)}`);
    }
  }

  /** Set a field as somebody who types does. */
  async type(selector, text) {
    await this.page.$eval(selector, e => { e.focus(); e.select(); });
    if (text) await this.page.keyboard.type(text);
    else await this.page.keyboard.press("Backspace");
  }

  choose = (selector, value) => this.page.select(selector, value);

  /** Rows of the table that exist: texts by column. */
  rows() {
    return this.page.evaluate(() => {
      const heads = [...document.querySelectorAll(".rows thead th")].map(h => h.dataset.column);
      return [...document.querySelectorAll(".rows tbody tr[data-at]")].map(row =>
        Object.fromEntries([...row.cells].map((cell, i) => [heads[i], heads[i] === "name"
          ? cell.querySelector(".function").textContent : cell.textContent])));
    });
  }

  /** What the tooltip says at a share of the graph's width, in a row. */
  async at(share, row) {
    const box = await this.page.$eval("#canvas", e => e.getBoundingClientRect().toJSON());
    const flame = await this.page.$eval("#flame", e => e.getAttribute("aria-pressed") === "true");
    const y = flame ? box.bottom - row * 21 - 10 : box.top + row * 21 + 10;
    await this.page.mouse.move(box.left + 1, box.bottom - 1);
    await this.page.mouse.move(box.left + box.width * share, y);
    return this.page.$eval("#tooltip", e => e.hidden ? "" : e.querySelector("strong").textContent);
  }

  /** Press at a share of the graph's width, and let go at another. */
  async drag(from, to) {
    const box = await this.page.$eval("#canvas", e => e.getBoundingClientRect().toJSON()), { mouse } = this.page;
    await mouse.move(box.left + box.width * from, box.top + 30);
    await mouse.down();
    await mouse.move(box.left + box.width * to, box.top + 30, { steps: 5 });
    await mouse.up();
  }

  /** Fingers on the graph: each a path of points [x, y] in shares of its width and height; all take as many steps. */
  async touch(...fingers) {
    const box = await this.page.$eval("#canvas", e => e.getBoundingClientRect().toJSON());
    const point = ([x, y]) => [box.left + box.width * x, box.top + box.height * y], touches = [];
    for (const finger of fingers) touches.push(await this.page.touchscreen.touchStart(...point(finger[0])));
    for (let step = 1; step < fingers[0].length; step++)
      for (const [i, touch] of touches.entries()) await touch.move(...point(fingers[i][step]));
    for (const touch of touches) await touch.end();
  }

  /** The part of the graph that is shown, as shares of all: [from, to]. */
  async range() {
    await new Promise(done => setTimeout(done, 400)); // the motion, and the fragment
    return (await this.hash()).match(/range=([^&]*)/)?.[1].split("_").map(Number) ?? [0, 1];
  }

  async clickAt(share, row) {
    await this.at(share, row);
    await this.page.mouse.down();
    await this.page.mouse.up();
    await new Promise(done => setTimeout(done, 400)); // the motion
  }
}

/** Open a file of `folder` at a fragment, and call `work` with it. `size`: [width, height]; touch: a screen
 *  that is touched. */
export async function withPage(browser, file, work, { hash = "", size = [1280, 800], media = [], touch = false } = {}) {
  const page = await browser.newPage(), problems = [];
  page.on("pageerror", error => problems.push(error.message));
  page.on("console", message => ["error", "warn"].includes(message.type()) && problems.push(message.text()));
  page.on("request", request => /^(file|blob|data):/.test(request.url()) || problems.push(`asked for ${request.url()}`));
  page.on("dialog", dialog => { problems.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.setViewport({ width: size[0], height: size[1], hasTouch: touch, isMobile: false });
  if (media.length) await page.emulateMediaFeatures(media);
  const opened = new Opened(page, problems);
  try {
    await page.goto(pathToFileURL(path.resolve(file)) + hash);
    await opened.until(() => "ready" in document.documentElement.dataset);
    await opened.until(() => document.querySelector("#listed").textContent);
    await work(opened);
  } catch (error) {
    problems.unshift(error.stack);
  }
  await page.close();
  assert.deepEqual(problems, [], file);
}

/** Run tests, { what: async browser => ... }, in a browser; those with the text ONLY in their name, if it is set. Ends the process. */
export async function runTests(name, tests) {
  const browser = await launch(name), only = process.env.ONLY;
  let failed = 0;
  for (const [what, test] of Object.entries(tests)) {
    if (only && !what.includes(only)) continue;
    try {
      await test(browser);
      console.log(`${name}: ${what}`);
    } catch (error) {
      failed++;
      console.log(`FAILED ${name}: ${what}\n${error.message}`);
    }
  }
  await browser.close();
  process.exit(failed ? 1 : 0);
}
