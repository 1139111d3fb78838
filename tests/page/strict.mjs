// strict.mjs BROWSER TOLL DATA - pages on servers that forbid scripts or styles show a still picture and readable
// instructions. Where the page's script runs, neither is shown.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { runTests } from "./driver.mjs";

const [name, toll, data] = process.argv.slice(2);
const JENKINS = "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self';";
const FORBIDDEN = [JENKINS, "default-src 'self'", "script-src 'none'"];
const DOCUMENTED = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; worker-src blob:; img-src data:";
const ALLOWED = [null, DOCUMENTED, "script-src 'unsafe-inline'; style-src 'self'"];

fs.writeFileSync("negative.folded", "main;a -5\n");
for (const [page, ...inputs] of [["plain", `${data}/example.folded`], ["negative", "negative.folded"]])
  execFileSync(toll, ["view", "-q", ...inputs, "-o", `${page}.html`]);

/** Open a page as a server sends it with a Content-Security-Policy (or none): work(page, messages). */
async function served(browser, file, policy, work) {
  const server = http.createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    if (policy) response.setHeader("Content-Security-Policy", policy);
    response.end(fs.readFileSync(file));
  });
  await new Promise(done => server.listen(0, "127.0.0.1", done));
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  try {
    await work(page);
    if (process.env.PICTURES) await page.screenshot({ path: path.join(process.env.PICTURES, `${name}-${file}-${(policy ?? "none").replace(/[^a-z-]+/g, "_")}.png`) });
  } finally {
    await page.close();
    server.close();
  }
}

/** What is on the screen, found by a script of the test's own. */
const seen = page => page.evaluate(() => {
  const shown = e => !!e && e.getClientRects().length > 0 && e.getBoundingClientRect().height > 0;
  const still = document.querySelector("#still"), frames = [...document.querySelectorAll("#still svg g rect")];
  return { still: shown(still), text: still?.innerText ?? "", controls: shown(document.querySelector("header")) || shown(document.querySelector("main")),
           wide: frames.filter(r => r.getBoundingClientRect().width > 20).length, fills: new Set(frames.map(r => getComputedStyle(r).fill)).size };
});

const escaped = text => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;");

const tests = {
  async "in a frame without an origin, as in a notebook, the page works, stays there and asks for nothing"(browser) {
    fs.writeFileSync("frame.html", `<meta charset="utf-8"><title>around</title><iframe sandbox="allow-scripts" style="width: 1200px; height: 700px"
      srcdoc="${escaped(fs.readFileSync("plain.html", "utf8"))}"></iframe>`);
    await served(browser, "frame.html", null, async page => {
      const asked = [];
      page.on("request", request => request.url().endsWith("/favicon.ico") || asked.push(request.url()));
      const frame = await (await page.$("iframe")).contentFrame();
      const shown = (text, matched) => frame.waitForFunction((t, m) => document.querySelector("#listed").textContent && location.hash.includes(t) &&
        document.querySelector("#matched").textContent.length > 0 === m, { timeout: 20000 }, text, matched);
      await frame.waitForFunction(() => document.querySelector("#listed").textContent, { timeout: 20000 });
      await (await frame.$("#search")).type("g");
      await shown("search=g", true);
      await frame.click("#flame");
      await shown("layout=flame", true);
      await (await frame.$("#search")).press("Backspace");
      await shown("layout=flame", false);
      await frame.click("#icicle");
      await frame.waitForFunction(() => location.hash.length <= 1, { timeout: 20000 });
      assert.deepEqual(asked, []);
      assert.equal(await frame.evaluate(() => location.href.split("#", 1)[0]), "about:srcdoc");
      await assert.rejects(frame.evaluate(() => parent.document.title), /cross-origin|Permission denied/);
    });
  },

  async "where scripts are forbidden there is a still picture, and what to do"(browser) {
    for (const policy of FORBIDDEN)
      await served(browser, "plain.html", policy, async page => {
        const { still, text, controls, wide, fills } = await seen(page);
        assert.deepEqual({ still, controls }, { still: true, controls: false }, policy);
        assert.match(text, /Save the page as a file and open that/, policy);
        assert.ok(wide > 2 && fills > 1, `${policy}: ${wide} frames of ${fills} colours`);
      });
  },

  async "what has no widths has the sentence alone"(browser) {
    await served(browser, "negative.html", FORBIDDEN[0], async page => {
      const { still, text, wide } = await seen(page);
      assert.deepEqual([still, wide], [true, 0]);
      assert.match(text, /Save the page as a file/);
    });
  },

  async "where scripts run there is the page, also without its styles as they stand, and with the header that it advises"(browser) {
    const html = fs.readFileSync("plain.html", "utf8");
    assert.ok(html.includes(DOCUMENTED));
    for (const policy of ALLOWED)
      await served(browser, "plain.html", policy, async page => {
        await page.waitForFunction(() => document.querySelector("#listed").textContent, { timeout: 20000 });
        const { still, controls } = await seen(page);
        assert.deepEqual({ still, controls }, { still: false, controls: true }, policy);
        assert.equal(await page.$eval("body", e => getComputedStyle(e).display), "flex", `${policy}: the page's style`);
        assert.ok(await page.$$eval(".rows tbody tr[data-at]", rows => rows.length) > 1, policy);
        assert.equal(await page.$eval("#problem", e => e.hidden), true);
      });
  },

  async "the still picture is never drawn where scripts run"(browser) {
    const page = await browser.newPage();
    await page.evaluateOnNewDocument(() => {
      globalThis.drawn = 0;
      const look = () => {
        if (document.querySelector("#still")?.getClientRects().length) globalThis.drawn++;
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    for (let n = 0; n < 5; n++) {
      await page.goto(`file://${path.resolve("plain.html")}?${n}`);
      await page.waitForFunction(() => "ready" in document.documentElement.dataset);
      assert.equal(await page.evaluate(() => globalThis.drawn), 0);
    }
    await page.close();
  },
};

await runTests(name, tests);
