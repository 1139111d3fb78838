// run.mjs TOLL PROGRAM.c - `toll run --lines` of program.wasm, in the current folder: its lines ran as often as they do by
// hand, and cost what its functions did; formats that are only written have them, too; a file from before a run that
// failed is left alone.
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
// A format that is only written: the same as by way of a file, whatever ends the run, and nothing else is left.
const files = () => fs.readdirSync(".").filter(name => /^(out|whole)\./.test(name)).sort();
for (const name of files()) fs.rmSync(name, { recursive: true });
const exact = ["--lines", "--clock", "none"];
assert.equal(run("run", "-q", ...exact, "-o", "whole.pb.gz", "program.wasm").status, 0);
for (const extension of ["callgrind", "html"]) {
  assert.equal(run("convert", "-q", "whole.pb.gz", "-o", `whole.${extension}`).status, 0);
  const { status, stdout, stderr } = run("run", ...exact, "-o", `out.${extension}`, "program.wasm");
  assert.deepEqual([status, stdout], [0, "111\n"]);
  assert.match(stderr, new RegExp(`^toll: .*/out\\.${extension}$`, "m"));
  const [out, whole] = ["out", "whole"].map(name => fs.readFileSync(`${name}.${extension}`, "latin1").replace(/\d{12,}/g, "WHEN"));
  assert.equal(out, whole);
}
const kept = ["out.callgrind", "out.html", "whole.callgrind", "whole.html", "whole.pb.gz"];
assert.deepEqual(files(), kept);
const judged = spawnSync("callgrind_annotate", ["--auto=yes", "--show=executions", "--threshold=100", "out.callgrind"], { encoding: "utf8" });
if (judged.status === 0) assert.match(judged.stdout, /^ *41 \([^)]*\) .*return 3 \* n \+ 1;/m);
else console.log("no word from callgrind_annotate: it is not here");

// A guest that fails: its file has lines. A run that does not begin: the file from before stays.
assert.notEqual(run("run", "-q", ...exact, "-o", "out.callgrind", "broken.wasm").status, 0);
assert.deepEqual(fs.readFileSync("out.callgrind"), fs.readFileSync("whole.callgrind"));
assert.deepEqual(files(), kept);

// A run that a signal ends has its lines, too.
fs.writeFileSync("ended.sh", `#!/bin/sh\n"${process.execPath}" "$@"\nkill -TERM $$\n`, { mode: 0o755 });
for (const extension of ["pb.gz", "callgrind"]) {
  fs.rmSync(`ended.${extension}`, { force: true });
  const { signal } = spawnSync(toll, ["run", "-q", ...exact, "-o", `ended.${extension}`, "program.wasm"],
                               { env: { ...process.env, TOLL_NODE: "./ended.sh" } });
  assert.equal(signal, "SIGTERM");
}
assert.equal(run("convert", "-q", "ended.pb.gz", "-o", "ended.out.callgrind").status, 0);
for (const name of ["ended", "ended.out"])
  assert.deepEqual(fs.readFileSync(`${name}.callgrind`), fs.readFileSync("whole.callgrind"));

// What cannot be written in the end is not lost: a folder has taken the file's place meanwhile.
fs.writeFileSync("late.sh", `#!/bin/sh\n"${process.execPath}" "$@"\nmkdir -p late.callgrind/x\n`, { mode: 0o755 });
fs.rmSync("late.callgrind", { recursive: true, force: true });
const late = spawnSync(toll, ["run", "-q", ...exact, "-o", "late.callgrind", "program.wasm"],
                       { encoding: "utf8", env: { ...process.env, TOLL_NODE: "./late.sh" } });
assert.equal(late.status, 1);
const [, recorded] = /^toll: (.*late\.callgrind\.\d+\.pb\.gz): has what the run recorded/m.exec(late.stderr) ?? [];
assert.ok(recorded, late.stderr);
assert.equal(run("convert", "-q", "--debug", "program.wasm", recorded, "-o", "late.out.callgrind").status, 0);
assert.deepEqual(fs.readFileSync("late.out.callgrind"), fs.readFileSync("whole.callgrind"));
fs.rmSync(recorded);

console.log("toll run --lines: lines ran as often as by hand");
