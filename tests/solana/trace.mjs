// trace.mjs DIR - token programs on LiteSVM, a folder of register traces and a file of logs for each
// transaction: DIR/N/ and DIR/N.logs, and DIR/N.json as RPC has them; in DIR/all all of them. Keys are fixed,
// so that every run costs the same.
import { cpSync, mkdirSync, renameSync, writeFileSync, appendFileSync } from "node:fs";
import { LiteSVM, FailedTransactionMetadata } from "litesvm";
import * as kit from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";
import * as token from "@solana-program/token";

const dir = process.argv[2];
const svm = new LiteSVM();
const signer = byte => kit.createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(byte));
const [payer, mint, bob] = await Promise.all([1, 2, 3].map(signer));
svm.airdrop(payer.address, kit.lamports(10_000_000_000n));
let count = 0;

async function send(instructions) {
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    m => kit.setTransactionMessageFeePayerSigner(payer, m),
    m => svm.setTransactionMessageLifetimeUsingLatestBlockhash(m),
    m => kit.appendTransactionMessageInstructions(instructions, m),
  );
  const result = svm.sendTransaction(await kit.signTransactionMessageWithSigners(message));
  const meta = result instanceof FailedTransactionMetadata ? result.meta() : result;
  const logs = meta.logs(), computeUnitsConsumed = Number(meta.computeUnitsConsumed());
  const name = `${dir}/${++count}`;
  renameSync(process.env.SBF_TRACE_DIR, name);
  cpSync(name, `${dir}/all`, { recursive: true });
  writeFileSync(`${name}.logs`, logs.join("\n") + "\n");
  writeFileSync(`${name}.json`, JSON.stringify({ slot: 1, meta: { err: null, computeUnitsConsumed, logMessages: logs } }));
  appendFileSync(`${dir}/all.logs`, logs.join("\n") + "\n");
}

const programAddress = token.TOKEN_PROGRAM_ADDRESS;
const space = token.getMintSize();
const accountOf = async owner =>
  (await token.findAssociatedTokenPda({ mint: mint.address, owner, tokenProgram: programAddress }))[0];
const [ofPayer, ofBob] = [await accountOf(payer.address), await accountOf(bob.address)];
const createAccount = owner =>
  token.getCreateAssociatedTokenInstructionAsync({ payer, mint: mint.address, owner });
const transfer = amount =>
  token.getTransferInstruction({ source: ofPayer, destination: ofBob, authority: payer, amount });

mkdirSync(`${dir}/all`);
await send([
  getCreateAccountInstruction({
    payer, newAccount: mint, space, programAddress,
    lamports: svm.minimumBalanceForRentExemption(BigInt(space)),
  }),
  token.getInitializeMintInstruction({ mint: mint.address, decimals: 2, mintAuthority: payer.address }),
]);
await send([await createAccount(payer.address), await createAccount(bob.address)]);
await send([
  token.getMintToInstruction({ mint: mint.address, token: ofPayer, mintAuthority: payer, amount: 1000n }),
  transfer(100n),
]);
await send([transfer(100000n)]); // more than there is: fails
