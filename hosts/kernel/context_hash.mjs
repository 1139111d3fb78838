// context_hash.mjs - computes the hashes of trees of contents, as Octez has them in the state of a WASM rollup.
//
// The rules are those of "Tezos context hashes" of 2021-03-22 (github.com/tarides/tezos-context-hash), for a context
// whose nodes have 2 children. A node of up to 2 entries is a list of them. A larger node is a binary tree of lists:
// the bits of the hash of an entry's name, highest first, are the path to the entry.
import { blake2b } from "./blake2b.mjs";

const MOST = 2; // entries of a list
const LIST = 0, TREE = 1, TO_NODE = 0, TO_CONTENTS = 1; // tags within large nodes
const KIND_NODE = Buffer.alloc(8), KIND_CONTENTS = Buffer.from([255, 0, 0, 0, 0, 0, 0, 0]);

function u64(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function leb128(value) {
  const bytes = [];
  for (; value > 127; value >>>= 7) bytes.push(value & 127 | 128);
  return Buffer.from([...bytes, value]);
}

const hash = (...parts) => blake2b(Buffer.concat(parts));

/** The hash of contents, which are bytes. */
export const contentsHash = bytes => hash(u64(bytes.length), bytes);

/** A number as the bytes of contents. */
export const numberBytes = u64;

/** The hash of a node with these entries { name, hash, isContents (else it is a node) }, which are sorted by the
 *  bytes of their names.
 */
export function nodeHash(entries) {
  if (entries.length > MOST) return largeHash(entries.map(entry => ({ ...entry, way: blake2b(Buffer.from(entry.name)) })), 0);
  return hash(u64(entries.length), ...entries.flatMap(({ name, hash: its, isContents }) =>
    [isContents ? KIND_CONTENTS : KIND_NODE, leb128(name.length), Buffer.from(name), u64(its.length), its]));
}

const bit = (bytes, i) => bytes[i >> 3] >> 7 - (i & 7) & 1;

/** The hash of a part of a large node: of the entries whose paths have the same first `depth` bits. */
function largeHash(entries, depth) {
  if (entries.length <= MOST)
    return hash(Buffer.of(LIST, entries.length), ...entries.flatMap(({ name, hash: its, isContents }) =>
      [leb128(name.length), Buffer.from(name), Buffer.of(isContents ? TO_CONTENTS : TO_NODE), its]));
  const sides = [0, 1].map(side => entries.filter(({ way }) => bit(way, depth) === side));
  const children = sides.flatMap((some, side) => (some.length ? [Buffer.of(side), largeHash(some, depth + 1)] : []));
  return hash(Buffer.of(TREE), leb128(depth), leb128(entries.length), Buffer.of(children.length / 2), ...children);
}
