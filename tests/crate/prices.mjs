// prices.mjs write DIR | judge TOLL DIR [NAME...] - each system call, with many arguments, on the runtimes of Rust. `write` puts programs into DIR (those
// of tests/solana/price_cases.mjs) and the file `cases`; the crate's tests/prices.rs runs them there; `judge` holds what was charged to
// the prices that Toll gives; the system calls NAME have other formulas in this runtime, of which a note must tell. On the machine "own"
// each figure of the table is another one, by the file own.json, for --costs. What toll-svm has recorded by the runtime's meter is the same.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { calleeProgram, cases, programOf } from "../solana/price_cases.mjs";
import { Judge } from "../solana/price_judge.mjs";

const MACHINES = ["litesvm", "mollusk", "own"];

function write(dir) {
  writeFileSync(`${dir}/callee.so`, calleeProgram);
  for (const [i, c] of cases.entries()) writeFileSync(`${dir}/${i}.so`, programOf(c));
  const flags = a => (a.isWritable ? "w" : "") + (a.isSigner ? "s" : "");
  writeFileSync(`${dir}/cases`, cases.map(c =>
    [c.id.toString("hex"), c.owned ?? 0, ...c.accounts.map(a => `${a.key.toString("hex")}:${flags(a)}`)].join(" ") + "\n").join(""));
}

function judge(toll, dir, ...others) {
  const own = `${dir}/own.json`, units = JSON.parse(readFileSync(own, "utf8")).costs.syscall_base_cost, all = new Judge(toll);
  for (const machine of MACHINES) for (const [i, c] of cases.entries()) {
    const folder = `${dir}/${machine}-${i}`;
    const [charged, error, ...logs] = readFileSync(`${folder}.log`, "utf8").split("\n");
    const prices = { hasOthers: others.includes(c.name), ...(machine === "own" ? { costs: own, units } : {}) };
    all.look(machine, c, folder, { logs, charged: Number(charged), error }, prices);
  }
  if (!others.length) all.holdRecorded(`${dir}/recorded.pb.gz`);
  all.finish(MACHINES.length);
}

const [what, ...operands] = process.argv.slice(2);
assert.ok(what === "write" || what === "judge", "say what to do");
(what === "write" ? write : judge)(...operands);
