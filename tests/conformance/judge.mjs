// judge.mjs TOLL HERE PRINTED [LACKS...] - compares the output of a runner with HERE/expected.txt. TOLL reads the
// profiles that the runner has written. For a case that needs a feature which the adapter LACKS, the runner prints only
// that. With TOLL_UPDATE, expected.txt is written.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { samples, startTime } from "../instrument/pprof.mjs";

const [toll, here, printed, ...lacks] = process.argv.slice(2);
const run = (...args) => execFileSync(toll, args, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"] });

/** The stacks that have calls, as "FUNCTION@ADDRESS;...", with their calls. */
function places(file) {
  const lines = samples(fs.readFileSync(file)).filter(({ values }) => values.calls).map(({ names, addresses, values }) =>
    `${names.map((name, i) => `${name}@${addresses[i]}`).reverse().join(";")} ${values.calls}`);
  return lines.sort().join("\n");
}

/** All values of each stack, with files and lines: "FUNCTION FILE:BEGIN:LINE;... VALUES", where BEGIN is the function's line. Without a
 *  line there is an address. */
function linesOf(file) {
  const all = samples(fs.readFileSync(file)).map(({ lines, values }) =>
    `${lines.reverse().join(";")} ${Object.entries(values).filter(([, value]) => value).map(([column, value]) => `${column} ${value}`).join(", ")}`);
  return all.sort();
}

/** A profile as text: its columns, labels, notes; and each column by stack, or the sums of functions. */
function content(what, file) {
  const start = startTime(fs.readFileSync(file));
  if (start !== 1700000000000000000n) return `the run began at ${start}, which is not what SOURCE_DATE_EPOCH says`;
  if (what === "places") return places(file);
  const { columns, labels, notes, runs, threads, functions } = JSON.parse(run("report", "-q", "--json", file));
  const lines = [`threads ${threads.join()} labels ${JSON.stringify(labels)}`, ...notes.map(({ count, text }) => `note ${count} ${text}`)];
  if (!runs.length || !runs.every(({ of }) => /\bcosts=\w.*; engine=\w.*; module=\w.*; toll=\d/.test(of)))
    return `of which runs the profile is, it does not say: ${JSON.stringify(runs)}`;
  if (what === "profile") lines.push(...runs.map(({ of }) => `runs: ${of.replace(/engine=[^;]*; |; toll=.*/g, "")}`)); // costs, compiler, module
  // How often notes count what has no line depends on what is done first: finding lines, or adding profiles up.
  if (what === "lines") return [lines[0], ...notes.map(({ text }) => `note ${text}`), ...linesOf(file)].join("\n");
  for (const { type, unit } of columns) {
    lines.push(`${type} (${unit}):`);
    if (what === "profile") lines.push(...run("convert", "-q", "--to", "folded", "--value", type, "-o", "-", file).trim().split("\n").filter(Boolean));
    else for (const f of JSON.parse(run("report", "-q", "--json", "--value", type, file)).functions) if (f.total) lines.push(`${f.name} ${f.self} ${f.total}`);
  }
  if (what === "sum") lines.push(...functions.map(f => `${f.name} called ${f.calls}`));
  return lines.join("\n");
}

/** Texts of cases, by name. */
const cases = text => new Map(text.split(/^case /m).slice(1).map(one => [one.slice(0, one.indexOf("\n")), one.slice(one.indexOf("\n") + 1).trim()]));

const file = path.join(here, "expected.txt"), needs = new Map();
for (const [name, text] of cases(fs.readFileSync(path.join(here, "cases.txt"), "utf8").replace(/^#.*\n/gm, "")))
  needs.set(name, (text.match(/^needs (.*)$/m)?.[1] ?? "").split(" ").filter(word => lacks.includes(word)));
const found = cases(fs.readFileSync(printed, "utf8").replace(/^(profile|places|lines|sum) (\S+\.pb)$/gm, (_, what, name) => `${what}:\n${content(what, name)}`));
if (process.env.TOLL_UPDATE) fs.writeFileSync(file, [...found].map(([name, text]) => `case ${name}\n${text}\n`).join("\n"));
const expected = cases(fs.readFileSync(file, "utf8"));
let differences = 0, same = 0;
for (const name of new Set([...needs.keys(), ...expected.keys(), ...found.keys()])) {
  const wanted = needs.get(name)?.length ? `lacks ${needs.get(name)[0]}` : expected.get(name) ?? "(no such case)";
  const has = found.get(name) ?? "(nothing)";
  if (wanted === has) {
    same++;
    continue;
  }
  differences++;
  fs.writeFileSync("wanted.txt", `${wanted}\n`);
  fs.writeFileSync("found.txt", `${has}\n`);
  console.log(`FAILED: ${name}: < expected, > found`);
  try {
    execFileSync("diff", ["wanted.txt", "found.txt"], { stdio: "inherit" });
  } catch {
    // it differs
  }
}
for (const word of lacks)
  if (![...needs.values()].flat().includes(word)) console.log(`FAILED: ${word}: no case needs that`), differences++;
if (differences) process.exit(1);
console.log(`${same} cases are as expected${lacks.length ? `, without ${lacks.join(", ")}` : ""}`);
