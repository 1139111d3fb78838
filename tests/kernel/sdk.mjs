// sdk.mjs LIB - a kernel with the published Rust SDK decodes correctly what the host passes to it.
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { blake2b, hex, load, runKernel } from "./host.mjs";

test("the SDK reads messages, the store, reboots and metadata", async () => {
  const sign = name => ({ external: hex(Buffer.from(name)) });
  const metadata = Buffer.concat([Buffer.alloc(20, 1), Buffer.of(0, 0, 1, 2)]);
  const levels = [[sign("ada"), sign("no/name/"), sign("ada"), sign("bob")], [sign("x".repeat(300))]];
  const { kernel, runs, debug } = await runKernel(load("toll_test_kernel"), levels, { metadata });
  const text = key => Buffer.from(kernel.store.get(key)).toString();
  const info = (level, hash) => `1 ${level * 15} [${[...Array(28).fill(0), 0, 0, 0, hash].join(", ")}]\n`;
  const log = "0 StartOfLevel\n" + info(0, 0) + "2 signed\n3 refused\n4 signed\n5 signed\n6 EndOfLevel\n" +
              "0 StartOfLevel\n" + info(1, 1) + "2 refused\n3 EndOfLevel\n";
  assert.equal(text("/log"), log);
  assert.equal(debug.join(""), log);
  assert.deepEqual([text("/book/ada"), text("/book/bob"), text("/copy/ada"), kernel.store.count("/book")], ["xx", "x", "xx", 2]);
  const reboots = "1000 Ok(false) 2\n999 Ok(false) 2\n998 Ok(false) 2\n";
  assert.equal(text("/reboots"), reboots + reboots);
  assert.deepEqual(runs.map(r => [r.level, r.reboot, r.trap]), [0, 1].flatMap(level => [true, true, false].map(r => [level, r, null])));
  assert.deepEqual(kernel.outputs.map(o => Buffer.from(o.bytes).toString()), ["258", "258"]);
});

const u32le = n => Buffer.of(n, n >> 8, n >> 16, n >> 24), u32be = n => u32le(n).reverse();
const concat = (...parts) => Buffer.concat(parts.map(part => Buffer.from(part)));
const chunks = (all, size) => Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

/** Data as pages of 4096 bytes, those of hashes above those of data: the first hash, and all pages by hash. */
function pagesOf(data) {
  const pages = new Map(), add = (tag, content) => {
    const page = concat([tag], u32be(content.length), content);
    const hash = concat([0], blake2b(page));
    pages.set(hex(hash), page);
    return hash;
  };
  let hashes = chunks(data, 4091).map(piece => add(0, piece));
  do hashes = chunks(hashes, 123).map(some => add(1, concat(...some)));
  while (hashes.length > 1);
  return { top: hashes[0], pages };
}

/** The installer, configured to reveal `top` and to be replaced by it: the configuration is a section at its end. */
function installerOf(top) {
  const path = text => concat([text.length], text), to = path("/kernel/boot.wasm"), between = path("/installer/kernel");
  const steps = [concat([0], u32le(top.length), top, between), concat([1], between, to)];
  const program = concat(...steps.flatMap(step => [u32le(step.length), step]));
  const content = concat([6], "config", program, u32le(program.length));
  assert.ok(content.length < 16384, "two bytes of LEB128 tell it");
  return concat(load("installer"), [0, content.length & 127 | 128, content.length >> 7], content);
}

test("the published installer reveals a kernel, page by page, and becomes it", { skip: !fs.existsSync("installer.wasm") }, async () => {
  const installed = load("toll_test_kernel"), sign = { external: hex(Buffer.from("ada")) };
  const { top, pages } = pagesOf(installed), revealed = new Set();
  const preimages = hash => (revealed.add(hex(hash)), pages.get(hex(hash)));
  const { kernel, runs, sum } = await runKernel(installerOf(top), [[], [sign]], { install: true, preimages });
  assert.deepEqual(Buffer.from(kernel.store.get("/kernel/boot.wasm")), installed);
  assert.deepEqual(Buffer.from(kernel.store.get("/readonly/kernel/boot.wasm")), installed);
  assert.deepEqual([...revealed].sort(), [...pages.keys()].sort());
  assert.equal(Buffer.from(kernel.store.get("/book/ada")).toString(), "x");
  assert.ok(runs.filter(r => r.level === 0).length > 1, "it reboots");
  assert.deepEqual([sum.traps, sum.failures], [0, 0]);
});
