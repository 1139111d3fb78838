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
  const code = fs.readFileSync(`${name}.toll.wasm`), ticks = [], sections = [], open = [];
  let counter = null;
  const section = {
    start: () => open.push(counter.value),
    end: data => sections.push(`${hex(data)} ${counter.value - open.pop()}`),
  };
  const others = { enter() {}, leave() {}, settle() {}, depth: () => 0, unwind() {}, allocating() {}, heap() {} };
  const run = await runKernel(code, JSON.parse(fs.readFileSync(inbox(name))), {
    section, imports: { toll: others }, onInstance: exports => (counter = exports["toll:ticks"]),
    onRun: () => ticks.push(Number(counter.value)),
  });
  return { ...run, ticks, sections };
}

for (const [name, status] of [["ledger", 0], ["slices", 0], ["fragile", 134]]) {
  test(`${name}: runs, levels, sections and the whole add up`, async () => {
    const got = profiled(name), want = await counted(name);
    assert.equal(got.status, status, got.stderr);
    assert.equal(got.stdout, want.debug.join(""));

    const runs = [...got.stderr.matchAll(/^level (\d+), kernel_run (\d+): (\d+) messages read, (\d+) written; ([\d,]+) ticks/gm)]
      .map(([, level, run, inputs, outputs, ticks]) => [level, run, inputs, outputs, ticks.replaceAll(",", "")].map(Number));
    assert.deepEqual(runs, want.runs.map((r, i) => [r.level, i, r.inputs, r.outputs, want.ticks[i]]));

    const marks = [...got.stderr.matchAll(/Section\{ticks:(\d+);data:\(0x(\w*),0x(\w*)\)\}/g)];
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

    const inSections = marks.reduce((all, [, ticks, data]) => {
      const section = Buffer.from(data, "hex").toString();
      return all.set(section, (all.get(section) ?? 0) + Number(ticks));
    }, new Map());
    for (const [section, ticks] of inSections)
      assert.equal(sum([...whole].filter(([stack]) => stack.split(";").includes(section)).map(([, self]) => self)), ticks, section);
    assert.ok(inSections.size > 0);
    assert.ok([...whole.keys()].some(stack => /kernel_run;.*\b[a-z]+_?[a-z]+/.test(stack) && !stack.includes("function[")), "names");
  });
}

test("profiles of levels have the run's labels", () => {
  profiled("ledger", inbox("ledger"), ["-q", "--label", "commit=3f2a", "-o", "labelled.pb.gz"]);
  for (const name of ["labelled.pb.gz", "labelled.level-0.pb.gz"]) {
    const { labels } = JSON.parse(execFileSync(toll, ["report", "-q", "--json", name], { encoding: "utf8" }));
    assert.deepEqual(labels, [{ commit: ["3f2a"] }], name);
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
