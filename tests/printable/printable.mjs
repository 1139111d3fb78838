// printable.mjs TOLL - runs commands on the files of inputs.mjs. Standard output and standard error contain only
// printable text and line ends, JSON also no character that sets the direction of text, and no input can forge a line.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { printable } from "../../hosts/wasm/printable.mjs";
import { badNames, costs, files, HOSTILE, names, wasm } from "./inputs.mjs";

const toll = process.argv[2];
let failures = 0, runs = 0;

// eslint-disable-next-line no-control-regex
const UNPRINTABLE = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

/* Lines of files: what is only not seen is part of names there, which stay apart by it. */
const UNSEEN = /[\u200b-\u200d\ufeff]/g;

function problemOf(bytes, isFile) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "is not UTF-8";
  }
  if (isFile) text = text.replace(UNSEEN, "_");
  const at = text.search(UNPRINTABLE);
  if (at >= 0) return "has U+" + text.charCodeAt(at).toString(16) + " behind " + JSON.stringify(text.slice(0, at).slice(-40));
  return /^FORGED/m.test(text) ? "has a forged line" : null;
}

// Run through a shell, so that arguments may be any bytes: `command` has them as printf writes them.
function check(command, { isJson = false, isFile = false } = {}) {
  const { stdout, stderr, signal, status } = spawnSync("sh", ["-c", command], { env: { ...process.env, T: toll, H: HOSTILE } });
  runs++;
  const problems = [["stdout", stdout], ["stderr", stderr]].map(([name, bytes]) => {
    const problem = problemOf(bytes, isFile && name === "stdout");
    return problem && `${name} ${problem}`;
  });
  if (signal || (status > 2 && status !== 134)) problems.push(`ended by ${signal ?? status}`);
  if (isJson && status === 0) {
    try { JSON.parse(stdout.toString()); } catch (error) { problems.push(`is no JSON: ${error.message}`); }
  }
  for (const problem of problems.filter(Boolean)) {
    failures++;
    console.log(`${command}: ${problem}`);
  }
}

/* The rule in JavaScript is that in C, for each character of 16 bits. */
function checkRule() {
  const source = readFileSync(new URL("../../src/base/printable.c", import.meta.url), "utf8"), table = source.match(/unprintable\[\] = \{([^;]*)\};/)[1];
  const ranges = [...table.matchAll(/\{ 0x(\w+), 0x(\w+), \w+ \}/g)].map(([, from, to]) => [parseInt(from, 16), parseInt(to, 16)]);
  for (let code = 0; code <= 0xffff; code++) {
    const isC = ranges.some(([from, to]) => code >= from && code <= to) || (code >= 0xd800 && code <= 0xdfff), text = String.fromCharCode(code);
    if (isC !== (printable(text) !== text)) failures++, console.log(`U+${code.toString(16)}: another rule in C than in JavaScript`);
  }
}

function checkFile(file) {
  for (const f of [file, `--from ${formatOf(file)} ${file}`]) {
    check(`"$T" check ${f}`);
    check(`"$T" report ${f}`);
    check(`"$T" report --tree ${f}`);
    check(`"$T" report --json ${f}`, { isJson: true });
  }
  check(`"$T" report --focus zzz ${file}`);
  check(`"$T" report --value "$H" ${file}`);
  check(`"$T" diff ${file} types.pb`);
  check(`"$T" diff --json ${file} types.pb`, { isJson: true });
  check(`"$T" diff --value calls types.pb ${file}`);
  check(`"$T" merge ${file} types.pb -o out.pb.gz`);
  for (const to of ["out.pb", "out.speedscope.json", "out.perfview.json", "out.folded", "out.callgrind", "out.trace.json"])
    check(`"$T" convert ${file} -o ${to}`);
  for (const to of ["folded", "callgrind", "speedscope", "perfview"]) check(`"$T" convert ${file} --to ${to} -o -`, { isFile: /folded|callgrind/.test(to) });
  check(`"$T" report --tree out.pb.gz; "$T" check out.pb.gz`);
}

function formatOf(file) {
  const formats = { pb: "pprof", "speedscope.json": "speedscope", "perfview.json": "perfview", "trace.json": "chrome",
                    "emscripten.json": "emscripten", log: "solana", sclog: "supcom", folded: "folded", bin: "folded" };
  return formats[file.slice(file.indexOf(".") + 1)];
}

for (const [file, content] of Object.entries(files)) writeFileSync(file, content);
for (const file of Object.keys(files)) checkFile(file);

// Names of programs, costs of instructions, and modules.
writeFileSync("names", names);
writeFileSync("bad.names", badNames);
writeFileSync("costs", costs);
check(`"$T" report --names names text.log`);
check(`"$T" report --names bad.names text.log`);
const modules = { "ok.wasm": wasm(), "opcode.wasm": wasm([0x00, 0xff, 0x0b]), "cut.wasm": wasm([0x00, 0x02]) };
for (const [file, content] of Object.entries(modules)) {
  writeFileSync(file, content);
  for (const options of ["", "--heap", "--only zzz", '--only "$H"', "--costs costs"])
    check(`"$T" instrument ${options} ${file} -o out.wasm`);
}

// A folder of register traces whose program is called so.
mkdirSync("traces");
writeFileSync("traces/aa.regs", Buffer.alloc(192));
writeFileSync("traces/aa.insns", Buffer.from("9500000000000000", "hex").subarray(0, 8));
writeFileSync("traces/aa.program_id", "id" + HOSTILE);
check('"$T" report traces');
check('"$T" report --elf "$H=x.folded" traces');
check('"$T" report --logs text.log traces');

// toll run: what it says of programs whose functions, sections and chunks are called so. Wherever it can run.
writeFileSync("names.lua", `local evil = ...
local f = load("local function inner() end inner()", "=" .. evil)
f() load("return function() end", evil)()()
_G["f" .. evil] = function() f() end
_G["f" .. evil]()
`);
writeFileSync("trap.wasm", wasm([0x00, 0x00, 0x0b], { imports: false }));
check('"$T" run -o o.pb names.lua "$H"; "$T" run --timeline o.trace.json -o "$H.pb" names.lua "$H"; "$T" report o.pb');
check('"$T" run -o "$H/o.pb" names.lua x; "$T" run "$H"; "$T" run -o o.pb "$H.lua"; "$T" run -o o.pb "$H.wasm"');
check('"$T" run -o o.pb --invoke "export$H" trap.wasm; "$T" run -o "$H.pb" --invoke "export$H" trap.wasm');
check('"$T" run -o o.pb ok.wasm; "$T" run -o o.pb --invoke "$H" ok.wasm; "$T" run --costs "$H" ok.wasm');
check('"$T" run -o "$H/o.pb" --invoke "export$H" trap.wasm; "$T" run --dir "$H" ok.wasm; cp trap.wasm "$H.wasm"; "$T" run "$H.wasm"');

// The command line.
mkdirSync(HOSTILE);
check('mkdir "$H/5.4" && touch "$H/5.4/toll.so" && TOLL_LUA_DIR="$H" "$T" --version');
const path = `"$(printf 'a\\033[31m\\377\\nFORGED: ok').folded"`;
writeFileSync("plain.folded", "f;g 5\n");
check(`cp plain.folded ${path} && "$T" check ${path}`);
check(`"$T" report ${path}x; "$T" check ${path}x; "$T" convert ${path}x -o o.pb; "$T" instrument ${path}x -o o.wasm`);
check(`"$T" convert ${path} -o ${path}; "$T" convert plain.folded -o ${path}/x.pb; "$T" convert ${path} -o "$H"`);
check(`"$T" diff ${path} plain.folded; "$T" merge ${path} plain.folded -o ${path}.pb.gz; "$T" check ${path}.pb.gz`);
check('"$T" "$H"; "$T" help "$H"; "$T" help --completion "$H"; "$T" report "--$H"; "$T" report --sort "$H" x.folded');
check('"$T" report --from "$H" x.folded; "$T" convert --to "$H" x.folded; "$T" report --rows "$H" x.folded');
check('"$T" report --focus "$H(" x.folded; "$T" report --max-memory "$H" x.folded; "$T" report "-$H"');

checkRule();
console.log(`${runs} commands, ${failures} problems`);
process.exit(failures ? 1 : 0);
