// names.mjs TOLL FOLDER - functions with the same name stay separate functions in every file that toll run writes, and
// in its own output; Rust's symbols are demangled.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { read } from "../instrument/section.mjs";

const [toll, folder] = process.argv.slice(2).map(file => path.resolve(file));
const module = path.join(folder, "names.wasm"), dir = fs.mkdtempSync(path.join(os.tmpdir(), "toll-names-"));
process.chdir(dir);

function run(...args) {
  const { status, stdout, stderr } = spawnSync(toll, args, { encoding: "utf8", timeout: 60000 });
  assert.equal(status, 0, `toll ${args.join(" ")}: ${stderr}`);
  return { stdout, stderr };
}

/** { name: calls } of a file. */
function calls(file) {
  const { functions } = JSON.parse(run("report", "-q", "--json", "-n", "0", "--value", "calls", file).stdout);
  return Object.fromEntries(functions.map(f => [f.name, f.self]));
}

/** The names of functions that are called so and so often; there is one each. */
function named(counts, wanted) {
  return wanted.map(([pattern, count]) => {
    const found = Object.keys(counts).filter(name => pattern.test(name) && counts[name] === count);
    assert.equal(found.length, 1, `${pattern} of ${count} calls: ${JSON.stringify(counts)}`);
    return found[0];
  });
}

const wanted = [
  [/^cmp#\d+$/, 5], [/^cmp#\d+$/, 3], [/^sort_b$/, 1],
  [/^alloc::vec::Vec<T>::push#\d+$/, 7], [/^alloc::vec::Vec<T>::push#\d+$/, 11], [/^mycrate::math::clamp$/, 7],
];
const { stderr } = run("run", "-n", "0", "--clock", "none", "-o", "names.pb.gz", module);
const names = named(calls("names.pb.gz"), wanted);
for (const name of names) assert.ok(stderr.includes(name), `${name} is not told: ${stderr}`);

for (const extension of ["callgrind", "folded", "speedscope.json", "trace.json"]) {
  const file = `names.${extension}`, inOrder = extension === "callgrind" ? [] : ["--flamechart"];
  run("run", "-q", "--clock", "none", ...inOrder, "-o", file, module);
  for (const name of names) assert.ok(fs.readFileSync(file, "utf8").includes(name), `${file}: no ${name}`);
}
assert.deepEqual(named(calls("names.trace.json"), wanted), names, "the order in time tells the same functions");

// Another run has the same rows: their sum has no more.
run("run", "-q", "--clock", "none", "-o", "again.pb.gz", module);
run("merge", "-q", "-o", "sum.pb.gz", "names.pb.gz", "again.pb.gz");
assert.deepEqual(named(calls("sum.pb.gz"), wanted.map(([pattern, count]) => [pattern, 2 * count])), names);

// The names that toll instrument leaves are these.
run("instrument", "-q", module, "-o", "names.toll.wasm");
const instrumented = new WebAssembly.Module(fs.readFileSync("names.toll.wasm"));
const told = read(instrumented).names;
for (const name of names) assert.ok(told.includes(name), `section toll: no ${name}`);

// The linker's names are kept: hashes tell apart what indices did.
const { functions: mangled } = JSON.parse(run("report", "-q", "--json", "--mangled", "--value", "calls", "names.pb.gz").stdout);
const pushes = mangled.filter(f => /^_ZN5alloc3vec12Vec\$LT\$T\$GT\$4push17h[0-9a-f]{16}E$/.test(f.name)).map(f => f.self);
assert.deepEqual(pushes.sort(), [11, 7], JSON.stringify(mangled.map(f => f.name)));
assert.ok(mangled.some(f => f.name === "sort_b"), "other names are as they were");

fs.rmSync(dir, { recursive: true });
console.log(`names: ${names.join(", ")}`);
