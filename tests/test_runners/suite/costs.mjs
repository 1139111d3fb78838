// costs.mjs - tests whose costs are known: sum(n) of checksum.wat is 4 + 14 n ticks. MORE simulates an edit that costs more.
import fs from "node:fs";

const more = process.env.MORE ? 1 : 0;

export async function define({ describe, test }, check) {
  const { instance } = await WebAssembly.instantiate(fs.readFileSync("checksum.wasm")), { sum } = instance.exports;
  sum(5); // outside of tests
  test("one", () => { sum(10); });
  describe("group", () => {
    test("two, three", () => { sum(20 + more); });
    test("checked", () => {
      sum(10);
      check("ticks  *  <= 144", "calls  step  == 10");
    });
  });
  test("none", () => {});
}

export async function defineWrong({ test }, check) {
  const { instance } = await WebAssembly.instantiate(fs.readFileSync("checksum.wasm")), { sum } = instance.exports;
  test("exceeded", () => {
    sum(10);
    check("ticks  *  <= 144", "calls  step  <= 9");
  });
  test("nothing", () => check("ticks  *  <= 144"));
  test("no rule", () => {
    sum(1);
    check("ticks is low");
  });
}
