// plain.mjs APP.wasm ARGS - runs a WASI program without a profiler.
import fs from "node:fs";
import { WASI } from "node:wasi";

const [file, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [file, ...args] });
const module = new WebAssembly.Module(fs.readFileSync(file));
wasi.start(new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport }));
