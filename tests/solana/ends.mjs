// ends.mjs DIR - transactions that end in every way, on LiteSVM: for each DIR/NAME.json (as RPC has it) and
// DIR/NAME.logs, the traces in DIR/NAME, and in DIR/ends.json what the machine says that it charged.
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { LiteSVM, FailedTransactionMetadata } from "litesvm";
import * as kit from "@solana/kit";
import { add, call, copy, divide, exit, jump, load, mov, program, shift, store, syscall, wide } from "./program.mjs";

const dir = process.argv[2];
const svm = new LiteSVM();
const payer = await kit.createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(1));
const address = n => kit.getAddressDecoder().decode(new Uint8Array(32).fill(n));
svm.airdrop(payer.address, kit.lamports(10_000_000_000n));
const ends = [];

async function send(name, ...instructions) {
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    m => kit.setTransactionMessageFeePayerSigner(payer, m),
    m => svm.setTransactionMessageLifetimeUsingLatestBlockhash(m),
    m => kit.appendTransactionMessageInstructions(instructions, m),
  );
  const result = svm.sendTransaction(await kit.signTransactionMessageWithSigners(message));
  svm.expireBlockhash();
  const failed = result instanceof FailedTransactionMetadata;
  const meta = failed ? result.meta() : result;
  const charged = Number(meta.computeUnitsConsumed());
  if (!meta.logs().length) throw new Error(`${name} did not run: ${result.err?.()}`);
  writeFileSync(`${dir}/${name}.logs`, meta.logs().join("\n") + "\n");
  const keys = [...new Set(instructions.map(i => i.programAddress))];
  const form = i => ({ programIdIndex: keys.indexOf(i.programAddress), data: kit.getBase58Decoder().decode(i.data) });
  const transaction = { message: { accountKeys: keys, instructions: instructions.map(form) } };
  writeFileSync(`${dir}/${name}.json`, JSON.stringify(name.startsWith("heap")
    ? { result: { meta: { computeUnitsConsumed: charged, logMessages: meta.logs() }, transaction } }
    : ends.length % 2 ? { result: { meta: { computeUnitsConsumed: charged, innerInstructions: [], logMessages: meta.logs() } } }
    : { result: { value: { logs: meta.logs(), returnData: null, unitsConsumed: charged } } }));
  const traced = existsSync(process.env.SBF_TRACE_DIR);
  if (traced) renameSync(process.env.SBF_TRACE_DIR, `${dir}/${name}`);
  ends.push({ name, charged, failed, traced });
}

const run = (programAddress, data = [], accounts = []) => ({ programAddress, data: new Uint8Array(data), accounts });
const bytes = (...numbers) => new Uint8Array(new Uint32Array(numbers).buffer);
const budget = (what, n) => run("ComputeBudget111111111111111111111111111111", [what, ...bytes(n)]);
const limit = n => budget(2, n), heap = budget(1, 256 * 1024);
const system = (...numbers) => run("11111111111111111111111111111111", bytes(...numbers),
  [{ address: payer.address, role: 3, signer: payer }, { address: address(200), role: 1 }]);
const transfer = system(2, 1000000, 0);

const programs = {
  success: [mov(0, 0), exit],
  custom: [mov(0, 1), exit],
  standard: [mov(0, 2), shift(0, 32), exit],
  units: [syscall("sol_log_compute_units_"), mov(0, 0), exit],
  access: [mov(3, 7), mov(0, 0), load(1, 0, 0), exit],
  frame: [load(1, 10, 16384), exit],
  divides: [mov(0, 0), divide(1, 0), exit],
  loop: [jump(-1), exit],
  deep: [mov(0, 0), call(-2), exit],
  unsupported: [call(-1), exit],
  readsyscall: [mov(1, 0), mov(2, 8), syscall("sol_log_"), exit],
  abort: [syscall("abort"), exit],
};
// entrypoint, which calls helper, which calls a syscall and loads a constant.
const helped = [call(2), mov(0, 0), exit, syscall("sol_log_compute_units_"), wide(2, 5), exit];
const functions = [{ name: "entrypoint", pc: 0, size: 3 }, { name: "helper", pc: 3, size: 4 }];
programs.helped = helped;
writeFileSync(`${dir}/helped.so`, program(helped, functions));
writeFileSync(`${dir}/changed.so`, program([...helped.slice(0, 1), mov(0, 9), ...helped.slice(2)], functions));
writeFileSync(`${dir}/stripped.so`, program(helped));
const ids = {};
for (const [name, code] of Object.entries(programs)) {
  ids[name] = address(10 + Object.keys(ids).length);
  svm.addProgram(ids[name], program(code));
}
// Invokes its first account's program: {program, accounts: none, data: none} at r10 - 40.
const caller = address(100);
svm.addProgram(caller, program([
  add(1, 16), store(10, -40, 1), store(10, -32, 10), mov(2, 0), store(10, -24, 2), store(10, -16, 10), store(10, -8, 2),
  copy(1, 10), add(1, -40), copy(2, 10), mov(3, 0), copy(4, 10), mov(5, 0), syscall("sol_invoke_signed_c"), exit,
]));
const invoke = id => run(caller, [], [{ address: id, role: 0 }]);

for (const [name, id] of Object.entries(ids)) {
  await send(name, limit(20000), run(id));
  await send(`invoked-${name}`, limit(20000), invoke(id));
}
await send("alone", run(ids.access));
await send("second", run(ids.success), run(ids.access));
await send("heap", heap, run(ids.success), run(ids.success));
await send("heap-pages", budget(1, 65 * 1024), run(ids.units));
await send("heap-smallest", budget(1, 32 * 1024), run(ids.success));
await send("heap-invoked", heap, invoke(ids.units), run(ids.success));
await send("heap-access", heap, run(ids.success), run(ids.access));
await send("heap-invoked-access", heap, invoke(ids.access));
await send("heap-exhausted", heap, limit(20000), run(ids.loop));
await send("heap-invoked-exhausted", heap, limit(20000), invoke(ids.loop));
await send("system", transfer);
await send("system-fails", transfer, system(2, 0, 100000));
await send("system-refuses", system(99));
await send("exhausted-native", limit(200), transfer);
await send("exhausted", limit(302), transfer, run(ids.custom), run(ids.custom));
await send("exhausted-call", limit(700), invoke(ids.success));
await send("vote", run("Vote111111111111111111111111111111111111111", [1]));
await send("loader", run("BPFLoaderUpgradeab1e11111111111111111111111", [9]));
await send("stake", run("Stake11111111111111111111111111111111111111", [9]));
await send("precompile", run("Ed25519SigVerify111111111111111111111111111", [0, 0]), run(ids.success));
await send("precompile-fails", run(ids.success), run("Ed25519SigVerify111111111111111111111111111", [1, 0]));
await send("memo", run("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
  Buffer.from("a\nProgram 11111111111111111111111111111111 success\nb")), run(ids.success));
writeFileSync(`${dir}/ends.json`, JSON.stringify({ ends, helped: ids.helped }));
