// page.mjs BROWSER TOLL DATA - opens pages of `toll view` from disk, and uses them like a person. The figures must
// equal those of `toll report`, which computes them with other code.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { runTests, withPage } from "./driver.mjs";

const [name, toll, data] = process.argv.slice(2);
const run = (...args) => execFileSync(toll, args, { encoding: "utf8" });
const grouped = n => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

const HOSTILE = "</script><img src=x onerror=alert(1)>";
/* Known by hand: recursion, a name that would be a script, a function in two stacks. */
const STACKS = `main;parse;lex 30\nmain;parse;lex;parse 10\nmain;parse 5\nmain;emit;${HOSTILE} 20\nmain;emit;write 35\n`;
const BEFORE = `main;parse;lex 60\nmain;parse 5\nmain;emit;write 25\nmain;old 10\n`;

/* Boxes of the stacks above: left, top, width, height, colour. */
const PICTURE_LIGHT = [
  "0 0 1247 20 #e3e6ea", "0 21 1247 20 oklch(0.85 0.065 245.272)", "0 42 685 20 oklch(0.85 0.065 212.812)",
  "686 42 561 20 oklch(0.85 0.065 165.016)", "686 63 498 20 oklch(0.85 0.065 27.508)",
  "686 84 124 20 oklch(0.85 0.065 165.016)", "0 63 436 20 oklch(0.85 0.065 152.62)", "437 63 249 20 oklch(0.85 0.065 2.716)",
];
const PICTURE_MATCHED = PICTURE_LIGHT.map((box, i) => box.replace(/(#|oklch).*/, i === 4 ? "oklch(0.55 0.13 75)" : "#252a31"));

/** Many stacks, always the same ones. */
function manyStacks(count, functions) {
  let seed = 7;
  const random = below => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) % below;
  let text = "";
  for (let i = 0; i < count; i++)
    text += `main;${Array.from({ length: 2 + random(12) }, () => `f${random(random(functions) + 1)}`).join(";")} ${1 + random(5000)}\n`;
  return text;
}

function write(file, ...inputs) {
  run("view", "-q", ...inputs, "-o", file);
  return file;
}

/** Boxes that the graph fills when it is drawn anew: left, top, width, height, colour. */
async function drawnBoxes(page) {
  const drawn = await page.page.evaluate(() => {
    const graph = document.querySelector("#canvas"), context = graph.getContext("2d"), boxes = [], { fillRect } = context;
    context.fillRect = (...box) => boxes.push([...box.map(v => Math.round(v)), context.fillStyle].join(" "));
    return new Promise(done => {
      document.querySelector("#graph").focus();
      document.querySelector("#graph").dispatchEvent(new WheelEvent("wheel", { deltaY: 1000, cancelable: true }));
      setTimeout(() => { delete context.fillRect; done(boxes); }, 300);
    });
  });
  const last = drawn.findLastIndex(box => box.startsWith("0 0 1248 ")); // the background, as high as there is room
  return drawn.slice(last + 1);
}

/** Functions as `toll report --json` has them. */
const report = (file, ...options) => JSON.parse(run("report", "-q", "--json", "--rows", "0", ...options, file)).functions;

/** All rows of the table, held to the report's. */
async function holdTable(page, file, ...options) {
  const expected = new Map(report(file, ...options).filter(f => f.total).map(f => [f.name, f]));
  const shown = await page.rows();
  assert.ok(shown.length > 0);
  for (const row of shown) {
    const f = expected.get(row.name);
    assert.ok(f, `${row.name} is not in the report`);
    assert.equal(row.self, grouped(f.self), `${row.name}: self, ${options}`);
    assert.equal(row.total, grouped(f.total), `${row.name}: total, ${options}`);
  }
  assert.equal(parseInt((await page.text("#listed")).replaceAll(",", "")), expected.size, `functions, ${options}`);
}

const tests = {
  async "characters that nobody sees, or that turn text around, are shown"(browser) {
    fs.writeFileSync("hidden.folded", "ev\u202eil;a\u200bb 5\nev\u202eil;ab 3\n");
    await withPage(browser, write("hidden.html", "hidden.folded"), async page => {
      assert.deepEqual((await page.rows()).map(r => r.name).sort(), ["a\\u200bb", "ab", "ev\\u202eil"]);
      assert.equal(await page.at(0.9, 1), "ev\\u202eil");
      // eslint-disable-next-line no-misleading-character-class
      assert.doesNotMatch(await page.page.evaluate(() => document.documentElement.innerText + [...document.querySelectorAll("[title]")].map(e => e.title)), /[\u200b\u202e]/);
    });
  },

  async "frames are where their costs put them"(browser) {
    await withPage(browser, write("small.html", "small.folded"), async page => {
      assert.equal(await page.text("#title"), "small.folded");
      assert.match(await page.text("#summary"), /^samples: 100$/);
      // main 100: emit 55 (write 35, the hostile one 20), parse 45 (lex 40: parse 10)
      assert.equal(await page.at(0.5, 1), "main");
      assert.equal(await page.at(0.02, 2), "emit");
      assert.equal(await page.at(0.53, 2), "emit");
      assert.equal(await page.at(0.57, 2), "parse");
      assert.equal(await page.at(0.34, 3), "write");
      assert.equal(await page.at(0.37, 3), HOSTILE);
      assert.equal(await page.at(0.94, 3), "lex");
      assert.equal(await page.at(0.97, 3), "");
      assert.equal(await page.at(0.64, 4), "parse");
      assert.equal(await page.at(0.66, 4), "");
      await page.click("#flame");
      assert.equal(await page.at(0.37, 3), HOSTILE);
    });
  },

  /* What the canvas is told, without fonts and the system's ways to draw: a change of the look is noticed. */
  async "the picture: boxes and their colours"(browser) {
    if (name !== "chromium") return; // browsers write colours in ways of their own
    const pictures = {
      "#theme=light": PICTURE_LIGHT,
      "#theme=dark&color=name&search=lex": PICTURE_MATCHED,
    };
    for (const [hash, expected] of Object.entries(pictures))
      await withPage(browser, "small.html", async page => {
        assert.deepEqual(await drawnBoxes(page), expected, hash);
      }, { hash });
  },

  /* By hand, from BEFORE and STACKS: the largest change of a total is 30 (emit), of a self value 30 (lex), and there are 20 steps. */
  async "a comparison: colours by total and self, absolute and relative, inverted"(browser) {
    if (name !== "chromium") return;
    write("compared.html", "small.folded", "before.folded");
    const pictures = {
      "": [-16, -16, -12, 0, 0, 12, 12, 16, 20],
      "measure=relative": [-20, -7, -6, 0, 0, 6, 11, 20, 20],
      "change=self": [-20, -12, 0, 0, 0, 0, 12, 12, 16],
      "inverted=1&change=self": [-20, -20, -20, -12, -12, 0, 0, 12, 12, 12, 12, 12, 12, 12, 16, 16, 16],
    };
    const step = box => {
      const [, , chroma, hue] = /oklch\((\S+) (\S+) (\S+)\)/.exec(box);
      return Math.round(chroma / 0.16 * 20) * (hue === "252" ? -1 : 1) + 0;
    };
    for (const [hash, expected] of Object.entries(pictures))
      await withPage(browser, "compared.html", async page => {
        assert.deepEqual((await drawnBoxes(page)).map(step).sort((a, b) => a - b), expected, hash);
        assert.equal(await page.page.$eval("#change", e => e.disabled), hash.startsWith("inverted"));
      }, { hash: `#theme=light&${hash}` });
  },

  async "names are text"(browser) {
    await withPage(browser, "small.html", async page => {
      await page.clickAt(0.37, 3);
      assert.equal(await page.text("#details h2"), HOSTILE);
      for (const tab of ["callers", "source", "notes"]) await page.click(`#tab-${tab}`);
      assert.match(await page.text("#notes"), /the file does not say whether they were counted or sampled/);
      assert.equal(await page.count("img"), 0);
      assert.equal(await page.count("body script:not([type^='text/plain']):not([type='application/json'])"), 2); // begin.js and the modules
    });
  },

  async "a click zooms, Back undoes it, Escape goes to the caller"(browser) {
    await withPage(browser, "small.html", async page => {
      await page.clickAt(0.6, 2);
      assert.equal(await page.at(0.1, 2), "parse");
      assert.equal(await page.at(0.95, 2), "parse");
      assert.equal(await page.at(0.1, 1), "main");
      const zoomed = await page.hash();
      assert.match(zoomed, /range=0\.55_1&frame=/);
      await page.clickAt(0.5, 3);
      assert.equal(await page.at(0.99, 3), "lex");
      await page.page.goBack();
      await page.until(text => decodeURIComponent(location.hash) === text, zoomed);
      assert.equal(await page.at(0.95, 3), "");
      await page.page.focus("#graph");
      await page.page.keyboard.press("Escape");
      await new Promise(done => setTimeout(done, 400));
      assert.equal(await page.at(0.1, 2), "emit");
      assert.equal(await page.text("#details h2"), "main");
    });
  },

  async "a link keeps what is shown"(browser) {
    await withPage(browser, "small.html", async page => {
      assert.equal(await page.at(0.1, 2), "parse");
      assert.equal(await page.text("#details h2"), "parse");
      assert.equal(await page.page.$eval("#search", e => e.value), "lex");
      assert.match(await page.text("#matched"), /^40\.0% matched: 40 in 1 function$/);
      assert.equal(await page.page.$eval("#flame", e => e.getAttribute("aria-pressed")), "true");
    }, { hash: `#range=0.55_1&frame=${await frameOfParse(browser)}&search=lex&layout=flame` });
  },

  async "wheel and keys zoom, drags move"(browser) {
    await withPage(browser, "small.html", async page => {
      await page.at(0.8, 1);
      await page.page.mouse.wheel({ deltaY: -600 });
      await page.until(() => location.hash.includes("range="));
      const range = async () => (await page.hash()).match(/range=([^&]*)/)?.[1].split("_").map(Number);
      const [from, to] = await range();
      assert.ok(from > 0.4 && to < 1 && (0.8 - from) / (to - from) > 0.79 && (0.8 - from) / (to - from) < 0.81, `${from} ${to}`);
      await page.page.focus("#graph");
      await page.page.keyboard.press("a");
      await page.until(before => Number(location.hash.match(/range=([\d.]+)/)?.[1]) < before, from - 0.01);
      await page.page.keyboard.press("0");
      await page.until(() => !location.hash.includes("range="));
    });
  },

  async "the mouse drags, one finger moves and taps, two zoom"(browser) {
    const near = (actual, expected, what) => expected.forEach((v, i) => assert.ok(Math.abs(actual[i] - v) < 0.01, `${what}: ${actual}`));
    await withPage(browser, "small.html", async page => {
      await page.drag(0.5, 0.75);
      near(await page.range(), [0.25, 0.75], "a quarter of the width to the right");
      await page.drag(0.99, 0.01);
      near(await page.range(), [0.5, 1], "no further than the end");
    }, { hash: "#range=0.375_0.875" });
    if (name === "firefox") return; // its driver has no touch events
    await withPage(browser, "small.html", async page => {
      await page.touch([[0.4, 0.3], [0.3, 0.3], [0.2, 0.3]], [[0.6, 0.3], [0.7, 0.3], [0.8, 0.3]]);
      near(await page.range(), [1 / 3, 2 / 3], "three times as large about the middle");
      await page.touch([[0.5, 0.3], [0.6, 0.3], [0.8, 0.3]]);
      near(await page.range(), [1 / 3 - 0.1, 2 / 3 - 0.1], "one finger moves it");
      await page.touch([[0.2, 0.3], [0.3, 0.3], [0.4, 0.3]], [[0.8, 0.3], [0.7, 0.3], [0.6, 0.3]]);
      near(await page.range(), [0, 1], "pinched: all, and no more");
      const box = await page.page.$eval("#canvas", e => e.getBoundingClientRect().toJSON());
      await page.page.touchscreen.tap(box.left + box.width * 0.6, box.top + 2.5 * 21);
      near(await page.range(), [0.55, 1], "a tap zooms to parse");
      assert.equal(await page.text("#details h2"), "parse");
      assert.ok(await page.page.$eval("#tooltip", e => e.hidden), "nothing covers what is below the finger");
    }, { touch: true });
    fs.writeFileSync("deep.folded", `${Array.from({ length: 90 }, (_, i) => `f${i}`).join(";")} 5\n`);
    await withPage(browser, write("deep.html", "deep.folded"), async page => {
      assert.equal(await page.at(0.5, 1), "f0");
      await page.touch([[0.5, 0.9], [0.5, 0.5], [0.5, 0.1]]);
      assert.notEqual(await page.at(0.5, 1), "f0", "a finger reaches deeper rows");
    }, { touch: true, size: [360, 740] });
  },

  async "arrow keys go from frame to frame, and a screen reader is told"(browser) {
    await withPage(browser, "small.html", async page => {
      await page.page.focus("#graph");
      const focused = () => page.page.evaluate(() =>
        document.getElementById(document.getElementById("graph").getAttribute("aria-activedescendant")).textContent);
      const press = async key => { await page.page.keyboard.press(key); return focused(); };
      await press("ArrowDown");
      assert.match(await press("ArrowDown"), /^main, total 100, 100\.0%, self 0/);
      assert.match(await press("ArrowDown"), /^emit, total 55, 55\.0%, self 0/);
      assert.match(await press("ArrowRight"), /^parse, total 45, 45\.0%, self 5/);
      assert.match(await press("ArrowDown"), /^lex, total 40/);
      assert.match(await press("ArrowUp"), /^parse, total 45/);
      assert.equal(await page.page.$eval("[role=treeitem][aria-selected=true]", e => `${e.ariaLevel} ${e.ariaPosInSet} ${e.ariaSetSize}`), "3 2 2");
      await page.page.keyboard.press("t");
      await page.page.keyboard.press("Home");
      await page.page.keyboard.press("Enter");
      assert.equal(await page.text("#details h2"), "write");
      await page.page.keyboard.press("?");
      assert.ok(await page.page.$eval("#help", e => e.open));
    });
  },

  async "the table is the report's, sorted by each column"(browser) {
    await withPage(browser, "small.html", async page => {
      await holdTable(page, "small.folded");
      const names = async () => (await page.rows()).map(r => r.name);
      assert.deepEqual((await names()).slice(0, 2), ["write", "lex"]);
      await page.click("th[data-column=total] button");
      assert.deepEqual((await names()).slice(0, 3), ["main", "emit", "parse"]);
      await page.click("th[data-column=total] button");
      assert.deepEqual((await names()).at(-1), "main");
      await page.click("th[data-column=name] button");
      assert.deepEqual(await names(), [HOSTILE, "emit", "lex", "main", "parse", "write"]);
      await page.type("#filter", "e");
      await page.until(() => document.querySelector("#listed").textContent.startsWith("5 functions of"));
      assert.deepEqual(await names(), [HOSTILE, "emit", "lex", "parse", "write"]);
    });
  },

  async "a function of the table is found in the graph"(browser) {
    await withPage(browser, "small.html", async page => {
      await page.click(".rows tbody tr[data-at='1']");
      assert.equal(await page.text("#details h2"), "lex");
      await page.click("#details .zoom");
      await new Promise(done => setTimeout(done, 400));
      assert.equal(await page.at(0.02, 3), "lex");
      assert.equal(await page.at(0.98, 3), "lex");
      await page.click("#inverted");
      await page.click(".rows tbody tr[data-at='0']");
      await page.until(() => document.querySelector("#details h2").textContent === "write");
      assert.deepEqual(await page.page.$$eval("#details .stack li", list => list.map(e => e.textContent)), ["write", "main"]);
    });
  },

  async "filters are the report's"(browser) {
    for (const [field, pattern] of [["focus", "lex"], ["ignore", "lex"], ["focus", "^emit$|write"]])
      await withPage(browser, "small.html", page => holdTable(page, "small.folded", `--${field}`, pattern),
                     { hash: `#${field}=${encodeURIComponent(pattern)}` });
    write("many.html", "many.folded");
    const first = f => ({ hash: `#${f}` });
    await withPage(browser, "many.html", page => holdTable(page, "many.folded"));
    await withPage(browser, "many.html", page => holdTable(page, "many.folded", "--fold-recursion"), first("fold=1"));
    await withPage(browser, "many.html", page => holdTable(page, "many.folded", "--focus", "f1", "--ignore", "f3", "--fold-recursion"),
                   first("fold=1&focus=f1&ignore=f3"));
    await withPage(browser, "many.html", page => holdTable(page, "many.folded", "--focus", "f1"), first("inverted=1&focus=f1"));
  },

  async "a change while a filter is looked for loses neither"(browser) {
    await withPage(browser, "many.html", async page => {
      await page.page.evaluate(() => {
        const focus = document.querySelector("#focus");
        focus.value = "f1";
        focus.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
        document.querySelector("#inverted").click();
      });
      await page.until(() => document.querySelector("#inverted").ariaPressed === "true");
      await page.until(() => document.querySelector("#summary").textContent.includes("of the stacks that are kept"));
      const kept = report("many.folded", "--focus", "f1").filter(f => f.total).length;
      await page.until(count => parseInt(document.querySelector("#listed").textContent) === count, kept);
      await holdTable(page, "many.folded", "--focus", "f1");
    });
  },

  async "inverted: callers below what cost"(browser) {
    await withPage(browser, "small.html", async page => {
      await page.click("#inverted");
      // write 35 < emit, lex 30 < parse, hostile 20 < emit, parse 10 < lex and 5 < main
      assert.equal(await page.at(0.1, 1), "write");
      assert.equal(await page.at(0.1, 2), "emit");
      assert.equal(await page.at(0.6, 1), "lex");
      assert.equal(await page.at(0.9, 1), "parse");
      assert.equal(await page.at(0.9, 2), "lex");
      assert.equal(await page.at(0.9, 4), "main");
      assert.equal(await page.at(0.97, 2), "main");
      await page.click("#inverted");
      assert.equal(await page.at(0.1, 1), "main");
    });
  },

  async "a filter of a link that is no pattern keeps all, and says why"(browser) {
    const file = write("filters.html", "small.folded");
    for (const hash of ["#focus=(", "#ignore=(&layout=flame"])
      await withPage(browser, file, async page => {
        await page.until(() => document.querySelector("#filter-problem.bad")?.textContent.startsWith("'(' is never closed"));
        assert.doesNotMatch(await page.text("#summary"), /stacks that are kept/);
        await page.type("#focus", "lex");
        await page.page.keyboard.press("Enter");
        await page.until(() => location.hash.includes("focus=lex"));
      }, { hash });
    await withPage(browser, file, async page => assert.match(await page.text("#summary"), /stacks that are kept/), { hash: "#focus=lex" });
  },

  async "search: patterns of names, what they match in all, mistakes, hostile ones"(browser) {
    await withPage(browser, "small.html", async page => {
      await page.type("#search", "^(lex|parse)$");
      await page.until(() => document.querySelector("#matched").textContent === "45.0% matched: 45 in 2 functions");
      assert.equal(await page.text("#listed"), "2 functions of 6");
      await page.type("#search", "(");
      await page.until(() => document.querySelector("#matched.bad")?.textContent === "'(' is never closed; write \\( for the character (character 1)");
      await page.type("#search", "\\p{L}ex$");
      await page.until(() => document.querySelector("#matched").textContent.endsWith("in 1 function"));
      await page.type("#search", "");
      await page.until(() => document.querySelector("#listed").textContent === "6 functions");
      const places = () => page.page.$$eval("#search, #show-filters, #graph, #listed", all => all.map(e => JSON.stringify(e.getBoundingClientRect().toJSON())));
      const before = await places();
      for (const [text, says] of [["l", "matched"], ["(".repeat(101), "deep"], ["x".repeat(60) + "(?=", "looks around"]]) {
        await page.type("#search", text);
        await page.until(wanted => document.querySelector("#matched").textContent.includes(wanted), says);
        assert.deepEqual((await places()).slice(0, 3), before.slice(0, 3), `nothing moves at "${says}"`);
      }
      await page.type("#search", "");
      await page.until(() => !document.querySelector("#matched").textContent);
      assert.deepEqual((await places()).slice(0, 3), before.slice(0, 3), "nor when the search is cleared");
    });
    const slow = `${"a".repeat(40)}!`;
    fs.writeFileSync("slow.folded", `main;${slow} 1\n`);
    await withPage(browser, write("slow.html", "slow.folded"), async page => {
      await page.type("#search", "^(a+)+$");
      await page.until(() => document.querySelector("#matched").textContent === "0.0% matched: 0 in 0 functions");
      await page.type("#search", "a!");
      await page.until(() => document.querySelector("#matched").textContent.startsWith("100.0% matched"));
    });
  },

  async "callers and callees add up"(browser) {
    await withPage(browser, "small.html", async page => {
      await page.clickAt(0.6, 2);
      await page.click("#tab-callers");
      await page.until(() => document.querySelectorAll("#callers .neighbours").length === 2);
      const lists = await page.page.$$eval("#callers .neighbours", tables => tables.map(t => [...t.rows].map(r => [...r.cells].map(c => c.textContent).join(" "))));
      assert.deepEqual(lists, [["45 45.0% main"], ["40 40.0% lex"]]);
    });
  },

  async "a comparison: before, after, change, ratio; new and gone"(browser) {
    await withPage(browser, write("compared.html", "small.folded", "before.folded"), async page => {
      const rows = Object.fromEntries((await page.rows()).map(r => [r.name, `${r.before} ${r.total} ${r.change} ${r.ratio}`]));
      assert.deepEqual(rows, { [HOSTILE]: "0 20 +20 new", emit: "25 55 +30 2.20×", lex: "60 40 -20 0.67×", main: "100 100 0 1.00×",
                               old: "10 0 -10 gone", parse: "65 45 -20 0.69×", write: "25 35 +10 1.40×" });
      assert.equal(await page.count(".mark.new"), 1);
      assert.equal(await page.count(".mark.gone"), 1);
      // widths are before + after: parse 110, emit 80, old 10, of 200
      assert.equal(await page.at(0.54, 2), "parse");
      assert.equal(await page.at(0.94, 2), "emit");
      assert.equal(await page.at(0.96, 2), "old");
      await page.choose("#widths", "after");
      assert.equal(await page.at(0.5, 2), "emit");
      await page.choose("#widths", "before");
      assert.equal(await page.at(0.64, 2), "parse");
      for (const column of ["before", "total", "selfbefore", "self", "selfchange", "change"]) {
        await page.click(`th[data-column=${column}] button`);
        const values = (await page.rows()).map(row => Number(row[column]));
        assert.deepEqual(values, values.toSorted((a, b) => b - a), column);
        assert.ok(new Set(values).size > 2, column);
      }
      await page.click("th[data-column=ratio] button");
      assert.deepEqual((await page.rows()).slice(0, 2).map(r => r.name), [HOSTILE, "emit"]);
    });
    fs.writeFileSync("half.folded", "main;parse;lex 30\nmain;emit;write 20\n");
    await withPage(browser, write("normal.html", "small.folded", "half.folded"), async page => {
      await page.click("#normalize");
      await page.until(() => [...document.querySelectorAll(".rows td")].some(c => c.textContent === "60"));
      const main = (await page.rows()).find(r => r.name === "main");
      assert.equal(`${main.before} ${main.total} ${main.change}`, "100 100 0");
    });
  },

  async "lines cost what toll annotate says"(browser) {
    const file = `${data}/lines/before.pb.gz`, [first] = report(file);
    const source = fs.readFileSync(`${data}/lines/work_c.txt`, "utf8");
    fs.mkdirSync("sources", { recursive: true });
    fs.writeFileSync("sources/work.c", source);
    fs.utimesSync("sources/work.c", 1577836800, 1577836800); // older than the profile
    write("lines.html", "--source-dir", "sources", file);
    const [{ lines }] = JSON.parse(run("annotate", "-q", "--json", file, "src/work.c")).files;
    await withPage(browser, "lines.html", async page => {
      await page.click(".rows tbody tr[data-at='0']");
      assert.equal(await page.text("#details h2"), first.name);
      await page.click("#tab-source");
      await page.until(() => document.querySelectorAll("#source tr.cost").length > 0);
      const shown = await page.page.$$eval("#source tr.cost", rows => rows.map(r => `${r.dataset.line}: ${[...r.cells].slice(0, 4).map(c => c.textContent).join(" ")}`));
      const expected = lines.map(l => `${l.line}: ${grouped(l.self)} ${grouped(l.total)} ${(l.total / 88.77).toFixed(1)}% ${grouped(l.executions)}`);
      assert.deepEqual(shown.sort(), expected.sort());
      const code = await page.page.$$eval("#source td.code", cells => cells.map(c => c.textContent));
      assert.deepEqual(code.slice(0, 20), source.split("\n").slice(0, 20));
      assert.ok(!(await page.text("#source")).includes("embedded in"));
    });
    // The same text, if the page says that a program's source map had it.
    const html = fs.readFileSync("lines.html", "utf8"), path = report(file)[0].file;
    fs.writeFileSync("mapped.html", html.replace(',\n"notes":', `,\n"embedded":${JSON.stringify({ [path]: "app\u202e.wasm.map" })},\n"notes":`));
    await withPage(browser, "mapped.html", async page => {
      await page.click(".rows tbody tr[data-at='0']");
      await page.click("#tab-source");
      await page.until(() => document.querySelectorAll("#source tr.cost").length > 0);
      assert.match(await page.text("#source"), /The text of this file is the one embedded in app[^\u202e]*\.wasm\.map, the program's source map\./);
      await page.click("#tab-notes");
      assert.match(await page.text("#notes"), /1 file in this page, 1 of them from the program's source map \(app[^\u202e]*\.wasm\.map\)/);
    });
  },

  async "names of C++ are short, and whole in the panel, under the pointer and for searches"(browser) {
    const whole = "void std::__2::sort<std::__2::less<int>, int*>(int*, int*, std::__2::less<int>)", short = "void std::sort<...>(...)";
    fs.writeFileSync("names.folded", `main;${whole} 90\nmain 10\n`);
    await withPage(browser, write("names.html", "names.folded"), async page => {
      const rows = () => page.page.$$eval(".rows tbody .function", cells => cells.map(c => c.textContent));
      assert.deepEqual((await rows()).sort(), ["main", short]);
      assert.equal(await page.page.$eval(".rows tbody tr[data-at='0'] td:last-child", cell => cell.title.split("\n")[0]), whole);
      await page.click(".rows tbody tr[data-at='0']");
      assert.equal(await page.text("#details h2"), short);
      assert.equal(await page.text("#details .name"), whole);
      await page.click(".rows tbody tr[data-at='1']");
      assert.equal(await page.page.$("#details .name"), null);
      await page.type("#search", "less<int>, int");
      await page.until(() => document.querySelectorAll(".rows tbody tr").length === 1);
      assert.deepEqual(await rows(), [short]);
    });
  },

  async "lines of WebAssembly have what they called, as in toll annotate"(browser) {
    const file = `${data}/lines/words.pb.gz`, [{ lines }] = JSON.parse(run("annotate", "-q", "--json", "--value", "line ticks", file, "/build/words.c")).files;
    assert.ok(lines.some(l => l.total > l.self));
    for (const inputs of [[file], [file, file]])
      await withPage(browser, write("words.html", ...inputs), async page => {
        await page.until(() => document.querySelector("#listed").textContent.includes(" of "));
        await page.click(".rows tbody tr[data-at='0']");
        await page.click("#tab-source");
        await page.until(() => document.querySelectorAll("#source tr.cost").length > 0);
        const columns = inputs.length > 1 ? { before: 0, total: 1, self: 4 } : { self: 0, total: 1 };
        const shown = await page.page.$$eval("#source tr.cost", (rows, at) => rows.map(r => [Number(r.dataset.line), ...at.map(n => Number(r.cells[n].textContent.replaceAll(",", "")))]), Object.values(columns));
        const expected = lines.map(l => [l.line, ...Object.keys(columns).map(column => l[column === "before" ? "total" : column])]);
        assert.deepEqual(shown.filter(l => l[0]).sort(), expected.filter(l => l[0]).sort());
      }, { hash: "#value=line ticks&filter=words.c" });
  },

  async "threads: side by side, added up, and one"(browser) {
    const file = `${data}/game.log`;
    await withPage(browser, write("threads.html", file), async page => {
      assert.match(await page.text("#summary"), /^time: 1\.75 s · exact · 4 notes$/);
      const threads = await page.page.$$eval("#thread option", list => list.slice(2).map(o => o.value));
      if (threads.length < 2) throw new Error(`${threads} are no threads to choose from`);
      for (const thread of threads) {
        await page.choose("#thread", thread);
        const expected = JSON.parse(run("report", "-q", "--json", "--thread", `^${thread}$`, file));
        await page.until(n => document.querySelector("#listed").textContent.startsWith(`${n} function`), expected.functions.filter(f => f.total || f.calls).length);
      }
    });
  },

  async "samples: what few of them found is a bound"(browser) {
    const file = `${data}/sampled/cpu.pb`, figures = page => page.page.$$eval("#functions tbody tr", rows => rows.map(r => [...r.cells].map(c => c.textContent).join(" ")));
    await withPage(browser, write("samples.html", file), async page => {
      await page.choose("#value", "cpu");
      await page.until(() => document.querySelector("#summary").textContent.startsWith("cpu"));
      assert.equal(await page.text("#summary"), "cpu: 1.00 s · 100 samples: shares within 9.8 points");
      const shown = await figures(page);
      assert.ok(shown.includes("900.00 ms 90.0% 900.00 ms 90.0% hot") && shown.includes("< 100 ms < 10.1% < 100 ms < 10.1% few"), shown.join("; "));
      await page.page.$$eval("#functions tbody tr", rows => rows.find(r => r.textContent.endsWith("few")).click());
      await page.until(() => document.querySelector("#details h2")?.textContent === "few");
      const details = await page.text("#details");
      assert.ok(details.includes("total< 100 ms< 10.1%") && !details.includes("30.00 ms") && !details.includes("exactly"), details);
    }, { hash: "#value=cpu" });
    await withPage(browser, write("samples_compared.html", file, file), async page => {
      assert.match(await page.text("#summary"), /^cpu: 1\.00 s · before 1\.00 s · sampled/);
    }, { hash: "#value=cpu" });
  },

  async "labels: a thread for each, and one for what has none"(browser) {
    for (const host of ["a", "b"]) {
      fs.writeFileSync("host.folded", `f_${host};g 1\n`);
      run("convert", "-q", "host.folded", "--label", `host=${host}`, "-o", `${host}.pb.gz`);
    }
    fs.writeFileSync("host.folded", "f_none;g 1\nf_none;h 1\n");
    run("merge", "-q", "a.pb.gz", "b.pb.gz", "host.folded", "-o", "hosts.pb.gz");
    await withPage(browser, write("hosts.html", "--by", "host", "hosts.pb.gz"), async page => {
      assert.deepEqual(await page.page.$$eval("#thread option", list => list.slice(2).map(o => o.value)), ["(none)", "host=a", "host=b"]);
      for (const [thread, functions] of [["(none)", 3], ["host=a", 2], ["", 5]]) {
        await page.choose("#thread", thread);
        await page.until(n => document.querySelector("#listed").textContent.startsWith(`${n} function`), functions);
      }
    });
  },

  async "functions that have moved are compared"(browser) {
    await withPage(browser, write("moved.html", `${data}/moved_after.speedscope.json`, `${data}/moved_before.speedscope.json`), async page => {
      const rows = Object.fromEntries((await page.rows()).map(r => [r.name, `${r.before} ${r.total} ${r.ratio}`]));
      assert.deepEqual(rows, { main: "100 90 0.90×", parse: "70 55 0.79×", trim: "30 30 1.00×", "app.lua:33": "20 20 1.00×",
                               new: "0 15 new", old: "10 0 gone" });
      await page.click("#tab-notes");
      assert.match(await page.text("#notes"), /functions that have moved to another line or file, compared by name: 3/);
    });
  },

  /* In the heap: malloc called by new_node, by two callers, and a block of its own. */
  async "allocation sites: which frames allocate, how many blocks"(browser) {
    const at = (...stack) => `Error\n${["Object.onMalloc (a.js:1:2)", "_emscripten_trace_record_allocation (a.js:3:4)", "dlmalloc (a.wasm:wasm-function[9]:0x9)", ...stack]
      .map(f => `    at ${f}`).join("\n")}`;
    const wasm = (name, i) => `${name} (a.wasm:wasm-function[${i}]:0x24)`;
    fs.writeFileSync("heap.json", JSON.stringify({ detailedHeapUsage: true, totalMemoryAllocated: 4200, sbrkSources: [], allocationsAtLoc: {
      [at(wasm("new_node", 5), wasm("parse", 6))]: [24, 3000, ""], [at(wasm("new_node", 5), wasm("load", 7))]: [1, 1000, ""],
      [at(wasm("load", 7))]: [2, 200, ""] } }));
    await withPage(browser, write("heap.html", "--from", "emscripten", "heap.json"), async page => {
      const marked = () => page.page.$$eval(".rows .function", list => list.map(e => e.textContent).filter(text => text.startsWith("◆")).sort());
      await page.until(() => document.querySelector("#legend").textContent.includes("◆ allocation site"));
      assert.deepEqual(await marked(), ["◆ load", "◆ new_node"]);
      const site = async (share, row) => [await page.at(share, row), await page.page.$eval("#tooltip", e => e.querySelector(".site")?.textContent)];
      assert.deepEqual(await site(0.2, 1), ["parse", undefined]);
      assert.match(await page.text("#tooltip"), /blocks24/);
      assert.deepEqual(await site(0.2, 2), ["new_node", "◆ allocation site: 24 blocks, 3,000 B in use"]);
      assert.deepEqual(await site(0.2, 3), ["dlmalloc", undefined]);
      assert.deepEqual(await site(0.8, 1), ["load", "◆ allocation site: 2 blocks, 200 B in use"]);
      assert.match(await page.text("#tooltip"), /total1,200 B.*blocks3/);
      await page.choose("#value", "inuse_objects");
      await page.until(() => document.querySelector("#summary").textContent.includes("27"));
      assert.deepEqual(await site(0.2, 2), ["new_node", "◆ allocation site: 24 blocks, 3,000 B in use"]);
      await page.click("#inverted");
      await page.until(() => document.querySelector("#inverted").ariaPressed === "true");
      assert.deepEqual(await site(0.2, 1), ["dlmalloc", undefined]);
      assert.deepEqual(await site(0.2, 2), ["new_node", "◆ allocation site: 25 blocks, 4,000 B in use"]);
      assert.deepEqual(await site(0.2, 3), ["parse", undefined]);
      await page.choose("#value", "inuse_space");
      await page.click("#show-filters");
      await page.type("#ignore", "parse");
      await page.until(() => document.querySelector("#summary").textContent.includes("1,200"));
      assert.deepEqual(await site(0.2, 2), ["new_node", "◆ allocation site: 1 block, 1,000 B in use"]);
    });
    await withPage(browser, "small.html", async page => assert.equal(await page.text("#legend"), ""));
  },

  async "programs are told from sections; colours are by what tells frames apart"(browser) {
    const mode = page => page.page.$eval("#color", e => e.value);
    await withPage(browser, write("programs.html", `${data}/simulated.json`), async page => {
      assert.match(await page.text("#legend"), /§ section.*■ program/);
      assert.match(await page.at(0.5, 1), /^■ program Vau1t1/);
      assert.equal(await page.text("#tooltip .facts"), "program");
      assert.equal(await mode(page), "name", "no files, no modules");
    });
    await withPage(browser, "moved.html", async page => assert.equal(await mode(page), "change"));
    await withPage(browser, write("files.html", `${data}/moved_after.speedscope.json`), async page => assert.equal(await mode(page), "file"));
    fs.writeFileSync("one.speedscope.json", fs.readFileSync(`${data}/moved_after.speedscope.json`, "utf8")
      .replace('"file":"text/trim.lua","line":2', '"x":0').replaceAll("text/trim.lua", ""));
    await withPage(browser, write("one.html", "one.speedscope.json"), async page => assert.equal(await mode(page), "name", "one file and unknown ones"));
  },

  async "a damaged page says so"(browser) {
    const whole = fs.readFileSync("small.html", "utf8");
    const damaged = { cut: [/(toll-block-callee">.{20})[^<]*/, "$1"], shorter: [/("value-0":{"items":\d+,"bytes":)/, "$19"] };
    for (const [how, [from, to]] of Object.entries(damaged)) {
      assert.match(whole, from);
      fs.writeFileSync(`${how}.html`, whole.replace(from, to));
      await tellsProblem(browser, `${how}.html`);
    }
  },

  async "large blocks are decoded by workers, or without where none may run"(browser) {
    const page = fs.readFileSync(write("large.html", "large.folded"), "utf8"), figures = [];
    assert.match(page, /"nodes":[1-9]\d{5}/);
    fs.writeFileSync("alone.html", page.replace("worker-src blob:", "worker-src 'none'"));
    fs.writeFileSync("cut.html", page.replace(/(toll-block-callee">.{2000})[^<]*/, "$1"));
    await withPage(browser, "large.html", async opened => {
      await holdTable(opened, "large.folded");
      figures.push(await opened.rows());
    });
    const allowed = problem => !/worker|Content.Security.Policy/i.test(problem);
    await withPage(browser, "alone.html", async opened => {
      figures.push(await opened.rows());
      opened.problems.splice(0, opened.problems.length, ...opened.problems.filter(allowed));
    });
    assert.deepEqual(figures[1], figures[0]);
    await tellsProblem(browser, "cut.html");
  },

  async "axe finds nothing"(browser) {
    const axe = fs.readFileSync("node_modules/axe-core/axe.min.js", "utf8");
    for (const [file, hash] of [["small.html", "#search=lex&focus=main&frame=" + await frameOfParse(browser)], ["compared.html", ""],
                                ["lines.html", "#tab=source&theme=dark"], ["small.html", "#tab=notes&theme=dark"]])
      await withPage(browser, file, async page => {
        await page.page.focus("#graph");
        await page.page.evaluate(axe);
        const { violations } = await page.page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
        assert.deepEqual(violations.map(v => `${v.id}: ${v.nodes.map(n => n.html + n.failureSummary).join(", ")}`), [], `${file}${hash}`);
      }, { hash });
  },

  async "narrow and wide, light and dark: no sideways scrolling, nothing is hidden"(browser) {
    for (const size of [[360, 740], [800, 600], [1600, 1000]])
      for (const theme of ["light", "dark"])
        await withPage(browser, "compared.html", async page => {
          const { scrollWidth, clientWidth } = await page.page.$eval("html", e => ({ scrollWidth: e.scrollWidth, clientWidth: e.clientWidth }));
          assert.ok(scrollWidth <= clientWidth, `${size} ${theme}: ${scrollWidth} pixels in ${clientWidth}`);
          if (process.env.SHOT) await page.page.screenshot({ path: `${process.env.SHOT}/${name}-${size[0]}-${theme}.png` });
        }, { size, hash: `#theme=${theme}` });
  },
};

/** A page that cannot be shown says so. */
async function tellsProblem(browser, file) {
  const page = await browser.newPage();
  await page.goto(`file://${process.cwd()}/${file}`);
  await page.waitForFunction(() => !document.querySelector("#problem").hidden, { timeout: 20000 });
  assert.match(await page.$eval("#problem", e => e.textContent), /^This page cannot be shown: .*Write it again/);
  await page.close();
}

/** The fragment's name of the frame main;parse. */
async function frameOfParse(browser) {
  let frame;
  await withPage(browser, "small.html", async page => {
    await page.clickAt(0.6, 2);
    frame = (await page.hash()).match(/frame=([^&]*)/)[1];
  });
  return frame;
}

fs.writeFileSync("small.folded", STACKS);
fs.writeFileSync("before.folded", BEFORE);
fs.writeFileSync("many.folded", manyStacks(3000, 60));
fs.writeFileSync("large.folded", manyStacks(40000, 60));
await runTests(name, tests);
