// beside.mjs TOLL PROGRAM.c - the lines of a program whose debug information is not in its own file, or not all of it:
// program.wasm is the one with all, split.wasm has objects/split.dwo; objects/other.dwo is of another program. They run as often as they do by hand.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";

const [, , toll, source] = process.argv;
const run = (...args) => spawnSync(toll, args, { encoding: "utf8" });
const text = fs.readFileSync(source, "utf8").split("\n");
const line = what => text.findIndex(l => l.includes(what)) + 1;

function tool(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(status, 0, `${program}: ${stderr}`);
  return stdout;
}

/** Each line of `step` in the profile ran as often as by hand. */
function check(profile) {
  const { status, stdout, stderr } = run("annotate", "-q", "--json", profile, "step");
  assert.equal(status, 0, stderr);
  const [step] = JSON.parse(stdout).functions;
  assert.equal(step.file, source);
  for (const [what, executions] of [["if (n % 2)", 111], ["/* odd */", 41], ["/* even */", 70]])
    assert.equal(step.lines.find(l => l.line === line(what))?.executions, executions, `${profile}: ${what}`);
}

/** A run whose lines are found at once, and one whose lines are found afterwards. `remark` is what Toll says of the file. */
function checkBoth(module, remark) {
  const at = ran => ran.stderr.split("\n").filter(l => l.includes(module) && l.includes("warning"));
  const now = run("run", "--lines", "--clock", "none", "-o", "now.pb.gz", module);
  assert.deepEqual([now.status, now.stdout], [0, "111\n"]);
  check("now.pb.gz");
  const later = run("convert", "--debug", module, "bare.pb.gz", "-o", "later.pb.gz");
  assert.equal(later.status, 0, later.stderr);
  check("later.pb.gz");
  if (!remark) return assert.deepEqual([at(now), at(later)], [[], []]);
  for (const ran of [now, later]) assert.match(ran.stderr, remark);
}

const leb = value => value < 128 ? [value] : [value & 127 | 128, ...leb(value >>> 7)];
const name = string => [...leb(string.length), ...Buffer.from(string)];

/** The module with a custom section more, which holds a text. */
function withSection(module, section, string) {
  const body = [...name(section), ...name(string)];
  return Buffer.concat([module, Buffer.from([0, ...leb(body.length), ...body])]);
}

for (const folder of ["bare", "beside", "mapped"]) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder);
}
tool("llvm-objcopy", "--strip-debug", "program.wasm", "bare/program.wasm");
const bare = fs.readFileSync("bare/program.wasm");
assert.equal(run("run", "-q", "--lines", "--clock", "none", "-o", "bare.pb.gz", "bare/program.wasm").status, 0);

// A run that fails leaves a file from before as it is, although it could have had lines.
const stale = fs.readFileSync("bare.pb.gz");
assert.notEqual(run("run", "-q", "--lines", "--invoke", "nothing", "-o", "bare.pb.gz", "program.wasm").status, 0);
assert.deepEqual(fs.readFileSync("bare.pb.gz"), stale);
assert.equal(run("convert", "-q", "--debug", "program.wasm", "bare.pb.gz", "-o", "later.pb.gz").status, 0);
check("later.pb.gz");

// Stacks are selected by the names that functions get.
tool("llvm-objcopy", "--strip-all", "program.wasm", "bare/nameless.wasm");
assert.equal(run("run", "-q", "--lines", "--clock", "none", "-o", "nameless.pb.gz", "bare/nameless.wasm").status, 0);
const focused = (...args) => run("convert", "-q", "--value", "ticks", "--focus", "^step$", ...args, "--to", "folded").stdout;
const [, steps] = /__original_main;step (\d+)\n$/.exec(focused("later.pb.gz"));
assert.match(focused("--debug", "program.wasm", "nameless.pb.gz"), new RegExp(`__original_main;step ${steps}\n$`));

// external_debug_info: the file is beside the module, wherever it was when that was linked.
fs.copyFileSync("program.wasm", "beside/program.debug.wasm");
fs.writeFileSync("beside/program.wasm", withSection(bare, "external_debug_info", "/elsewhere/program.debug.wasm"));
checkBoth("beside/program.wasm");
tool("llvm-objcopy", "--strip-debug", "program.wasm", "beside/program.debug.wasm");
const { stderr: without } = run("convert", "--debug", "beside/program.wasm", "bare.pb.gz", "-o", "later.pb.gz");
assert.match(without, /has no debug information|no lines|names alone/);
fs.rmSync("beside/program.debug.wasm");
const missing = run("convert", "--debug", "beside/program.wasm", "bare.pb.gz", "-o", "later.pb.gz");
assert.equal(missing.status, 0);
assert.match(missing.stderr, /its debug information is in beside\/program\.debug\.wasm, which cannot be opened: there are names alone/);
fs.copyFileSync("calls32.wasm", "beside/program.debug.wasm");
fs.rmSync("never.pb.gz", { force: true });
const other = run("convert", "--debug", "beside/program.wasm", "bare.pb.gz", "-o", "never.pb.gz");
assert.notEqual(other.status, 0);
assert.match(other.stderr, /is of build .* and the debug information of beside\/program\.debug\.wasm of build /);
assert.ok(!fs.existsSync("never.pb.gz"));

// A source map, of the rows that llvm-dwarfdump reads: columns count from the file's first byte.
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const vlq = value => {
  let rest = value < 0 ? -value << 1 | 1 : value << 1, out = "";
  do {
    out += digits[rest & 31 | (rest > 31 ? 32 : 0)];
    rest >>>= 5;
  } while (rest);
  return out;
};
const codeOffset = (() => {
  for (let at = 8; at < bare.length;) {
    const id = bare[at++];
    let size = 0, shift = 0;
    do size |= (bare[at] & 127) << shift, shift += 7; while (bare[at++] & 128);
    if (id === 10) return at;
    at += size;
  }
  throw new Error("no code");
})();
const [table] = tool("llvm-dwarfdump", "--debug-line", "program.wasm").split("\ndebug_line[").filter(part => part.includes("program.c\""));
const rows = [...table.matchAll(/^0x([0-9a-f]+) +(\d+) +(\d+) +(\d+).*$/gm)]
  .filter(([row, , number]) => number !== "0" && !row.includes("end_sequence"))
  .map(([, address, number, column]) => [parseInt(address, 16) + codeOffset, number - 1, Math.max(column - 1, 0)])
  .sort((a, b) => a[0] - b[0]);
assert.ok(rows.length > 8);
let before = [0, 0, 0];
const mappings = rows.map(row => {
  const [column, original, there] = row.map((value, i) => vlq(value - before[i]));
  before = row;
  return column + "A" + original + there;
}).join(",");
fs.writeFileSync("mapped/program.wasm.map", JSON.stringify({ version: 3, names: [], sources: [source], mappings }));
fs.writeFileSync("mapped/program.wasm", withSection(bare, "sourceMappingURL", "http://localhost:8080/program.wasm.map"));
checkBoth("mapped/program.wasm", /has a source map alone: lines are there, inlined functions are not/);

// Split DWARF: functions and inlined calls are in .dwo files, or one package of them, beside the module, wherever they were when that was
// compiled. Without them there are lines, and Toll says what is missing.
const lines = ["--lines", "--inlines", "--clock", "none"];
const definedAt = () => JSON.parse(run("report", "--json", "-n", "0", "now.pb.gz").stdout).functions.find(f => f.name === "step").line ?? 0;
function checkSplit(remark) {
  for (const profiled of [() => run("run", ...lines, "-o", "now.pb.gz", "split/split.wasm"),
    () => run("convert", "--debug", "split/split.wasm", "split.pb.gz", "-o", "now.pb.gz")]) {
    const { status, stderr } = profiled();
    assert.equal(status, 0, stderr);
    check("now.pb.gz");
    assert.equal(definedAt(), remark ? 0 : line("static int step"), stderr);
    if (remark) assert.match(stderr, remark);
    else assert.doesNotMatch(stderr, /warning/);
  }
}
for (const folder of ["split/objects", "split"]) fs.rmSync(folder, { recursive: true, force: true });
fs.mkdirSync("split/objects", { recursive: true });
fs.copyFileSync("split.wasm", "split/split.wasm");
tool("llvm-objcopy", "--strip-debug", "split.wasm", "bare/split.wasm");
assert.equal(run("run", "-q", ...lines, "-o", "split.pb.gz", "bare/split.wasm").status, 0);
const missing1 = /split\.wasm: 1 of 1 \.dwo files not found beside it: split\.dwo; of these, lines are known, functions and inlined calls are not/;
const dwo = fs.readFileSync("objects/split.dwo");
checkSplit(missing1);
fs.writeFileSync("split/objects/split.dwo", dwo); // where the module names it, as seen from its folder
checkSplit(missing1);
fs.writeFileSync("split/split.dwo", dwo);
checkSplit();
fs.renameSync("split/split.dwo", "split/moved");
tool("mkfifo", "split/split.dwo"); // nobody waits for it
checkSplit(missing1);
fs.rmSync("split/split.dwo");
fs.symlinkSync("moved", "split/split.dwo");
checkSplit(missing1);
fs.rmSync("split/split.dwo");
fs.copyFileSync("objects/other.dwo", "split/split.dwo");
checkSplit(/1 of 1 \.dwo files of another build: split\.dwo;/);
if (spawnSync("llvm-dwp", ["--version"]).status === 0) {
  fs.rmSync("split/split.dwo");
  tool("llvm-dwp", "objects/split.dwo", "-o", "split/split.wasm.dwp");
  checkSplit();
} else console.log("no package of split DWARF: there is no llvm-dwp");
// The default run has the places of functions.
assert.equal(run("run", "-q", "--clock", "none", "-o", "now.pb.gz", "split/split.wasm").status, 0);
assert.equal(definedAt(), line("static int step"));
console.log("debug information beside the program: lines ran as often as by hand");
