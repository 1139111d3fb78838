// No runner at all.
import { profiled } from "toll-litesvm";
import { address, run } from "./world.cjs";

const svm = profiled();
svm.addProgramFromFile(address(9), "target/deploy/small.so");
await run(svm, 9, 1);
