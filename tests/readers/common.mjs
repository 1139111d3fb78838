// common.mjs - the figures of a profile that Toll itself prints, for comparison with those of other readers.
import { execFileSync } from "node:child_process";
import assert from "node:assert/strict";

const toll = process.argv[2];
export const profiles = ["run.pb.gz", "small.pb.gz", "names.pb.gz"];
export const run = (program, ...args) =>
  execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });

/** `toll report --json`: value, unit, total, functions with self, total, calls. */
export const report = (file, ...options) => JSON.parse(run(toll, "report", "--json", "-n", "0", ...options, file));

/** The value types of a profile: [{ type, unit }]. */
export const columns = file => report(file).columns;

/** Folded stacks of one value type: "a;b;c" -> value. `toll` makes functions of the same name distinct there. */
export function folded(file, type) {
  const sums = new Map();
  for (const line of run(toll, "convert", "-q", "--to", "folded", "--value", type, "-o", "-", file).trim().split("\n")) {
    if (line === "# no stacks") continue; // all are 0: a run in which nothing waited, say
    const at = line.lastIndexOf(" ");
    sums.set(line.slice(0, at), (sums.get(line.slice(0, at)) ?? 0) + Number(line.slice(at + 1)));
  }
  return sums;
}

/** By function: name -> sum of `field`. Functions that share a name are one. */
export function byName(functions, field, nameOf = f => f.name) {
  const sums = new Map();
  for (const f of functions) sums.set(nameOf(f), (sums.get(nameOf(f)) ?? 0) + f[field]);
  return sums;
}

/** Both maps hold the same, but for zeros. */
export function assertSame(actual, expected, what) {
  const clean = m => Object.fromEntries([...m].filter(([, v]) => v !== 0).sort());
  assert.deepEqual(clean(actual), clean(expected), what);
}
