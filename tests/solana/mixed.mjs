// mixed.mjs TOLL DIR [OBJECT] - real programs on LiteSVM: Token, Token-2022, Associated Token, Memo, chains of invocations,
// some that fail and some without enough units. Every total is what was charged, no price contradicts the logs, and the
// share of units under names is printed; that of a program with symbols (vault.c as OBJECT) is at least 95 %.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import * as kit from "@solana/kit";
import { getCreateAccountInstruction, getTransferSolInstruction } from "@solana-program/system";
import * as token from "@solana-program/token";
import { linked } from "./object.mjs";
import { program } from "./program.mjs";

const [toll, dir, object] = process.argv.slice(2);
const svm = new LiteSVM();
const signer = byte => kit.createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(byte));
const [payer, bob] = await Promise.all([1, 3].map(signer));
svm.airdrop(payer.address, kit.lamports(10_000_000_000n));
const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const memo = text => ({ programAddress: MEMO, data: new TextEncoder().encode(text), accounts: [{ address: payer.address, role: 2, signer: payer }] });
const limit = n => ({ programAddress: "ComputeBudget111111111111111111111111111111", data: new Uint8Array([2, ...new Uint8Array(new Uint32Array([n]).buffer)]), accounts: [] });
let count = 0, charges = 0, named = 0;
const text = [];

async function send(name, instructions, { fails = false, elf } = {}) {
  const sent = svm.sendTransaction(await kit.signTransactionMessageWithSigners(kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    m => kit.setTransactionMessageFeePayerSigner(payer, m),
    m => svm.setTransactionMessageLifetimeUsingLatestBlockhash(m),
    m => kit.appendTransactionMessageInstructions(instructions, m),
  )));
  svm.expireBlockhash();
  const failed = sent instanceof FailedTransactionMetadata, meta = failed ? sent.meta() : sent;
  assert.equal(failed, fails, `${name}\n${meta.logs().join("\n")}`);
  const folder = `${dir}/${++count}`, charged = Number(meta.computeUnitsConsumed());
  renameSync(process.env.SBF_TRACE_DIR, folder);
  writeFileSync(`${folder}.json`, JSON.stringify({ logs: meta.logs(), unitsConsumed: charged }));
  const { status, stdout, stderr } = spawnSync(toll, ["report", "--json", "-n", "0", "--logs", `${folder}.json`, ...(elf ? ["--elf", elf] : []), folder], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const report = JSON.parse(stdout), notes = report.notes.map(n => `${n.count} ${n.text}`);
  const share = pattern => report.functions.filter(f => pattern.test(f.name)).reduce((sum, f) => sum + f.self, 0);
  const syscalls = share(/^(sol_|System)/), unknown = share(/^\[/), code = share(/^fn@/), beyond = share(/^\(/);
  assert.equal(report.total, charged, `${name}: total\n${stderr}`);
  assert.equal(report.functions.reduce((sum, f) => sum + f.self, 0), charged, `${name}: sum`);
  assert.ok(!notes.some(n => /something else|without a trace|fit no/.test(n)), `${name}: ${notes.join("\n")}`);
  const rate = 100 * (charged - unknown - code - beyond) / charged;
  text.push(`${name.padEnd(28)} ${String(charged).padStart(7)} CU: ${String(syscalls).padStart(6)} in system calls by name, ${String(unknown).padStart(5)} unknown` +
    (elf ? `, ${rate.toFixed(1)} % under names` : ""));
  charges += charged;
  named += charged - unknown;
  if (elf) assert.ok(rate >= 95, `${name}: ${rate} %\n${JSON.stringify(report.functions)}`);
  return report;
}

for (const [which, programAddress, byte] of [["Token", token.TOKEN_PROGRAM_ADDRESS, 20], ["Token-2022", TOKEN_2022, 21]]) {
  const mint = await signer(byte), options = { programAddress }, space = token.getMintSize();
  const accountOf = async owner => (await token.findAssociatedTokenPda({ mint: mint.address, owner, tokenProgram: programAddress }))[0];
  const [mine, bobs] = [await accountOf(payer.address), await accountOf(bob.address)];
  const create = owner => token.getCreateAssociatedTokenInstructionAsync({ payer, mint: mint.address, owner, tokenProgram: programAddress });
  const move = amount => token.getTransferCheckedInstruction({ source: mine, mint: mint.address, destination: bobs, authority: payer, amount, decimals: 2 }, options);
  const rent = svm.minimumBalanceForRentExemption(BigInt(space));
  await send(`${which}: mint`, [getCreateAccountInstruction({ payer, newAccount: mint, space, programAddress, lamports: rent }),
    token.getInitializeMint2Instruction({ mint: mint.address, decimals: 2, mintAuthority: payer.address }, options)]);
  await send(`${which}: accounts`, [await create(payer.address), await create(bob.address)]);
  await send(`${which}: mint, transfer, memo`, [token.getMintToInstruction({ mint: mint.address, token: mine, mintAuthority: payer, amount: 1000n }, options), move(100n), memo("paid")]);
  await send(`${which}: too much`, [memo("before"), move(100_000n)], { fails: true });
  await send(`${which}: out of budget`, [limit(150 + 60), move(1n)], { fails: true });
  await send(`${which}: account exists`, [await create(bob.address)], { fails: true });
  await send(`${which}: ATA out of budget`, [limit(9000), await token.getCreateAssociatedTokenInstructionAsync({ payer, mint: mint.address, owner: mint.address, tokenProgram: programAddress })], { fails: true });
}
await send("Memo", [memo("a".repeat(500)), memo("ünïcödé")]);
await send("System", [getTransferSolInstruction({ source: payer, destination: bob.address, amount: kit.lamports(5_000_000n) }), memo("sent")]);

if (object) {
  const { code, functions, debug, ...rest } = linked(readFileSync(object));
  const id = kit.getAddressDecoder().decode(new Uint8Array(32).fill(9)), elf = `${dir}/vault.so`;
  writeFileSync(elf, program(code, functions, debug, rest));
  svm.addProgram(id, program(code, [], [], rest));
  const [vault] = await kit.getProgramDerivedAddress({ programAddress: id, seeds: ["vault", kit.getAddressEncoder().encode(payer.address)] });
  const deposit = (amount, account = vault) => ({ programAddress: id, data: new Uint8Array(new BigUint64Array([amount]).buffer), accounts: [
    { address: payer.address, role: 3, signer: payer }, { address: account, role: 1 }, { address: "11111111111111111111111111111111", role: 0 }] });
  const own = { elf: `${id}=${elf}` };
  await send("vault: deposit", [deposit(2_000_000n)], own);
  await send("vault: two deposits, memo", [deposit(1n), memo("and"), deposit(2n)], own);
  await send("vault: another's", [deposit(1n, bob.address)], { ...own, fails: true });
  await send("vault: too much", [deposit(10n ** 15n)], { ...own, fails: true });
}
console.log(text.join("\n"));
console.log(`${count} transactions, ${charges} CU: totals as charged, ${(100 * named / charges).toFixed(1)} % in functions and system calls`);
