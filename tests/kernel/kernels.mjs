// kernels.mjs LIB - runs the example kernels in Node: the store and outputs must be those that are computed here in
// another way.
import assert from "node:assert/strict";
import { test } from "node:test";
import { blake2b, hex, load, runKernel } from "./host.mjs";

const u64 = n => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(n));
  return bytes;
};
const mask = (1n << 64n) - 1n;
const fnv1a = (bytes, hash = 0xcbf29ce484222325n) => bytes.reduce((h, byte) => ((h ^ BigInt(byte)) * 0x100000001b3n) & mask, hash);
const account = i => Buffer.from([i, 0, 0, 0xac]);
const mint = (to, amount) => ({ external: hex(Buffer.concat([Buffer.from("m"), account(to), u64(amount)])) });
function transfer(from, to, amount, spoil = 0n) {
  const body = Buffer.concat([account(from), account(to), u64(amount)]);
  return { external: hex(Buffer.concat([Buffer.from("t"), body, u64(fnv1a(body) ^ spoil)])) };
}
const number = (store, key) => Buffer.from(store.get(key)).readBigUInt64LE();

test("ledger: balances, refusals and checksums are those of a plain ledger", async () => {
  const balances = new Map(), levels = [], sums = [];
  let transfers = 0, refused = 0, seed = 7;
  const random = n => (seed = seed * 48271 % 2147483647) % n;
  for (let level = 0; level < 4; level++) {
    const messages = [];
    for (let i = 0; i < 60; i++) {
      const [from, to, amount] = [random(12), random(12), random(500)], rich = balances.get(from) ?? 0;
      const kind = random(4);
      if (kind === 0) {
        messages.push(mint(from, amount));
        balances.set(from, rich + amount);
      } else if (kind === 1 && random(2)) {
        messages.push(random(2) ? transfer(from, to, amount, 1n) : { external: "74" });
        refused++;
      } else {
        messages.push(transfer(from, to, amount));
        if (amount > rich) refused++;
        else {
          transfers++;
          balances.set(from, rich - amount);
          balances.set(to, (balances.get(to) ?? 0) + amount);
        }
      }
    }
    levels.push(messages);
    const named = [...balances].map(([i, amount]) => [hex(account(i)), amount]).sort(([a], [b]) => (a < b ? -1 : 1));
    sums.push(named.reduce((sum, [name, amount]) => fnv1a(u64(amount), fnv1a(Buffer.from(name), sum)), 0xcbf29ce484222325n));
  }
  const { kernel, runs, sum, debug, sections } = await runKernel(load("ledger"), levels);
  for (const [i, amount] of balances) assert.equal(number(kernel.store, `/accounts/${hex(account(i))}`), BigInt(amount));
  assert.equal(kernel.store.count("/accounts"), balances.size);
  assert.equal(number(kernel.store, "/transfers"), BigInt(transfers));
  assert.equal(number(kernel.store, "/refused"), BigInt(refused));
  assert.deepEqual(kernel.outputs.map(o => [o.level, hex(o.bytes)]), sums.map((s, i) => [i, `4c${hex(u64(s))}`]));
  assert.deepEqual(runs.map(r => [r.level, r.run, r.inputs, r.outputs, r.unread, r.reboot, r.trap]),
    [0, 1, 2, 3].map(i => [i, i, 63, 1, 0, false, null]));
  assert.deepEqual(sum, { runs: 4, traps: 0, failures: 0, unread: 0 });
  assert.deepEqual(debug, Array(4).fill("ledger: level done\n"));
  assert.deepEqual(sections.slice(-2), ["+checksum", "-checksum"]);
  assert.equal(sections.filter(s => s === "+message").length, 240);
});

test("slices: reboots until the work is done, 200 primes at a time", async () => {
  const { kernel, runs } = await runKernel(load("slices"), [[{ external: "b0040000" }], [], [{ external: "01000000" }, { external: "c8000000" }]]);
  assert.deepEqual(runs.map(r => [r.level, r.reboot]), [
    ...[true, true, true, true, true, false].map(r => [0, r]), [1, false], [2, true], [2, false]]);
  const primes = [];
  for (let n = 2; primes.length < 1200 + 201; n++) if (primes.every(p => p * p > n || n % p)) primes.push(n);
  assert.deepEqual([...new Uint32Array(kernel.store.get("/primes/list").buffer)], primes);
  assert.equal(kernel.store.has("/kernel/env/reboot"), 0);
  assert.equal(Buffer.from(kernel.store.get("/readonly/kernel/env/reboot_counter")).readInt32LE(), 999, "of the last level");
});

test("slices: 1000 reboots are all; the next level goes on", async () => {
  const { kernel, runs, sum } = await runKernel(load("slices"), [[{ external: "010e0300" }]]);
  assert.equal(0x30e01, 200 * 1001 - 7);
  assert.equal(sum.runs, 1001);
  assert.deepEqual([runs.at(-1).reboot, runs.at(-1).forced], [false, false], "the work just fits");
  const more = await runKernel(load("slices"), [[{ external: "090e0300" }], []]);
  assert.deepEqual(more.runs.slice(1000).map(r => [r.level, r.reboot, r.forced]), [[0, false, true], [1, false, false]]);
  assert.equal(more.kernel.store.has("/readonly/kernel/env/too_many_reboot"), 0, "told until a level ends well");
  assert.equal(kernel.store.size("/primes/list"), 4 * 0x30e01);
});

test("fragile: a trap ends its run; the store stays, and tells the next", async () => {
  const levels = [
    [{ external: "020380830a81" }, { external: "83" }, { external: "01" }], // 2 + 3; nothing to write: a trap
    [{ external: "05008283" }],                                         // 5 / 0
    [{ external: "84" }],
    [{ external: "85" }],
    [{ external: "86" }, { external: "070883" }],                       // asks for a reboot first
  ];
  const { kernel, runs, sum, sections } = await runKernel(load("fragile"), levels);
  assert.deepEqual(runs.map(r => [r.level, r.reboot, r.unread]), [[0, false, 2], [1, false, 1], [2, false, 1], [3, false, 1], [4, true, 2], [4, false, 0]]);
  const traps = runs.map(r => r.trap && `${r.trap.constructor.name}: ${r.trap.message}`);
  [/RuntimeError: unreachable/, /RuntimeError: divide by zero/, /RangeError: Maximum call stack/, /RuntimeError: memory access out of bounds/,
    /RuntimeError: unreachable/].forEach((text, i) => assert.match(traps[i], text));
  assert.equal(traps[5], null);
  assert.deepEqual(sum, { runs: 6, traps: 5, failures: 0, unread: 5 });
  assert.deepEqual(kernel.outputs.map(o => [o.level, hex(o.bytes)]), [[0, "05000000"], [4, "08000000"]]);
  assert.equal(number(kernel.store, "/programs"), 7n);
  assert.equal(number(kernel.store, "/aborted"), 5n);
  assert.equal(kernel.store.has("/readonly/kernel/env/stuck"), 0, "a run that ends well takes the mark away");
  const count = mark => sections.filter(s => s === `${mark}program`).length;
  assert.deepEqual([count("+"), count("-"), count("?")], [7, 2, 5], "a trap leaves sections open, which end with their kernel_run");
});

function pages(data) {
  const known = new Map(), page = bytes => {
    const hash = Buffer.concat([Buffer.of(0), blake2b(bytes)]);
    known.set(hex(hash), bytes);
    return hash;
  };
  let hashes = [];
  for (let at = 0; at < data.length; at += 4095) hashes.push(page(Buffer.concat([Buffer.of(0), data.subarray(at, at + 4095)])));
  while (hashes.length > 1) {
    const above = [];
    for (let i = 0; i < hashes.length; i += 4) above.push(page(Buffer.concat([Buffer.of(1), ...hashes.slice(i, i + 4)])));
    hashes = above;
  }
  return { top: hashes[0], known };
}

test("reveal: a file in pages of pages, and the metadata", async () => {
  const data = Buffer.from(Array.from({ length: 50000 }, (_, i) => i * i >> 3 & 255)), { top, known } = pages(data);
  const metadata = Buffer.from(Array.from({ length: 24 }, (_, i) => i));
  const { kernel } = await runKernel(load("reveal"), [[{ external: hex(top) }]], { metadata, preimages: hash => known.get(hex(hash)) });
  assert.deepEqual(Buffer.from(kernel.store.get(`/files/${hex(top)}`)), data);
  assert.deepEqual(kernel.outputs.map(o => hex(o.bytes)), ["50c30000"]);
  assert.deepEqual(Buffer.from(kernel.store.get("/metadata")), metadata);
  const level = [[{ external: hex(top) }]];
  await assert.rejects(runKernel(load("reveal"), level), /give the folder that has it: --preimages FOLDER/);
  await assert.rejects(runKernel(load("reveal"), level, { preimages: "." }), new RegExp(`${hex(top)}: cannot be read \\(ENOENT\\)`));
});
