// blocks.mjs MODULES - blocks are decoded as docs/page.md says: random trees, compared by parents and keys, and running
// sums, compared with BigInts.
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const module = name => import(pathToFileURL(path.resolve(process.argv[2], `${name}.mjs`)));
const [{ decodeSums, Sums }, { decodeTree, makeTree }] = await Promise.all(["sums", "tree"].map(module));

let seed = 7;
const random = below => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) % below;

/** LEB128, by BigInt. */
function leb(numbers) {
  const bytes = [];
  for (let n of numbers.map(BigInt)) {
    for (; n > 127n; n >>= 7n) bytes.push(Number(n & 127n) | 128);
    bytes.push(Number(n));
  }
  return Uint8Array.from(bytes);
}

const block = bytes => ({ packed: gzipSync(bytes), size: bytes.length });
const zigzag = v => v < 0n ? -2n * v - 1n : 2n * v;

/** Parents and keys of a random tree in preorder; keys from `functions` on are threads. */
function randomTree(functions, threads, wide) {
  const parent = [], key = [];
  const grow = (up, depth) => {
    for (let children = random(depth ? 3 : wide); children > 0; children--) {
      parent.push(up);
      key.push(random(functions));
      if (depth < 200) grow(parent.length - 1, random(9) ? depth + 1 : 200);
    }
  };
  for (let t = 0; t < threads; t++) {
    parent.push(-1);
    key.push(functions + t);
    grow(parent.length - 1, 0);
  }
  return { parent, key, keys: functions + threads };
}

function encode({ parent, key, keys }) {
  const callees = Array.from({ length: 1 + keys }, () => []), up = [], callee = [];
  let last = -1;
  parent.forEach((p, i) => {
    const list = callees[p < 0 ? 0 : 1 + key[p]];
    if (!list.includes(key[i])) list.push(key[i]);
    callee.push(list.indexOf(key[i]));
    let levels = 0;
    for (; last !== p; last = parent[last]) levels++;
    up.push(levels);
    last = i;
  });
  return [leb([...callees.map(list => list.length), ...callees.flat()]), leb(up), leb(callee)].map(block);
}

for (const [functions, threads, wide] of [[1, 1, 0], [3, 2, 5], [300, 3, 400], [70000, 1, 3000]]) {
  const made = randomTree(functions, threads, wide), { parent, key, keys } = made;
  const input = { blocks: encode(made), count: parent.length, keys };
  const tree = makeTree(await decodeTree(input), keys, null);
  assert.deepEqual([...tree.parent], parent);
  assert.deepEqual([...tree.key], key);
  assert.deepEqual(tree.threads, parent.flatMap((p, i) => p < 0 ? [i] : []));
  const depths = [];
  for (const p of parent) depths.push(p < 0 ? 0 : depths[p] + 1);
  assert.equal(tree.deepest, depths.reduce((most, depth) => Math.max(most, depth)));
  const functionOf = Int32Array.from({ length: functions }, (_, f) => f - f % 2), places = makeTree(await decodeTree(input), keys, functionOf);
  assert.deepEqual([...places.frame], key);
  assert.deepEqual([...places.key], key.map(k => k < functions ? functionOf[k] : k));
  await assert.rejects(decodeTree({ ...input, blocks: [input.blocks[0], input.blocks[1], block(leb(key.map(() => 1 << 25)))] }));
  await assert.rejects(decodeTree({ ...input, blocks: [input.blocks[0], block(leb(key.map(() => 2))), input.blocks[2]] }));
}

for (const most of [100n, 1n << 31n, 1n << 40n, (1n << 53n) - 1n])
  for (const signed of [false, true]) {
    const values = Array.from({ length: 1000 }, () => {
      const size = BigInt(random(0x7fffffff)) * BigInt(random(0x7fffffff)) % most;
      return signed && random(2) ? -size : size;
    });
    const sums = Sums.from(await decodeSums({ block: block(leb(values.map(zigzag))), count: values.length }));
    assert.equal(sums.negative, values.some(v => v < 0n));
    values.forEach((v, i) => assert.equal(sums.at(i), Number(v)));
    for (let round = 0; round < 300; round++) {
      const from = random(values.length), end = from + random(values.length - from);
      assert.equal(sums.between(from, end), Number(values.slice(from, end).reduce((a, b) => a + b, 0n)));
    }
    const same = Sums.of(values.length, i => Number(values[i]));
    assert.equal(same.between(0, values.length), sums.between(0, values.length));
  }

const large = Sums.of(6, () => 2 ** 62); // of threads: all of them are more than 64 bits have
for (let node = 0; node < 6; node++) assert.equal(large.at(node), 2 ** 62);
console.log("random trees and columns");
