import type { Options } from "./toll.mjs";

/** A plugin for Vitest, which charges WebAssembly to the tests that run it. Variables of the environment come first:
 *  TOLL_OUT, TOLL_BUDGET, TOLL_WRITE_BUDGET, TOLL_OPTIONS. */
export function toll(settings?: {
  /** The file for the profile of all tests; each has the label test="FILE > SUITE > TEST". */
  out?: string;
  /** A budget; each test is held to the rules that are about it (where test=...). */
  budget?: string;
  /** Make a budget of what the tests cost, or update its numbers. */
  writeBudget?: string;
  /** How modules are recorded: heap, lines, only, ... */
  options?: Options;
}): { name: string; config(): Promise<object> };
