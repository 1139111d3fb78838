// attempt_test.mjs DIR - one run that hangs is described and repeated, a second one and a failure are failures.
import assert from "node:assert/strict";
import fs from "node:fs";
import { Attempts } from "./attempt.mjs";

const file = `${process.argv[2]}/attempt.txt`, said = [];
const attempts = new Attempts(2, text => said.push(text));
/** A program that hangs as often as `times`, then ends well. */
const hanging = times => ["-e", `const fs = require("node:fs"), file = ${JSON.stringify(file)};
  const runs = fs.existsSync(file) ? fs.readFileSync(file).length : 0;
  fs.appendFileSync(file, "x");
  if (runs < ${times}) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`];
const run = args => {
  fs.rmSync(file, { force: true });
  return attempts.node(args, "program: plain", () => fs.existsSync(file));
};

await run(hanging(0));
await assert.rejects(run(["-e", "console.error('why'); process.exit(3)"]), /exit status 3\nwhy/);
assert.deepEqual([attempts.hangs, said], [0, []]);
await run(hanging(1));
assert.equal(attempts.hangs, 1);
assert.match(said.join("\n"), /^program: plain: Node hung for 2 s, its work done; threads: .*; it is repeated$/);
await assert.rejects(run(hanging(1)), /hung for 2 s.*that is hang 2, and one is allowed/);
console.log(`hangs: ${said[0]}`);
