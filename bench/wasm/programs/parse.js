// parse.js - for bench/wasm/programs.sh: QuickJS parses FILE with the parser acorn, ROUNDS times. An interpreter. Needs --dir .
import * as std from "qjs:std";
const [, file, rounds] = scriptArgs, acorn = {};
new Function("exports", "module", std.loadFile("acorn.js"))(acorn, { exports: acorn });
let count = 0;
for (let i = 0; i < Number(rounds); i++) count += acorn.parse(std.loadFile(file), { ecmaVersion: 2020 }).body.length;
print(`${count} statements`);
