// lines.mjs TOLL SOURCE OBJECT DIR - costs by line of a program of C on LiteSVM: what toll annotate says adds up to what
// the machine charged, and a loop's lines ran as often as the loop.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { linked } from "./object.mjs";
import { program } from "./program.mjs";
import { id, run as charge, traces } from "./traced.mjs";
import { twins } from "./twins.mjs";

const [toll, source, object, dir] = process.argv.slice(2);
const { code, functions, debug, ...rest } = linked(readFileSync(object));
writeFileSync(`${dir}/lines.so`, program(code, functions, debug, rest));
const { charged } = await charge(program(code, [], [], rest));

const run = (...args) => {
  const { status, stdout, stderr } = spawnSync(toll, args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout;
};
const elf = `${id}=${dir}/lines.so`;
const annotated = JSON.parse(run("annotate", "-q", "--json", "--elf", elf, traces));
const lines = annotated.functions.flatMap(f => f.lines.map(l => ({ ...l, name: f.name })));
assert.equal(lines.reduce((sum, l) => sum + l.self, 0), charged, "the lines' units are what was charged");

// Every line of the loop is found, and the one that is executed most is a line of the loop.
const text = readFileSync(source, "utf8").split("\n");
const line = what => text.findIndex(l => l.includes(what)) + 1;
const hottest = lines.reduce((a, b) => (b.self > a.self ? b : a));
assert.equal(hottest.name, "work");
assert.ok(hottest.line > line("for (") && hottest.line < line("return sum;"), `line ${hottest.line}`);
assert.ok(hottest.self >= 40 && hottest.self % 40 === 0, `${hottest.self} units in 40 rounds`);
assert.equal(hottest.executions, 40);

// The instructions of each line add up to it, each costs a unit, and their texts are all known; so are those that
// did not run, of functions that did.
const assembly = JSON.parse(run("annotate", "-q", "--asm", "--json", "--elf", elf, traces));
assert.equal(assembly.lines_unlike_their_instructions, undefined);
const instructions = assembly.functions.flatMap(f => f.lines.flatMap(l => l.instructions));
assert.equal(new Set(instructions.map(i => i.address)).size, instructions.length);
assert.equal(instructions.reduce((sum, i) => sum + i.self, 0), charged);
for (const i of instructions) {
  assert.equal(i.executions, i.self);
  assert.match(i.text, /^[a-z]+[0-9]*( |$)/);
  assert.doesNotMatch(i.text, /unknown/);
}
assert.ok(instructions.some(i => i.text === "call work"));
assert.deepEqual(assembly.functions.map(f => f.lines.map(({ instructions, ...l }) => l)), annotated.functions.map(f => f.lines));

// The same through a file.
run("convert", "-q", "--lines", "--elf", elf, traces, "-o", `${dir}/lines.pb.gz`);
const again = JSON.parse(run("annotate", "-q", "--json", `${dir}/lines.pb.gz`));
assert.deepEqual(again.functions, annotated.functions);
const { stderr: refused } = spawnSync(toll, ["annotate", "--asm", `${dir}/lines.pb.gz`], { encoding: "utf8" });
assert.match(refused, /--asm: the profile has no addresses; .* register traces and --elf/);
twins(toll, dir, { code, functions, debug, rest }, annotated.functions);
console.log(`lines: ${charged} units in ${lines.length} lines of ${annotated.functions.length} functions, ${hottest.self} of them in line ${hottest.line}`);
