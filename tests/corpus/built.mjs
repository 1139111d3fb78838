// Programs that build.sh has compiled here.
import assert from "node:assert/strict";
import fs from "node:fs";
import { require, withoutFetch } from "./common.mjs";

const file = name => new URL(`built/${name}`, import.meta.url).pathname;
const N = 120;

/** json.cpp: C++ by Emscripten, with exceptions from deep inside. `sleeps`: by Asyncify, check sleeps. */
function json(name, { sleeps = 0 } = {}) {
  const work = async () => {
    withoutFetch();
    const program = await require(file(`${name}.js`))();
    const call = (f, ...args) => program.ccall(f, "number", args.map(() => "number"), args, { async: sleeps > 0 });
    return [await call("run", N), await call("value_calls"), await call("check_calls")];
  };
  // Asyncify leaves functions by returning from them, and comes back by calling them again, which is no call.
  const counts = ([, values, checks]) => {
    assert.ok(values > 1000 && checks === N);
    return { "Parser::value()": values, "check(int)": checks, run: 1 };
  };
  return { name, wasm: [], work, counts };
}

/** picture.c: C by clang, as a WASI program. */
function picture(name) {
  const work = async () => {
    const { WASI } = await import("node:wasi");
    const out = fs.openSync(`out/${name}.txt`, "w+");
    const wasi = new WASI({ version: "preview1", stdout: out });
    const module = await WebAssembly.compile(fs.readFileSync(file(`${name}.wasm`)));
    // Not wasi.getImportObject(), which Node 18 has not.
    wasi.start(await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport }));
    fs.closeSync(out);
    const text = fs.readFileSync(`out/${name}.txt`, "utf8");
    assert.match(text, /^png: .* 0 away\njpeg: .* \d+ away\n$/);
    return text;
  };
  return { name, wasm: [], work };
}

export const built = [
  ...["picture-O0", "picture-O2", "picture-simd"].map(picture),
  ...["json-js-O0", "json-js-O3", "json-wasm-O3"].map(name => json(name)),
  json("json-asyncify", { sleeps: Math.ceil(N / 7) }),
].filter(row => fs.existsSync(file(`${row.name}.wasm`)));
