// shapes.mjs TOLL SOURCE DIR - names for a program whose file is stripped, as a project has it: the program of ledger.o.gz
// runs on LiteSVM, and what toll finds in target/ by itself is held to the program's own symbols: the unstripped twin; another
// build, with its functions in another order, at other addresses, and one of them changed; several files; a folder.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { linked } from "./object.mjs";
import { exit, mov, program, TEXT_AT } from "./program.mjs";
import { executed, id, run } from "./traced.mjs";

const [toll, source, dir] = process.argv.slice(2);
const { code, functions, debug, ...rest } = linked(gunzipSync(readFileSync(`${source}/ledger.o.gz`)));
const stripped = program(code, [], [], rest), whole = program(code, functions, debug, rest);
await run(stripped, Uint8Array.from({ length: 320 }, (_, i) => i * 7));
const traces = process.env.SBF_TRACE_DIR;
const ran = functions.filter(f => executed().has(f.pc));
assert.ok(ran.length >= 5, `${ran.length} functions`);

/** The same program as another linker would have it: functions from last to first, data elsewhere. `changed`: the name of a
 * function of which one constant is another. */
function relinked(changed) {
  const slots = code.flatMap(c => (c.name ? [c] : Array.from({ length: c.length / 8 }, (_, i) => ({ code: Buffer.from(c.subarray(i * 8, i * 8 + 8)) }))));
  const end = TEXT_AT + slots.length * 8, isData = (low, high) => high <= 1 && low >= end && low < end + rest.data.length;
  const moved = new Map(), order = [...functions].sort((a, b) => b.pc - a.pc), made = [];
  for (const f of order) {
    for (let i = 0; i < f.size; i++) moved.set(f.pc + i, made.length + i);
    made.push(...slots.slice(f.pc, f.pc + f.size));
  }
  assert.equal(made.length, slots.length, "functions that cover the code");
  for (const [from, to] of moved) {
    const at = made[to].code;
    if (made[to].name) continue;
    if (at[0] === 0x85) at.writeInt32LE(moved.get(from + 1 + at.readInt32LE(4)) - to - 1, 4);
    else if (at[0] === 0x18 && isData(at.readUInt32LE(4), made[to + 1].code.readUInt32LE(4))) at.writeUInt32LE(at.readUInt32LE(4) + 64, 4);
  }
  const names = functions.map(f => ({ ...f, pc: moved.get(f.pc) }));
  if (changed) {
    const { pc, size } = names.find(f => f.name === changed);
    const constant = made.slice(pc, pc + size).find(s => !s.name && (s.code[0] === 0xb7 || s.code[0] === 0x07));
    constant.code.writeInt32LE(constant.code.readInt32LE(4) + 1, 4);
  }
  const data = Buffer.concat([Buffer.alloc(64), rest.data]);
  return program(made.map(s => (s.name ? s : s.code)), names, [], { data, entry: moved.get(rest.entry) });
}

const project = `${dir}/project`, deployed = `${project}/target/deploy/ledger.so`;
const unstripped = `${project}/target/sbpf-solana-solana/release/ledger.so`;
rmSync(project, { recursive: true, force: true });
for (const folder of ["target/deploy", "target/sbpf-solana-solana/release", "programs/ledger"]) mkdirSync(`${project}/${folder}`, { recursive: true });
const report = (cwd, ...options) => {
  const { status, stdout, stderr } = spawnSync(toll, ["report", "--json", "-n", "0", ...options, traces], { encoding: "utf8", cwd });
  assert.equal(status, 0, stderr);
  const { functions: all, notes } = JSON.parse(stdout);
  return { names: all.map(f => f.name), notes: notes.map(n => `${n.count} ${n.text}`).join("\n"), stderr };
};
writeFileSync(`${dir}/whole.so`, whole);
const { names } = report(dir, "--elf", `${id}=${dir}/whole.so`);
const inner = `${project}/programs/ledger`;
assert.equal(names.filter(name => !/^(sol_|program )/.test(name)).length, ran.length, names.join(", "));

// Alone, and in a project that has both files: in its folder, in one further in, and for a named file.
assert.ok(report(dir).names.some(n => /^fn@/.test(n)));
writeFileSync(deployed, stripped);
writeFileSync(unstripped, whole);
for (const found of [report(project), report(inner), report(inner, "--elf", "../../target/deploy/ledger.so"), report(inner, "--elf", `${id}=${deployed}`),
                     report(dir, "--elf", `${project}/target/sbpf-solana-solana/release`)]) {
  assert.deepEqual(found.names, names);
  assert.equal(found.stderr, "");
  assert.doesNotMatch(found.notes, /functions/);
}

// Another build: what has the same code has its name, and no other; what was changed, and what is too short, has none.
const shape = changed => {
  writeFileSync(unstripped, relinked(changed));
  return report(inner);
};
const numbers = new Map(ran.map(f => [`fn@${f.pc}`, f.name]));
const nameless = found => found.names.filter(n => numbers.has(n)).map(n => numbers.get(n));
const entry = functions.find(f => f.pc === rest.entry).name;
const same = shape(), short = ran.filter(f => f.size < 8).map(f => f.name);
assert.deepEqual(nameless(same).sort(), short.sort());
for (const n of same.names) assert.ok(numbers.has(n) || names.includes(n), `${n}: is not one of ${names}`);
assert.match(same.stderr, /^toll: warning: \.\.\/\.\.\/target\/deploy\/ledger\.so: is stripped, and \.\.\/\.\.\/target\/sbpf-solana-solana\/release\/ledger\.so is another build; \d+ of its \d+ functions have the same code in both and give it their names\n$/);
const count = (text, what) => Number(new RegExp(`^(\\d+) functions ${what}`, "m").exec(text)?.[1] ?? 0);
assert.equal(count(same.notes, "of stripped programs named by .dynsym, or as where the program begins"), 1);
assert.equal(count(same.notes, "named by those of another build that have the same code"), ran.length - short.length - 1);
assert.equal(count(same.notes, "without a name"), short.length);
const victim = ran.filter(f => f.size >= 8 && f.name !== entry).sort((a, b) => b.size - a.size)[0].name;
assert.deepEqual(nameless(shape(victim)).sort(), [...short, victim].sort(), victim);
assert.deepEqual(report(inner, "--elf", `${id}=${deployed}`, "--elf", `${id}=${unstripped}`).names, shape(victim).names);

// What ran is in two files whose code is not the same: neither is used.
writeFileSync(`${project}/target/deploy/longer.so`, program([...code, mov(0, 1), exit], [], [], rest));
const several = report(project);
assert.match(several.stderr, /what ran of \w+ is in both target\/deploy\/ledger\.so and target\/deploy\/longer\.so, whose code is not the same; say which it is: --elf \w+=FILE/);
assert.ok(several.names.some(n => /^fn@/.test(n)));
const none = report(dir, "--elf", `${dir}/project`);
assert.match(none.stderr, /project: has no program's ELF file/);
console.log(`${ran.length} functions of a stripped program: ${ran.length - short.length} named by the code of another build, none wrongly`);
