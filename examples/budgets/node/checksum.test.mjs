import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { test } from "node:test";
import { Toll } from "toll-wasm";

test("a checksum costs what it may", async () => {
  const toll = await Toll.load();
  const guest = await toll.instantiate(fs.readFileSync("checksum.wasm"), {}, { name: "checksum.wasm" });
  const { memory, room, sum } = guest.exports;
  new Uint8Array(memory.buffer, room(), 1000).fill(7);
  sum(1000);
  fs.writeFileSync("checksum.pb.gz", await guest.profile("pb.gz"));
  const { status, stderr } = spawnSync("toll", ["check", "--budget", "checksum.budget", "checksum.pb.gz"], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
});
