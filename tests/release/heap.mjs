// heap.mjs - a program that Emscripten made with the package toll-heap saves its heap.
import fs from "node:fs";
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);

const program = await require("./program.js")({ wasmBinary: fs.readFileSync("program.wasm") });
const { buildPerfViewJson, buildSpeedscopeJson } = await import("toll-heap");
program._fill(0, 4, 0);
fs.writeFileSync("heap.speedscope.json", await buildSpeedscopeJson());
fs.writeFileSync("heap.PerfView.json", await buildPerfViewJson());
