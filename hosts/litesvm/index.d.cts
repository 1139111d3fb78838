import type { LiteSVM } from "litesvm";

/** Profile all transactions that this machine, or a new one, sends and simulates from now on. When the tests of a file
 *  have ended, the profiles are in the folder `toll-profiles`, and a table is printed. Returns the machine. */
export declare function profiled<Machine extends object = LiteSVM>(svm?: Machine): Machine;

/** A transaction that a profiled machine has run. */
export interface ProfiledTransaction {
  /** The file of tests. */
  readonly file?: string;
  /** The full name of the test; undefined outside of tests. */
  readonly test?: string;
  /** The signature in base 58. */
  readonly signature: string;
  /** Its cost in compute units. */
  readonly units: number;
  /** Why it failed; null if it did not. */
  readonly failed: string | null;
  readonly simulated: boolean;
  readonly logs: readonly string[];
}

/** The transactions of this process so far, in order. */
export declare function transactions(): ProfiledTransaction[];
