// shares.mjs TOLL APP.wasm [ARGS...] - how much longer a program takes under toll run, with each of its clocks, and how
// well the shares of self time of its functions agree with those of V8's own sampler in runs without Toll: the sum over all
// functions of the lesser share. V8 is measured several times, since its results vary. The program reads the file
// BENCH_INPUT, and has the folder BENCH_DIR. TOLL_NODE=FILE is another Node; ROWS=N prints the N largest functions.
// BENCH_ROUNDS=10 BENCH_WAYS=sampled: ten runs of one clock, to see how much they differ. (Windows are what V8 cannot
// sample: with kinds of calls, whose cost is in it.)
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const [toll, app, ...args] = process.argv.slice(2).map((name, i) => (i < 2 ? path.resolve(name) : name));
const plain = [fileURLToPath(new URL("plain.mjs", import.meta.url)), fileURLToPath(new URL("../../hosts/wasm", import.meta.url)), app, ...args];
const { BENCH_INPUT: input = os.devNull, BENCH_DIR: dir, BENCH_ROUNDS: times = 3, TOLL_NODE: node = process.execPath,
  BENCH_WAYS: wanted } = process.env;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toll-shares-")), beside = name => path.join(folder, name);

/** The elapsed seconds of a command. */
function run(program, ...args) {
  const stdio = [fs.openSync(input), "ignore", "pipe"], start = performance.now();
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8", stdio, env: { ...process.env, TOLL_NODE: node } });
  fs.closeSync(stdio[0]);
  if (status) throw new Error(stderr);
  return (performance.now() - start) / 1000;
}

/** Nanoseconds by function of the guest. */
function ofV8(file) {
  const { nodes, samples, timeDeltas } = JSON.parse(fs.readFileSync(file, "utf8")), sums = new Map();
  const names = new Map(nodes.map(n => [n.id, n.callFrame.url.startsWith("wasm:") ? n.callFrame.functionName : undefined]));
  samples.forEach((id, i) => {
    const name = names.get(id);
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + timeDeltas[i] * 1000);
  });
  return sums;
}

function ofToll(file, value) {
  const text = execFileSync(toll, ["report", "--json", "--rows", "0", "--value", value, file], { encoding: "utf8", maxBuffer: 1 << 28 });
  return new Map(JSON.parse(text).functions.map(f => [f.name, f.self]));
}

function hasNote(file, text) {
  const { notes } = JSON.parse(execFileSync(toll, ["report", "--json", "--rows", "1", file], { encoding: "utf8" }));
  return notes.some(note => note.text.includes(text));
}

function shares(sums, known = sums) {
  const own = [...sums].filter(([name]) => known.has(name)), all = own.reduce((sum, [, ns]) => sum + ns, 0);
  return new Map(own.map(([name, ns]) => [name, ns / all]));
}

function mean(list) {
  const names = new Set(list.flatMap(m => [...m.keys()]));
  return new Map([...names].map(name => [name, list.reduce((sum, m) => sum + (m.get(name) ?? 0), 0) / list.length]));
}

/** By how much the share of a function differs between two runs, of the function for which this is most. */
const spread = list => Math.max(...[...mean(list).keys()].map(name => {
  const found = list.map(m => m.get(name) ?? 0);
  return Math.max(...found) - Math.min(...found);
}));
const overlap = (a, b) => [...a].reduce((sum, [name, share]) => sum + Math.min(share, b.get(name) ?? 0), 0);
const percent = share => `${(100 * share).toFixed(1)} %`;

const profiles = [], least = { plain: Infinity }, found = {}, more = dir ? ["--dir", dir] : [];
const all = { "two runs": ["--twice"], sampled: ["--clock", "sampled"], windows: ["--clock", "sampled", "--call-kinds"], each: ["--clock", "each"], folded: ["--clock", "sampled", "--fold-recursion"], none: ["--clock", "none"] };
const ways = Object.fromEntries(Object.entries(all).filter(([way]) => way === "none" || !wanted || wanted.split(",").includes(way)));
for (let i = 0; i < times; i++) {
  least.plain = Math.min(least.plain, run(node, "--no-warnings", ...plain));
  run(node, "--no-warnings", "--cpu-prof", "--cpu-prof-interval", "100", "--cpu-prof-dir", folder, "--cpu-prof-name", "v8.cpuprofile", ...plain);
  profiles.push(shares(ofV8(beside("v8.cpuprofile"))));
  for (const [way, options] of Object.entries(ways)) {
    const file = beside(`${way}.pb.gz`), seconds = run(toll, "run", "-q", "-o", file, ...options, ...more, app, ...args);
    least[way] = Math.min(least[way] ?? Infinity, seconds);
    if (way === "two runs" && !hasNote(file, "second run")) throw new Error("--twice: the second run was not used");
    (found[way] ??= []).push(ofToll(file, way === "none" ? "ticks" : "time"));
  }
}
const pairs = profiles.flatMap((a, i) => profiles.slice(0, i).map(b => overlap(a, b)));
const averageOf = list => list.reduce((a, b) => a + b, 0) / Math.max(list.length, 1);
const truth = mean(profiles), calls = [...ofToll(beside("none.pb.gz"), "calls").values()].reduce((a, b) => a + b, 0);
console.log(`plain: ${least.plain.toFixed(2)} s, ${(calls / least.plain / 1e6).toFixed(0)} million calls a second; two runs of V8 overlap by ` +
            `${percent(averageOf(pairs))}, one and their mean by ${profiles.map(p => percent(overlap(truth, p))).join(", ")}; ` +
            `the share of one function differs by up to ${percent(spread(profiles))}`);
for (const way of Object.keys(ways)) {
  const each = found[way].map(sums => shares(sums, truth));
  console.log(`${way.padEnd(8)} ${(least[way] / least.plain).toFixed(2)} times; ${way === "none" ? "ticks" : "time"} overlaps V8's by ` +
              `${each.map(s => percent(overlap(truth, s))).join(", ")} (their mean by ${percent(overlap(truth, mean(each)))}), and differs by up to ${percent(spread(each))}`);
}
const means = Object.keys(ways).map(way => mean(found[way].map(sums => shares(sums, truth))));
for (const [name, share] of [...truth].sort((a, b) => b[1] - a[1]).slice(0, Number(process.env.ROWS ?? 0)))
  console.log(`  ${name.padEnd(20)} ${[share, ...means.map(m => m.get(name) ?? 0)].map(s => percent(s).padStart(8)).join("")}`);
fs.rmSync(folder, { recursive: true });
