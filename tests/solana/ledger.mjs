// ledger.mjs TOLL DIR - costs by line of a program in Rust on LiteSVM: they add up to what the machine charged, and each
// instruction is at the line, and in the inlined function, that llvm-symbolizer says.
//
// ledger.o.gz is ledger.rs as rustc 1.96 leaves it for linking (-g, opt-level 2, lto "fat", the target bpfel-unknown-none
// without "obj-is-bitcode", core of the same version), with pinocchio 0.12.0 and sha2 0.10.9, without its sections for BTF.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { linked } from "./object.mjs";
import { program, TEXT_AT } from "./program.mjs";
import { executed, id, run, traces } from "./traced.mjs";
import { twins } from "./twins.mjs";

const [toll, source, dir] = process.argv.slice(2);
const LOG_COSTS = 100; // of sol_log_, for a short text

const { code, functions, debug, ...rest } = linked(gunzipSync(readFileSync(`${source}/ledger.o.gz`)));
const file = `${dir}/ledger.so`;
writeFileSync(file, program(code, functions, debug, rest));
const { logs, charged } = await run(program(code, [], [], rest), Uint8Array.from({ length: 320 }, (_, i) => i * 7));
assert.ok(logs.includes("Program log: 10 entries, 8edf8587"), logs.join("\n"));
writeFileSync(`${dir}/run.json`, JSON.stringify({ logs, unitsConsumed: charged }));

const logged = ["--logs", `${dir}/run.json`];
const listing = (...options) => {
  const args = ["annotate", "-q", "--json", ...options, "--elf", `${id}=${file}`, ...logged, traces];
  const { status, stdout, stderr } = spawnSync(toll, args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout).functions;
};
const own = functions => functions.reduce((sum, f) => sum + f.self, 0);
const plain = listing(), slots = executed();
assert.equal(own(plain), charged);
assert.equal(plain.find(f => f.name === "sol_log_").self, LOG_COSTS);
for (const f of plain) assert.equal(f.lines.reduce((sum, l) => sum + l.self, 0), f.self, f.name);

const append = plain[0], text = readFileSync(`${source}/ledger.rs`, "utf8").split("\n");
assert.equal(append.name, "<ledger::Hashes as ledger::Chain>::append");
assert.equal(append.calls, 10);
const hottest = append.lines.reduce((a, b) => (b.self > a.self ? b : a));
assert.match(text[hottest.line - 1], /compress256/);

// Functions, by the file's symbols; lines, by the symbolizer.
const symbols = new Map(functions.map(f => [f.name, 0]));
for (const [pc, times] of slots) {
  const { name } = functions.find(f => f.pc <= pc && pc < f.pc + f.size);
  symbols.set(name, symbols.get(name) + times);
}
assert.deepEqual(plain.map(f => f.self).filter(n => n && n !== LOG_COSTS).sort(),
                 [...symbols.values()].filter(n => n).sort());

const asked = [...slots.keys()].map(pc => `0x${(TEXT_AT + pc * 8).toString(16)}\n`).join("");
const judge = spawnSync("llvm-symbolizer", [`--obj=${file}`, "--inlines"], { input: asked, encoding: "utf8" });
if (judge.error) console.log("lines are not held to llvm-symbolizer: there is none");
else {
  const answers = judge.stdout.trim().split("\n\n").map(a => a.split("\n").filter((_, i) => i % 2).map(p => p.replace(/:\d+$/, "")));
  assert.equal(answers.length, slots.size);
  for (const [options, frame] of [[[], a => a.at(-1)], [["--inlines"], a => a[0]]]) {
    const theirs = {}, ours = {}; // "FILE:LINE" -> units; line 0 is none
    const add = (to, place, units) => { if (units && !place.endsWith(":0")) to[place] = (to[place] ?? 0) + units; };
    const times = [...slots.values()];
    answers.forEach((a, i) => add(theirs, frame(a), times[i]));
    for (const f of listing(...options)) for (const l of f.lines) add(ours, `${f.file}:${l.line}`, l.self);
    assert.deepEqual(ours, theirs);
    console.log(`ledger: ${Object.keys(ours).length} lines${options.length ? ", of inlined functions too," : ""} are as llvm-symbolizer says`);
  }
}
twins(toll, dir, { code, functions, debug, rest }, plain, logged);
console.log(`ledger: ${charged} units charged, ${append.self} of them in ${append.name}`);
