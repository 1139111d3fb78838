// check.mjs TOLL DIR - for every invocation in the logs, the profile has the units that it consumed, as integers: with
// its callees (`consumed N`) and without them; from traces with logs, and from logs only.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";

const [toll, dir] = process.argv.slice(2);
const run = (...args) => execFileSync(toll, args, { encoding: "utf8" });
const SYSTEM = "11111111111111111111111111111111", SYSTEM_PRICE = 150;
const add = (map, key, n) => map.set(key, (map.get(key) ?? 0) + n);

/** Of each path of programs: what it consumed with and without what it invoked, and how often. */
function consumed(file) {
  const whole = new Map(), own = new Map(), calls = new Map(), open = [];
  for (const line of readFileSync(file, "utf8").trim().split("\n")) {
    const [, id, verb, n] = /^Program (\S+) (invoke|consumed|success|failed:)(?: (\d+) of \d+)?/.exec(line) ?? [];
    if (verb === "invoke") open.push({ path: [...open.map(o => o.id), id].join(" "), id, nested: 0 });
    const at = open.at(-1);
    if (verb === "invoke") add(calls, at.path, 1);
    if (verb === "consumed") {
      add(whole, at.path, Number(n));
      add(own, at.path, Number(n) - at.nested);
      at.consumed = Number(n);
    }
    if (verb === "success" || verb === "failed:") {
      open.pop();
      if (id === SYSTEM) {
        add(whole, at.path, SYSTEM_PRICE);
        add(own, at.path, SYSTEM_PRICE);
        at.consumed = SYSTEM_PRICE;
      }
      if (open.length) open.at(-1).nested += at.consumed ?? at.nested;
    }
  }
  assert.equal(open.length, 0, file);
  return { whole, own, calls };
}

/** The same from a profile, in which each program is named by its ID; `input` is what toll reads. */
function profiled(ids, ...input) {
  const names = `${dir}/names`;
  writeFileSync(names, ids.map(id => `${id} program ${id}\n`).join(""));
  const whole = new Map(), own = new Map(), calls = new Map();
  for (const [value, take] of [["compute units", takeUnits], ["calls", takeCalls]]) {
    const text = run("convert", "-q", "--names", names, "--value", value, "--to", "folded", "-o", "-", ...input);
    for (const line of text.trim().split("\n")) {
      const at = line.lastIndexOf(" ");
      take(line.slice(0, at).split(";"), Number(line.slice(at + 1)));
    }
  }
  return { whole, own, calls };

  function programsOf(frames) {
    return frames.filter(f => f.startsWith("program ")).map(f => f.slice(8).replace(" (failed)", ""));
  }
  function takeUnits(frames, n) {
    const programs = programsOf(frames);
    add(own, programs.join(" "), n);
    for (let i = 1; i <= programs.length; i++) add(whole, programs.slice(0, i).join(" "), n);
  }
  function takeCalls(frames, n) {
    const programs = programsOf(frames);
    if (frames.at(-1).startsWith("program ")) add(calls, programs.join(" "), n);
  }
}

const instructions = folder =>
  readdirSync(folder).filter(f => f.endsWith(".regs")).reduce((n, f) => n + statSync(`${folder}/${f}`).size / 96, 0);
const sorted = map => Object.fromEntries([...map].filter(([, n]) => n).sort());

/** Units by stack, added to `sums`. */
function stacks(name, sums) {
  const text = run("convert", "-q", "--logs", `${dir}/${name}.logs`, "--to", "folded", "-o", "-", `${dir}/${name}`);
  for (const line of text.trim().split("\n")) {
    const at = line.lastIndexOf(" ");
    add(sums, line.slice(0, at), Number(line.slice(at + 1)));
  }
  return sums;
}

let invocations = 0;
for (const name of ["1", "2", "3", "4", "all"]) {
  const expected = consumed(`${dir}/${name}.logs`);
  for (const logs of name === "all" ? ["all.logs"] : [`${name}.logs`, `${name}.json`]) {
    const ids = [...new Set([...expected.calls.keys()].flatMap(path => path.split(" ")))];
    for (const input of [["--logs", `${dir}/${logs}`, `${dir}/${name}`], [`${dir}/${logs}`]]) {
      const found = profiled(ids, ...input);
      for (const what of ["whole", "own", "calls"])
        assert.deepEqual(sorted(found[what]), sorted(expected[what]), `${input.join(" ")}: ${what}`);
    }
  }
  const top = [...expected.whole].filter(([path]) => !path.includes(" ")).reduce((sum, [, n]) => sum + n, 0);
  const report = JSON.parse(run("report", "-q", "--json", "--logs", `${dir}/${name}.logs`, `${dir}/${name}`));
  assert.equal(report.total, top, `${name}: total`);
  const plain = JSON.parse(run("report", "-q", "--json", "--from", "sbf-trace", `${dir}/${name}`));
  const syscalls = plain.functions.filter(f => f.name.startsWith("sol_")).reduce((sum, f) => sum + f.self, 0);
  assert.equal(plain.total - syscalls, instructions(`${dir}/${name}`), `${name}: instructions`);
  const notes = run("report", "--logs", `${dir}/${name}.logs`, `${dir}/${name}`).split("\n").filter(l => l.startsWith("note:"));
  assert.ok(!notes.some(n => /without a trace|left out|return|end inside|only the sum|something else/.test(n)), notes.join("\n"));
  invocations += [...expected.calls.values()].reduce((sum, n) => sum + n, 0);
  console.log(`${name}: ${top} CU consumed, ${plain.total - syscalls} instructions of distinct traces`);
}
// A trace that is found among those of all transactions is the one found among those of its own.
const oneByOne = ["1", "2", "3", "4"].reduce((sums, name) => stacks(name, sums), new Map());
assert.deepEqual(sorted(stacks("all", new Map())), sorted(oneByOne), "transactions together and one by one");
console.log(`${invocations} invocations: all as the logs say`);
