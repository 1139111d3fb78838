// node_wasi.mjs LIB MODULES - a program that uses node:wasi, under preload.mjs of LIB: many calls while memory grows. See
// "many calls of WASI" in run.mjs.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const [lib, modules] = process.argv.slice(2).map(name => path.resolve(name));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toll-node-wasi-"));
process.chdir(folder);
try {
  fs.writeFileSync("much.txt", "x".repeat(16384));
  fs.writeFileSync("reads.mjs", `
    import fs from "node:fs";
    import { WASI } from "node:wasi";
    const wasi = new WASI({ version: "preview1", args: ["app", "reads", "much.txt"], preopens: { ".": "." }, returnOnExit: true });
    const module = new WebAssembly.Module(fs.readFileSync(${JSON.stringify(path.join(modules, "app.wasm"))}));
    wasi.start(new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport }));`);
  const env = { ...process.env, TOLL_OUTPUT: "reads.folded" };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", path.join(lib, "preload.mjs"), "reads.mjs"], { env, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.equal(stdout, "16384000 bytes\n");
  assert.match(fs.readFileSync("reads.folded", "utf8"), /;__wasi_fd_read /);
  console.log("node_wasi: many calls of node:wasi while memory grows");
} finally {
  fs.rmSync(folder, { recursive: true });
}
