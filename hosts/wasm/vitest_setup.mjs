// vitest_setup.mjs - what Vitest runs before each file of tests: has WebAssembly recorded, and says which test runs.
import path from "node:path";
import { afterAll, afterEach, beforeEach } from "vitest";
import { testCosts } from "./test_costs.mjs";

const costs = await testCosts();

/** "FILE > SUITE > TEST", as Vitest prints it. */
function nameOf({ name, suite, file }) {
  const names = [name];
  for (let at = suite; at?.name && at !== file; at = at.suite) names.unshift(at.name);
  return [path.relative("", file.filepath), ...names].join(" > ");
}

beforeEach(({ task }) => costs.begun(nameOf(task)));
afterEach(({ task }) => costs.ended(nameOf(task), task.result?.state === "fail"));
afterAll(() => costs.write());
