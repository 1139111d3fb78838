// lines.mjs TOLL SOURCE OBJECT DIR - costs by line of a program of C on LiteSVM: what toll annotate says adds up to what
// the machine charged, and a loop's lines ran as often as the loop.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { LiteSVM } from "litesvm";
import * as kit from "@solana/kit";
import { linked } from "./object.mjs";
import { buildId, exit, program } from "./program.mjs";

const [toll, source, object, dir] = process.argv.slice(2);
const { code, functions, debug } = linked(readFileSync(object));
const id = kit.getAddressDecoder().decode(new Uint8Array(32).fill(9));
const svm = new LiteSVM();
svm.addProgram(id, program(code));
writeFileSync(`${dir}/lines.so`, program(code, functions, debug));
const payer = await kit.createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(1));
svm.airdrop(payer.address, kit.lamports(10_000_000_000n));
const sent = svm.sendTransaction(await kit.signTransactionMessageWithSigners(kit.pipe(
  kit.createTransactionMessage({ version: 0 }),
  m => kit.setTransactionMessageFeePayerSigner(payer, m),
  m => svm.setTransactionMessageLifetimeUsingLatestBlockhash(m),
  m => kit.appendTransactionMessageInstructions([{ programAddress: id }], m),
)));
assert.ok(sent.logs, String(sent.err?.()));
const charged = Number(sent.computeUnitsConsumed());

const run = (...args) => {
  const { status, stdout, stderr } = spawnSync(toll, args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout;
};
const traces = process.env.SBF_TRACE_DIR, elf = `${id}=${dir}/lines.so`;
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

// Lines afterwards, from the unstripped twin of the file that gave the names: one with the linker's id and one
// without. A file of another build is refused, and both ids are named.
const fails = (...args) => {
  const { status, stderr } = spawnSync(toll, args, { encoding: "utf8" });
  assert.notEqual(status, 0);
  return stderr;
};
for (const note of [[], [buildId([0xab, 1, 0xff])]]) {
  const names = `${dir}/names/lines.so`, whole = `${dir}/whole/lines.so`, other = `${dir}/other/lines.so`, pb = `${dir}/names.pb.gz`;
  for (const folder of ["names", "whole", "other"]) mkdirSync(`${dir}/${folder}`, { recursive: true });
  writeFileSync(names, program(code, functions, note));
  writeFileSync(whole, program(code, functions, [...debug, ...note]));
  writeFileSync(other, program([...code, exit], functions, [...debug, buildId([0xcd])]));
  run("convert", "-q", "--lines", "--elf", `${id}=${names}`, traces, "-o", pb);
  const refused = fails("convert", "-q", "--debug", other, pb, "-o", `${dir}/later.pb.gz`);
  const own = note.length ? "ab01ff" : "[0-9a-f]{16}";
  assert.match(refused, new RegExp(`other/lines.so: is of build cd, and the profile of build ${own};`));
  for (const file of [whole, `${dir}/whole`]) {
    run("convert", "-q", "--debug", file, pb, "-o", `${dir}/later.pb.gz`);
    assert.deepEqual(JSON.parse(run("annotate", "-q", "--json", `${dir}/later.pb.gz`)).functions, annotated.functions);
  }
}
console.log(`lines: ${charged} units in ${lines.length} lines of ${annotated.functions.length} functions, ${hottest.self} of them in line ${hottest.line}`);
