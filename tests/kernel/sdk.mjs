// sdk.mjs LIB - a kernel with the published Rust SDK: what it decodes of what the host gives it.
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { hex, load, runKernel } from "./host.mjs";

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

test("the published installer reveals a kernel, page by page, and becomes it", { skip: !fs.existsSync("installer.wasm") }, async () => {
  const installed = load("toll_test_kernel"), sign = { external: hex(Buffer.from("ada")) };
  const { kernel, runs, sum } = await runKernel(load("installer"), [[], [sign]], { install: true, preimages: "preimages" });
  assert.deepEqual(Buffer.from(kernel.store.get("/kernel/boot.wasm")), installed);
  assert.deepEqual(Buffer.from(kernel.store.get("/readonly/kernel/boot.wasm")), installed);
  assert.equal(Buffer.from(kernel.store.get("/book/ada")).toString(), "x");
  assert.ok(runs.filter(r => r.level === 0).length > 1, "it reboots");
  assert.deepEqual([sum.traps, sum.failures, sum.unread], [0, 0, 3]);
});
