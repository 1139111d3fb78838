// address.mjs - reads and writes Tezos' addresses: base58check, a prefix for each kind, and 20 bytes.
import { createHash } from "node:crypto";

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", SIZE = 20, CHECK = 4;
// The prefixes of octez' lib_crypto/base58.ml; of an implicit account also the tag of its kind.
const KINDS = {
  sr1: { prefix: [6, 124, 117], is: "a smart rollup" },
  KT1: { prefix: [2, 90, 121], is: "a contract" },
  tz1: { prefix: [6, 161, 159], tag: 0, is: "an account" },
  tz2: { prefix: [6, 161, 161], tag: 1, is: "an account" },
  tz3: { prefix: [6, 161, 164], tag: 2, is: "an account" },
  tz4: { prefix: [6, 161, 166], tag: 3, is: "an account" },
};

export const ROLLUP = ["sr1"], CONTRACT = ["KT1"], ACCOUNT = ["tz1", "tz2", "tz3", "tz4"];
export const ZERO = new Uint8Array(SIZE); // the address that Octez' debugger has by default

const sha256 = bytes => createHash("sha256").update(bytes).digest();
const checkOf = bytes => sha256(sha256(bytes)).subarray(0, CHECK);

/** The bytes of a base58 text; null if it is none, or too long. */
function fromBase58(text, most) {
  let value = 0n;
  for (const letter of text.length > 2 * most ? "0" : text) {
    const digit = ALPHABET.indexOf(letter);
    if (digit < 0) return null;
    value = value * 58n + BigInt(digit);
  }
  const digits = value.toString(16), bytes = Buffer.from(digits.padStart(digits.length + digits.length % 2, "0"), "hex");
  return Buffer.concat([Buffer.alloc(/^1*/.exec(text)[0].length), bytes]);
}

/** Parse an address of one of these kinds. Returns { bytes (20), tag (of an account) }; throws an Error that says what
 *  is wrong. */
export function parseAddress(text, kinds) {
  const kind = kinds.find(name => text.startsWith(name)), wanted = `${KINDS[kinds[0]].is}'s address (${kinds.join(", ")})`;
  if (!kind) throw new Error(`${JSON.stringify(text)} is not ${wanted}`);
  const { prefix, tag } = KINDS[kind], bytes = fromBase58(text, prefix.length + SIZE + CHECK);
  const body = bytes?.subarray(0, -CHECK);
  if (body?.length !== prefix.length + SIZE || prefix.some((byte, i) => body[i] !== byte) || !checkOf(body).equals(bytes.subarray(-CHECK)))
    throw new Error(`${JSON.stringify(text)} is not ${wanted}: its checksum is wrong, or letters are missing`);
  return { bytes: Uint8Array.from(body.subarray(prefix.length)), tag };
}
