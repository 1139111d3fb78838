// world.cjs - an account that pays, and transactions of one instruction without accounts.
const kit = require("@solana/kit");

const address = n => kit.getAddressDecoder().decode(new Uint8Array(32).fill(n));

/** Each `data` makes another transaction. */
async function run(svm, n, data, method = "sendTransaction") {
  const payer = await kit.createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(1));
  if (!svm.getBalance(payer.address)) svm.airdrop(payer.address, kit.lamports(10_000_000_000n));
  return svm[method](await kit.signTransactionMessageWithSigners(kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    m => kit.setTransactionMessageFeePayerSigner(payer, m),
    m => svm.setTransactionMessageLifetimeUsingLatestBlockhash(m),
    m => kit.appendTransactionMessageInstructions([{ programAddress: address(n), data: new Uint8Array([data]) }], m))));
}

module.exports = { address, run };
