// check.mjs TOLL DIR - checks the profiles of the runs in run.sh: each test's total is what LiteSVM has charged,
// functions have their names, and each runner has printed the table.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [toll, dir] = process.argv.slice(2);
const SMALL = 106; // what small.so costs: 6 instructions, and a syscall of 100
const read = path => readFileSync(`${dir}/${path}`, "utf8");
const report = path => JSON.parse(execFileSync(toll, ["report", "-q", "--json", `${dir}/${path}`], { encoding: "utf8" }));
const total = path => report(path).total;
const names = path => report(path).functions.map(f => f.name).sort();
let checked = 0;

/** `tests`: of each file's name what its transactions were charged. Returns that of all. */
function file(project, name, tests) {
  const base = `${project}/toll-profiles/${name}`, sums = Object.values(tests);
  assert.deepEqual(readdirSync(`${dir}/${base}`).sort(), Object.keys(tests).map(test => `${test}.pb.gz`).sort(), base);
  for (const [test, units] of Object.entries(tests)) assert.equal(total(`${base}/${test}.pb.gz`), units, `${base}: ${test}`);
  const all = sums.reduce((a, b) => a + b, 0);
  assert.equal(total(`${base}.pb.gz`), all, base);
  const kept = JSON.parse(read(`${base}.json`));
  assert.equal(kept.reduce((sum, one) => sum + one.meta.computeUnitsConsumed, 0), all);
  assert.equal(total(`${base}.json`), all, "the log alone");
  checked += sums.length + 1;
  return all;
}

/** The table of each of these files of tests, once. */
function shown(log, ...files) {
  for (const name of files) assert.equal(read(`${log}.log`).split(`toll: ${name}\n`).length, 2, `${log}: the table of ${name}`);
  assert.match(read(`${log}.log`), /helper/, `${log}: names of functions`);
}

const whole = ["entrypoint", "helper", "sol_log_compute_units_"];
let sum = file("project", "tests/node.test.mjs", {
  "outer": 3 * SMALL, "outer - inner- a-b": SMALL, "suite - fails": 2, "suite - has a build of its own": 3,
  "at once - x and at once - y": 2 * SMALL,
});
const node = read("project/toll-profiles/tests/node.test.mjs.json");
assert.equal(JSON.parse(node).filter(one => one.simulated).length, 1);
assert.deepEqual(names("project/toll-profiles/tests/node.test.mjs/outer.pb.gz").filter(name => !/^(program |small)/.test(name)), whole);
assert.ok(names("project/toll-profiles/tests/node.test.mjs/suite - fails.pb.gz").includes("entrypoint"), "of the file that was added");
shown("node", "tests/node.test.mjs");
assert.match(read("node.log"), /functions have no names: target\/deploy\/other\.so: is stripped, and target\/sbpf-solana-solana\/release\/other\.so is another build/);

const cut = "project/toll-profiles/tests/cut.mjs", long = "\u9577".repeat(33); // 99 bytes
assert.deepEqual(readdirSync(`${dir}/${cut}`).sort(), ["whole.pb.gz", `${long}.pb.gz`]);
for (const name of ["whole", long]) assert.equal(total(`${cut}/${name}.pb.gz`), SMALL);
assert.equal(total(`${cut}.pb.gz`), 2 * SMALL);
sum += 2 * SMALL;
shown("cut", "tests/cut.mjs");
assert.match(read("cut.log"), /note: transactions that are in no profile: 1: the log is cut off before any program runs/);

sum += file("project", "script.mjs", { "outside of tests": SMALL });
shown("script", "script.mjs");
for (const name of ["script.mjs", "all"])
  for (const [folder, wanted] of [["first", { commit: ["1"], host: ["a"] }], ["toll-profiles", {}]]) {
    const one = `labels/${folder}/${name}.pb.gz`, { labels } = report(one);
    assert.deepEqual(labels, [wanted], one);
    assert.equal(total(one), SMALL, one);
  }
const by = "labels/by/all.pb.gz", keptApart = report(by).labels;
assert.equal(total(by), total("project/toll-profiles/tests/node.test.mjs.pb.gz"), by);
assert.equal(new Set(keptApart.flatMap(one => one.transaction)).size, keptApart.length);
assert.ok(keptApart.some(({ test: [name] }) => name === "suite > fails"));
assert.match(read("by.log"), /note: TOLL_BY: 'host' is not known here; there are test and transaction/);
assert.match(read("no_labels.log"), /note: TOLL_LABELS is left out: --label: 'host' is not KEY=VALUE/);
const [benched] = read("bench.log").match(/^\{"tests"[^]*?\]\}$/m);
const { tests: { all, cases }, transactions } = JSON.parse(benched);
assert.equal(all.value, total("project/toll-profiles/tests/node.test.mjs.pb.gz"), "toll bench");
assert.ok(cases.some(({ labels }) => labels.test === "suite > fails"));
assert.ok(transactions.length && transactions.every(({ most, limit_to_request: limit }) => limit > most));
assert.match(read("refused.log"), /TOLL_OUT: 'x.nosuch' has no ending of a format/);
assert.equal(total("bench/toll-profiles/all.pb.gz"), all.value, "what TOLL_OUT cannot take is not lost");
assert.equal(total("bench/out.folded"), all.value, "TOLL_OUT in another format");
for (const name of ["vitest", "second"])
  sum += file("project", `tests/${name}.test.ts`, { [`${name === "vitest" ? "suite" : name} - one`]: SMALL, [`${name === "vitest" ? "suite" : name} - two`]: SMALL });
shown("vitest", "tests/vitest.test.ts", "tests/second.test.ts");
assert.ok(names("project/toll-profiles/tests/vitest.test.ts/suite - two.pb.gz").some(name => /^[sS]mall: TakeNote$/.test(name)), "an IDL");
assert.match(read("vitest.log"), /note: instructions have no names: target\/idl\/torn\.json:/);
sum += file("project", "threads/thread.test.ts", { "thread - one": SMALL, "thread - two": SMALL });
assert.match(read("threads.log"), /note: functions are unknown, .* not in a worker thread/);
for (const [name, suite] of [["first", "suite"], ["second", "other"]])
  sum += file("project", `__tests__/${name}.test.js`, { [`${suite} one`]: SMALL, two: SMALL });
shown("jest", "__tests__/first.test.js", "__tests__/second.test.js");
sum += file("project", "tests/mocha.cjs", { "suite - one": SMALL, "suite - two": SMALL });
shown("mocha", "tests/mocha.cjs");
assert.equal(total("project/toll-profiles/all.pb.gz"), sum, "all files together");
assert.ok(!existsSync(`${dir}/project/toll-profiles/.lock`));

const units = JSON.parse(read("example/toll-profiles/tests/token.test.ts.json")).map(one => one.meta.computeUnitsConsumed);
const sent = JSON.parse(read("example/toll-profiles/tests/token.test.ts.json"));
const require = createRequire(import.meta.url), kit = require(resolve(dir, "node_modules/@solana/kit"));
for (const { signature, transaction: [bytes, encoding], meta } of sent) { // as RPC has them
  assert.equal(encoding, "base64");
  const decoded = kit.getTransactionDecoder().decode(Buffer.from(bytes, "base64"));
  assert.equal(kit.getSignatureFromTransaction(decoded), signature);
  const invoked = meta.logMessages.filter(line => / invoke \[[2-9]\]$/.test(line)).length;
  assert.equal(meta.innerInstructions.reduce((sum, one) => sum + one.instructions.length, 0), invoked);
}
assert.equal(sent[1].meta.innerInstructions[0].instructions[0].stackHeight, 2);
const [first, second, third] = [units.slice(0, -2).reduce((a, b) => a + b, 0), ...units.slice(-2)];
file("example", "tests/token.test.ts", {
  "a token - is minted": first, "a token - is transferred": second,
  "a token - is not transferred if there is too little of it": third,
});
const ofLibraries = names("example/toll-profiles/all.pb.gz").filter(name => /^(core|alloc|solana_\w+|spl_\w+|mem\w+|__\w+)(::|$)/.test(name));
assert.ok(ofLibraries.length > 10, `names of libraries in the programs that the machine brings along: ${ofLibraries}`);
assert.match(read("example.log"), /a token > is minted\n[^]*sol_invoke_signed_rust/);
console.log(`${checked} profiles of files and tests are what LiteSVM charged`);
