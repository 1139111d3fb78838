// compare.mjs BROWSER TOLL DATA - uses comparisons of two profiles like a person: with filters, threads, lines,
// normalised, by a link. The figures must equal, as integers, those of `toll report`, `toll diff` and `toll annotate`
// with the same filters.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { runTests, withPage } from "./driver.mjs";

const [name, toll, data] = process.argv.slice(2);
const run = (...args) => execFileSync(toll, args, { encoding: "utf8" });
const grouped = n => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
const signed = n => (n > 0 ? "+" : "") + grouped(n);
const THREADS = ["main", "worker"], AFTER = "after.speedscope.json", BEFORE = "before.speedscope.json";

/** A profile with two threads, in which functions first..last call one another, themselves too. */
function writeProfile(file, seed, first, last) {
  const random = below => ((seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) >> 8) % below;
  const frames = Array.from({ length: 10 }, (_, n) => ({ name: `f${n}`, file: `${"ab"[n % 2]}.lua`, line: 10 * n + 1 }));
  const profiles = THREADS.map(thread => {
    const samples = Array.from({ length: 60 }, () => Array.from({ length: 1 + random(6) }, () => first + random(last - first + 1)));
    const weights = samples.map(() => 1 + random(9000));
    return { type: "sampled", name: thread, unit: "none", startValue: 0, endValue: weights.reduce((a, b) => a + b), samples, weights };
  });
  fs.writeFileSync(file, JSON.stringify({ $schema: "https://www.speedscope.app/file-format-schema.json", shared: { frames }, profiles }));
}

/** { self, total } by function, as `toll report` has them. */
const report = (file, options) => new Map(JSON.parse(run("report", "-q", "--json", "--rows", "0", ...options, file)).functions
  .filter(f => f.total).map(f => [f.name, f]));

const sumOf = functions => [...functions.values()].reduce((sum, f) => sum + f.self, 0);

/** The table's rows as they have to be. normalized: whether both sums are to be equal. */
function expectedRows(options, normalized = false) {
  const after = report(AFTER, options), before = report(BEFORE, options), none = { self: 0, total: 0 };
  const scale = normalized ? sumOf(after) / sumOf(before) : 1;
  return new Map([...new Set([...after.keys(), ...before.keys()])].map(f => {
    const now = after.get(f) ?? none, { total, self } = before.get(f) ?? none, then = { total: total * scale, self: self * scale };
    return [f, { before: grouped(Math.round(then.total)), total: grouped(now.total), change: signed(Math.round(now.total - then.total)),
                 selfbefore: grouped(Math.round(then.self)), self: grouped(now.self), selfchange: signed(Math.round(now.self - then.self)) }];
  }));
}

async function holdTable(page, expected, what) {
  await page.until(count => parseInt(document.querySelector("#listed").textContent) === count, expected.size);
  const rows = await page.rows();
  assert.equal(rows.length, expected.size, what);
  for (const { name: f, ratio, ...shown } of rows) assert.deepEqual(shown, expected.get(f), `${f}, ${what}`);
  return rows;
}

/* The page's filters, and the same ones for the command. */
const FILTERS = [
  ["", []], ["focus=f3", ["--focus", "f3"]], ["ignore=^f(1|4)$", ["--ignore", "^f(1|4)$"]], ["fold=1", ["--fold-recursion"]],
  ["thread=worker", ["--thread", "^worker$"]], ["thread=sum&ignore=f2", ["--ignore", "f2"]], ["inverted=1&focus=f5", ["--focus", "f5"]],
  ["focus=f[36]&ignore=f7&fold=1&thread=main&inverted=1", ["--focus", "f[36]", "--ignore", "f7", "--fold-recursion", "--thread", "^main$"]],
];

const tests = {
  async "the table has the figures of both profiles, with any filter"(browser) {
    for (const [hash, options] of FILTERS)
      await withPage(browser, "compared.html", async page => {
        const rows = await holdTable(page, expectedRows(options), hash);
        const changes = JSON.parse(run("diff", "-q", "--json", "--rows", "0", ...options, BEFORE, AFTER)).functions;
        for (const { name: f, change, before, after } of changes) {
          const { selfbefore, self, selfchange } = rows.find(r => r.name === f);
          assert.deepEqual([selfbefore, self, selfchange], [grouped(before), grouped(after), signed(change)], `${f} as in toll diff, ${hash}`);
        }
        assert.equal(rows.filter(r => r.selfchange !== "0").length, changes.length);
        const gone = rows.filter(r => r.total === "0").length, fresh = rows.filter(r => r.before === "0").length;
        assert.deepEqual([await page.count(".mark.gone"), await page.count(".mark.new")], [gone, fresh], hash);
        assert.ok(gone && fresh);
      }, { hash: `#${hash}` });
  },

  async "normalised: the sums of what is kept, of the threads that are shown, are equal"(browser) {
    for (const [hash, options] of FILTERS)
      await withPage(browser, "compared.html", async page => {
        await holdTable(page, expectedRows(options, true), hash);
        const [, now, then] = (await page.text("#summary")).match(/: ([\d,]+).* · before ([\d,]+)/);
        assert.equal(then, now, hash);
        await page.choose("#thread", "worker");
        await page.until(() => document.querySelector("#thread").value === "worker");
        const others = [...options.filter((o, n) => o !== "--thread" && options[n - 1] !== "--thread"), "--thread", "^worker$"];
        await page.until(() => location.hash.includes("thread=worker"));
        await holdTable(page, expectedRows(others, true), `${hash}, then another thread`);
      }, { hash: `#normalize=1&${hash}` });
  },

  async "a search tells what stacks with a match cost before and after"(browser) {
    for (const [hash, options] of [FILTERS[0], FILTERS[2], FILTERS[4]])
      await withPage(browser, "compared.html", async page => {
        const [after, before] = [AFTER, BEFORE].map(file => sumOf(report(file, [...options, "--focus", "^f[59]$"])));
        await page.type("#search", "^f[59]$");
        const text = ` matched: ${grouped(after)} in 2 functions, before ${grouped(before)} (${signed(after - before)})`;
        await page.until(wanted => document.querySelector("#matched").textContent.endsWith(wanted), text);
        assert.deepEqual((await page.rows()).map(r => r.name).sort(), [...expectedRows(options).keys()].filter(f => /^f[59]$/.test(f)).sort());
      }, { hash: `#${hash}` });
  },

  async "frames that are new and gone are marked, with filters too"(browser) {
    if (name !== "chromium") return; // what a canvas is told is the same
    fs.writeFileSync("new.folded", "main;a;x 10\nmain;b;x 20\n");
    fs.writeFileSync("old.folded", "main;a;x 5\nmain;c;x 7\n");
    run("view", "-q", "new.folded", "old.folded", "-o", "marks.html");
    const labels = { "": ["+ b", "a", "main", "x", "− c", "+ x", "− x"], "ignore=b|c": ["a", "main", "x"], "focus=^(a|c)$": ["a", "main", "x", "− c", "− x"],
                     "ignore=^a$": ["+ b", "main", "− c", "+ x", "− x"], "inverted=1&ignore=^a$": ["x", "+ b", "− c", "+ main", "− main"] };
    for (const [hash, expected] of Object.entries(labels))
      await withPage(browser, "marks.html", async page => {
        const drawn = await page.page.evaluate(() => new Promise(done => {
          const context = document.querySelector("#canvas").getContext("2d"), texts = [], { fillText } = context;
          context.fillText = (...what) => texts.push(what[0]);
          document.querySelector("#graph").dispatchEvent(new WheelEvent("wheel", { deltaY: 1000, cancelable: true }));
          setTimeout(() => { context.fillText = fillText; done(texts); }, 300);
        }));
        const names = drawn.filter(text => !/%$|^-$/.test(text));
        names.splice(names.indexOf("main"), 1); // the thread
        assert.deepEqual(names.sort(), expected.toSorted(), hash);
      }, { hash: `#${hash}` });
  },

  async "a link keeps the comparison as it is"(browser) {
    let link, shown;
    const state = async page => ({
      rows: await page.rows(), summary: await page.text("#summary"), matched: await page.text("#matched"), listed: await page.text("#listed"),
      details: await page.text("#details"), fields: await page.page.$$eval("input, select", list => list.map(e => e.type === "checkbox" ? e.checked : e.value)),
      pressed: await page.page.$$eval("[aria-pressed=true], [aria-selected=true][role=tab], [aria-sort]", list => list.map(e => e.id || `${e.dataset.column} ${e.ariaSort}`)),
    });
    await withPage(browser, "compared.html", async page => {
      await page.click("#show-filters");
      for (const [field, text] of [["focus", "f[3-9]"], ["ignore", "f7"], ["search", "f[45]"], ["filter", "F4"]]) await page.type(`#${field}`, text);
      for (const box of ["fold", "normalize"]) await page.click(`#${box}`);
      for (const [field, value] of [["thread", "worker"], ["change", "self"], ["measure", "relative"], ["widths", "after"]]) await page.choose(`#${field}`, value);
      await page.click("th[data-column=selfchange] button");
      await page.click("#flame");
      await page.until(() => document.querySelector("#listed").textContent.startsWith("1 function of"));
      await page.click(".rows tbody tr[data-at='0']");
      await page.until(() => ["frame", "sort", "filter", "widths", "normalize", "fold", "thread"].every(part => location.hash.includes(`${part}=`)));
      link = await page.page.evaluate(() => location.hash);
      shown = await state(page);
    });
    assert.match(shown.matched, /matched: .* before/);
    assert.deepEqual(shown.rows.map(r => r.name), ["f4"]);
    await withPage(browser, "compared.html", async page => {
      await page.until(text => document.querySelector("#matched").textContent === text, shown.matched);
      await page.until(text => document.querySelector("#listed").textContent === text, shown.listed);
      await page.until(text => document.querySelector("#details").textContent === text, shown.details);
      assert.deepEqual(await state(page), shown);
    }, { hash: link });
  },

  async "lines: before, after and change of each, self and total, with filters"(browser) {
    const [after, before] = ["after", "before"].map(side => `${data}/lines/${side}.pb.gz`);
    fs.mkdirSync("sources", { recursive: true });
    fs.writeFileSync("sources/work.c", `\n\n${fs.readFileSync(`${data}/lines/work_c.txt`, "utf8")}`);
    fs.utimesSync("sources/work.c", 1577836800, 1577836800); // older than the profile
    run("view", "-q", "--source-dir", "sources", after, before, "-o", "lines.html");
    const linesOf = (files, options) => JSON.parse(run("annotate", "-q", "--json", ...options, ...files, "src/work.c")).files[0].lines;
    for (const [hash, options] of [["", []], ["ignore=square", ["--ignore", "square"]], ["focus=^sum$", ["--focus", "^sum$"]]])
      await withPage(browser, "lines.html", async page => {
        await page.page.evaluate(() => [...document.querySelectorAll(".rows tbody tr")].find(r => r.querySelector(".function").textContent === "sum").click());
        await page.until(() => document.querySelectorAll("#source tr.cost").length > 0);
        const heads = await page.page.$$eval("#source th", list => list.map(e => e.textContent));
        assert.deepEqual(heads, ["total before", "total after", "change", "self before", "self after", "self change", "line", "source"]);
        const shown = await page.page.$$eval("#source tr.cost", rows => rows.map(r => [Number(r.dataset.line), ...[...r.cells].slice(0, 6).map(c => Number(c.textContent.replaceAll(",", "")))]));
        const now = new Map(linesOf([after], options).map(l => [l.line, l])), none = { self: 0, total: 0 };
        const then = new Map(linesOf([before], options).map(l => [l.line && l.line + 2, l])); // the file has two lines more
        const expected = [...new Set([...now.keys(), ...then.keys()])].map(line => {
          const [a, b] = [now.get(line) ?? none, then.get(line) ?? none];
          return [line, b.total, a.total, a.total - b.total, b.self, a.self, a.self - b.self];
        });
        const byLine = (a, b) => a[0] - b[0];
        assert.deepEqual(shown.filter(l => l.slice(1).some(v => v)).sort(byLine), expected.filter(l => l.slice(1).some(v => v)).sort(byLine), hash);
        for (const { line, before: self, after: selfAfter } of hash ? [] : linesOf([before, after], []))
          assert.deepEqual(shown.find(l => l[0] === line).slice(4, 6), [self, selfAfter], `line ${line} as in toll annotate`);
        const tones = await page.page.$$eval("#source tr.cost", rows => rows.map(r => [Number(r.cells[2].textContent.replaceAll(",", "")), r.className]));
        for (const [change, tone] of tones) assert.equal(tone, `cost${change > 0 ? " grown" : change < 0 ? " shrunk" : ""}`);
      }, { hash: `#tab=source&${hash}` });
  },

  async "callers and callees have their change"(browser) {
    fs.writeFileSync("more.folded", "main;a;x 10\nmain;b;x 20\nmain;a;y 4\n");
    fs.writeFileSync("less.folded", "main;a;x 25\nmain;a;y 4\n");
    run("view", "-q", "more.folded", "less.folded", "-o", "callers.html");
    await withPage(browser, "callers.html", async page => {
      await page.page.evaluate(() => [...document.querySelectorAll(".rows tbody tr")].find(r => r.querySelector(".function").textContent === "x").click());
      await page.until(() => document.querySelector("#details h2")?.textContent === "x");
      await page.click("#tab-callers");
      await page.until(() => document.querySelectorAll("#callers .neighbours").length === 2);
      const lists = await page.page.$$eval("#callers .neighbours", tables => tables.map(t => [...t.rows].map(r => [...r.cells].map(c => c.textContent).join(" "))));
      assert.deepEqual(lists, [["10 29.4% -15 a", "20 58.8% +20 b"], ["none"]]);
    });
  },

  async "snapshots have the figures of toll diff, what grew in each step first"(browser) {
    const files = Array.from({ length: 10 }, (_, i) => `snapshot-${i}.pb.gz`);
    let seed = 11;
    const random = below => ((seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) >> 8) % below;
    for (const [i, file] of files.entries()) {
      const blocks = ["leak;malloc", "table;leak;operator new(unsigned long)", "table;malloc", "view;draw;malloc", "other"]
        .map((stack, s) => [stack, s === 0 ? 5 + 3 * i : s === 1 ? 9 + i : 1 + random(20)]);
      for (const [what, unit, size] of [["inuse_space", "bytes", 48], ["inuse_objects", "count", 1]]) {
        fs.writeFileSync("blocks.folded", blocks.map(([stack, n]) => `main;${stack} ${n * size}\n`).join(""));
        run("convert", "-q", "blocks.folded", "--value", what, "--unit", unit, "-o", `${what}.pb.gz`);
      }
      run("merge", "-q", "inuse_space.pb.gz", "inuse_objects.pb.gz", "-o", file);
    }
    run("view", "-q", ...files, "-o", "snapshots.html");
    const value = hash => hash ? ["--value", hash.split("=")[1]] : [];
    for (const hash of ["", "value=inuse_space"]) {
      const { functions, values, value_unit: unit } = JSON.parse(run("diff", "-q", "--json", ...value(hash), ...files));
      const text = (n, signed) => (signed && n > 0 ? "+" : "") + grouped(n) + (unit === "bytes" ? " B" : "");
      await withPage(browser, "snapshots.html", async page => {
        await page.until(() => document.querySelector("#snapshots .rows tbody tr"));
        const heads = await page.page.$$eval("#snapshots thead th", list => list.map(e => e.dataset.column));
        assert.deepEqual(heads, ["change", "other", "grew", "curve", ...[2, 3, 4, 5, 6, 7, 8, 9].map(n => `at${n}`), "name"]);
        const rows = await page.page.$$eval("#snapshots tbody tr", list => list.map(row => [...row.cells].map(c => c.textContent)));
        const expected = functions.map(f => [text(f.change, true), expectedOther(f, unit), `${f.steps_grown} of 9`, "", ...f.values.slice(2).map(v => text(v)), `◆ ${f.name}`]);
        assert.deepEqual(rows, expected);
        assert.equal(rows[0].at(-1), "◆ leak");
        const totals = await page.page.$$eval("#snapshots li", list => list.map(e => e.textContent.split(" ·")[0].split(", ")[0]));
        assert.deepEqual(totals, values.map(v => text(v)));
        assert.match(await page.text("#snapshots .facts"), /^1 allocation site of 4 grew in each of 9 steps\.$/);
        const summary = () => page.text("#summary"), first = await summary();
        await page.page.evaluate(() => document.querySelectorAll("#snapshots li button")[3].click()); // of the fifth
        await page.until(() => document.querySelector("#title").textContent === "snapshot-4.pb.gz against snapshot-3.pb.gz");
        assert.ok((await summary()).startsWith(`${(await summary()).split(":")[0]}: ${text(values[4])} · before ${text(values[3])}`), await summary());
        assert.equal(await page.page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("pair")), "3-4");
        assert.deepEqual(await page.page.$$eval('#snapshots button[aria-pressed="true"]', list => list.map(e => e.textContent)), ["snapshot-4.pb.gz"]);
        await page.page.evaluate(() => document.querySelector("#snapshots .facts button").click());
        await page.until(() => document.querySelector("#title").textContent === "snapshot-9.pb.gz against snapshot-0.pb.gz");
        assert.equal(await summary(), first);
        await page.until(() => document.querySelector("#snapshots .rows tbody tr"));
        await page.click('#snapshots th[data-column="at9"] button');
        const sorted = await page.page.$$eval('#snapshots tbody td[data-column="at9"]', list => list.map(e => parseInt(e.textContent.replaceAll(",", ""))));
        assert.deepEqual(sorted, functions.map(f => f.values[9]).sort((a, b) => b - a));
        await page.page.evaluate(() => [...document.querySelectorAll("#snapshots tbody tr")].find(r => r.textContent.includes("leak")).click());
        await page.until(() => document.querySelector("#details h2")?.textContent.endsWith("leak"));
      }, { hash: hash && `#${hash}` });
    }
  },
};

/* The change of blocks if the column is bytes, and of bytes otherwise. */
const expectedOther = ({ others }, unit) => signed(others.at(-1) - others[0]) + (unit === "bytes" ? "" : " B");

writeProfile(AFTER, 3, 0, 8);
writeProfile(BEFORE, 8, 1, 9);
run("view", "-q", AFTER, BEFORE, "-o", "compared.html");
await runTests(name, tests);
