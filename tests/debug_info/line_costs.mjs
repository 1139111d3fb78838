// line_costs.mjs TOLL FILE.wasm... - what each line of a run cost: the ticks by file and line in the profile of `toll run
// --lines` are those of a copy of the module in which each instruction counts itself, and whose lines are llvm-symbolizer's; and so are the
// ticks by inlined function, into which `toll convert --inlines` divides these lines. The
// first line of FILE.stdin, if that exists, is the program's input. Of a module with a source map, FILE.wasm.map is read here.
// FILE.rewritten.wasm is one that Binaryen has rewritten, whose debug information contradicts itself where functions are: of its ticks 1 in 50 may
// be at another call of an inlined function, but each is at the line that its instruction comes from. LINE_COSTS=table prints the shares of ticks without a line and judges nothing.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { addresses, countEach } from "../instrument/each.mjs";

const [, , toll, ...files] = process.argv, judges = process.env.LINE_COSTS !== "table";
const run = (program, args, input) => execFileSync(program, args, { encoding: "utf8", input, maxBuffer: 1 << 30, stdio: ["pipe", "pipe", "pipe"] });
const NONE = "(no line)";

/** One run of a module of WASI, in a process of its own: prints what its globals toll_0 to toll_COUNT-1 have in the end. */
if (files[0] === "--run") {
  const { WASI } = await import("node:wasi"), [, file, count] = files;
  const wasi = new WASI({ version: "preview1", args: ["program"], returnOnExit: true });
  const module = new WebAssembly.Module(fs.readFileSync(file));
  const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport });
  wasi.start({ exports });
  fs.writeFileSync(`${file}.counts`, Array.from({ length: Number(count) }, (_, i) => exports[`toll_${i}`].value).join("\n"));
  process.exit(0);
}

const add = (sums, key, value) => value && sums.set(key, (sums.get(key) ?? 0) + value);

/** Paths as files are called by whoever wrote them: without "." and "..". */
const keyOf = (file, line) => (file && line ? `${path.resolve(file)}:${line}` : NONE);

/** Of each address by llvm-symbolizer the place in the function whose code it is, the place that the instruction comes from, and the
 *  chain of functions between them, outermost first: "??" if it is not known. */
function placesOf(file, at) {
  const text = run("llvm-symbolizer", [`--obj=${file}`, "--inlines", "--no-demangle", "--output-style=LLVM"], at.map(a => `0x${a.toString(16)}\n`).join(""));
  return text.split("\n\n").slice(0, at.length).map(answer => {
    const rows = answer.trim().split("\n"), names = rows.filter((_, i) => i % 2 === 0).reverse();
    const keys = rows.filter((_, i) => i % 2).map(row => {
      const [, source, line] = /^(.*):(\d+):\d+$/.exec(row);
      return keyOf(source === "??" ? "" : source, Number(line));
    });
    return { outer: keys.at(-1), inner: keys[0], chain: names.includes("??") ? "??" : names.join(";") };
  });
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
function* numbers(text) {
  let value = 0, shift = 0;
  for (const c of text) {
    const digit = DIGITS.indexOf(c);
    value += (digit & 31) * 2 ** shift;
    shift += 5;
    if (digit & 32) continue;
    yield value & 1 ? -Math.floor(value / 2) : Math.floor(value / 2);
    value = shift = 0;
  }
}

/** The same by a source map, whose columns count from the file's beginning. */
function placesByMap(file, at) {
  const map = JSON.parse(fs.readFileSync(`${file}.map`)), rows = [];
  const [, start] = /^ +Code start=(0x[0-9a-f]+)/m.exec(run("wasm-objdump", ["-h", file]));
  let column = 0, source = 0, line = 0;
  for (const segment of map.mappings.split(",")) {
    const [c, s, l] = [...numbers(segment)];
    column += c;
    if (s !== undefined) source += s, line += l;
    rows.push({ column, key: s === undefined ? NONE : keyOf((map.sourceRoot ?? "") + map.sources[source], line + 1) });
  }
  let row = -1;
  return at.map(a => {
    while (row + 1 < rows.length && rows[row + 1].column <= a + Number(start)) row++;
    return { outer: row < 0 ? NONE : rows[row].key };
  });
}

/** Ticks by place, each instruction counted: { outer, inner, chain }. */
function measured(name, input) {
  const count = countEach(name), at = addresses(`${name}.wasm`), sums = { outer: new Map(), inner: new Map(), chain: new Map() };
  assert.equal(at.length, count, `${name}: as many instructions as addresses`);
  run(process.execPath, ["--no-warnings", fileURLToPath(import.meta.url), "", "--run", `${name}.each.wasm.bin`, String(count)], input);
  const counts = fs.readFileSync(`${name}.each.wasm.bin.counts`, "utf8").split("\n").map(Number);
  const places = fs.existsSync(`${name}.wasm.map`) ? placesByMap(`${name}.wasm`, at) : placesOf(`${name}.wasm`, at);
  places.forEach((place, i) => Object.entries(place).forEach(([kind, key]) => add(sums[kind], key, counts[i])));
  return sums;
}

/** Ticks by place in a profile of Toll's. */
function linesOf(profile) {
  const { functions } = JSON.parse(run(toll, ["annotate", "-q", "--json", "--rows", "0", profile])), sums = new Map();
  for (const f of functions) for (const l of f.lines) add(sums, keyOf(l.file ?? f.file, l.line), l.self);
  return sums;
}

function profiled(name, input) {
  run(toll, ["run", "-q", "--lines", "--no-calls", "-o", `${name}.pb.gz`, `${name}.wasm`], input);
  return linesOf(`${name}.pb.gz`);
}

/** Lines that are there already are not changed by naming the program again. */
function judgeAgain(name, lines) {
  run(toll, ["convert", "-q", "--debug", `${name}.wasm`, `${name}.pb.gz`, "-o", `${name}.again.pb.gz`]);
  assert.deepEqual(differences(linesOf(`${name}.again.pb.gz`), lines), [], `${name}: lines that differ when the program is named again`);
}

/** Ticks by stack. What tells names apart, an index or a file, is dropped. */
function stacksOf(profile) {
  const sums = new Map();
  for (const row of run(toll, ["convert", "-q", "--mangled", "--to", "folded", profile]).trimEnd().split("\n"))
    add(sums, row.slice(0, row.lastIndexOf(" ")).replace(/(#\d+| \([^;]*\))(?=;|$)/g, ""), Number(row.slice(row.lastIndexOf(" ") + 1)));
  return sums;
}

const differences = (ours, judge) => [...new Set([...judge.keys(), ...ours.keys()])].filter(key => judge.get(key) !== ours.get(key))
  .map(key => `${key} ${ours.get(key) ?? 0}, not ${judge.get(key) ?? 0}`);

/** Each instruction's ticks are at the line that it comes from, whichever function that is in. */
function judgeInner(name, judge) {
  run(toll, ["convert", "-q", "--debug", `${name}.wasm`, "--inlines", `${name}.pb.gz`, "-o", `${name}.inlines.pb.gz`]);
  assert.deepEqual(differences(linesOf(`${name}.inlines.pb.gz`), judge.inner), [], `${name}: lines of instructions that differ`);
}

/** The lines of that profile are divided again among inlined functions: each instruction's ticks are where llvm-symbolizer has it, below
 *  the functions that it was inlined in. A second time changes nothing. Returns how many ticks are inlined code's. */
function judgeInlined(name, judge) {
  const again = from => run(toll, ["convert", "-q", "--debug", `${name}.wasm`, "--inlines", from, "-o", `${name}.inlines.pb.gz`]);
  again(`${name}.pb.gz`);
  const first = fs.readFileSync(`${name}.inlines.pb.gz`);
  again(`${name}.inlines.pb.gz`);
  assert.deepEqual(fs.readFileSync(`${name}.inlines.pb.gz`), first, `${name}: divided twice`);
  assert.deepEqual(differences(linesOf(`${name}.inlines.pb.gz`), judge.inner), [], `${name}: inlined lines that differ`);
  const ours = stacksOf(`${name}.inlines.pb.gz`), known = new Map();
  for (const [stack, ticks] of ours) add(known, judge.chain.has(stack) ? stack : "??", ticks); // elsewhere names are the module's
  assert.deepEqual(differences(known, judge.chain), [], `${name}: stacks of inlined functions that differ`);
  const outer = new Map();
  for (const [stack, ticks] of ours) add(outer, stack.split(";")[0], ticks);
  assert.deepEqual(differences(outer, stacksOf(`${name}.pb.gz`)), [], `${name}: functions with what is inlined in them`);
  return [...ours].reduce((sum, [stack, ticks]) => sum + (stack.includes(";") ? ticks : 0), 0);
}

const share = sums => (100 * (sums.get(NONE) ?? 0)) / [...sums.values()].reduce((a, b) => a + b, 0);
for (const file of files) {
  const name = file.replace(/\.wasm$/, ""), input = fs.existsSync(`${name}.stdin`) ? fs.readFileSync(`${name}.stdin`, "utf8") : "";
  const all = measured(name, input), judge = all.outer, ours = profiled(name, input);
  const total = sums => [...sums.values()].reduce((a, b) => a + b, 0);
  if (judges) {
    judgeAgain(name, ours);
    assert.equal(total(ours), total(judge), `${name}: ticks in all`);
    const wrong = [...new Set([...judge.keys(), ...ours.keys()])].filter(key => judge.get(key) !== ours.get(key));
    const moved = wrong.reduce((sum, key) => sum + Math.abs((ours.get(key) ?? 0) - (judge.get(key) ?? 0)), 0) / 2;
    if (name.endsWith(".rewritten")) console.log(`${name}: ${moved} ticks in ${wrong.length} lines are elsewhere`);
    if (name.endsWith(".rewritten")) assert.ok(moved <= total(judge) / 50, `${name}: ${moved} ticks are elsewhere`);
    if (name.endsWith(".rewritten")) judgeInner(name, all);
    else assert.deepEqual(differences(ours, judge), [], `${name}: lines that differ`);
    if (!name.endsWith(".rewritten") && all.chain.size) console.log(`${name}: ${judgeInlined(name, all)} ticks in inlined functions`);
  }
  console.log(`${name}: ${total(ours)} ticks in ${ours.size} lines, ${share(ours).toFixed(1)} % without one; by llvm-symbolizer ${share(judge).toFixed(1)} %`);
}
