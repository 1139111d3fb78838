// check.mjs JSON - a report of the tests of suite/costs.mjs in two files, toll report --each --by test --json, has what they cost.
import assert from "node:assert/strict";
import fs from "node:fs";

const { cases } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const tests = { "": 74, " > one": 144, " > group > two, three": 284, " > group > checked": 144 }, wanted = {};
for (const file of ["a", "b"])
  for (const [name, value] of Object.entries(tests)) {
    const key = name && `${file}.test.mjs${name}`;
    wanted[key] = (wanted[key] ?? 0) + value;
  }
assert.deepEqual(Object.fromEntries(cases.map(({ labels, value }) => [labels.test ?? "", value])), wanted);
