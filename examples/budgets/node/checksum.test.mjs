import fs from "node:fs";
import { test } from "node:test";
import { check } from "toll-wasm/test";

test("a checksum costs what it may", async () => { // with clang 14 at -O2
  const { instance } = await WebAssembly.instantiate(fs.readFileSync("checksum.wasm"));
  const { memory, room, sum } = instance.exports;
  new Uint8Array(memory.buffer, room(), 1000).fill(7);
  sum(1000);
  check("ticks  *  <= 22_015", "ticks  self step  <= 6_000", "calls  step  == 1_000");
});
