// traced.mjs - runs a program on LiteSVM, which writes its register trace into SBF_TRACE_DIR.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { LiteSVM } from "litesvm";
import * as kit from "@solana/kit";

export const traces = process.env.SBF_TRACE_DIR;
export const id = kit.getAddressDecoder().decode(new Uint8Array(32).fill(9));

/** The log of one instruction with `data`, and what was charged. */
export async function run(program, data = new Uint8Array()) {
  const svm = new LiteSVM();
  svm.addProgram(id, program);
  const payer = await kit.createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(1));
  svm.airdrop(payer.address, kit.lamports(10_000_000_000n));
  const sent = svm.sendTransaction(await kit.signTransactionMessageWithSigners(kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    m => kit.setTransactionMessageFeePayerSigner(payer, m),
    m => svm.setTransactionMessageLifetimeUsingLatestBlockhash(m),
    m => kit.appendTransactionMessageInstructions([{ programAddress: id, data }], m),
  )));
  assert.ok(sent.logs, `${sent.err?.()}\n${sent.meta?.().logs().join("\n")}`);
  return { logs: sent.logs(), charged: Number(sent.computeUnitsConsumed()) };
}

/** How often each slot of .text was executed, of the only trace. */
export function executed() {
  const files = readdirSync(traces).filter(f => f.endsWith(".regs"));
  assert.equal(files.length, 1);
  const regs = readFileSync(`${traces}/${files[0]}`), slots = new Map();
  for (let i = 0; i + 96 <= regs.length; i += 96) {
    const pc = Number(regs.readBigUInt64LE(i + 88));
    slots.set(pc, (slots.get(pc) ?? 0) + 1);
  }
  return slots;
}
