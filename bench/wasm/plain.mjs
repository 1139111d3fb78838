// plain.mjs LIB APP.wasm ARGS - runs a WASI program without a profiler, with the system that toll run has for it (the
// modules in LIB), and the folder BENCH_DIR.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [lib, file, ...args] = process.argv.slice(2), dir = process.env.BENCH_DIR;
const { Guest } = await import(pathToFileURL(path.join(lib, "guest.mjs")));
const guest = new Guest([file, ...args], { dir: dir ? [dir] : [] }, status => process.exit(status));
const module = new WebAssembly.Module(fs.readFileSync(file));
guest.start(new WebAssembly.Instance(module, guest.imports(module)).exports);
