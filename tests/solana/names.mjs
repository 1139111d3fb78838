// names.mjs TOLL DIR - transactions of Solana's own programs on LiteSVM, as the JSON that RPC nodes answer with in
// their encodings, made of the real bytes and what the machine says of them. Every invocation must have the name that
// the programs' published clients give its data, and every transaction its own root with what it was charged.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { LiteSVM, FailedTransactionMetadata } from "litesvm";
import * as kit from "@solana/kit";
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import * as token2022 from "@solana-program/token-2022";
import * as budget from "@solana-program/compute-budget";
import * as memo from "@solana-program/memo";
import * as stake from "@solana-program/stake";

const [toll, dir] = process.argv.slice(2);
mkdirSync(dir, { recursive: true });
const svm = new LiteSVM();
const signer = byte => kit.createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(byte));
const [payer, mint, bob, feeMint, staked] = await Promise.all([1, 2, 3, 4, 5].map(signer));
svm.airdrop(payer.address, kit.lamports(10_000_000_000n));
const base58 = bytes => kit.getBase58Decoder().decode(bytes);

// --- what clients say ---

const nameIn = (names, identify) => data => Object.keys(names).find(k => names[k] === identify(data));
const CLIENTS = {
  [system.SYSTEM_PROGRAM_ADDRESS]: ["System", nameIn(system.SystemInstruction, system.identifySystemInstruction)],
  [token.TOKEN_PROGRAM_ADDRESS]: ["Token", nameIn(token.TokenInstruction, token.identifyTokenInstruction)],
  [token2022.TOKEN_2022_PROGRAM_ADDRESS]:
    ["Token-2022", nameIn(token2022.Token2022Instruction, token2022.identifyToken2022Instruction)],
  [token.ASSOCIATED_TOKEN_PROGRAM_ADDRESS]: ["Associated Token",
    nameIn(token.AssociatedTokenInstruction, token.identifyAssociatedTokenInstruction)],
  [budget.COMPUTE_BUDGET_PROGRAM_ADDRESS]: ["Compute Budget",
    nameIn(budget.ComputeBudgetInstruction, budget.identifyComputeBudgetInstruction)],
  [stake.STAKE_PROGRAM_ADDRESS]: ["Stake", nameIn(stake.StakeInstruction, stake.identifyStakeInstruction)],
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: ["Memo", () => "AddMemo"],
};
// Where a client's name is not that of the program's own enum, which logs and RPC nodes have.
const OWN = { TransferSol: "Transfer", TransferSolWithSeed: "TransferWithSeed", CreateAssociatedToken: "Create",
              CreateAssociatedTokenIdempotent: "CreateIdempotent", RecoverNestedAssociatedToken: "RecoverNested" };
const nameOf = (id, data) => {
  const [program, identify] = CLIENTS[id], name = identify(data);
  return `${program}: ${OWN[name] ?? name}`;
};

// --- all that there is in clients ---

/** Data of each instruction that a client knows. A second byte chooses one only where the first is below 64. */
function* known(names, identify, longest) {
  for (let a = 0; a < 256; a++) {
    const seen = new Set();
    for (let b = 0; b < (longest > 1 && a < 64 ? 64 : 1); b++) {
      const data = new Uint8Array([a, b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
      let name;
      try { name = names(identify(data)); } catch { continue; } // it knows none
      if (!seen.has(name)) yield data;
      seen.add(name);
    }
  }
}

// --- transactions ---

const answers = [], expected = new Map(), charges = new Map();
const count = (map, key, n = 1) => map.set(key, (map.get(key) ?? 0) + n);

let version = 0;
/** Version 1 has its limits in the message, and no default for them. */
const limited = m => version === 0 ? m
  : kit.setTransactionMessageLoadedAccountsDataSizeLimit(64 << 20, kit.setTransactionMessageComputeUnitLimit(300_000, m));
/** The instructions of a compiled message, in whichever version. */
const instructionsOf = compiled => compiled.instructions?.map(i => ({ program: i.programAddressIndex, data: i.data }))
  ?? compiled.instructionHeaders.map((h, i) => ({ program: h.programAccountIndex, data: compiled.instructionPayloads[i].instructionData }));

async function send(...instructions) {
  const message = kit.pipe(
    limited(kit.createTransactionMessage({ version })),
    m => kit.setTransactionMessageFeePayerSigner(payer, m),
    m => svm.setTransactionMessageLifetimeUsingLatestBlockhash(m),
    m => kit.appendTransactionMessageInstructions(instructions, m),
  );
  const transaction = await kit.signTransactionMessageWithSigners(message);
  const sent = svm.sendTransaction(transaction);
  const failed = sent instanceof FailedTransactionMetadata, meta = failed ? sent.meta() : sent;
  const compiled = kit.getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
  const keys = compiled.staticAccounts, logs = meta.logs(), charged = Number(meta.computeUnitsConsumed());
  const outer = instructionsOf(compiled).map(i => ({ id: keys[i.program], data: i.data, height: 1 }));
  const inner = meta.innerInstructions().map(list => list.map(i => ({
    id: keys[i.instruction().programIdIndex()], data: i.instruction().data(), height: i.stackHeight() })));
  const signature = kit.getSignatureFromTransaction(transaction);

  // What must come out: the stacks of the log, with the clients' names for the instructions that ran.
  const ran = outer.flatMap((o, i) => [o, ...(inner[i] ?? [])]), stack = [];
  for (const line of logs) {
    const [, id, depth] = /^Program (\S+) invoke \[(\d+)\]$/.exec(line) ?? [];
    const at = id && ran.shift();
    if (at) {
      assert.deepEqual([at.id, at.height], [id, Number(depth)], "the log and the message");
      stack.length = at.height - 1;
      stack.push({ id, name: nameOf(id, at.data ?? new Uint8Array()), failed: false, calls: null });
      stack.at(-1).path = stack.map(s => s);
      invocations.push(stack.at(-1));
    }
    const [, lost] = /^Program (\S+) failed/.exec(line) ?? [];
    if (lost) stack.findLast(s => s.id === lost).failed = true;
  }
  for (const i of invocations.splice(0))
    count(expected, [signature, ...i.path.map(s => s.name + (s.failed ? " (failed)" : ""))].join(";"));
  charges.set(signature, charged);

  const wire = Buffer.from(kit.getTransactionEncoder().encode(transaction));
  const json = i => ({ accounts: [], data: base58(i.data ?? new Uint8Array()), programIdIndex: keys.indexOf(i.id),
                       stackHeight: i.height === 1 ? null : i.height });
  const parsed = i => ({ accounts: [], data: base58(i.data ?? new Uint8Array()), programId: i.id, stackHeight: i.height });
  const answer = (form, message) => ({ jsonrpc: "2.0", id: 1, result: { blockTime: 1, meta: {
    computeUnitsConsumed: charged, err: failed ? {} : null, fee: 5000,
    innerInstructions: inner.map((list, index) => ({ index, instructions: list.map(form) })).filter(l => l.instructions.length),
    loadedAddresses: { readonly: [], writable: [] }, logMessages: logs, postBalances: [], rewards: [],
  }, slot: 1, transaction: message, version } });
  answers.push({
    json: answer(json, { message: { accountKeys: keys, header: {}, instructions: outer.map(json), recentBlockhash: "" },
                         signatures: [signature] }),
    jsonParsed: answer(parsed, { message: { accountKeys: keys.map(pubkey => ({ pubkey, signer: false, writable: true })),
                                            instructions: outer.map(parsed) }, signatures: [signature] }),
    base64: answer(json, [wire.toString("base64"), "base64"]),
    base58: answer(json, [base58(wire), "base58"]),
    legacy: answer(json, base58(wire)),
  });
}
const invocations = [];

const note = text => memo.getAddMemoInstruction({ memo: text }, { programAddress: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr" });
const rent = space => svm.minimumBalanceForRentExemption(BigInt(space));
const tokens = async (owner, of, tokenProgram) => (await token.findAssociatedTokenPda({ mint: of, owner, tokenProgram }))[0];
const TOKEN = token.TOKEN_PROGRAM_ADDRESS, TOKEN_2022 = token2022.TOKEN_2022_PROGRAM_ADDRESS;
const [ofPayer, ofBob] = [await tokens(payer.address, mint.address, TOKEN), await tokens(bob.address, mint.address, TOKEN)];

await send(
  budget.getSetComputeUnitLimitInstruction({ units: 300_000 }),
  budget.getSetComputeUnitPriceInstruction({ microLamports: 1n }),
  system.getCreateAccountInstruction({ payer, newAccount: mint, space: token.getMintSize(), programAddress: TOKEN,
                                       lamports: rent(token.getMintSize()) }),
  token.getInitializeMint2Instruction({ mint: mint.address, decimals: 2, mintAuthority: payer.address,
                                        freezeAuthority: payer.address }),
);
await send(
  await token.getCreateAssociatedTokenInstructionAsync({ payer, mint: mint.address, owner: payer.address }),
  await token.getCreateAssociatedTokenIdempotentInstructionAsync({ payer, mint: mint.address, owner: bob.address }),
  await token.getCreateAssociatedTokenIdempotentInstructionAsync({ payer, mint: mint.address, owner: bob.address }),
);
const of = { mint: mint.address, decimals: 2 };
await send(
  note("gm"),
  token.getMintToCheckedInstruction({ ...of, token: ofPayer, mintAuthority: payer, amount: 1000n }),
  token.getTransferCheckedInstruction({ ...of, source: ofPayer, destination: ofBob, authority: payer, amount: 10n }),
  token.getTransferInstruction({ source: ofPayer, destination: ofBob, authority: payer, amount: 10n }),
  token.getApproveInstruction({ source: ofPayer, delegate: bob.address, owner: payer, amount: 5n }),
  token.getRevokeInstruction({ source: ofPayer, owner: payer }),
  token.getBurnInstruction({ account: ofPayer, mint: mint.address, authority: payer, amount: 5n }),
  token.getFreezeAccountInstruction({ account: ofPayer, mint: mint.address, owner: payer }),
  token.getThawAccountInstruction({ account: ofPayer, mint: mint.address, owner: payer }),
  token.getSetAuthorityInstruction({ owned: ofPayer, owner: payer, authorityType: token.AuthorityType.CloseAccount,
                                     newAuthority: payer.address }),
  system.getTransferSolInstruction({ source: payer, destination: bob.address, amount: 1_000_000n }),
);
await send( // Token fails
  note("too much"),
  token.getTransferInstruction({ source: ofPayer, destination: ofBob, authority: payer, amount: 1_000_000n }),
  note("never"),
);
const extensions = [token2022.extension("TransferFeeConfig", {
  transferFeeConfigAuthority: payer.address, withdrawWithheldAuthority: payer.address, withheldAmount: 0n,
  olderTransferFee: { epoch: 0n, maximumFee: 10n, transferFeeBasisPoints: 100 },
  newerTransferFee: { epoch: 0n, maximumFee: 10n, transferFeeBasisPoints: 100 },
})];
const space = token2022.getMintSize(extensions), create = { payer, mint: feeMint.address, tokenProgram: TOKEN_2022 };
const [feePayer, feeBob] =
  [await tokens(payer.address, feeMint.address, TOKEN_2022), await tokens(bob.address, feeMint.address, TOKEN_2022)];
await send(
  system.getCreateAccountInstruction({ payer, newAccount: feeMint, space, programAddress: TOKEN_2022, lamports: rent(space) }),
  token2022.getInitializeTransferFeeConfigInstruction({ mint: feeMint.address, transferFeeConfigAuthority: payer.address,
    withdrawWithheldAuthority: payer.address, transferFeeBasisPoints: 100, maximumFee: 10n }),
  token2022.getInitializeMintInstruction({ mint: feeMint.address, decimals: 2, mintAuthority: payer.address }),
);
await send(
  await token.getCreateAssociatedTokenInstructionAsync({ ...create, owner: payer.address }),
  await token.getCreateAssociatedTokenInstructionAsync({ ...create, owner: bob.address }),
  token2022.getMintToInstruction({ mint: feeMint.address, token: feePayer, mintAuthority: payer, amount: 1000n }),
  token2022.getTransferCheckedWithFeeInstruction({ source: feePayer, mint: feeMint.address, destination: feeBob,
                                                   authority: payer, amount: 500n, decimals: 2, fee: 5n }),
  token2022.getReallocateInstruction({ token: feePayer, payer, owner: payer,
                                       newExtensionTypes: [token2022.ExtensionType.MemoTransfer] }),
  token2022.getEnableMemoTransfersInstruction({ token: feePayer, owner: payer }),
  token2022.getDisableMemoTransfersInstruction({ token: feePayer, owner: payer }),
);
await send(
  system.getCreateAccountInstruction({ payer, newAccount: staked, space: 200, lamports: rent(200) + 1_000_000n,
                                       programAddress: stake.STAKE_PROGRAM_ADDRESS }),
  stake.getInitializeInstruction({ stake: staked.address, arg0: { staker: payer.address, withdrawer: payer.address },
    arg1: { unixTimestamp: 0n, epoch: 0n, custodian: payer.address } }),
);

// Version 1 of transactions, with invoked programs, a failure and several signatures.
version = 1;
await send(
  note("version 1"),
  system.getTransferSolInstruction({ source: payer, destination: bob.address, amount: 1_000_000n }),
  token.getMintToCheckedInstruction({ ...of, token: ofPayer, mintAuthority: payer, amount: 7n }),
  token.getTransferCheckedInstruction({ ...of, source: ofPayer, destination: ofBob, authority: payer, amount: 10n }),
);
const third = await signer(6);
await send(
  system.getCreateAccountInstruction({ payer, newAccount: third, space: 0, programAddress: TOKEN, lamports: rent(0) }),
  await token.getCreateAssociatedTokenInstructionAsync({ payer, mint: mint.address, owner: third.address }),
);
await send(
  note("too much"),
  token.getTransferInstruction({ source: ofPayer, destination: ofBob, authority: payer, amount: 1_000_000n }),
  note("never"),
);

// --- Toll ---

const folded = (file, ...args) => {
  const text = execFileSync(toll, ["convert", "-q", "--to", "folded", "-o", "-", ...args, file], { encoding: "utf8" });
  return new Map(text.trim().split("\n").map(l => [l.slice(0, l.lastIndexOf(" ")), Number(l.slice(l.lastIndexOf(" ") + 1))]));
};
const sorted = map => Object.fromEntries([...map].sort());
for (const form of Object.keys(answers[0])) {
  const file = `${dir}/${form}.json`;
  writeFileSync(file, answers.map(a => JSON.stringify(a[form])).join("\n"));
  const calls = folded(file, "--by-transaction", "--value", "calls");
  for (const signature of charges.keys()) calls.delete(signature);
  assert.deepEqual(sorted(calls), sorted(expected), `${form}: names`);
  const units = new Map();
  for (const [stack, n] of folded(file, "--by-transaction")) count(units, stack.split(";")[0], n);
  assert.deepEqual(sorted(units), sorted(charges), `${form}: units of each transaction`);
  const merged = new Map();
  for (const [stack, n] of expected) count(merged, stack.slice(stack.indexOf(";") + 1), n);
  assert.deepEqual(sorted(folded(file, "--value", "calls")), sorted(merged), `${form}: merged by instruction`);
}
// Among other answers, an error and an unknown transaction.
const mixed = `${dir}/mixed.json`;
writeFileSync(mixed, JSON.stringify([
  answers[0].json, { jsonrpc: "2.0", error: { code: -32015, message: "Transaction version (0) is not supported" }, id: 2 },
  { jsonrpc: "2.0", result: null, id: 3 }, answers[1].base64]));
assert.equal([...folded(mixed).values()].reduce((a, b) => a + b),
             [...charges.values()].slice(0, 2).reduce((a, b) => a + b), "errors among answers");

// Every instruction that a client knows, by data that the machine never saw.
const all = [], names = [];
for (const [id, identify, list] of [
  [TOKEN, token.identifyTokenInstruction, token.TokenInstruction],
  [TOKEN_2022, token2022.identifyToken2022Instruction, token2022.Token2022Instruction],
  [system.SYSTEM_PROGRAM_ADDRESS, system.identifySystemInstruction, system.SystemInstruction],
  [stake.STAKE_PROGRAM_ADDRESS, stake.identifyStakeInstruction, stake.StakeInstruction],
  [budget.COMPUTE_BUDGET_PROGRAM_ADDRESS, budget.identifyComputeBudgetInstruction, budget.ComputeBudgetInstruction],
  [token.ASSOCIATED_TOKEN_PROGRAM_ADDRESS, token.identifyAssociatedTokenInstruction, token.AssociatedTokenInstruction]])
  for (const data of known(n => list[n], identify, id === TOKEN_2022 ? 2 : 1)) {
    all.push({ programId: id, data: base58(data), accounts: [] });
    names.push(nameOf(id, data));
  }
writeFileSync(`${dir}/all.json`, JSON.stringify({
  meta: { logMessages: all.flatMap(i => [`Program ${i.programId} invoke [1]`, `Program ${i.programId} success`]) },
  transaction: { message: { accountKeys: [], instructions: all } } }));
const found = folded(`${dir}/all.json`, "--value", "calls"), wanted = new Map();
for (const name of names) count(wanted, name);
assert.deepEqual(sorted(found), sorted(wanted), "all that clients know");
console.log(`${answers.length} transactions in ${Object.keys(answers[0]).length} encodings, ` +
            `${[...expected.values()].reduce((a, b) => a + b)} invocations and ${wanted.size} instructions: named as by their clients`);
