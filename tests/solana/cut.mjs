// cut.mjs TOLL DIR - transactions whose logs the machine cuts off (`Log truncated`, after 10,000 bytes): with their traces, their message and
// what they were charged, the profile is that of the same transactions with whole logs. Most show that without RPC's `err`, too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { LiteSVM } from "litesvm";
import * as kit from "@solana/kit";
import { add, copy, divide, exit, insn, jump, load, mov, program, store, syscall } from "./program.mjs";

const [toll, dir] = process.argv.slice(2);
const address = byte => kit.getAddressDecoder().decode(new Uint8Array(32).fill(byte));
const payer = await kit.createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(1));
const log = (times, size) => Array.from({ length: times }, () => [copy(1, 10), add(1, -size), mov(2, size), syscall("sol_log_")]).flat();
// Invokes its first account's program: {program, accounts: none, data: none} at r10 - 40.
const invoke = [add(1, 16), store(10, -40, 1), store(10, -32, 10), mov(2, 0), store(10, -24, 2), store(10, -16, 10), store(10, -8, 2),
  copy(1, 10), add(1, -40), copy(2, 10), mov(3, 0), copy(4, 10), mov(5, 0), syscall("sol_invoke_signed_c")];
const programs = {
  noisy: [...log(25, 500), mov(0, 0), exit],
  caller: [copy(9, 1), ...log(25, 500), copy(1, 9), ...invoke, mov(0, 0), exit],
  early: [copy(9, 1), ...invoke, ...log(25, 500), mov(0, 0), exit],
  quiet: [mov(1, 1), mov(1, 2), mov(1, 3), ...log(1, 20), mov(0, 0), exit],
  fails: [...log(25, 500), mov(0, 7), exit],
  loops: [...log(25, 500), jump(-1), exit],
  divides: [...log(25, 500), mov(1, 0), divide(1, 1), exit],
  picky: [load(6, 1, 8), insn(0x15, { dst: 6, off: 4 }), ...log(1, 20), copy(0, 6), exit], // fails if it gets data
};
const ids = Object.fromEntries(Object.keys(programs).map((name, i) => [name, address(20 + i)]));
const run = (name, callee, data = []) => ({ programAddress: ids[name], data: new Uint8Array(data), accounts: callee ? [{ address: ids[callee], role: 0 }] : [] });
const limit = n => ({ programAddress: "ComputeBudget111111111111111111111111111111", data: new Uint8Array([2, ...new Uint8Array(new Uint32Array([n]).buffer)]) });
const transactions = {
  alone: [limit(50_000), run("noisy")],
  "more follow": [limit(50_000), run("quiet"), run("noisy"), run("quiet")],
  "invokes after the cut": [limit(50_000), run("caller", "quiet"), run("early", "noisy")],
  "invoked, and cut": [limit(50_000), run("early", "quiet"), run("quiet")],
  fails: [limit(50_000), run("quiet"), run("fails"), run("noisy")],
  loops: [limit(50_000), run("loops")],
  "one follows that never ran": [limit(50_000), run("quiet"), run("divides"), run("quiet")],
  "its callee fails": [limit(50_000), run("quiet"), run("early", "fails"), run("quiet")],
  "err tells which one failed": [limit(50_000), run("noisy"), run("picky"), run("picky", undefined, [1]), run("quiet"), run("picky")],
};
const needsErr = new Set(["err tells which one failed"]);

async function send(svm, instructions) {
  const sent = svm.sendTransaction(await kit.signTransactionMessageWithSigners(kit.pipe(
    kit.createTransactionMessage({ version: 0 }), m => kit.setTransactionMessageFeePayerSigner(payer, m),
    m => svm.setTransactionMessageLifetimeUsingLatestBlockhash(m), m => kit.appendTransactionMessageInstructions(instructions, m))));
  return { meta: sent.logs ? sent : sent.meta(), err: sent.logs ? null : { InstructionError: [sent.err().index, "ProgramFailedToComplete"] } };
}

/** The transaction's answer as RPC nodes have it, and its traces, in DIR/name. */
async function record(name, instructions, bytes) {
  const svm = bytes === undefined ? new LiteSVM() : new LiteSVM().withLogBytesLimit(bytes), file = `${dir}/${name}`;
  svm.airdrop(payer.address, kit.lamports(10_000_000_000n));
  for (const [of, code] of Object.entries(programs)) svm.addProgram(ids[of], program(code));
  const { meta, err } = await send(svm, instructions);
  renameSync(process.env.SBF_TRACE_DIR, file);
  const keys = [...new Set([...Object.values(ids), limit(0).programAddress])];
  const form = (id, stackHeight) => ({ programIdIndex: keys.indexOf(id), data: "", stackHeight });
  // The addon numbers inner instructions by the transaction's own keys: of these programs one alone is invoked by each.
  const inner = meta.innerInstructions().map((list, index) => ({ index, instructions: list.map(i =>
    form(instructions[index].accounts[0].address, i.stackHeight())) })).filter(l => l.instructions.length);
  for (const told of [{ err }, {}]) writeFileSync(`${file}${"err" in told ? "" : ", untold"}.json`, JSON.stringify({ result: {
    meta: { ...told, computeUnitsConsumed: Number(meta.computeUnitsConsumed()), innerInstructions: inner, logMessages: meta.logs() },
    transaction: { message: { accountKeys: keys, instructions: instructions.map(i => form(i.programAddress, null)) } } } }));
  return { file, charged: Number(meta.computeUnitsConsumed()), isCut: meta.logs().includes("Log truncated") };
}

const stacks = (file, logs = `${file}.json`) => new Map(execFileSync(toll, ["convert", "-q", "--to", "folded", "-o", "-", "--logs", logs, file],
  { encoding: "utf8" }).trim().split("\n").map(l => [l.slice(0, l.lastIndexOf(" ")), Number(l.slice(l.lastIndexOf(" ") + 1))]));
const sum = of => [...of.values()].reduce((a, b) => a + b, 0);

for (const [name, instructions] of Object.entries(transactions)) {
  const cut = await record(`${name}, cut`, instructions), whole = await record(`${name}, whole`, instructions, 1_000_000n);
  assert.deepEqual([cut.isCut, whole.isCut, cut.charged], [true, false, whole.charged], name);
  const logs = [`${cut.file}.json`, ...(needsErr.has(name) ? [] : [`${cut.file}, untold.json`])];
  for (const log of logs) hold(log, stacks(cut.file, log), stacks(whole.file), cut.charged);
}

function hold(name, found, expected, charged) {
  assert.deepEqual([sum(found), sum(expected)], [charged, charged], `${name}: total`);
  // Built-in programs that the log does not have are in one place.
  const unlogged = found.get("(not in the log)") ?? 0, builtIn = [...expected].filter(([stack]) => stack === "Compute Budget");
  found.delete("(not in the log)");
  for (const map of [found, expected]) map.delete("Compute Budget");
  assert.deepEqual(Object.fromEntries([...found].sort()), Object.fromEntries([...expected].sort()), name);
  assert.ok(unlogged <= sum(new Map(builtIn)), `${name}: ${unlogged} units are not in the log`);
}
console.log(`${Object.keys(transactions).length} transactions with logs that are cut off: as with whole logs`);
