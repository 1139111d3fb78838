// chromium.mjs - Measures a page in a new headless Chromium: when it is drawn, how smoothly it moves, how much
// memory its objects need. Other viewers get their files from a server of this machine.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import puppeteer from "puppeteer-core";

export const PATIENCE = Number(process.env.PATIENCE ?? 120) * 1000;

async function withChromium(work) {
  const browser = await puppeteer.launch({ executablePath: "/usr/bin/chromium", protocolTimeout: PATIENCE + 60000, defaultViewport: { width: 1400, height: 900 },
                                           args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--allow-file-access-from-files"] });
  try {
    return await work(await browser.newPage());
  } finally {
    await browser.close();
  }
}

/** Milliseconds from the navigation until `drawn` is true at the end of a drawn frame, by the page's own clock. */
async function open(page, url, drawn) {
  await page.evaluateOnNewDocument(text => {
    const drawn = new Function(`return (${text})()`);
    const look = () => {
      if ((document.body || document.documentElement instanceof SVGElement) && drawn()) requestAnimationFrame(() => { window.opened = performance.now(); });
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, String(drawn));
  page.goto(url, { timeout: PATIENCE }).catch(() => {}); // the loop below checks whether it is drawn
  const until = Date.now() + PATIENCE;
  let crashed = "";
  page.on("error", error => { crashed = error.message; });
  while (Date.now() < until && !crashed) {
    const opened = await Promise.race([page.evaluate(() => window.opened).catch(() => null), new Promise(done => setTimeout(done, 5000))]);
    if (opened) return opened;
    await new Promise(done => setTimeout(done, 50));
  }
  throw new Error(crashed || `not within ${PATIENCE / 1000} s`);
}

/** Bytes of the page's objects and arrays. */
async function memory(page) {
  const session = await page.createCDPSession();
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize = 0, embedderHeapUsedSize = 0 } = await session.send("Runtime.getHeapUsage");
  return usedSize + backingStorageSize + embedderHeapUsedSize;
}

/** Frames per second, and the longest frame in milliseconds, while the wheel zooms in, moves, and zooms out; in viewers
 *  without that, while frames are clicked. */
async function smoothness(page, selector, by) {
  const box = await page.$eval(selector, e => e.getBoundingClientRect().toJSON());
  const x = box.x + box.width * 0.3, y = box.y + Math.min(box.height, 800) * 0.3;
  await page.mouse.move(x, y);
  await page.evaluate(() => {
    window.frameTimes = [];
    const count = now => { window.frameTimes.push(now); window.counting = requestAnimationFrame(count); };
    count(performance.now());
  });
  if (by === "ctrl-wheel") await page.keyboard.down("Control");
  for (let i = 0; i < 90; i++) {
    if (by === "click" && i % 30 === 0) await page.mouse.click(x + i, y + i);
    else if (by !== "click") await page.mouse.wheel(i < 40 ? { deltaY: -60 } : i < 60 ? { deltaX: 40, deltaY: 0 } : { deltaY: 80 });
    await new Promise(done => setTimeout(done, 16));
  }
  const times = await page.evaluate(() => { cancelAnimationFrame(window.counting); return window.frameTimes; });
  const gaps = times.slice(1).map((t, i) => t - times[i]).slice(2);
  return { rate: 1000 * gaps.length / gaps.reduce((a, b) => a + b, 0), longest: Math.max(...gaps) };
}

/** { opened, heap, rate, longest } of one viewer: { url, drawn, settled, canvas, by }. */
export const measure = ({ url, drawn, settled, canvas, by = "wheel" }) => withChromium(async page => {
  const opened = await open(page, url, drawn);
  if (settled) await page.waitForFunction(settled, { timeout: PATIENCE, polling: 50 });
  const heap = await memory(page);
  const smooth = canvas ? await smoothness(page, canvas, by).catch(error => ({ problem: error.message })) : {};
  return { opened, heap, ...smooth };
});

/** Serve folders: { "/prefix": folder }. Returns { origin, close }. */
export async function serve(folders) {
  const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json" };
  const server = http.createServer(({ url }, response) => {
    const name = path.normalize(decodeURIComponent(new URL(url, "http://x").pathname));
    const prefix = Object.keys(folders).find(p => name.startsWith(`${p}/`)), file = prefix && path.join(folders[prefix], name.slice(prefix.length));
    const there = file && fs.existsSync(file) && fs.statSync(file).isFile();
    response.writeHead(there ? 200 : 404, { "content-type": types[path.extname(name)] ?? "application/octet-stream" });
    if (there) fs.createReadStream(file).pipe(response);
    else response.end();
  });
  await new Promise(ready => server.listen(0, "127.0.0.1", ready));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
