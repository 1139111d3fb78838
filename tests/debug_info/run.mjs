// run.mjs TOLL PROGRAM.c - `toll run --lines` of program.wasm, in the current folder: lines have the numbers of
// executions that were counted by hand, and the costs of lines add up to those of functions. Formats that Toll only
// writes have lines too. A run that fails does not change an existing file.
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

// Without --lines functions say where they are defined, as convert --debug says it.
const functionsOf = name => JSON.parse(run("report", "--json", "-n", "0", name).stdout).functions.map(f => [f.name, f.file, f.line]).sort();
assert.equal(run("run", "-q", "-o", "plain.pb.gz", "program.wasm").status, 0);
assert.ok(functionsOf("plain.pb.gz").some(([name, file, at]) => name === "step" && file === source && at > 0), functionsOf("plain.pb.gz"));
assert.equal(run("convert", "-q", "--debug", "program.wasm", "plain.pb.gz", "-o", "told.pb.gz").status, 0);
assert.deepEqual(functionsOf("plain.pb.gz"), functionsOf("told.pb.gz"));

// What has no line is charged to the line before it, if that is asked for: no more, no less, at the run or later, also twice.
const ticksOf = name => annotated("--full", "--threshold", "0", name).flatMap(f => f.lines).reduce((sum, l) => [sum[0] + (l.line ? 0 : l.self), sum[1] + l.self], [0, 0]);
const skipped = name => JSON.parse(run("report", "--json", name).stdout).notes.find(n => n.text.includes("--skip-line-zero"))?.count ?? 0;
for (const inlines of [[], ["--inlines"]]) {
  const args = ["-q", "--lines", "--clock", "none", ...inlines];
  assert.equal(run("run", ...args, "-o", "zero.pb.gz", "program.wasm").status, 0);
  assert.equal(run("run", ...args, "--skip-line-zero", "-o", "skipped.pb.gz", "program.wasm").status, 0);
  assert.equal(run("convert", "-q", "--debug", "program.wasm", "--skip-line-zero", ...inlines, "zero.pb.gz", "-o", "later.pb.gz").status, 0);
  assert.equal(run("convert", "-q", "--debug", "program.wasm", "--skip-line-zero", "later.pb.gz", "-o", "twice.pb.gz").status, 0);
  const [lineless, all] = ticksOf("zero.pb.gz");
  for (const name of ["skipped.pb.gz", "later.pb.gz", "twice.pb.gz"]) {
    assert.ok(skipped(name) > 0, name);
    assert.deepEqual(ticksOf(name), [lineless - skipped(name), all], name);
  }
}

// No function that is followed has run: there are no lines to find, and nothing is wrong.
for (const output of ["none.pb.gz", "none.callgrind"]) {
  const none = run("run", "--lines", "--clock", "none", "--only", "^__wasi_sched_yield$", "-o", output, "program.wasm");
  assert.equal(none.status, 0);
  assert.doesNotMatch(none.stderr, /nothing in the profile|no debug information/);
}

const before = fs.readFileSync("program.pb.gz");
fs.writeFileSync("broken.wasm", "\0asm");
assert.notEqual(run("run", "-q", "--lines", "-o", "program.pb.gz", "broken.wasm").status, 0);
assert.deepEqual(fs.readFileSync("program.pb.gz"), before);
// A format that is only written: what cannot be written in the end is not lost. A folder takes the file's place meanwhile.
const files = () => fs.readdirSync(".").filter(name => /^(out|whole|late|ended)\./.test(name)).sort();
for (const name of files()) fs.rmSync(name, { recursive: true });
const exact = ["--lines", "--clock", "none"];
const through = (script, ...args) => {
  fs.writeFileSync("node.sh", `#!/bin/sh\n"${process.execPath}" "$@"\n${script}\n`, { mode: 0o755 });
  return spawnSync(toll, ["run", "-q", ...exact, ...args], { encoding: "utf8", env: { ...process.env, TOLL_NODE: "./node.sh" } });
};
const late = through("mkdir -p late.callgrind/x", "-o", "late.callgrind", "program.wasm");
assert.equal(late.status, 1);
const [, recorded] = /^toll: (.*late\.callgrind\.\d+\.pb\.gz): has what the run recorded/m.exec(late.stderr) ?? [];
assert.ok(recorded, late.stderr);

// The same as by way of a file, whatever ends the run, and nothing else is left.
const contents = name => fs.readFileSync(name, "latin1");
const same = (a, b) => { // a page says what it was made of, and when
  if (a.endsWith(".html")) assert.ok(contents(a).startsWith("<!doctype html>") && contents(b).startsWith("<!doctype html>"));
  else assert.equal(contents(a), contents(b));
};
for (const extension of ["callgrind", "html"]) {
  assert.equal(run("convert", "-q", "--debug", "program.wasm", recorded, "-o", `whole.${extension}`).status, 0);
  const { status, stdout, stderr } = run("run", ...exact, "-o", `out.${extension}`, "program.wasm");
  assert.deepEqual([status, stdout], [0, "111\n"]);
  assert.match(stderr, new RegExp(`^toll: .*/out\\.${extension}$`, "m"));
  same(`out.${extension}`, `whole.${extension}`);
  assert.equal(through("kill -TERM $$", "-o", `ended.${extension}`, "program.wasm").signal, "SIGTERM");
  same(`ended.${extension}`, `whole.${extension}`);
}
fs.rmSync(recorded);
fs.rmSync("late.callgrind", { recursive: true });
const kept = ["ended", "out", "whole"].flatMap(name => [`${name}.callgrind`, `${name}.html`]);
assert.deepEqual(files(), kept);
const judged = spawnSync("callgrind_annotate", ["--auto=yes", "--show=executions", "--threshold=100", "out.callgrind"], { encoding: "utf8" });
if (judged.status === 0) assert.match(judged.stdout, /^ *41 \([^)]*\) .*return 3 \* n \+ 1;/m);
else console.log("no word from callgrind_annotate: it is not here");

// A run that does not begin leaves the file from before.
assert.notEqual(run("run", "-q", ...exact, "-o", "out.callgrind", "broken.wasm").status, 0);
assert.equal(contents("out.callgrind"), contents("whole.callgrind"));
assert.deepEqual(files(), kept);

// The native format has lines after a signal, too, and keeps what toll annotate --asm needs: the instructions of a line add
// up to it, with the functions that are inlined as without.
for (const inlines of [[], ["--inlines"]]) {
  assert.equal(through("kill -TERM $$", ...inlines, "-o", "ended.pb.gz", "program.wasm").signal, "SIGTERM");
  const { status, stdout, stderr } = run("annotate", "-q", "--asm", "--json", "-n", "0", "ended.pb.gz");
  assert.equal(status, 0, stderr);
  const { functions, lines_unlike_their_instructions: unlike } = JSON.parse(stdout);
  assert.equal(unlike, undefined);
  const odd = functions.find(f => f.name === "step").lines.find(l => l.line === line("/* odd */"));
  assert.ok(odd.instructions.some(i => i.text === "i32.mul" && i.executions === 41));
  assert.equal(odd.instructions.reduce((sum, i) => sum + i.self, 0), odd.self);
}
fs.rmSync("ended.pb.gz");

console.log("toll run --lines: lines ran as often as by hand");
