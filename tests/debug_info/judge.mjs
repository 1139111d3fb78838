// judge.mjs PLACES SYMBOLIZER COUNT FILE... - for COUNT random addresses of each program's code Toll finds the same as
// llvm-symbolizer: function, file, line, column, the whole chain of inlined calls, and where each function is defined. The name FILE.rewritten.wasm is
// that of a module which Binaryen has rewritten: its debug information contradicts itself, and only the names of
// functions are held against the name section, of which 99 in 100 must agree.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { bodies } from "./modules.mjs";

const [, , places, symbolizer, count, ...files] = process.argv;

function run(program, args, input) {
  const result = spawnSync(program, args, { input, encoding: "utf8", maxBuffer: 1 << 30 });
  assert.equal(result.status, 0, `${program} ${args.join(" ")}: ${result.stderr}`);
  return result.stdout;
}

/** Numbers below `limit`, the same in each run. */
function* random(limit) {
  for (let state = 12345n;;) {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    yield Number((state >> 33n) % BigInt(limit));
  }
}

/** Addresses within functions, each once. */
function addresses(functions) {
  const total = functions.reduce((sum, f) => sum + f.end - f.begin, 0), chosen = new Set();
  const starts = [];
  let sum = 0;
  for (const f of functions) {
    starts.push(sum);
    sum += f.end - f.begin;
  }
  for (const at of random(total)) {
    if (chosen.size >= Math.min(count, total / 2)) break;
    let low = 0, high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= at) low = middle; else high = middle;
    }
    chosen.add(functions[low].begin + at - starts[low]);
  }
  return [...chosen].map(at => `0x${at.toString(16)}`);
}

/** The answers, of which an empty line ends each. */
const answers = text => text.split("\n\n").slice(0, -1);

function judgeLines(file, functions) {
  const asked = addresses(functions), input = asked.join("\n") + "\n";
  const ours = answers(run(places, [file], input));
  const theirs = answers(run(symbolizer, [`--obj=${file}`, "--inlines", "--no-demangle", "--functions=linkage"], input));
  assert.equal(ours.length, asked.length);
  assert.equal(theirs.length, asked.length);
  judgeDefinitions(file, input, asked);
  let inlined = 0;
  asked.forEach((at, i) => {
    // What has no DWARF has a name out of the name section, or the symbol table.
    if (theirs[i] === "??\n??:0:0") assert.match(ours[i], /^.*\n\?\?:0:0$/);
    else assert.equal(ours[i], theirs[i], `${file}: ${at}`);
    inlined += ours[i].split("\n").length > 2;
  });
  console.log(`${file}: ${asked.length} addresses, ${inlined} of them in inlined code: as llvm-symbolizer says`);
}

function judgeDefinitions(file, input, asked) {
  const ours = answers(run(places, [file, "--definitions"], input));
  const answer = run(symbolizer, [`--obj=${file}`, "--inlines", "--output-style=JSON"], input); // an object a line, or an array of one
  const theirs = answer.trim().split(/\n+/).map(line => [JSON.parse(line)].flat()[0].Symbol);
  assert.equal(theirs.length, asked.length);
  asked.forEach((at, i) => {
    if (!theirs[i].every(symbol => symbol.StartLine)) return; // it has no DWARF
    // What GCC names as a file llvm-symbolizer 14 may leave out: then the line alone is judged.
    const places = ours[i].split("\n").map((place, n) => theirs[i][n]?.StartFileName === "" ? place.replace(/^.*:/, ":") : place);
    assert.equal(places.join("\n"), theirs[i].map(s => `${s.StartFileName}:${s.StartLine}`).join("\n"), `${file}: ${at}`);
  });
}

function judgeNames(file, functions) {
  const known = functions.filter(f => f.name);
  const input = known.map(f => `0x${(f.begin + ((f.end - f.begin) >> 1)).toString(16)}\n`).join("");
  // wasm-ld writes names demangled to the section, in LLVM's way; Binaryen and LLVM add suffixes. Rust's are demangled by Toll.
  // rustc writes a character that a symbol cannot have as $NAME$ or $uHEX$, and an underscore before an identifier that begins so.
  const rust = { LT: "<", GT: ">", LP: "(", RP: ")", RF: "&", BP: "*", SP: "@", C: "," };
  const character = (all, code) => rust[code] ?? (/^u[0-9a-f]+$/.test(code) ? String.fromCodePoint(parseInt(code.slice(1), 16)) : all);
  const plain = text => run("llvm-cxxfilt", [], text.replace(/(\.llvm\.\d+)?(\.\d+)?$/gm, ""))
    .replace(/::h[0-9a-f]{16}$/gm, "").replace(/(^|::)_(?=\$)/gm, "$1").replace(/\$(\w+)\$/g, character).replace(/(^|::)_(?=<)/gm, "$1")
    .replace(/\.\./g, "::").trimEnd().split("\n");
  const ours = plain(run(places, [file, "--functions"], input).replace(/^\S+ \S+ /gm, ""));
  const theirs = plain(known.map(f => `${f.name}\n`).join(""));
  const wrong = known.filter((_, i) => ours[i] !== theirs[i]).map(f => f.name);
  console.log(`${file}: ${known.length - wrong.length} of ${known.length} names as in the name section`);
  assert.ok(wrong.length <= known.length / 100, `${file}: ${wrong.slice(0, 5).join(", ")}, ...`);
}

for (const file of files) {
  const functions = bodies(fs.readFileSync(file));
  if (file.endsWith(".rewritten.wasm")) judgeNames(file, functions); else judgeLines(file, functions);
}
