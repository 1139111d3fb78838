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

// The same through a file.
run("convert", "-q", "--lines", "--elf", elf, traces, "-o", `${dir}/lines.pb.gz`);
const again = JSON.parse(run("annotate", "-q", "--json", `${dir}/lines.pb.gz`));
assert.deepEqual(again.functions, annotated.functions);
twins(toll, dir, { code, functions, debug, rest }, annotated.functions);
console.log(`lines: ${charged} units in ${lines.length} lines of ${annotated.functions.length} functions, ${hottest.self} of them in line ${hottest.line}`);
