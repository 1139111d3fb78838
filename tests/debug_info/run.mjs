// run.mjs TOLL PROGRAM.c - `toll run --lines` of program.wasm, in the current folder: its lines ran as often as they do by
// hand, and cost what its functions did; a file from before a run that failed is left alone.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";

const [, , toll, source] = process.argv;
const run = (...args) => spawnSync(toll, args, { encoding: "utf8" });
const text = fs.readFileSync(source, "utf8").split("\n");
const line = what => text.findIndex(l => l.includes(what)) + 1;

function annotated(...args) {
  const { status, stdout, stderr } = run("annotate", "-q", "--json", ...args);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout).functions;
}

for (const calls of [[], ["--no-calls"]]) {
  fs.rmSync("program.pb.gz", { force: true });
  const { status, stdout, stderr } = run("run", "-q", "--lines", ...calls, "-o", "program.pb.gz", "program.wasm");
  assert.deepEqual([status, stdout, stderr], [0, "111\n", ""]);
  const [step] = annotated("program.pb.gz", "step");
  const at = number => step.lines.find(l => l.line === number)?.executions;
  assert.equal(at(line("if (n % 2)")), 111);
  assert.equal(at(line("/* odd */")), 41);
  assert.equal(at(line("/* even */")), 70);
  assert.equal(step.lines.reduce((sum, l) => sum + l.self, 0), step.self);
  const report = JSON.parse(run("report", "--json", "--value", "ticks", "program.pb.gz").stdout);
  assert.equal(report.functions.find(f => f.name === "step").self, step.self);
  assert.equal(report.functions.find(f => f.name === "step").file, source);
}

const before = fs.readFileSync("program.pb.gz");
fs.writeFileSync("broken.wasm", "\0asm");
assert.notEqual(run("run", "-q", "--lines", "-o", "program.pb.gz", "broken.wasm").status, 0);
assert.deepEqual(fs.readFileSync("program.pb.gz"), before);
console.log("toll run --lines: lines ran as often as by hand");
