// threads_program.mjs - what threads.mjs runs: json.cpp in a thread of Emscripten's, which is a worker with
// an instance of its own. Prints its result and what it has counted itself.
import { require, withoutFetch } from "./common.mjs";

withoutFetch();
const program = await require("./built/json-threads.js")();
const call = (f, ...args) => program.ccall(f, "number", args.map(() => "number"), args);
console.log(JSON.stringify([call("run_in_thread", 120), call("value_calls"), call("check_calls")]));
setTimeout(() => process.exit(), 2000); // the pool of workers waits for ever; theirs is done and written
