// meter.mjs TOLL SOURCE - executions by line of a C program, as WebAssembly, are those that gcov and clang's source
// coverage count for the same program compiled natively. Lines are those of llvm-symbolizer.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import { executions, read } from "./section.mjs";

const [toll, source] = process.argv.slice(2), ROUNDS = 40; // as in its main
const run = (program, args, input) => execFileSync(program, args, { encoding: "utf8", input, maxBuffer: 1 << 28 });
const has = program => !spawnSync(program, ["--version"]).error;

/** The file's addresses of instructions, from the beginning of the code section's content. */
function addresses(file) {
  const [, start] = /^ +Code start=(0x[0-9a-f]+)/m.exec(run("wasm-objdump", ["-h", file]));
  return run("wasm-objdump", ["-d", file]).split("\n").map(line => /^ ([0-9a-f]{6}): [0-9a-f ]+\| *([a-z].*)/.exec(line))
    .filter(found => found && !/^local\[/.test(found[2])).map(found => parseInt(found[1], 16) - Number(start));
}

/** The line of each address; 0: none. */
function linesOf(file, places) {
  const text = run("llvm-symbolizer", [`--obj=${file}`, "--output-style=LLVM", "--no-inlines"], places.map(a => `0x${a.toString(16)}\n`).join(""));
  return text.trim().split("\n\n").map(place => Number(/:(\d+):\d+$/.exec(place)?.[1] ?? 0));
}

/** Executions by line: those of the block that ran most often, of those that hold an instruction of the line. Each
 *  instruction costs 1, so a block's cost is the number of its instructions. */
function ofWebAssembly() {
  run("clang", ["--target=wasm32", "-O0", "-g", "-c", source, "-o", "meter.o"]);
  run("wasm-ld", ["--no-entry", "--export=run", "meter.o", "-o", "meter.wasm.bin"]);
  run(toll, ["instrument", "-q", "--lines", "--no-calls", "meter.wasm.bin", "-o", "meter.lines.wasm.bin"]);
  const module = new WebAssembly.Module(fs.readFileSync("meter.lines.wasm.bin")), { counters } = read(module);
  const instance = new WebAssembly.Instance(module), places = addresses("meter.wasm.bin"), line = linesOf("meter.wasm.bin", places);
  instance.exports.run(ROUNDS);
  const most = new Map();
  executions(instance, counters).forEach((count, i) => {
    const first = places.indexOf(counters[i].address);
    for (const at of line.slice(first, first + counters[i].cost)) if ((most.get(at) ?? -1n) < count) most.set(at, count);
  });
  most.delete(0);
  return most;
}

function byGcov() {
  for (const name of fs.readdirSync(".")) if (/^meter.*\.gc(da|no)$/.test(name)) fs.rmSync(name); // else counts add up
  run("gcc", ["--coverage", "-O0", source, "-o", "meter.gcov"]);
  run("./meter.gcov", []);
  const notes = fs.readdirSync(".").find(name => /^meter.*\.gcda$/.test(name)); // its name differs between versions
  const lines = run("gcov", ["-t", notes]).split("\n").map(line => /^ *(\d+)\*?: *(\d+):/.exec(line));
  return new Map(lines.filter(Boolean).map(([, count, line]) => [Number(line), BigInt(count)]));
}

function byCoverage() {
  run("clang", ["-O0", "-fprofile-instr-generate", "-fcoverage-mapping", source, "-o", "meter.coverage"]);
  execFileSync("./meter.coverage", { env: { ...process.env, LLVM_PROFILE_FILE: "meter.profraw" } });
  run("llvm-profdata", ["merge", "meter.profraw", "-o", "meter.profdata"]);
  const text = run("llvm-cov", ["export", "./meter.coverage", "-instr-profile=meter.profdata", "--format=lcov"]);
  return new Map([...text.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, count]) => [Number(line), BigInt(count)]));
}

/** Functions get the file and line of their definition, where the command reads DWARF. */
function checkDefinitions() {
  const { functions } = read(new WebAssembly.Module(fs.readFileSync("meter.lines.wasm.bin"))), text = fs.readFileSync(source, "utf8").split("\n");
  for (const { name, file, line } of functions.filter(f => f.name !== "__wasm_call_ctors")) {
    assert.equal(file, source, name);
    assert.match(text[line - 1], new RegExp(`\\b${name}\\(`), name);
  }
  console.log(`definitions: ${functions.length} functions have file and line`);
}

const missing = ["llvm-symbolizer", "wasm-objdump"].find(program => !has(program));
if (missing) {
  console.log(`skipped: executions by line: there is no ${missing}`);
  process.exit();
}
const lines = ofWebAssembly();
checkDefinitions();
const main = fs.readFileSync(source, "utf8").split("\n").findIndex(line => /__wasm__/.test(line));
for (const [name, meter, needs] of [["gcov", byGcov, ["gcc", "gcov"]], ["clang's source coverage", byCoverage, ["llvm-profdata", "llvm-cov"]]]) {
  if (!needs.every(has)) {
    console.log(`skipped: ${name}: there is no ${needs.find(program => !has(program))}`);
    continue;
  }
  const counts = meter(), both = [...lines].filter(([line]) => counts.has(line) && line < main);
  assert.ok(both.length > 40, `${name} has ${both.length} of these lines`);
  assert.deepEqual(both, both.map(([line]) => [line, counts.get(line)]), name);
  console.log(`${name}: ${both.length} of ${lines.size} lines ran as often`);
}
