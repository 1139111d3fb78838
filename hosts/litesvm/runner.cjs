// runner.cjs - which test is running, and when the tests of a file have ended: by node:test, Vitest, Jest and Mocha,
// whichever runs this process.
"use strict";
const path = require("node:path");
const { real } = require("./traces.cjs");

const open = []; // the tests that are running, of runners that report when they begin and end
let hooked = false;

/** What Vitest and Jest say of the running test, for matchers. */
const expecting = () => globalThis[Symbol.for("$$jest-matchers-object")]?.state;

const script = () => (real.argv[1] ? path.resolve(real.argv[1]) : undefined);

/** { file, test } that runs now; `test` is undefined outside of tests. */
function current() {
  const state = expecting();
  if (state?.testPath) return { file: state.testPath, test: state.currentTestName || undefined };
  const innermost = open.filter(one => !open.some(other => other.name.startsWith(`${one.name} > `)));
  return { file: open.at(-1)?.file ?? script(), test: innermost.map(one => one.name).join(" and ") || undefined };
}

function begun(name, file) {
  open.push({ name, file });
}

function ended(name) {
  const at = open.findLastIndex(one => one.name === name);
  if (at >= 0) open.splice(at, 1);
}

/** Mocha's hooks of the file that is being loaded are those of all files. */
function hookMocha(done) {
  const name = test => test.titlePath().join(" > ");
  globalThis.beforeEach(function () { begun(name(this.currentTest), this.currentTest.file); });
  globalThis.afterEach(function () { ended(name(this.currentTest)); });
  globalThis.after(done);
}

function hookNode(done) {
  const { beforeEach, afterEach, after } = require("node:test"), name = test => test.fullName ?? test.name;
  beforeEach(test => begun(name(test), script()));
  afterEach(test => ended(name(test)));
  after(done);
}

const runsNodeTests = () => real.env.NODE_TEST_CONTEXT || real.moduleLoadList.includes("NativeModule test");

/** Have `done` called when the tests of this file have ended. `vitest`: its module, if it is the runner. Only the call
 * that finds a runner does something; the end of the process is the end of all tests. */
function hook(done, vitest) {
  if (hooked) return;
  hooked = true;
  if (vitest) vitest.afterAll(done, 600_000);
  else if (real.env.JEST_WORKER_ID && expecting()) (globalThis.afterAll ?? require("@jest/globals").afterAll)(done, 600_000);
  else if (globalThis.beforeEach && globalThis.after && globalThis.it) hookMocha(done);
  else if (!real.env.VITEST && runsNodeTests()) hookNode(done);
  else hooked = false;
}

module.exports = { current, hook };
