// rpc.cjs - a transaction as RPC's getTransaction has it, which toll reads: names of instructions come from their data.
"use strict";

const DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Bytes in base 58, as Solana shows them. */
function base58(bytes) {
  let text = "";
  for (let n = BigInt(`0x0${Buffer.from(bytes).toString("hex")}`); n > 0n; n /= 58n) text = DIGITS[Number(n % 58n)] + text;
  const zeros = bytes.findIndex(byte => byte);
  return "1".repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** A transaction as it is sent, in base 64; undefined for forms that are not known. */
function wire({ messageBytes, signatures } = {}) {
  const version = messageBytes?.[0] & 0x80 ? messageBytes[0] & 0x7f : 0, all = Object.values(signatures ?? {});
  if (!messageBytes || version || all.length > 127) return undefined;
  return Buffer.concat([[all.length], ...all.map(one => one ?? new Uint8Array(64)), messageBytes].map(part => Buffer.from(part))).toString("base64");
}

/** The instructions that programs invoked, as RPC has them. */
const inner = meta => meta.innerInstructions().map((invoked, index) => ({
  index,
  instructions: invoked.map(one => ({
    programIdIndex: one.instruction().programIdIndex(), accounts: [...one.instruction().accounts()],
    data: base58(one.instruction().data()), stackHeight: one.stackHeight(),
  })),
})).filter(({ instructions }) => instructions.length);

/** `seen`: what is kept of a transaction; `transaction`: what was sent; `meta`: what LiteSVM returned. */
function asRpc({ test, simulated, signature, failed, units, logs }, transaction, meta) {
  const bytes = wire(transaction);
  return {
    test, simulated, signature, transaction: bytes && [bytes, "base64"],
    meta: { err: failed, computeUnitsConsumed: units, innerInstructions: inner(meta), logMessages: logs },
  };
}

module.exports = { asRpc, base58 };
