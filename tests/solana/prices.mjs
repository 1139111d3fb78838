// prices.mjs DIR - runs every system call of npm's litesvm, each in a transaction of its own; check_prices.mjs holds what the machine
// charged to the price that Toll gives it. This process is large: it would take long to start a command for each call.
import { renameSync, writeFileSync } from "node:fs";
import { FailedTransactionMetadata, FeatureSet, LiteSVM } from "litesvm";
import * as kit from "@solana/kit";
import * as price from "./price_cases.mjs";

const [dir] = process.argv.slice(2);
const addressOf = key => kit.getAddressDecoder().decode(key);
const payer = await kit.createKeyPairSignerFromPrivateKeyBytes(price.payerSeed);
const SYSTEM = addressOf(price.system);
const machines = [new LiteSVM(), new LiteSVM().withFeatureSet(FeatureSet.allEnabled()).withBuiltins().withSysvars().withPrecompiles()];
for (const svm of machines) {
  svm.airdrop(payer.address, kit.lamports(10_000_000_000n));
  svm.addProgram(addressOf(price.callee), price.calleeProgram);
}

async function run(svm, c) {
  const id = addressOf(c.id), owned = c.owned ?? 0;
  svm.addProgram(id, price.programOf(c));
  svm.setAccount({ address: addressOf(price.data), lamports: kit.lamports(10_000_000_000n), data: new Uint8Array(owned), space: BigInt(owned), programAddress: SYSTEM, executable: false });
  const sent = svm.sendTransaction(await kit.signTransactionMessageWithSigners(kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    m => kit.setTransactionMessageFeePayerSigner(payer, m),
    m => svm.setTransactionMessageLifetimeUsingLatestBlockhash(m),
    m => kit.appendTransactionMessageInstructions([
      { programAddress: "ComputeBudget111111111111111111111111111111", data: new Uint8Array([2, ...new Uint8Array(new Uint32Array([1_000_000]).buffer)]) },
      { programAddress: id, accounts: c.accounts.map(({ key, isWritable, isSigner }) =>
        ({ address: addressOf(key), role: isSigner * 2 + isWritable, ...(isSigner ? { signer: payer } : {}) })) }], m),
  )));
  const failed = sent instanceof FailedTransactionMetadata, meta = failed ? sent.meta() : sent;
  return { logs: meta.logs(), charged: Number(meta.computeUnitsConsumed()), error: failed && (sent.err()?.toString() ?? "failed") };
}

const answers = [];
for (const [m, svm] of machines.entries()) for (const [i, c] of price.cases.entries()) {
  const sent = await run(svm, c);
  renameSync(process.env.SBF_TRACE_DIR, `${dir}/${m}-${i}`);
  answers.push({ machine: m, index: i, sent });
}
writeFileSync(`${dir}/answers.json`, JSON.stringify(answers));
