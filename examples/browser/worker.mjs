// worker.mjs - the same work in a worker.
import { profiled } from "./work.mjs";

// sql.js is a classic script, and a module worker has no importScripts.
(0, eval)(await (await fetch("sql-wasm.js")).text());
postMessage(await profiled(globalThis.initSqlJs, { time: true }));
