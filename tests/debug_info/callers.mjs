// callers.mjs TOLL PROGRAM.c - `toll run --call-lines` of callers.wasm, in the current folder: each line called what it does
// by hand, also by pprof's count, and with the frame of an inlined function between; the stacks are those of --lines.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const [, , toll, source] = process.argv;
const text = fs.readFileSync(source, "utf8").split("\n");
const line = what => text.findIndex(l => l.includes(what)) + 1;

function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout;
}
run(toll, "run", "-q", "--lines", "--clock", "none", "-o", "plain.pb.gz", "callers.wasm");
run(toll, "run", "-q", "--call-lines", "--clock", "none", "-o", "callers.pb.gz", "callers.wasm");
run(toll, "run", "-q", "--call-lines", "--inlines", "--clock", "none", "-o", "inlined.pb.gz", "callers.wasm");

// What work(n) costs is linear in n: two lines give the two numbers, and the others have to agree.
const lines = function (file, name) {
  const [f] = JSON.parse(run(toll, "annotate", "-q", "--json", "--source-dir", path.dirname(source), file, name)).functions;
  return new Map(f.lines.map(l => [l.line, l.total - l.self]));
};
const many = lines("callers.pb.gz", "many"), down = lines("callers.pb.gz", "down");
const per = (many.get(line("/* once */")) - many.get(line("/* often:")) / 10) / 80, base = many.get(line("/* once */")) - 100 * per;
const work = n => base + n * per;
assert.ok(per > 1 && Number.isInteger(per) && base > 1);
assert.equal(many.get(line("/* by way")), 10 * work(5));
assert.equal(many.get(line("/* by a pointer")), 4 * work(40));
assert.equal(down.get(line("/* at the end")), work(3));
assert.equal(down.get(line("/* itself")), work(3), "what a function spends deeper is its own");
assert.equal([...many.values()].reduce((sum, n) => sum + n, 0), 10 * work(20) + work(100) + 10 * work(5) + 4 * work(40));
assert.deepEqual([...lines("inlined.pb.gz", "inlined").values()].filter(n => n), [10 * work(5)]);

// Calls: below the frame of the line, as often as by hand.
const folded = (file, value) => {
  run(toll, "convert", "-q", "--value", value, file, "-o", "callers.folded");
  return fs.readFileSync("callers.folded", "utf8");
};
for (const value of ["ticks", "calls", "executions", "line ticks"])
  assert.equal(folded("callers.pb.gz", value), folded("plain.pb.gz", value), value);

const go = spawnSync("go", ["tool", "pprof", "-sample_index=calls", `-source_path=${path.dirname(source)}`,
                            `-trim_path=${path.dirname(source)}`, "-list", "^(many|down)$", "callers.pb.gz"], { encoding: "utf8" });
if (go.status === 0) {
  const cumulative = what => Number(new RegExp(`^ +\\S+ +(\\S+) +${line(what)}:`, "m").exec(go.stdout)?.[1]);
  assert.deepEqual(["/* often:", "/* once", "/* by way", "/* by a pointer", "/* at the end"].map(cumulative), [10, 1, 10, 4, 1]);
  assert.equal(cumulative("/* itself"), 6 + 1); // the calls of down, and the innermost one's of work
  const { stdout } = spawnSync("go", ["tool", "pprof", "-sample_index=calls", "-top", "callers.pb.gz"], { encoding: "utf8" });
  assert.match(stdout, /^File: callers\.wasm$/m, "the program, and not what its phases are in");
} else {
  console.log("no word from go tool pprof: it is not here");
}
run(toll, "convert", "-q", "callers.pb.gz", "-o", "callers.callgrind");
const calls = [...fs.readFileSync("callers.callgrind", "latin1").matchAll(/^calls=(\d+) .*\n(\d+) /mg)].map(([, n, at]) => `${at}:${n}`);
for (const [what, n] of [["/* often:", 10], ["/* once", 1], ["/* by way", 10], ["/* by a pointer", 4], ["/* itself", 6]])
  assert.ok(calls.includes(`${line(what)}:${n}`), `calls of line ${line(what)}: ${calls}`);
console.log("toll run --call-lines: lines called what they do by hand");
