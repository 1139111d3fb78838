// hashes.mjs LIB - BLAKE2b, the hashes of the store, and preimages, which must have the hash in their name.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Kernel, hex } from "./host.mjs";

const lib = name => import(pathToFileURL(path.join(process.argv[2], "kernel", name)));
const { blake2b } = await lib("blake2b.mjs");
const { nodeHash } = await lib("context_hash.mjs");
const { Store } = await lib("store.mjs");

const concat = (...parts) => Buffer.concat(parts.map(part => Buffer.from(part)));
const zeros = count => Buffer.alloc(count);

/** BLAKE2b-256 by coreutils. */
const b2sum = bytes => Buffer.from(execFileSync("b2sum", ["-l", "256"], { input: bytes }).toString().slice(0, 64), "hex");

test("BLAKE2b is that of RFC 7693, of Node and of b2sum", () => {
  assert.equal(hex(blake2b(Buffer.from("abc"), 64)), "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1" +
    "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923", "RFC 7693, appendix A");
  for (const size of [0, 1, 3, 127, 128, 129, 255, 256, 257, 1000, 4096, 100_000]) {
    const bytes = Buffer.from(Array.from({ length: size }, (_, i) => i * i >> 3 & 255));
    assert.equal(hex(blake2b(bytes, 64)), createHash("blake2b512").update(bytes).digest("hex"), `${size} bytes`);
    assert.equal(hex(blake2b(bytes)), hex(b2sum(bytes)), `${size} bytes, to 32`);
  }
});

test("the states with which the WASM PVM begins have the hashes that the protocols have", () => {
  // reference_initial_state_hash of Mumbai and Nairobi: a node "durable" around the store with the PVM's version.
  for (const [version, expected] of [["2.0.0", "0c4a316fa1079bfc23dac5ecc609ab10e26490e378a81e774c51176040bea180"],
    ["2.0.0-r1", "5f45ebe327976c17291e132fcf2ffb415af11d632e83bc3601e4add75c256239"]]) {
    const store = new Store();
    store.set("/readonly/wasm_version", Buffer.from(version));
    assert.equal(hex(nodeHash([{ name: "durable", hash: store.hash("") }])), expected, version);
  }
});

const u64 = value => concat([0, 0, 0, 0, value >>> 24, value >> 16, value >> 8, value]);
const contents = bytes => b2sum(concat(u64(bytes.length), bytes));
const list = (...entries) => b2sum(concat(u64(entries.length), ...entries));
const toNode = (name, hash) => concat(zeros(8), [name.length], name, u64(32), hash);
const toContents = (name, hash) => concat([255], zeros(7), [name.length], name, u64(32), hash);
const size = count => toContents("length", contents(u64(count)));
const padded = text => concat(text, zeros(512 - text.length));
const same = (hash, expected) => assert.equal(hex(hash), hex(expected));

test("a value is a node of its chunks and its size; what was never written is in none", () => {
  const store = new Store();
  store.write("/a", 0, Buffer.from("text"));
  const text = list(toNode("contents", list(toContents("0", contents(padded("text"))))), size(4));
  same(store.hash("/a"), list(toNode("@", text)));
  same(store.hash(""), list(toNode("a", list(toNode("@", text)))));
  store.write("/a/b", 0, Buffer.from("text"));
  same(store.hash("/a"), list(toNode("@", text), toNode("b", list(toNode("@", text)))));
  store.write("/empty", 0, Buffer.alloc(0));
  same(store.hash("/empty"), list(toNode("@", list(size(0)))));
  store.create("/zeros", 100_000);
  same(store.hash("/zeros"), list(toNode("@", list(size(100_000)))));
  store.write("/zeros", 1024, Buffer.from("text"));
  same(store.hash("/zeros"), list(toNode("@", list(toNode("contents", list(toContents("2", contents(padded("text"))))), size(100_000)))));
  store.write("/zeros", 1023, zeros(1));
  const two = list(toContents("1", contents(padded(""))), toContents("2", contents(padded("text"))));
  same(store.hash("/zeros"), list(toNode("@", list(toNode("contents", two), size(100_000)))));
});

test("a node of more than two entries is a tree by the bits of their names' hashes", () => {
  const store = new Store(), names = ["a", "b", "c", "d", "e"];
  for (const name of names) store.write(`/n/${name}`, 0, Buffer.alloc(0));
  const value = list(toNode("@", list(size(0))));
  const few = some => b2sum(concat([0, some.length], ...some.map(name => concat([1], name, [0], value))));
  const tree = (depth, count, ...sides) => b2sum(concat([1, depth, count, sides.length], ...sides.map(([side, hash]) => concat([side], hash))));
  // The first bits of the hashes of the names, by b2sum.
  const bits = names.map(name => [0, 1, 2].map(i => b2sum(name)[0] >> 7 - i & 1).join(""));
  const part = (start, depth) => {
    const inside = names.filter((_, i) => bits[i].startsWith(start));
    if (inside.length <= 2) return few(inside);
    const sides = [0, 1].filter(side => names.some((_, i) => bits[i].startsWith(`${start}${side}`)));
    return tree(depth, inside.length, ...sides.map(side => [side, part(`${start}${side}`, depth + 1)]));
  };
  assert.ok(bits.every((b, _, all) => all.filter(other => other === b).length <= 2), "three bits tell them apart");
  same(store.hash("/n"), part("", 0));
});

test("a large node's hash depends on what is in it, and not on how it came there", () => {
  const forwards = new Store(), backwards = new Store(), numbers = Array.from({ length: 300 }, (_, i) => i);
  for (const i of numbers) forwards.write(`/n/${i}`, 0, Buffer.from(`${i}`));
  for (const i of numbers.reverse()) backwards.write(`/n/${i}`, 0, Buffer.from(`${i}`));
  same(forwards.hash("/n"), backwards.hash("/n"));
  backwards.write("/n/299", 0, Buffer.from("x"));
  assert.notDeepEqual(forwards.hash("/n"), backwards.hash("/n"));
});

test("a preimage has the hash that it is revealed by; what is no hash has an empty one", () => {
  const right = Buffer.from("preimage"), name = concat([0], b2sum(right));
  const reveal = (bytes, hash = name) => new Kernel({ preimages: () => bytes }).preimage(hash);
  assert.deepEqual(reveal(right), right);
  assert.throws(() => reveal(Buffer.from("Preimage")),
    new RegExp(`the preimage of ${hex(name)} has the hash 00${hex(b2sum("Preimage"))}; give the one whose hash is the name`));
  const large = zeros(4097);
  assert.throws(() => reveal(large, concat([0], b2sum(large))), /has 4097 bytes; 4096 are allowed/);
  assert.deepEqual(reveal(large.subarray(1), concat([0], b2sum(large.subarray(1)))), large.subarray(1));
  for (const hash of [name.subarray(1), concat(name, [0]), concat([1], name.subarray(1)), zeros(0)])
    assert.equal(reveal(right, hash).length, 0);
});
