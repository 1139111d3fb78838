// Tests within tests, tests of a suite, tests at once; a machine that is profiled later than it has programs; failing and
// simulated transactions; and a machine that is not profiled.
import assert from "node:assert/strict";
import test, { describe, it } from "node:test";
import { LiteSVM } from "litesvm";
import { profiled, transactions } from "toll-litesvm";
import { address, run } from "../world.cjs";

const machine = new LiteSVM(), bystander = new LiteSVM();
machine.addProgramFromFile(address(9), "target/deploy/small.so");
machine.addProgramFromFile(address(7), "target/deploy/other.so");
bystander.addProgramFromFile(address(9), "target/deploy/small.so");
const svm = profiled(machine);
svm.addProgramFromFile(address(8), "failing.so");
await run(bystander, 9, 1);

test("outer", async t => {
  await run(svm, 9, 1);
  await run(bystander, 9, 2);
  await t.test("inner: a/b", () => run(svm, 9, 2));
  await run(svm, 9, 3, "simulateTransaction");
  await run(svm, 9, 3);
});
describe("suite", () => {
  it("fails", async () => {
    await run(svm, 8, 4);
    const last = transactions().at(-1);
    assert.equal(last.test, "suite > fails");
    assert.match(last.failed, /Custom|InstructionError/);
    assert.match(last.signature, /^[1-9A-HJ-NP-Za-km-z]{86,88}$/);
    assert.equal(last.units, 2);
  });
  it("has a build of its own", () => run(svm, 7, 5));
});
describe("at once", { concurrency: true }, () => {
  const waiting = [];
  const meet = () => new Promise(go => {
    waiting.push(go);
    if (waiting.length === 2) waiting.splice(0).forEach(done => done());
  });
  for (const [name, data] of [["x", 10], ["y", 11]])
    it(name, async () => {
      await meet();
      await run(svm, 9, data);
      await meet();
    });
});
