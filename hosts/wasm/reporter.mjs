// reporter.mjs - the reporter `spec` of node:test, in whose files of tests all WebAssembly is recorded:
//
//     node --test --test-reporter=toll-wasm/reporter
//
// Node loads it into the process that starts the others, before it starts them.
import { spec } from "node:test/reporters";
import { beginSession, PRELOAD } from "./test_session.mjs";

await beginSession().catch(error => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} ${PRELOAD}`.trim();

export default spec;
