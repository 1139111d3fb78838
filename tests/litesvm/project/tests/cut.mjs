// A transaction whose log is cut off before any program runs; one whose log would be, by a limit that was there before; one of a test with a name that is longer than a file's may be;
// and what a process that was killed has left.
import { mkdirSync, utimesSync } from "node:fs";
import test from "node:test";
import { LiteSVM } from "litesvm";
import { profiled } from "toll-litesvm";
import { address, run } from "../world.cjs";

mkdirSync("toll-profiles/.lock", { recursive: true });
utimesSync("toll-profiles/.lock", 0, 0);
for (const [name, before, after] of [["cut off", undefined, 0n], ["whole", 0n], ["\u9577".repeat(100)]]) {
  const svm = profiled(new LiteSVM().withLogBytesLimit(before));
  if (after !== undefined) svm.withLogBytesLimit(after);
  svm.addProgramFromFile(address(9), "target/deploy/small.so");
  test(name, () => run(svm, 9, 1));
}
