// Compilers: the largest of the modules.
import assert from "node:assert/strict";
import fs from "node:fs";
import { path, require } from "./common.mjs";

/** Go: its program ends the process; what it wrote is the result. */
function esbuild() {
  const name = `${process.argv[3]}/esbuild.${process.argv[5]}.js`;
  fs.rmSync(name, { force: true });
  process.argv = [process.argv[0], "esbuild", path("acorn/dist/acorn.mjs"), "--bundle", "--minify", "--format=cjs",
                  "--target=es5", "--log-level=error", `--outfile=${name}`];
  compilers.find(row => row.name === "esbuild").result = () => fs.readFileSync(name, "utf8").replace(/^\/\/.*$/m, "");
  require("esbuild-wasm/bin/esbuild");
  return new Promise(() => {});
}

/** Binaryen compiles and optimises a module; C++ with exceptions. */
async function binaryen() {
  const { default: b } = await import("binaryen");
  assert.throws(() => b.parseText("(module (func $broken"));
  const module = b.parseText(`(module (func $fib (export "fib") (param i32) (result i32) (local i32)
    (if (result i32) (i32.lt_u (local.get 0) (i32.const 2)) (then (local.get 0))
      (else (local.set 1 (i32.sub (local.get 0) (i32.const 1)))
        (i32.add (call $fib (local.get 1)) (call $fib (i32.sub (local.get 0) (i32.const 2))))))))`);
  b.setOptimizeLevel(3);
  module.optimize();
  assert.ok(module.validate());
  const small = module.emitBinary(), text = module.emitText();
  module.dispose();
  return [small, text];
}

export const compilers = [
  { name: "binaryen", wasm: [], work: binaryen },
  { name: "esbuild", wasm: ["esbuild-wasm/esbuild.wasm"], work: esbuild, endsInside: true, changes: "Go's timers and collector" },
];
