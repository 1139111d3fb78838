// vitest.mjs - the plugin for Vitest, which charges WebAssembly to the tests that run it:
//
//     import { toll } from "toll-wasm/vitest";
//     export default { plugins: [toll({ budget: "tests.budget" })] };
import { fileURLToPath } from "node:url";
import { beginSession } from "./test_session.mjs";

/** Options: out (a file for the profile of all tests), budget (a file), writeBudget (a file), options (those of Toll.instantiate).
 *  Variables of the environment come first: TOLL_OUT, TOLL_BUDGET, TOLL_WRITE_BUDGET, TOLL_OPTIONS. */
export function toll({ out, budget, writeBudget, options } = {}) {
  const wanted = { TOLL_OUT: out, TOLL_BUDGET: budget, TOLL_WRITE_BUDGET: writeBudget, TOLL_OPTIONS: options && JSON.stringify(options) };
  if (process.env.TOLL_WRITE_BUDGET) delete wanted.TOLL_BUDGET;
  return {
    name: "toll",
    async config() {
      for (const [name, value] of Object.entries(wanted)) if (value) process.env[name] ||= value;
      await beginSession();
      return { test: { setupFiles: [fileURLToPath(new URL("vitest_setup.mjs", import.meta.url))] } };
    },
  };
}
