// calls.mjs BROWSER TOLL - opens pages with a timeline from disk, and uses it like a person. Calls, sums and pixels are
// compared with a model of the same random events (timeline_model.mjs).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { runTests, withPage } from "./driver.mjs";
import { keptNeighbours, keptSums, randomEvents, seeded, timelineFile } from "./timeline_model.mjs";

const [name, toll] = process.argv.slice(2);
const grouped = n => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
const RULER = 26, ROW = 20;
const HOSTILE = "</script><img src=x onerror=alert(1)>";
const FUNCTIONS = [["main", "src/app.lua", 1], ["parse", "src/app.lua", 7], ["lex", "src/lex.lua", 9], [HOSTILE], ["wide\u202ena\u200bme\n", "src/\u0007x.lua", 3], ["emit", "src/out.lua", 2]];
const NAMES = FUNCTIONS.map(([text]) => text.replace("\u202e", "\\u202e").replace("\u200b", "\\u200b").replace("\n", "\\x0a")); // as they are shown
const AXES = [["time", "nanoseconds"], ["ticks", "instructions"]];

function write(file, threads, options = {}) {
  fs.writeFileSync(`${file}.toll-timeline`, timelineFile(threads, FUNCTIONS, options));
  execFileSync(toll, ["view", "-q", `${file}.toll-timeline`, "-o", `${file}.html`]);
  return `${file}.html`;
}

/** Threads of random events; the same ones each time. */
function randomThreads(seed, threads, wanted, axes) {
  const random = seeded(seed);
  return Array.from({ length: threads }, (_, n) =>
    ({ name: n ? `worker ${n}` : "", ...randomEvents(random, { events: wanted, functions: FUNCTIONS.length, deepest: 4, axes, begin: 50 * n }) }));
}

/** The page with its timeline, as soon as it can be used. `work(page, timeline)`. */
const withTimeline = (browser, file, work, { hash = "", ...options } = {}) => withPage(browser, file, async page => {
  await page.until(() => "timelineReady" in document.documentElement.dataset);
  await work(page, new View(page));
}, { hash: `#layout=time${hash}`, ...options });

/** Where things are on the timeline, and what is said of them. */
class View {
  constructor(page) {
    this.page = page;
    this.browser = page.page;
  }

  box = () => this.browser.$eval("#calls-canvas", e => e.getBoundingClientRect().toJSON());
  settled = () => new Promise(done => setTimeout(done, 450)); // the motion, and the address
  fragment = async name => new URLSearchParams((await this.browser.evaluate(() => location.hash)).slice(1)).get(name) ?? "";
  focus = () => this.browser.focus("#calls");

  async press(...keys) {
    await this.focus();
    for (const key of keys) await this.browser.keyboard.press(key);
    await this.settled();
  }

  /** Tops of lanes, below the ruler. */
  tops() {
    return this.browser.$$eval(".lane", list => list.map(e => new DOMMatrix(getComputedStyle(e).transform).f));
  }

  async moveTo(share, y) {
    const box = await this.box();
    await this.browser.mouse.move(box.left + 1, box.top + 2);
    await this.browser.mouse.move(box.left + box.width * share, box.top + RULER + y);
  }

  /** The tooltip at a share of the width and a height below the ruler: { name, rows, notes }, or null. */
  async tooltip(share, y) {
    await this.moveTo(share, y);
    return this.browser.$eval("#tooltip", e => e.hidden ? null : {
      name: e.querySelector("strong").textContent, text: e.textContent,
      rows: [...e.querySelectorAll("tr")].map(r => [...r.cells].map(c => c.textContent)),
    });
  }

  async clickAt(share, y) {
    await this.moveTo(share, y);
    await this.browser.mouse.down();
    await this.browser.mouse.up();
  }

  /** Fingers: each a path of points [share of the width, height on the canvas]; all take as many steps. */
  async touch(...fingers) {
    const box = await this.box(), point = ([x, y]) => [box.left + box.width * x, box.top + y], touches = [];
    for (const finger of fingers) touches.push(await this.browser.touchscreen.touchStart(...point(finger[0])));
    for (let step = 1; step < fingers[0].length; step++)
      for (const [n, touch] of touches.entries()) await touch.move(...point(fingers[n][step]));
    for (const touch of touches) await touch.end();
    await this.settled();
  }

  /** Drag from a share of the width to another, at a height of the canvas. */
  async drag(from, to, y) {
    const box = await this.box();
    await this.browser.mouse.move(box.left + box.width * from, box.top + y);
    await this.browser.mouse.down();
    await this.browser.mouse.move(box.left + box.width * (from + to) / 2, box.top + y);
    await this.browser.mouse.move(box.left + box.width * to, box.top + y);
    await this.browser.mouse.up();
    await this.settled();
  }
}

const flat = model => model.rows.flatMap((row, depth) => row.map((call, i) => ({ ...call, depth, i })));
const shownName = frame => NAMES[frame];

/** Self, total and calls by function, in a range of an axis. */
function rangeSums(threads, axis, from, to, end) {
  const sums = new Map(), of = f => sums.get(f) ?? sums.set(f, { self: 0, total: 0, calls: 0 }).get(f);
  const inside = c => Math.max(0, Math.min(c.end[axis], to) - Math.max(c.begin[axis], from));
  for (const { rows } of threads)
    rows.forEach((row, depth) => row.forEach((call, i) => {
      if (call.begin[axis] > to || call.end[axis] < from) return;
      if (!(call.end[axis] > from || call.begin[axis] >= from) || !(call.begin[axis] < to || to === end)) return;
      const sum = of(call.frame), callees = (rows[depth + 1] ?? []).slice(call.child, row[i + 1]?.child);
      sum.self += inside(call) - callees.reduce((all, c) => all + inside(c), 0);
      if (!call.nested) sum.total += inside(call);
      if (!call.again && call.begin[axis] >= from && (call.begin[axis] < to || to === end)) sum.calls++;
    }));
  return sums;
}

const nanoseconds = text => {
  const [number, unit] = text.split(" ");
  return Math.round(Number(number.replaceAll(",", "")) * { ns: 1, "µs": 1e3, ms: 1e6, s: 1e9 }[unit]);
};

/** main 0..100: parse 10..50 (lex 12..22, lex 30..45), emit 60..70, parse 75..95 (lex 80..90). */
const threadsOf = { get known() {
  const at = (begin, end, frame, child = 0) => ({ begin: [begin], end: [end], frame, again: 0, nested: 0, child });
  const list = [[1, 0], [3, 10], [5, 12], [0, 22], [5, 30], [0, 45], [0, 50], [11, 60], [0, 70], [3, 75], [5, 80], [0, 90], [0, 95], [0, 100]];
  const events = list.map(([code, now], n) => [code, now - (list[n - 1]?.[1] ?? 0)]);
  return [{ name: "", events, end: 100, first: [0], rows: [[at(0, 100, 0)], [at(10, 50, 1), at(60, 70, 5, 2), at(75, 95, 1, 2)], [at(12, 22, 2), at(30, 45, 2), at(80, 90, 2)]] }];
} };

/** The canvas, as a text. */
const colors = page => page.page.evaluate(() => document.querySelector("#calls-canvas").toDataURL());

const tests = {
  async "each call is where it was, with its duration, thread and kind"(browser) {
    const threads = randomThreads(5, 2, 60, 2), file = write("random", threads, { axes: AXES });
    await withTimeline(browser, file, async (page, view) => {
      const end = Math.max(...threads.map(t => t.end)), box = await view.box(), tops = await view.tops();
      assert.equal(await page.page.$eval("html", e => e.dataset.events), String(threads.reduce((n, t) => n + t.events.length + t.open, 0)));
      let seen = 0;
      for (const [n, thread] of threads.entries())
        for (const call of flat(thread)) {
          const size = call.end[0] - call.begin[0];
          if (size / end * box.width < 3) continue;
          const told = await view.tooltip((call.begin[0] + size / 2) / end, tops[n] + call.depth * ROW + 9);
          assert.equal(told.name, await page.page.evaluate(t => { const e = document.createElement("b"); e.textContent = t; return e.textContent; }, NAMES[call.frame]));
          assert.deepEqual(told.rows.map(r => r[0]), ["begin", "time", "self", "ticks", "self"]);
          assert.equal(nanoseconds(told.rows[0][1]), call.begin[0]);
          assert.equal(nanoseconds(told.rows[1][1]), size < 1000 ? size : Math.round(size / 10) * 10); // two digits
          assert.equal(told.rows[3][1], `${grouped(call.end[1] - call.begin[1])} instructions`);
          assert.ok(told.text.includes(`thread ${n ? "worker 1" : "main"} · depth ${call.depth}`), told.text);
          assert.equal(told.text.includes("not counted as a call"), !!call.again);
          assert.equal(told.text.includes("recursive"), !!call.nested);
          seen++;
        }
      assert.ok(seen > 12, `${seen} calls`);
    });
  },

  async "a range has its functions' exact sums"(browser) {
    const threads = randomThreads(9, 3, 3000, 2), file = write("ranges", threads, { axes: AXES });
    for (const axis of [0, 1]) {
      const end = Math.max(...threads.map(t => t.last[axis])), random = seeded(4 + axis);
      for (const [from, to] of [[0, end], [random(end / 2), end], ...Array.from({ length: 3 }, () => [random(end), random(end)].sort((a, b) => a - b))])
        await withTimeline(browser, file, async page => {
          await page.until(() => document.querySelector("#listed").textContent.includes("in the range"));
          const expected = rangeSums(threads, axis, from, to, end), rows = await page.rows();
          assert.equal(rows.length, expected.size);
          for (const row of rows) {
            const sum = expected.get(NAMES.findIndex(n => row.name === n));
            const text = v => axis ? `${grouped(v)} instructions` : v < 1000 ? `${v} ns` : null;
            for (const what of ["self", "total"])
              if (text(sum[what])) assert.equal(row[what], text(sum[what]), `${what} of ${row.name} in ${from}..${to}`);
            assert.equal(row.calls, grouped(sum.calls), `calls of ${row.name} in ${from}..${to}`);
          }
        }, { hash: `&axis=${axis || ""}&span=${from}_${to}` });
    }
  },

  async "with a range, the panel, callers and callees are of it; what is not says so"(browser) {
    const threads = randomThreads(9, 3, 3000, 2), axis = 1, end = Math.max(...threads.map(t => t.last[axis])), [from, to] = [Math.floor(end / 3), Math.floor(end / 2)];
    const text = v => `${grouped(v)} instructions`, sums = rangeSums(threads, axis, from, to, end), frame = NAMES.indexOf("lex");
    const expected = keptNeighbours(threads, axis, { from, to, last: false }, null, null, NAMES.length, frame);
    fs.mkdirSync("src", { recursive: true });
    fs.writeFileSync("src/lex.lua", "return 1\n");
    fs.writeFileSync("sources.toll-timeline", timelineFile(threads, FUNCTIONS, { axes: AXES }));
    execFileSync(toll, ["view", "-q", "--source-dir", ".", "sources.toll-timeline", "-o", "sources.html"]);
    await withTimeline(browser, "sources.html", async page => {
      await page.until(() => document.querySelector("#listed").textContent.includes("in the range"));
      await page.page.evaluate(() => [...document.querySelectorAll(".rows .function")].find(e => e.textContent === "lex").click());
      await page.until(() => document.querySelector("#details").textContent.includes("The function, in the selected range"));
      const panel = await page.text("#details"), { total, self, calls } = sums.get(frame);
      for (const part of [`total${text(total)}`, `self${text(self)}`, `calls${grouped(calls)}`]) assert.ok(panel.includes(part), `${part} in ${panel}`);
      await page.click("#tab-callers");
      await page.until(() => document.querySelectorAll("#callers .neighbours").length === 2);
      const lists = await page.page.$$eval("#callers .neighbours", tables => tables.map(t => [...t.rows].map(r => r.cells[0].textContent).sort()));
      assert.deepEqual(lists, [expected.callers, expected.callees].map(list => list.map(([, v]) => text(v)).sort()));
      assert.ok((await page.text("#callers")).includes("In the selected range of time."));
      assert.match(await page.text("#summary"), / in the whole run/);
      assert.match(await page.text("#notes"), /^What this isOf the whole run, also while a range/);
      await page.type("#search", "lex");
      await page.until(() => / of the whole run matched/.test(document.querySelector("#matched").textContent));
      await page.click("#tab-source");
      await page.until(() => /^The whole run, not the selected range.*return 1/.test(document.querySelector("#source").textContent));
      await page.click("#tab-callers");
      await page.page.focus("#calls");
      await page.page.keyboard.press("Escape"); // no range
      await page.until(() => !document.querySelector("#callers").textContent.includes("In the selected range"));
      assert.match(await page.text("#details"), /The function, in all stacks/);
      assert.doesNotMatch(await page.text("#summary"), /whole run/);
      assert.doesNotMatch(await page.text("#matched"), /whole run/);
    }, { hash: `&axis=${axis}&span=${from}_${to}` });
  },

  async "a timeline's own page opens in order of time, and keeps another choice"(browser) {
    const file = write("opens", threadsOf.known);
    await withPage(browser, file, async page => {
      await page.until(() => "timelineReady" in document.documentElement.dataset && !document.querySelector("#timeline").hidden);
      await page.click("#icicle");
      await page.until(() => /layout=icicle/.test(location.hash) && !document.querySelector("#graph").hidden);
    });
  },

  async "drags select a range, Escape and a click clear it"(browser) {
    await withTimeline(browser, "ranges.html", async (page, view) => {
      await view.drag(0.25, 0.5, 10);
      const [from, to] = (await view.fragment("span")).split("_").map(Number);
      assert.ok(Number.isInteger(from) && Number.isInteger(to) && from < to);
      assert.match(await page.text("#listed"), /in the range/);
      assert.ok((await page.text("#time-facts")).startsWith("range: "));
      await view.drag(0.5, 0.75, 10); // the end that is held
      const [same, further] = (await view.fragment("span")).split("_").map(Number);
      assert.equal(same, from);
      assert.ok(further > to);
      await view.press("Escape");
      assert.equal(await view.fragment("span"), "");
      await page.until(() => !document.querySelector("#listed").textContent.includes("in the range"));
      await page.page.keyboard.down("Shift");
      await view.drag(0.2, 0.3, 90);
      await page.page.keyboard.up("Shift");
      assert.notEqual(await view.fragment("span"), "");
      const box = await view.box();
      await page.page.mouse.click(box.left + box.width * 0.8, box.top + 8);
      await view.settled();
      assert.equal(await view.fragment("span"), "");
    });
  },

  async "many events, which a worker decodes"(browser) {
    const threads = randomThreads(6, 2, 80000, 2), file = write("large", threads, { axes: AXES });
    const end = Math.max(...threads.map(t => t.end)), from = Math.floor(end / 3);
    for (const layout of ["time", "icicle"])
      await withPage(browser, file, async page => {
        await page.until(() => "timelineReady" in document.documentElement.dataset);
        await page.page.evaluate(span => { location.hash = `#layout=time&span=${span}`; }, `${from}_${end}`);
        await page.until(() => document.querySelector("#listed").textContent.includes("in the range"));
        const expected = rangeSums(threads, 0, from, end, end), rows = await page.rows();
        assert.deepEqual(new Map(rows.map(r => [r.name, r.calls])), new Map(rows.map(r => [r.name, grouped(expected.get(NAMES.indexOf(r.name)).calls)])));
        assert.equal(rows.length, FUNCTIONS.length);
      }, { hash: `#layout=${layout}` });
  },

  async "the wheel zooms about the pointer, drags and keys move, 0 shows all"(browser) {
    await withTimeline(browser, "ranges.html", async (page, view) => {
      await view.moveTo(0.8, 40);
      await page.page.mouse.wheel({ deltaY: -900 });
      await view.settled();
      const range = async () => (await view.fragment("time")).split("_").map(Number);
      const [from, to] = await range(), end = 0.8 * Math.max(...randomThreads(9, 3, 3000, 2).map(t => t.end));
      assert.ok(to - from < end / 3, `${from} ${to}`);
      assert.ok(Math.abs((end - from) / (to - from) - 0.8) < 0.01, `${(end - from) / (to - from)}`);
      await view.drag(0.6, 0.5, 90);
      const [moved] = await range();
      assert.ok(Math.abs((moved - from) / (to - from) - 0.1) < 0.01, `${(moved - from) / (to - from)}`);
      await view.press("a");
      assert.ok((await range())[0] < moved);
      await view.press("w");
      const [closer, closerTo] = await range();
      assert.ok(closerTo - closer < to - from);
      await view.press("0");
      assert.equal(await view.fragment("time"), "");
      await page.page.keyboard.down("Shift");
      await view.press("+", "+");
      await page.page.mouse.wheel({ deltaY: 300 });
      await page.page.keyboard.up("Shift");
      await view.settled();
      const [later, laterTo] = await range();
      assert.ok(later > 0 && laterTo > later);
      await page.click("#reset");
      await view.settled();
      assert.equal(await view.fragment("time"), "");
      await view.moveTo(0.5, 40);
      await page.page.mouse.wheel({ deltaY: -900 });
      await page.choose("#axis", "1"); // at once: what was shown of the other axis is none of this one
      await view.settled();
      assert.equal(await view.fragment("time"), "");
    });
  },

  async "a click selects the call, its function and its stack; a link keeps it"(browser) {
    const [{ rows, end }] = threadsOf.known;
    const file = write("known", threadsOf.known);
    let link;
    await withTimeline(browser, file, async (page, view) => {
      const call = rows[2][1]; // of lex
      await view.clickAt((call.begin[0] + call.end[0]) / 2 / end, 4 + 2 * ROW + 9);
      await view.settled();
      assert.equal(await page.text("#details h2"), "lex");
      assert.match(await page.text("#details"), /This call: call 2 of 3 on its thread/);
      assert.deepEqual(await page.page.$$eval("#details .stack li", list => list.map(e => e.textContent)), ["parse", "main"]); // its callers, without itself
      assert.equal(await page.text(".rows tr.selected .function"), "lex");
      assert.match(await page.text("#time-facts"), /^3 calls of lex in view, of 3$/);
      assert.equal(await view.fragment("call"), "0.2.1");
      link = await page.page.evaluate(() => location.hash);
      await page.click("#icicle");
      await page.until(() => !document.querySelector("#graph").hidden);
      assert.deepEqual(await page.page.$$eval("#details .stack li", list => list.map(e => e.textContent)), ["lex", "parse", "main", "main"]); // and the thread
    });
    await withPage(browser, file, async page => {
      await page.until(() => document.querySelector("#details").textContent.includes("call 2 of 3"));
      assert.equal(await page.text("#details h2"), "lex");
    }, { hash: link });
  },

  async "an address that names nothing of this timeline shows all of it"(browser) {
    for (const hash of ["&axis=-1", "&axis=7", "&time=900_1000&span=900_1000", "&call=0.-1.-9", "&call=7.0.0", "&call=0.0.9"])
      await withTimeline(browser, "known.html", async (page, view) => {
        await view.settled();
        assert.equal(await page.text("#timeline-message"), "", hash);
        assert.doesNotMatch(await page.text("#listed"), /in the range/, hash);
        assert.doesNotMatch(await page.text("#details"), /This call|range/, hash);
        await view.clickAt(0.2, 4 + 9);
        await page.until(() => document.querySelector("#details h2")?.textContent === "main");
      }, { hash });
  },

  async "keys go from call to call, and a screen reader is told"(browser) {
    await withTimeline(browser, "known.html", async (page, view) => {
      const focused = () => page.page.evaluate(() => document.getElementById(document.getElementById("calls").getAttribute("aria-activedescendant")).textContent);
      const press = async (...keys) => { await view.press(...keys); return focused(); };
      assert.match(await press("ArrowDown"), /^main, begin 0 ns, duration 100 ns, self 30 ns/);
      assert.match(await press("ArrowDown"), /^parse, begin 10 ns, duration 40 ns/);
      assert.match(await press("ArrowRight"), /^emit, begin 60 ns, duration 10 ns/);
      assert.match(await press("ArrowLeft", "ArrowDown"), /^lex, begin 30 ns, duration 15 ns/); // the longest callee
      assert.match(await press("ArrowLeft"), /^lex, begin 12 ns, duration 10 ns/);
      assert.match(await press("n"), /^lex, begin 30 ns/);
      assert.match(await press("n"), /^lex, begin 80 ns/);
      assert.match(await press("n"), /^lex, begin 80 ns/); // there is no further one
      assert.match(await press("Shift+N".slice(-1)), /^lex, begin 30 ns/);
      assert.match(await press("ArrowUp"), /^parse, begin 10 ns/);
      assert.equal(await page.page.$eval("#calls [aria-selected=true]", e => `${e.ariaLevel} ${e.ariaPosInSet} ${e.ariaSetSize}`), "2 1 3");
      await view.press("m");
      assert.equal(await view.fragment("span"), "10_50");
      await page.until(() => document.querySelector("#listed").textContent.startsWith("2 functions in the range") || document.querySelector("#listed").textContent.startsWith("3 functions"));
      await view.press("Enter");
      const [from, to] = (await view.fragment("time")).split("_").map(Number);
      assert.ok(from < 10 && from > 7 && to > 50 && to < 53, `${from} ${to}`);
      await view.press("Escape", "Escape");
      assert.equal(await view.fragment("call"), "");
      await view.press("?");
      assert.match(await page.text("#help-keys"), /next call of the function/);
    });
  },

  async "a function of the table and a search are seen in all lanes"(browser) {
    await withTimeline(browser, "ranges.html", async (page, view) => {
      const all = threads => threads.reduce((n, t) => n + flat(t).filter(c => c.frame === 2 && !c.again).length, 0);
      const lex = all(randomThreads(9, 3, 3000, 2)), before = await colors(page);
      await page.type("#search", "^lex$");
      await page.until(n => document.querySelector("#time-facts").textContent === `${n} calls in view matched`, grouped(lex));
      assert.notDeepEqual(await colors(page), before);
      await page.type("#search", "");
      await page.until(() => document.querySelector("#time-facts").textContent === "");
      assert.deepEqual(await colors(page), before);
      await page.page.evaluate(() => [...document.querySelectorAll(".rows tbody tr")].find(r => r.textContent.includes("lex")).click());
      await page.until(n => document.querySelector("#time-facts").textContent === `${n} calls of lex in view, of ${n}`, grouped(lex));
      assert.notDeepEqual(await colors(page), before);
    });
  },

  async "filters: what is left out is pale, and counts neither in ranges nor in sets of calls"(browser) {
    const threads = randomThreads(9, 3, 3000, 2), end = Math.max(...threads.map(t => t.last[0])), from = Math.floor(end / 4), to = Math.floor(end / 2);
    for (const [hash, focus, ignore] of [["focus=^lex$", [2], null], ["ignore=^emit$", null, [5]], ["focus=^(lex|parse)$&ignore=^main$", [1, 2], [0]], ["focus=nothing", [], null]])
      await withTimeline(browser, "ranges.html", async page => {
        await page.until(() => document.querySelector("#listed").textContent.includes("in the range of time, of calls that are kept"));
        const { sums } = keptSums(threads, 0, { from, to, last: false }, focus, ignore), rows = await page.rows();
        assert.deepEqual(rows.map(r => r.name).sort(), [...sums.keys()].map(f => NAMES[f]).sort(), hash);
        for (const row of rows) {
          const sum = sums.get(NAMES.indexOf(row.name));
          assert.equal(row.calls, grouped(sum.calls), `calls of ${row.name}, ${hash}`);
          for (const what of ["self", "total"]) if (sum[what] < 1000) assert.equal(row[what], `${sum[what]} ns`, `${what} of ${row.name}, ${hash}`);
        }
        assert.match(await page.text("#details"), /of calls that the filters keep/);
      }, { hash: `&span=${from}_${to}&${hash}` });
    const row = d => 4 + d * ROW + 9;
    await withTimeline(browser, "known.html", async (page, view) => {
      const color = (share, y) => page.page.evaluate((x, top) => {
        const canvas = document.querySelector("#calls-canvas"), scale = canvas.width / canvas.clientWidth;
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        return [...copy.getImageData(Math.floor(x * canvas.width), Math.floor(top * scale), 1, 1).data].join();
      }, share, RULER + y);
      const at = [0.02, 0.11, 0.2, 0.65, 0.76].map((share, n) => [share, row([0, 1, 2, 1, 1][n]) - 7]), all = () => Promise.all(at.map(place => color(...place)));
      const before = await all(); // main, parse, lex, emit, parse
      await page.click("#show-filters");
      await page.type("#focus", "^parse$");
      await page.until(() => document.querySelector("#time-facts").textContent === "5 calls in view kept by the filters");
      const focused = await all();
      assert.deepEqual(focused.map((c, n) => c === before[n]), [false, true, true, false, true], "main and emit are pale");
      assert.equal(focused[0], focused[3]);
      assert.match((await view.tooltip(0.65, row(1))).text, /left out by the filters/);
      assert.doesNotMatch((await view.tooltip(0.2, row(2))).text, /left out/);
      await page.type("#ignore", "lex");
      await page.until(() => document.querySelector("#time-facts").textContent === "2 calls in view kept by the filters");
      assert.deepEqual((await all()).map((c, n) => c === before[n]), [false, true, false, false, true]);
      await page.type("#ignore", "");
      await page.type("#focus", "^emit$");
      await page.type("#search", "parse|emit");
      await page.until(() => document.querySelector("#time-facts").textContent === "1 call in view matched, of those kept by the filters");
      await page.type("#search", "");
      await page.type("#focus", "^parse$");
      await view.clickAt(0.11, row(1));
      await page.until(() => document.querySelector("#time-facts").textContent === "2 calls of parse in view, of 2 kept by the filters");
      await view.press("ArrowUp");
      assert.match(await page.text("#details"), /This call: left out by the filters/);
      assert.match(await page.page.$eval("#calls [aria-selected=true]", e => e.textContent), /^main, .*left out by the filters$/);
      await page.type("#focus", "");
      await page.until(() => !document.querySelector("#details").textContent.includes("left out"));
      await view.press("Escape");
      assert.deepEqual(await all(), before);
    });
  },

  async "lanes close, scroll, and are those of the thread"(browser) {
    await withTimeline(browser, "ranges.html", async (page, view) => {
      assert.deepEqual(await page.page.$$eval(".lane-name", list => list.map(e => e.textContent)), ["main", "worker 1", "worker 2"]);
      const [, second] = await view.tops();
      await page.page.click(".lane");
      await view.settled();
      assert.ok((await view.tops())[1] < second);
      assert.equal(await page.page.$eval(".lane", e => e.ariaExpanded), "false");
      assert.equal(await view.fragment("closed"), "0");
      await page.choose("#thread", "worker 2");
      await view.settled();
      assert.equal(await page.page.$eval("#timeline", e => e.classList.contains("single")), true);
      const told = await view.tooltip(0.5, 4 + 9);
      assert.match(told.text, /thread worker 2|calls in one pixel/);
    });
    const many = Array.from({ length: 40 }, (_, n) => ({ name: `coroutine ${n}`, events: [[1, 0], [0, 10 + n]], first: [n] }));
    await withTimeline(browser, write("lanes", many), async (page, view) => {
      await page.page.$eval("#timeline", e => { e.scrollTop = e.scrollHeight; });
      await page.until(() => [...document.querySelectorAll(".lane-name")].at(-1).textContent === "coroutine 39");
      assert.ok(await page.count(".lane") < 30, "only lanes in view have names");
      await view.press("ArrowDown");
      assert.match(await page.text("#details"), /thread coroutine 0/);
      assert.equal(await page.page.$eval("#timeline", e => e.scrollTop < 40), true);
    });
  },

  async "the smallest, and the deepest: one call, 10,000 frames, calls of no length"(browser) {
    await withTimeline(browser, write("one", [{ name: "", events: [[1, 0], [0, 7]] }]), async (page, view) => {
      assert.equal((await view.tooltip(0.5, 10)).name, "main");
    });
    await withTimeline(browser, write("none", [{ name: "", events: [[1, 0], [3, 0], [0, 0], [0, 0]] }]), async (page, view) => {
      await view.press("ArrowDown", "ArrowDown");
      assert.match(await page.text("#details"), /parse.*0 ns/);
    });
    const deep = Array.from({ length: 10000 }, (_, n) => [1 + 2 * (n % 6), 1]);
    await withTimeline(browser, write("deep", [{ name: "", events: [...deep, ...deep.map(() => [0, 1])] }]), async (page, view) => {
      await page.page.$eval("#timeline", e => { e.scrollTop = 5000 * 20; });
      await view.settled();
      assert.match((await view.tooltip(0.5, 14)).text, /depth 5000/);
      await page.page.evaluate(() => { location.hash = "#layout=time&span=9990_10010"; });
      await page.until(() => document.querySelector("#listed").textContent === "6 functions in the range of time");
      const rows = await page.rows();
      assert.equal(rows.reduce((n, r) => n + Number(r.calls), 0), 10);
    });
    fs.writeFileSync("untimed.folded", "main;parse 3\n");
    execFileSync(toll, ["view", "-q", "untimed.folded", "-o", "untimed.html"]);
    await withPage(browser, "untimed.html", async page => {
      assert.equal(await page.page.$eval("#time", e => e.hidden), true);
      assert.equal(await page.page.$eval("#graph", e => e.hidden), false);
    }, { hash: "#layout=time" });
  },

  async "a file that is cut says so; a damaged page, too"(browser) {
    const threads = [{ name: "", events: [[1, 0], [3, 5], [5, 5], [0, 5], [5, 5]] }];
    await withTimeline(browser, write("cut", threads, { cut: true }), async (page, view) => {
      assert.match((await view.tooltip(0.3, 4 + ROW + 9)).text, /still open where the file is cut/);
      assert.doesNotMatch((await view.tooltip(0.6, 4 + 2 * ROW + 9)).text, /still open/);
    });
    const whole = fs.readFileSync("known.html", "utf8");
    fs.writeFileSync("damaged.html", whole.replace(/("timeline-steps-0":{"items":\d+,"bytes":)/, "$19"));
    await withPage(browser, "damaged.html", async page => {
      await page.until(() => /^The timeline cannot be shown: .*Write the page again/.test(document.querySelector("#timeline-message").textContent));
      await page.click("#icicle");
      assert.equal(await page.at(0.5, 1), "main");
    }, { hash: "#layout=time" });
  },

  async "touch: a finger moves, two zoom, on the ruler they select"(browser) {
    if (name === "firefox") return console.log("firefox: not tested: its driver has no touch events");
    await withTimeline(browser, "ranges.html", async (page, view) => {
      const range = async () => (await view.fragment("time")).split("_").map(Number), lane = 90, ruler = 10;
      await view.touch([[0.4, lane], [0.35, lane], [0.3, lane], [0.2, lane]], [[0.6, lane], [0.65, lane], [0.7, lane], [0.8, lane]]);
      const [from, to] = await range(), end = Math.max(...randomThreads(9, 3, 3000, 2).map(t => t.end));
      assert.ok(Math.abs((to - from) / end - 1 / 3) < 0.03 && Math.abs((from + to) / 2 / end - 0.5) < 0.05, `${from} ${to} of ${end}`);
      await view.touch([[0.6, lane], [0.55, lane], [0.5, lane], [0.4, lane]]);
      assert.ok((await range())[0] > from);
      await view.touch([[0.2, ruler], [0.25, ruler], [0.3, ruler], [0.5, ruler]]);
      assert.match(await view.fragment("span"), /^\d+_\d+$/);
    }, { touch: true });
  },

  async "axe finds nothing; narrow and wide, light and dark"(browser) {
    const axe = fs.readFileSync("node_modules/axe-core/axe.min.js", "utf8");
    for (const [size, theme, hash] of [[[1280, 800], "light", ""], [[1280, 800], "dark", "&call=0.1.0&span=100_2000"], [[360, 740], "light", "&search=lex"], [[800, 600], "dark", ""]])
      await withTimeline(browser, "ranges.html", async (page, view) => {
        await view.focus();
        await page.page.evaluate(axe);
        const { violations } = await page.page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
        assert.deepEqual(violations.map(v => `${v.id}: ${v.nodes.map(n => n.html + n.failureSummary).join(", ")}`), [], `${size} ${theme}`);
        const { scrollWidth, clientWidth } = await page.page.$eval("html", e => ({ scrollWidth: e.scrollWidth, clientWidth: e.clientWidth }));
        assert.ok(scrollWidth <= clientWidth, `${size}: ${scrollWidth} pixels in ${clientWidth}`);
        if (process.env.SHOT) await page.page.screenshot({ path: `${process.env.SHOT}/time-${name}-${size[0]}-${theme}.png` });
      }, { size, hash: `&theme=${theme}${hash}` });
  },
};

await runTests(name, tests);
