// open.mjs STACKS - opens STACKS/stacks.html, and the same stacks in speedscope and in pprof's page, in a new
// Chromium each. Opening is timed from the navigation to the first picture with the profile in it.
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import puppeteer from "puppeteer-core";

const stacks = process.argv[2], PATIENCE = 300000;
const seconds = ms => `${(ms / 1000).toFixed(2)} s`;
const megabytes = bytes => `${(bytes / 1e6).toFixed(0)} MB`;

async function withChromium(work) {
  const browser = await puppeteer.launch({ executablePath: "/usr/bin/chromium", protocolTimeout: PATIENCE, defaultViewport: { width: 1400, height: 900 },
                                           args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
  try {
    return await work(await browser.newPage());
  } finally {
    await browser.close();
  }
}

/** Milliseconds from the navigation until `check` is true at the end of a drawn frame, by the page's own clock. */
async function open(page, url, check, patience = PATIENCE) {
  await page.evaluateOnNewDocument(text => {
    const check = new Function(`return (${text})()`);
    const look = () => {
      if (document.body && check()) requestAnimationFrame(() => { window.opened = performance.now(); });
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, String(check));
  await page.goto(url, { timeout: PATIENCE, waitUntil: "commit" }).catch(() => page.goto(url, { timeout: PATIENCE }));
  await page.waitForFunction(() => window.opened, { timeout: patience, polling: 50 });
  return page.evaluate(() => window.opened);
}

/** Bytes of the page's objects and arrays. */
async function memory(page) {
  const session = await page.createCDPSession();
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize = 0, embedderHeapUsedSize = 0 } = await session.send("Runtime.getHeapUsage");
  return usedSize + backingStorageSize + embedderHeapUsedSize;
}

/** Zoom in and out, then move, by the wheel: [frames a second, the longest frame in milliseconds]. */
async function smoothness(page, canvas) {
  const box = await page.$eval(canvas, e => e.getBoundingClientRect().toJSON());
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3);
  await page.evaluate(() => {
    window.frames_ = [];
    const count = now => { window.frames_.push(now); window.counting = requestAnimationFrame(count); };
    count(performance.now());
  });
  for (let i = 0; i < 90; i++) {
    await page.mouse.wheel(i < 40 ? { deltaY: -60 } : i < 60 ? { deltaX: 40, deltaY: 0 } : { deltaY: 80 });
    await new Promise(done => setTimeout(done, 16));
  }
  const times = await page.evaluate(() => { cancelAnimationFrame(window.counting); return window.frames_; });
  const gaps = times.slice(1).map((t, i) => t - times[i]).slice(2);
  return { rate: 1000 * gaps.length / gaps.reduce((a, b) => a + b, 0), longest: Math.max(...gaps) };
}

const tell = (what, opened, heap, smooth) =>
  console.log(`${what.padEnd(28)} ${seconds(opened).padStart(9)} ${megabytes(heap).padStart(8)}`
    + (smooth ? `   ${smooth.rate.toFixed(0)} frames/s, the longest ${smooth.longest.toFixed(0)} ms` : ""));

async function toll() {
  const rounds = [];
  for (let i = 0; i < 3; i++)
    rounds.push(await withChromium(async page => {
      const opened = await open(page, `file://${path.resolve(stacks, "stacks.html")}`, () => "ready" in document.documentElement.dataset);
      await page.waitForFunction(() => document.querySelector("#listed").textContent, { timeout: PATIENCE });
      return { opened, heap: await memory(page), smooth: await smoothness(page, "#canvas") };
    }));
  const best = rounds.sort((a, b) => a.opened - b.opened)[1];
  tell("toll view (median of 3)", best.opened, best.heap, best.smooth);
  return best.opened;
}

async function speedscope() {
  const app = path.resolve("speedscope/node_modules/speedscope/dist/release");
  const server = http.createServer(({ url }, response) => {
    const name = decodeURIComponent(new URL(url, "http://x").pathname);
    const file = name.startsWith("/profile/") ? path.resolve(stacks, path.basename(name)) : path.join(app, path.normalize(name === "/" ? "/index.html" : name));
    const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
    response.writeHead(fs.existsSync(file) ? 200 : 404, { "content-type": types[path.extname(file)] ?? "application/octet-stream" });
    if (fs.existsSync(file)) fs.createReadStream(file).pipe(response);
    else response.end();
  });
  await new Promise(ready => server.listen(0, "127.0.0.1", ready));
  const origin = `http://127.0.0.1:${server.address().port}`;
  try {
    return await withChromium(async page => {
      const url = `${origin}/#profileURL=${encodeURIComponent(`${origin}/profile/stacks.speedscope.json`)}`;
      const opened = await open(page, url, () => document.body.innerText.includes("Export"));
      tell("speedscope", opened, await memory(page));
      return opened;
    });
  } finally {
    server.close();
  }
}

/** pprof's page leaves out what is small, and this counts its server's work, too. */
async function pprof() {
  const server = spawn("go", ["tool", "pprof", "-http=127.0.0.1:18765", "-no_browser", path.resolve(stacks, "stacks.pb.gz")],
                       { stdio: ["ignore", "ignore", "pipe"], detached: true });
  try {
    await new Promise((ready, failed) => {
      server.stderr.on("data", text => String(text).includes("Serving web UI") && ready());
      server.on("error", failed);
      server.on("exit", () => failed(new Error("go tool pprof has ended")));
    });
    return await withChromium(async page => {
      const opened = await open(page, "http://127.0.0.1:18765/ui/flamegraph", () => document.querySelectorAll("#stack-chart .boxbg, #stack-holder div").length > 5, 120000);
      tell("pprof's flame graph", opened, await memory(page));
      return opened;
    });
  } finally {
    process.kill(-server.pid);
  }
}

console.log(`${stacks} stacks              first picture    memory`);
const ours = await toll(), others = {};
for (const [name, measure] of Object.entries({ speedscope, pprof }))
  try {
    others[name] = await measure();
    console.log(`  ${(others[name] / ours).toFixed(1)} times as long as toll view`);
  } catch (error) {
    console.log(`${name}: not measured: ${error.message.split("\n")[0]}`);
  }
