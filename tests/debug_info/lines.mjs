// lines.mjs TOLL LIB - `toll convert --debug` makes lines of the stretches that a module recorded: the ticks of each
// function's lines add up to its own ticks, lines ran as often as they do by hand, and a module of another build is
// refused. The module is calls32.wasm, in the current folder, of calls.c.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [, , program, lib] = process.argv;
const { Toll } = await import(pathToFileURL(`${lib}/toll.mjs`));
const toll = await Toll.load(), bytes = fs.readFileSync("calls32.wasm");

function run(...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  return { status, stdout, stderr };
}

function report(file, value) {
  const { status, stdout, stderr } = run("report", "--json", "--rows", "0", "--value", value, file);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const recording = await toll.instantiate(bytes, {}, { lines: true });
recording.exports.run(100);
fs.writeFileSync("calls.pb.gz", await recording.profile("pprof"));

const converted = run("convert", "--debug", "calls32.wasm", "--inlines", "calls.pb.gz", "-o", "calls.lines.pb.gz");
assert.equal(converted.status, 0, converted.stderr);
assert.equal(converted.stderr, "");

// Sums are the same, and what a function's lines cost is what the function cost.
const own = Object.fromEntries(report("calls.lines.pb.gz", "ticks").functions.map(f => [f.name, f]));
for (const value of ["ticks", "line ticks", "calls"])
  assert.equal(report("calls.lines.pb.gz", value).total, report("calls.pb.gz", value).total, value);
const folded = run("convert", "--to", "folded", "--value", "line ticks", "-q", "calls.lines.pb.gz").stdout.trimEnd().split("\n");
const sums = {};
for (const line of folded) {
  const [, name, value] = /^(\w+).* (\d+)$/.exec(line);
  sums[name] = (sums[name] ?? 0) + Number(value);
}
for (const [name, sum] of Object.entries(sums)) {
  assert.equal(sum, own[name].self, name);
  assert.match(own[name].file, /calls\.c$/);
}
assert.ok(folded.some(line => line.startsWith("fill;step;mix ")), "mix is inlined in step, and that in fill");
assert.equal(Object.keys(sums).length, 3);

// The same by a folder, in which there is more; and a file of another build.
fs.mkdirSync("folder", { recursive: true });
fs.copyFileSync("calls32.wasm", "folder/renamed.wasm");
fs.writeFileSync("folder/text", "text");
const folder = run("convert", "--debug", "folder", "--inlines", "calls.pb.gz", "-o", "calls.folder.pb.gz");
assert.deepEqual([folder.status, folder.stderr], [0, ""]);
assert.deepEqual(fs.readFileSync("calls.folder.pb.gz"), fs.readFileSync("calls.lines.pb.gz"));
fs.copyFileSync("calls64.wasm", "folder/calls32.wasm");
fs.renameSync("folder/calls32.wasm", "folder/other.wasm");
const wrong = run("convert", "--debug", "folder/other.wasm", "calls.pb.gz", "-o", "calls.wrong.pb.gz");
assert.equal(wrong.status, 1);
assert.match(wrong.stderr, /^toll: folder\/other\.wasm: nothing in the profile is of this program \(build [0-9a-f]{16}\); name the one that was profiled\n$/);
// Inlined functions of lines that were made without them are those of the same at first; --inlines never does nothing without a word.
assert.equal(run("convert", "-q", "--debug", "calls32.wasm", "calls.pb.gz", "-o", "calls.outer.pb.gz").status, 0);
const again = run("convert", "--debug", "calls32.wasm", "--inlines", "calls.outer.pb.gz", "-o", "calls.again.pb.gz");
assert.deepEqual([again.status, again.stderr], [0, ""]);
assert.deepEqual(fs.readFileSync("calls.again.pb.gz"), fs.readFileSync("calls.lines.pb.gz"));
assert.notDeepEqual(fs.readFileSync("calls.outer.pb.gz"), fs.readFileSync("calls.lines.pb.gz"));
assert.match(run("annotate", "--inlines", "calls.outer.pb.gz").stderr, /^toll: warning: --inlines needs the program that was profiled: name it with --debug\n/);
const bare = await toll.instantiate(bytes, {});
bare.exports.run(10);
fs.writeFileSync("calls.bare.pb.gz", await bare.profile("pprof"));
assert.match(run("convert", "--debug", "calls32.wasm", "--inlines", "calls.bare.pb.gz", "-o", "calls.none.pb.gz").stderr,
  /^toll: warning: --inlines: the profile has no addresses of instructions, by which inlined functions are known; record it with toll run --lines, into a \.pb\.gz\n$/);
console.log(`toll convert --debug: lines of ${Object.keys(sums).length} functions, ${folded.length} stacks; sums are kept`);
