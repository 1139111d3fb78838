// inside.mjs TOLL few|all - holds components that record themselves (toll instrument) to what toll run records of the same calls. Both run
// in Node, by jco; tests/python and component/fuel run them in wasmtime.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { transpileBytes } from "@bytecodealliance/jco-transpile";
import { _setArgs } from "@bytecodealliance/preview2-shim/cli";

const toll = path.resolve(process.argv[2]), isFew = process.argv[3] === "few";
const command = (...args) => spawnSync(toll, args, { encoding: "utf8" });

function ran(...args) {
  const { status, stdout, stderr } = command(...args);
  assert.equal(status, 0, stderr);
  return stdout;
}

let loaded = 0;

/** The component as JavaScript, in a folder of its own: its exports. */
async function load(file) {
  const folder = path.resolve("inside", String(loaded++));
  const { files } = await transpileBytes(fs.readFileSync(file), { name: "it", emitTypescriptDeclarations: false });
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), content);
  }
  fs.writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');
  return import(pathToFileURL(path.join(folder, "it.js")).href);
}

const folded = (file, value) => ran("convert", "-q", "--to", "folded", "--value", value, file, "-o", "-").split("\n").sort();

/** The profiles of the component's instances, added up. */
function profile(exports) {
  const parts = ["tollProfile", "tollProfile2", "tollProfile3"].filter(name => exports[name]);
  assert.ok(parts.length > 0, "no profile");
  parts.forEach((name, i) => fs.writeFileSync(`inside/part${i}.pb`, exports[name]()));
  ran("merge", "-q", ...parts.map((_, i) => `inside/part${i}.pb`), "-o", "inside/sum.pb");
  ran("check", "inside/sum.pb");
  return "inside/sum.pb";
}

/** Record a call in both ways. `call(exports)` calls what `args` of toll run name. `which`: the stacks to compare. `hasLines`: the component
 *  has debug information, which toll run finds itself. */
async function compare(file, args, call, options = [], which = /^/, hasLines = false) {
  const made = `inside/${file}`;
  ran("instrument", "-q", ...options, file, "-o", made);
  const exports = await load(made);
  call(exports);
  const values = [...(options.includes("--no-calls") ? ["ticks"] : options.includes("--no-ticks") ? ["calls"] : ["ticks", "calls"]),
    ...(options.includes("--call-kinds") ? ["indirect calls"] : []), ...(options.some(each => /lines$/.test(each)) ? ["executions"] : [])];
  const sum = profile(exports);
  if (hasLines) ran("convert", "-q", "--debug", file, sum, "-o", sum);
  ran("run", "-q", ...(options.includes("--clock") ? [] : ["--clock", "none"]), ...options, "-o", "inside/run.pb", ...args(file));
  for (const value of values) {
    const [inside, run] = [sum, "inside/run.pb"].map(each => folded(each, value).filter(stack => which.test(stack)));
    assert.ok(run.length > 1, `${file}: nothing to compare`);
    assert.deepEqual(inside, run, `${file} ${options}: ${value}`);
  }
}

const invoke = (name, ...args) => file => ["--invoke", name, file, ...args];
const COMPONENTS = [
  ["two.wasm", invoke("run", "20"), ({ run }) => assert.equal(run(20), 40)],
  ["memories.wasm", invoke("run", "7"), ({ run }) => assert.equal(run(7), 7)],
  ["values.wasm", invoke("my:own/math#twice", "3"), ({ math }) => assert.equal(math.twice(3n), 6n)],
];

fs.rmSync("inside", { recursive: true, force: true });
fs.mkdirSync("inside");
const OPTIONS = [[], ["--no-ticks"], ["--costs", "fuel"], ["--call-kinds"], ["--skip", "leaf|twice"], ["--lines"], ["--call-lines"], ["--lines", "--no-calls"],
  ["--clock", "wall"], ["--clock", "wall", "--call-lines"]];
for (const options of isFew ? [[], ["--call-kinds"], ["--lines"], ["--clock", "wall"]] : OPTIONS)
  for (const each of isFew ? COMPONENTS.slice(0, 1) : COMPONENTS) await compare(...each, options);

// Components in it have recordings of their own, since they share nothing with those around them.
ran("instrument", "-q", "inner.wasm", "-o", "inside/inner.wasm");
const inner = await load("inside/inner.wasm");
assert.deepEqual([inner.run(5), inner.run(6)], [12, 14]);
assert.deepEqual(folded(profile(inner), "ticks"), ["", "run 12", "run;add #2;add 8", "same 4", "twice 8"]);

ran("instrument", "-q", "composed.wasm", "-o", "inside/composed.wasm");
const composed = await load("inside/composed.wasm");
assert.deepEqual([composed.run(5), composed.run(6)], [10, 12]);
assert.deepEqual(folded(profile(composed), "ticks"), ["", "run 6", "twice 8"]);

// Their lines, too: ticks of lines are ticks.
ran("instrument", "-q", "--lines", "inner.wasm", "-o", "inside/inner.wasm");
const counted = await load("inside/inner.wasm");
counted.run(5);
counted.run(6);
assert.deepEqual(folded(profile(counted), "line ticks"), ["", "add 8", "run 12", "same 4", "twice 8"]);

ran("instrument", "-q", "store.wasm", "-o", "inside/store.wasm");
const store = await load("inside/store.wasm"), ofProvider = name => `my:store/counters#${name}`;
assert.equal(store.run(5), 21015);
assert.deepEqual(folded(profile(store), "ticks"), [
  "", "(outside) 4", "add 45", `${ofProvider("[constructor]counter")} 24`, `${ofProvider("[dtor]counter")} 5`, `${ofProvider("dropped")} 2`, `${ofProvider("peek")} 3`,
  `${ofProvider("take")} 8`, `${ofProvider("take;drop")} 4`, `${ofProvider("take;drop;my:store/counters#[dtor]counter")} 5`, "run 67",
]);

// A program of C, with an adapter for its system calls. What these do depends on the folders and variables that the program gets.
_setArgs(["app", "fib", "15"]);
await compare("app.component.wasm", file => [file, "fib", "15"], exports => exports.run.run(), [], /;(fib|vfprintf|calloc)\b/);
if (!isFew) await compare("app.component.wasm", file => [file, "fib", "15"], exports => exports.run.run(), ["--heap"], /;(fib|vfprintf|calloc)\b/);

// Its time, beside the same calls and ticks: the function that does the work has some, however busy the machine is.
_setArgs(["app", "fib", "25"]);
await compare("app.component.wasm", file => [file, "fib", "25"], exports => exports.run.run(), ["--clock", "wall"], /;(fib|vfprintf|calloc)\b/);
const { functions, total, notes } = JSON.parse(ran("report", "--json", "--rows", "0", "--value", "time", "inside/sum.pb"));
assert.ok(functions.find(each => each.name === "fib").self > total / 20, JSON.stringify(functions));
const noted = text => notes.find(each => each.text.startsWith(text)).count;
assert.equal(total + noted("nanoseconds that the profiler took"), noted("nanoseconds that the samples represent"));
assert.ok(noted("readings of the clock at events") > 100);

// Lines are those that toll run finds: --debug finds them in the component's file.
for (const more of isFew ? ["--lines"] : ["--lines", "--call-lines"])
  await compare("lines.wasm", invoke("run", "50"), ({ run }) => run(50), [more], /^/, true);
assert.match(ran("convert", "-q", "--to", "callgrind", "inside/sum.pb", "-o", "-"), /calls\.c$/m);
for (const [file, text] of [["two.wasm", /^toll: warning: two\.wasm: has no program that the profile is of\n/],
                            ["inside/lines.wasm", /^toll: inside\/lines\.core\.wasm: was instrumented, its debug information is gone; name the module that it was made from\n$/]])
  assert.match(command("convert", "--debug", file, "inside/sum.pb", "-o", "inside/none.pb.gz").stderr, text);

for (const [args, text, expected = 1] of [
  [["inside/two.wasm"], /^toll: inside\/two\.core\.wasm: was instrumented before\n$/],
  [["owns.wasm"], /^toll: owns\.core2\.wasm: has imports from a module "toll" of its own\n$/],
  [["empty.wasm"], /^toll: empty\.wasm: has no core module that runs in it\n$/],
  [["nested.wasm"], /^toll: nested\.wasm: more than 30 components in one another\n$/],
  [["deep.wasm"], /^toll: deep\.wasm: more than 30 components in one another\n$/],
  [["outer_module.wasm"], /^toll: outer_module\.wasm: at byte \d+: a core module is passed on to other components, .*; toll run profiles/],
  [["argument.wasm"], /^toll: argument\.wasm: at byte \d+: a core module is passed on to other components/],
  [["passed.wasm"], /^toll: passed\.wasm: has no core module that runs in it, but in what it passes on\n$/],
  [["taken.wasm"], /^toll: taken\.wasm: at byte \d+: it exports toll-profile already/],
  [["cut.wasm"], /^toll: cut\.wasm: /],
  [["--heap", "memories.wasm"], /^toll: memories\.wasm: blocks are known by their addresses, /],
  [["--clock", "wall", "inner.wasm"], /^toll: inner\.wasm: components in it have core modules, to which no clock can be given/],
  [["--clock", "wall", "calls.wasm"], /^toll: calls\.wasm: is no component: the host of a module has the clock/, 2],
  [["--clock", "wall", "--no-ticks", "two.wasm"], /^toll: two\.wasm: the time of a component needs its calls and ticks/, 2],
  [["--costs", "pvm", "two.wasm"], /costs of pvm are those of a kernel/, 2],
]) {
  fs.rmSync("inside/refused.wasm", { force: true });
  const { status, stderr } = command("instrument", "-q", ...args, "-o", "inside/refused.wasm");
  assert.deepEqual([status, fs.existsSync("inside/refused.wasm")], [expected, false], `${args}: ${stderr}`);
  assert.match(stderr, text);
}
console.log("ok: components that record themselves");
