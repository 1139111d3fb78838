// profile.mjs LIB TOLL EXAMPLES - toll run --kernel with the example kernels: its numbers are those that the
// instrumented modules have without it.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { hex, load, runKernel } from "./host.mjs";

const [, , , toll, examples] = process.argv;
const inbox = name => path.join(examples, `${name}.json`);

function profiled(name, file = inbox(name), more = []) {
  const { status, stdout, stderr } = spawnSync(toll,
    ["run", "--kernel", "--inbox", file, "-o", `${name}.folded`, ...more, `${name}.wasm`], { encoding: "utf8", timeout: 60000 });
  return { status, stdout, stderr };
}

const folded = file => new Map(fs.readFileSync(file, "utf8").trim().split("\n")
  .map(line => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]));
const sum = numbers => [...numbers].reduce((a, b) => a + b, 0);

/** What Toll's runner is held to: ticks of each kernel_run and of each section, from the module's own counter. */
async function counted(name) {
  execFileSync(toll, ["instrument", `${name}.wasm`, "-o", `${name}.toll.wasm`]);
  const code = fs.readFileSync(`${name}.toll.wasm`), ticks = [], sections = [], left = [], open = [];
  let counter = null;
  const section = {
    start: () => open.push(counter.value),
    end: data => sections.push(`${hex(data)} ${counter.value - open.pop()}`), leftOpen: data => left.push([data, counter.value - open.pop()]),
  };
  const others = { enter() {}, leave() {}, settle() {}, depth: () => 0, unwind() {}, allocating() {}, heap() {} };
  const run = await runKernel(code, JSON.parse(fs.readFileSync(inbox(name))), {
    section, imports: { toll: others }, onInstance: exports => (counter = exports["toll:ticks"]),
    onRun: () => ticks.push(Number(counter.value)),
  });
  return { ...run, ticks, sections, left };
}

for (const [name, status] of [["ledger", 0], ["slices", 0], ["fragile", 134]]) {
  test(`${name}: runs, levels, sections and the whole add up`, async () => {
    const got = profiled(name), want = await counted(name);
    assert.equal(got.status, status, got.stderr);
    const isMark = line => line.startsWith("__wasm_debugger__::Section{"), printed = got.stdout.split("\n");
    assert.equal(printed.filter(line => !isMark(line)).join("\n"), want.debug.join(""));

    const runs = [...got.stderr.matchAll(/^level (\d+), kernel_run (\d+): (\d+) messages read, (\d+) written; ([\d,]+) ticks/gm)]
      .map(([, level, run, inputs, outputs, ticks]) => [level, run, inputs, outputs, ticks.replaceAll(",", "")].map(Number));
    assert.deepEqual(runs, want.runs.map((r, i) => [r.level, i, r.inputs, r.outputs, want.ticks[i]]));

    const marks = [...got.stdout.matchAll(/Section\{ticks:(\d+);data:\(0x(\w*),0x(\w*)\)\}/g)];
    assert.deepEqual(marks.map(([, ticks, , data]) => `${data} ${ticks}`), want.sections);

    const whole = folded(`${name}.folded`), levels = new Map();
    assert.equal(sum(whole.values()), sum(want.ticks));
    const perLevel = want.runs.reduce((all, r, i) => (all[r.level] = (all[r.level] ?? 0) + want.ticks[i], all), []);
    perLevel.forEach((ticks, level) => {
      const profile = folded(`${name}.level-${level}.folded`);
      assert.equal(sum(profile.values()), ticks, `level ${level}`);
      for (const [stack, self] of profile) levels.set(stack, (levels.get(stack) ?? 0) + self);
    });
    assert.equal(fs.existsSync(`${name}.level-${perLevel.length}.folded`), false);
    const stacks = map => [...map].filter(([, self]) => self).sort();
    assert.deepEqual(stacks(levels), stacks(whole), "the levels' stacks, added up, are the whole's");

    const ended = marks.map(([, ticks, data]) => [Buffer.from(data, "hex"), ticks]);
    const inSections = [...ended, ...want.left].reduce((all, [data, ticks]) =>
      all.set(`${data}`, (all.get(`${data}`) ?? 0) + Number(ticks)), new Map());
    for (const [section, ticks] of inSections)
      assert.equal(sum([...whole].filter(([stack]) => stack.split(";").includes(section)).map(([, self]) => self)), ticks, section);
    assert.ok(inSections.size > 0);
    const places = new Map([...whole.keys()].flatMap(stack => {
      const frames = stack.split(";"), at = frames.findIndex(frame => inSections.has(frame));
      return at < 0 ? [] : [[frames[at], new Set()]];
    }));
    for (const stack of whole.keys()) {
      const frames = stack.split(";"), at = frames.findIndex(frame => places.has(frame));
      if (at >= 0) places.get(frames[at]).add(frames.slice(0, at).join(";"));
    }
    for (const [section, its] of places) assert.equal(its.size, 1, `${section} is at one place, not below its helper: ${[...its]}`);
    assert.ok([...whole.keys()].some(stack => /kernel_run;.*\b[a-z]+_?[a-z]+/.test(stack) && !stack.includes("function[")), "names");
  });
}

const report = (file, ...more) => JSON.parse(execFileSync(toll, ["report", "--json", ...more, file], { encoding: "utf8" }));

/** The printed tables, by the line before each: phase -> [ticks, milliseconds as printed]. */
function tables(stderr) {
  const all = new Map();
  let last;
  for (const line of stderr.split("\n")) {
    const [, name, ticks, ms] = /^ {4}(\S.*?)\s+([\d,]+) ticks(?:\s+(\S+) ms)?$/.exec(line) ?? [];
    if (!name) last = line;
    else (all.get(last) ?? all.set(last, new Map()).get(last)).set(name, [Number(ticks.replaceAll(",", "")), ms]);
  }
  return all;
}

test("a cost of a phase is the same in a line, in a table and as a frame, for each run and for all", () => {
  const got = profiled("slices", inbox("slices"), ["-o", "runs.pb.gz"]), printed = tables(got.stderr);
  const ms = ns => (ns / 1e6).toFixed(3);
  const check = (table, more, where) => {
    const [ticks, time] = ["ticks", "time"].map(value => report("runs.pb.gz", "--value", value, ...more));
    for (const phase of ["%interpreter(decode)", "%interpreter(link)", "%interpreter(init)", "kernel_run"]) {
      const [its, own] = [ticks, time].map(({ functions }) => functions.find(({ name }) => name === phase).total);
      assert.deepEqual(table.get(phase), [its, ms(own)], `${phase} ${where}`);
    }
    assert.deepEqual(table.get("in all"), [ticks.total, ms(time.total)], where);
  };
  const runs = [...printed].filter(([line]) => line.includes("kernel_run "));
  assert.equal(runs.length, 9);
  runs.forEach(([line, table], run) => {
    check(table, ["--where", `run=${run}`], `of run ${run}`);
    assert.match(line, new RegExp(`; ${table.get("kernel_run")[0].toLocaleString("en")} ticks, ${table.get("kernel_run")[1]} ms$`));
  });
  check([...printed].find(([line]) => line.startsWith("3 levels"))[1], [], "of all");
  check(printed.get("level 2:"), ["--where", "level=2"], "of a level of two runs");
  assert.equal(printed.get("level 1:"), undefined, "a level of one run has that run's costs");
  const by = execFileSync(toll, ["report", "--by", "run", "--value", "ticks", "runs.pb.gz"], { encoding: "utf8" });
  assert.deepEqual([...by.matchAll(/  run=(\d)$/gm)].map(([, run]) => run), [..."012345678"]);
});

test("with sampled time no part of a run has a negative time, and the parts are the whole", () => {
  fs.writeFileSync("many.json", JSON.stringify([[{ external: "401f0000" }], [{ external: "00010000" }]])); // 8000 and 256 primes
  const { stderr } = profiled("slices", "many.json", ["-o", "many.pb.gz"]);
  assert.match(stderr, /^the clock was read [\d,]+ times: time between two readings is divided as ticks are; about \d+% /m);
  const time = name => {
    assert.match(execFileSync(toll, ["check", name], { encoding: "utf8" }), /: ok: /);
    return report(name, "--value", "time").total;
  };
  const whole = time("many.pb.gz"), levels = [0, 1].map(level => time(`many.level-${level}.pb.gz`));
  assert.equal(levels[0] + levels[1], whole);
});

test("the order in time has the same stacks as the profile, also where sections begin", () => {
  profiled("ledger", inbox("ledger"), ["-q", "--clock", "none", "--timeline", "order.toll-timeline", "-o", "order.pb.gz"]);
  const [order, profile] = [["order.toll-timeline"], ["order.pb.gz", "--by", "thread"]].map((given, i) => {
    execFileSync(toll, ["convert", "-q", ...given, "--value", "ticks", "-o", `order${i}.folded`]);
    return fs.readFileSync(`order${i}.folded`, "utf8").split("\n").sort();
  });
  assert.deepEqual(order, profile);
  assert.ok(order.some(stack => stack.includes(";message;")));
});

test("-q prints no line of a section; without time and ticks there is a profile, too", () => {
  assert.doesNotMatch(profiled("slices", inbox("slices"), ["-q"]).stdout, /Section/);
  assert.match(profiled("slices", inbox("slices"), ["--clock", "none"]).stderr, /^ {4}kernel_run +3,231,397 ticks$/m);
  assert.match(profiled("slices", inbox("slices"), ["--no-ticks"]).stderr, /^ {4}kernel_run +0 ticks +\S+ ms$/m);
});

const inboxes = { left_open: Array(8).fill([{ external: "00" }]), many_open: [Array(300).fill({ external: "00" })] };
for (const [name, levels] of Object.entries(inboxes)) fs.writeFileSync(`${name}.json`, JSON.stringify(levels));

test("a section that is left open ends with its kernel_run, and is noted", () => {
  const { stdout, stderr } = profiled("left_open", "left_open.json", ["-o", "left_open.pb.gz"]);
  assert.doesNotMatch(stdout, /Section/, "the kernel has not ended it");
  assert.match(stderr, /note: section left open: u: 8$/m);
  assert.match(stderr, /note: ends of sections that had not begun in their kernel_run: 8$/m);
  const { functions, total } = report("left_open.pb.gz", "--value", "time");
  const [section, run] = ["u", "kernel_run"].map(wanted => functions.find(({ name }) => name === wanted).total);
  assert.ok(section > 0 && section < run && run < total, `${section} < ${run} < ${total}`);
});

test("too many open sections are noted, and are no failure", () => {
  const { status, stderr } = profiled("left_open", "many_open.json", ["-o", "left_open.pb.gz"]);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /note: section left open: u: 300$/m);
  assert.match(stderr, /note: sections that no stack shows: 128 sections are open already; end them: 172$/m);
});

test("a run that ends early has its level's file, and the costs so far", () => {
  fs.writeFileSync("early.json", JSON.stringify([[], [{ external: "00".repeat(33) }], []]));
  const { status, stderr } = profiled("reveal", "early.json", ["-o", "early.pb.gz"]);
  assert.equal(status, 1);
  assert.match(stderr, /^level 1, kernel_run 1, which did not end:\n {4}%interpreter\(decode\)/m);
  const levels = [0, 1].map(level => report(`early.level-${level}.pb.gz`, "--value", "ticks").total);
  assert.ok(levels.every(ticks => ticks > 0));
  assert.equal(report("early.pb.gz", "--value", "ticks").total, levels[0] + levels[1]);
  assert.equal(fs.existsSync("early.level-2.pb.gz"), false);
});

test("profiles of levels have the run's labels", () => {
  profiled("ledger", inbox("ledger"), ["-q", "--label", "commit=3f2a", "-o", "labelled.pb.gz"]);
  for (const name of ["labelled.pb.gz", "labelled.level-0.pb.gz"]) {
    const { labels } = JSON.parse(execFileSync(toll, ["report", "-q", "--json", name], { encoding: "utf8" }));
    assert.deepEqual(new Set(labels.map(({ commit }) => `${commit}`)), new Set(["3f2a"]), name);
  }
});

test("each kernel_run is a call, each reboot too", () => {
  spawnSync(toll, ["run", "--kernel", "--inbox", inbox("slices"), "-q", "-o", "slices.pb.gz", "slices.wasm"]);
  const report = JSON.parse(execFileSync(toll, ["report", "--json", "--value", "calls", "slices.pb.gz"], { encoding: "utf8" }));
  const calls = Object.fromEntries(report.functions.map(f => [f.name, f.self ?? f.calls]));
  assert.equal(calls.kernel_run, 9, JSON.stringify(report.functions[0]));
  assert.equal(calls.next_prime, 1200 + 201);
});

test("the same run gives the same bytes", () => {
  const read = () => (profiled("ledger"), fs.readFileSync("ledger.folded", "utf8"));
  assert.equal(read(), read());
});

test("upgrades are profiled as what they are", () => {
  const file = "upgrade.json", slices = hex(load("slices"));
  fs.writeFileSync(file, JSON.stringify([[{ external: "00" }], [{ external: slices }], [{ external: "03000000" }]]));
  const { status, stderr } = profiled("upgrade", file);
  assert.equal(status, 1, stderr);
  assert.match(stderr, /toll: upgrade.wasm: .*\n/);
  assert.ok([...folded("upgrade.folded").keys()].some(stack => stack.includes("next_prime")));
});

test("what is wrong is told, with where", () => {
  const wrong = (json, text, name = "ledger") => {
    fs.writeFileSync("wrong.json", json);
    const { status, stderr } = profiled(name, "wrong.json");
    assert.notEqual(status, 0);
    assert.match(stderr, text);
  };
  wrong('[[], ["0x0g"]]', /wrong.json: level 1, message 0: "g" is no hex digit/);
  wrong("[", /wrong.json: is no JSON/);
  wrong(`[[{"external": "${"00".repeat(33)}"}]]`, /give the folder that has it: --preimages FOLDER/, "reveal");
});
