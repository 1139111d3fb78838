// test_costs.mjs - what each test of a process costs: the WebAssembly that runs while a test runs is charged to it.
//
// Whenever a test begins or ends, what was recorded since the last such moment is charged to the tests that ran until
// then, as "a and b" if there were several. So all parts together are the whole, and no part is counted twice.
import fs from "node:fs";
import path from "node:path";
import { threadId } from "node:worker_threads";
import { setFlagsFromString } from "node:v8";
import { sumOfMoments } from "./hook.mjs";
import { save } from "./outcome.mjs";
import { Toll } from "./toll.mjs";
import { hold, holdFile, settings } from "./test_session.mjs";

const KEY = Symbol.for("toll:tests"); // a runner may load this module twice into one process

class TestCosts {
  constructor(toll) {
    this.toll = toll;
    this.recordings = toll.hook(settings().options).recordings;
    this.open = []; // names of the tests that run, in the order in which they began
    this.parts = new Map(); // of each name what it costs, a Profile; "": what ran outside of tests
  }

  /** Tests within another one are named "OUTER > INNER", and only they are charged. */
  current() {
    return this.open.filter(one => !this.open.some(other => other.startsWith(`${one} > `))).join(" and ");
  }

  begun(name) {
    this.settle();
    this.open.push(name);
  }

  ended(name, hasFailed) {
    this.settle();
    const at = this.open.lastIndexOf(name), part = this.parts.get(name);
    if (at >= 0) this.open.splice(at, 1);
    if (part && !hasFailed && settings().budget) this.hold(name);
  }

  hold(name) {
    try {
      holdFile(this.bytesOf(name));
    } catch (error) {
      error.stack = `Error: ${error.message}`; // no place in the test is the cause
      throw error;
    }
  }

  /** Charge what was recorded since the last time. */
  settle() {
    if (!this.recordings.length) return;
    const sum = sumOfMoments(this.toll, this.recordings), now = sum.moment(), part = this.last ? sum.part(this.last, now) : sum;
    const name = this.current();
    this.last = now;
    if (!part.summary({ rows: 1 }).functions.length) return; // a test that runs none has no row
    if (!this.parts.has(name)) this.parts.set(name, this.toll.sum());
    this.parts.get(name).add(part.write("pprof"));
  }

  bytesOf(name) {
    const labelled = this.toll.sum();
    labelled.add(this.parts.get(name).write("pprof"));
    if (name) labelled.label(`test=${name}\n`); // in which a comma is one
    return labelled.write("pprof");
  }

  check(rules) {
    this.settle();
    const name = this.current();
    if (!name) throw new Error("toll: check: no test is running");
    if (!this.parts.has(name)) throw new Error(`toll: check: ${name} has run no WebAssembly`);
    hold(this.bytesOf(name), rules);
  }

  /** Write what is known so far to the folder in which the first process finds it. */
  write() {
    this.settle();
    if (!this.parts.size || !fs.existsSync(settings().folder ?? "")) return;
    const sum = this.toll.sum();
    for (const name of this.parts.keys()) sum.add(this.bytesOf(name));
    save(path.join(settings().folder, `${process.pid}-${threadId}.pb`), take => take(sum.write("pprof")));
  }
}

/** The costs of this process, which begin with the first call. */
export async function testCosts() {
  if (!globalThis[KEY]) {
    setFlagsFromString("--no-turbo-fast-api-calls"); // preload.mjs says why
    globalThis[KEY] = new TestCosts(await Toll.load());
  }
  return globalThis[KEY];
}

/** Hold what the test that runs has cost so far to rules of a budget. Throws an error that names the stacks. */
export function check(...rules) {
  if (!globalThis[KEY]) throw new Error("toll: check: nothing is recorded here; with Vitest, name the plugin in its configuration");
  try {
    globalThis[KEY].check(rules);
  } catch (error) {
    Error.captureStackTrace(error, check); // the test's own line is the first one
    throw error;
  }
}
