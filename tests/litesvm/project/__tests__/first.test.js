const { profiled, transactions } = require("toll-litesvm");
const { address, run } = require("../world.cjs");

const svm = profiled();
svm.addProgramFromFile(address(9), "target/deploy/small.so");
describe("suite", () => {
  it("one", async () => {
    await run(svm, 9, 1);
    expect(transactions().at(-1).test).toBe("suite one");
  });
});
it("two", () => run(svm, 9, 2));
