// Measures the cost of instructions of the Token program. One import and one call make the profile: run `npm test`.
import * as kit from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";
import * as token from "@solana-program/token";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import { profiled } from "toll-litesvm";
import { beforeAll, describe, expect, it } from "vitest";

const svm = profiled(new LiteSVM());
const tokenProgram = token.TOKEN_PROGRAM_ADDRESS, space = token.getMintSize();
let payer: kit.KeyPairSigner, mint: kit.KeyPairSigner, bob: kit.KeyPairSigner;

async function send(...instructions: kit.Instruction[]) {
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    m => kit.setTransactionMessageFeePayerSigner(payer, m),
    m => svm.setTransactionMessageLifetimeUsingLatestBlockhash(m),
    m => kit.appendTransactionMessageInstructions(instructions, m),
  );
  return svm.sendTransaction(await kit.signTransactionMessageWithSigners(message));
}

async function accountOf(owner: kit.Address) {
  return (await token.findAssociatedTokenPda({ mint: mint.address, owner, tokenProgram }))[0];
}

async function transfer(amount: bigint) {
  const [source, destination] = [await accountOf(payer.address), await accountOf(bob.address)];
  return send(token.getTransferInstruction({ source, destination, authority: payer, amount }));
}

beforeAll(async () => {
  const key = (n: number) => kit.createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(n));
  [payer, mint, bob] = await Promise.all([key(1), key(2), key(3)]);
  svm.airdrop(payer.address, kit.lamports(10_000_000_000n));
});

describe("a token", () => {
  it("is minted", async () => {
    const lamports = kit.lamports(svm.minimumBalanceForRentExemption(BigInt(space)));
    await send(
      getCreateAccountInstruction({ payer, newAccount: mint, space, lamports, programAddress: tokenProgram }),
      token.getInitializeMintInstruction({ mint: mint.address, decimals: 2, mintAuthority: payer.address }),
    );
    for (const owner of [payer.address, bob.address])
      await send(await token.getCreateAssociatedTokenInstructionAsync({ payer, mint: mint.address, owner }));
    const sent = await send(token.getMintToInstruction({
      mint: mint.address, token: await accountOf(payer.address), mintAuthority: payer, amount: 1000n,
    }));
    expect(sent).not.toBeInstanceOf(FailedTransactionMetadata);
  });

  it("is transferred", async () => {
    expect(await transfer(100n)).not.toBeInstanceOf(FailedTransactionMetadata);
  });

  it("is not transferred if there is too little of it", async () => {
    expect(await transfer(100_000n)).toBeInstanceOf(FailedTransactionMetadata);
  });
});
