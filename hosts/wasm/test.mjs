// test.mjs - costs and budgets of the tests that node:test runs:
//
//     import { check } from "toll-wasm/test";
//
// Every WebAssembly module that is compiled from then on is recorded, and charged to the test that runs. reporter.mjs has
// it loaded into each file of tests. Tests by Vitest import it, too; its plugin (vitest.mjs) records.
import { createRequire } from "node:module";
import path from "node:path";
import { isMainThread } from "node:worker_threads";
import { check, testCosts } from "./test_costs.mjs";
import { beginSession, PRELOAD } from "./test_session.mjs";

export { check };

const { env } = process;

const nameOf = test => `${path.relative("", test.filePath ?? process.argv[1])} > ${test.fullName ?? test.name}`;

async function record() {
  const costs = await testCosts(), { beforeEach, afterEach, after } = createRequire(import.meta.url)("node:test");
  beforeEach(test => costs.begun(nameOf(test)));
  afterEach(test => costs.ended(nameOf(test), test.passed === false));
  after(() => costs.write());
}

/** The process of a file of tests: if it has been started for that, or has imported node:test. */
if (isMainThread && !env.VITEST && (env.NODE_TEST_CONTEXT || process.moduleLoadList.includes("NativeModule test"))) {
  env.NODE_OPTIONS = (env.NODE_OPTIONS ?? "").replace(PRELOAD, ""); // programs that tests start are no tests
  if (env.NODE_TEST_CONTEXT && !env.TOLL_TEST_PARTS && (env.TOLL_OUT || env.TOLL_WRITE_BUDGET))
    throw new Error("toll: TOLL_OUT and TOLL_WRITE_BUDGET are of all files: node --test --test-reporter=toll-wasm/reporter");
  if (!env.NODE_TEST_CONTEXT) await beginSession();
  await record();
}
