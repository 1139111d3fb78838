// run.mjs - runs smoke.wasm under WASI and holds its output to the worked example.
import { openSync, readFileSync, closeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WASI } from "node:wasi";

const path = join(tmpdir(), `toll-smoke-${process.pid}`);
const stdout = openSync(path, "w+");
const wasi = new WASI({ version: "preview1", stdout });
const module = await WebAssembly.compile(readFileSync(process.argv[2]));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
const status = wasi.start(instance);
closeSync(stdout);
const text = readFileSync(path, "utf8");
const profile = "f 80\nf;g 20\n";
const expected = `${profile}pprof:\n${profile}speedscope:\n${profile}`;
if (status !== 0 || text !== expected) {
  console.error(`smoke.wasm: status ${status}, output ${JSON.stringify(text)}`);
  process.exit(1);
}
console.log("wasm-check: the core runs as WebAssembly");
