import { LiteSVM } from "litesvm";
import { profiled, transactions } from "toll-litesvm";
import { describe, expect, it } from "vitest";
import { address, run } from "../world.cjs";

const svm = profiled(new LiteSVM());
svm.addProgramFromFile(address(9), "target/deploy/small.so");
describe("thread", () => {
  it("one", async () => {
    await run(svm, 9, 1);
    expect(transactions().at(-1)?.test).toBe("thread > one");
  });
  it("two", () => run(svm, 9, 2));
});
