// chromium.mjs - a headless Chromium, and pages from a folder that is served to it. An error in a page is an error of
// the test.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { chromium } from "playwright-core";

const types = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

/** Headers of a page that may share memory with workers. */
export const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** { origin, close } of a folder's server; `more`: headers of all its answers. */
export async function serve(folder, more = {}) {
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://x"), name = pathname === "/" ? "/index.html" : pathname;
    fs.readFile(path.join(folder, path.normalize(name)), (error, data) => {
      response.writeHead(error ? 404 : 200, { "content-type": types[path.extname(name)] ?? "application/octet-stream",
                                               "access-control-allow-origin": "*", // for speedscope's page
                                               ...more });
      response.end(data);
    });
  });
  await new Promise(ready => server.listen(0, "127.0.0.1", ready));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

export const launch = () => chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update"],
});

/** Call `work` with a page; fails if its console prints an error, other than `expected`. */
export async function withPage(browser, url, work, expected = undefined) {
  const page = await browser.newPage({ locale: "en-US" }), problems = [];
  page.on("pageerror", error => problems.push(error.message));
  page.on("console", message => message.type() === "error" && !expected?.test(message.text()) && problems.push(message.text()));
  page.on("requestfailed", request => problems.push(`${request.url()} failed`));
  await page.goto(url);
  let result;
  try {
    result = await work(page);
  } catch (error) {
    problems.unshift(error.message);
  }
  await page.close();
  assert.deepEqual(problems, [], url);
  return result;
}
