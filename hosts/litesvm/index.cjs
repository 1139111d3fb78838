// index.cjs - profiles the transactions on a LiteSVM:
//
//     import { profiled } from "toll-litesvm";
//     const svm = profiled(new LiteSVM());
//
// Files: traces.cjs makes LiteSVM write register traces; runner.cjs knows the running test; convert.cjs makes profiles,
// with command.cjs (toll as WebAssembly); programs.cjs finds names of functions; rpc.cjs makes JSON; results.cjs makes
// files and the table, and disk.cjs writes them.
"use strict";
const { traced } = require("./convert.cjs");
const programs = require("./programs.cjs");
const results = require("./results.cjs");
const { asRpc, base58 } = require("./rpc.cjs");
const runner = require("./runner.cjs");
const traces = require("./traces.cjs");

const profiledMachines = new WeakSet(), kept = [];

/** Write what is known, and print the table. */
function finish() {
  const { text, error } = results.finish();
  traces.clear();
  if (text) traces.real.stdout.write(text);
  if (error) throw error;
}

const hook = vitest => runner.hook(finish, vitest);
traces.atEnd(finish); // for files of tests whose end no runner has reported
hook();

/** Record a transaction: what LiteSVM has returned for it, and the traces that it has written. */
function record(transaction, result, simulated, written) {
  const meta = typeof result.meta === "function" ? result.meta() : result;
  const failed = typeof result.err === "function" ? String(result.err()?.toString?.() ?? result.err()) : null;
  const signature = base58(meta.signature()), logs = meta.logs(), units = Number(meta.computeUnitsConsumed());
  const seen = { ...runner.current(), signature, units, failed, simulated, logs };
  kept.push(Object.freeze(seen));
  results.add({ ...seen, traces: written, rpc: asRpc(seen, transaction, meta) });
}

/** Profile all transactions of a machine from now on. */
function profiled(svm) {
  svm ??= new (require("litesvm").LiteSVM)();
  hook();
  if (profiledMachines.has(svm)) return svm;
  profiledMachines.add(svm);
  svm.withLogBytesLimit?.(); // none: what is cut off would be known less exactly
  for (const [method, simulated] of [["sendTransaction", false], ["simulateTransaction", true]]) {
    const run = svm[method];
    svm[method] = function (...args) {
      traces.discard();
      const result = run.apply(this, args), written = traces.take();
      try {
        for (const { id, hash } of traced(written)) programs.addOfMachine(this, id, hash, base58);
      } catch {
        // what cannot be read is said when profiles are made; the transaction was sent
      }
      record(args[0], result, simulated, written);
      return result;
    };
  }
  for (const method of ["addProgram", "addProgramFromFile", "addProgramWithLoader"]) {
    const add = svm[method];
    svm[method] = function (id, program, ...rest) {
      add.call(this, id, program, ...rest);
      programs.add(program);
    };
  }
  return svm;
}

/** The transactions so far, in order. */
const transactions = () => [...kept];

module.exports = { profiled, transactions, hook };
