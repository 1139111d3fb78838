// call_lines.mjs TOLL LIB [SEED [COUNT]] - random modules with --call-lines: the places of calls, their callees and numbers are
// those that the module's functions report themselves. Without the places, the profile has exactly the bytes of the
// profile of the same module without --call-lines; also for the modules of other tests.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { samples } from "./pprof.mjs";
import { read } from "./section.mjs";
import { sqlite } from "./sqlite_run.mjs";

const [command, lib, seed = 1, count = 8] = process.argv.slice(2).map((text, i) => (i < 2 ? text : Number(text)));
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const toll = await Toll.load();
let state = seed * 2654435761 >>> 0;
const random = n => {
  state = Math.imul(state ^ state >>> 15, 2246822519) + 374761393 >>> 0;
  return (state >>> 3) % n;
};
const FUNCTIONS = 7, hasTailCalls = WebAssembly.validate(fs.readFileSync("tail.wasm"));

/** What a function does, as nested lists. */
function makeStatement(depth) {
  const kind = random(depth < 3 ? 11 : 7), to = random(FUNCTIONS);
  if (kind < 4) return ["call", to];
  if (kind < 5) return ["indirect", to];
  if (kind < 6) return ["host"];
  if (kind < 7) return ["throw", random(8)];
  const some = () => Array.from({ length: 1 + random(3) }, () => makeStatement(depth + 1));
  return kind < 9 ? ["loop", some()] : ["try", some(), some()];
}
const makeProgram = () => Array.from({ length: FUNCTIONS }, () => ({
  body: Array.from({ length: 1 + random(4) }, () => makeStatement(0)),
  tail: hasTailCalls && random(4) === 0 ? random(FUNCTIONS) : -1,
}));

/** The program as text. `tells(f)`: whether function f says when it begins, ends and calls; all say when they catch. */
function textOf(program, tells) {
  let place = 0;
  const functions = program.map(({ body, tail }, f) => {
    const says = tells && tells(`f${f}`), say = text => (says ? text : "");
    const argument = "(i32.add (local.get $n) (global.get $fuel))";
    const calling = call => `${says ? `(call $place (i32.const ${++place}))` : ""} (drop ${call})`;
    const statement = ([kind, a, b]) => {
      const all = list => list.map(statement).join("\n");
      if (kind === "call") return calling(`(call $f${a} ${argument})`);
      if (kind === "indirect") return calling(`(call_indirect (type $t) ${argument} (i32.const ${a}))`);
      if (kind === "host") return calling(`(call $host ${argument})`);
      if (kind === "throw") return `(if (i32.eq (i32.and ${argument} (i32.const 15)) (i32.const ${a})) (then (throw $e)))`;
      if (kind === "try") return `(try (do ${all(a)}) (catch_all ${tells ? "(call $caught (local.get $depth))" : ""} ${all(b)}))`;
      return `(loop $again ${all(a)} (global.set $spare (i32.add (global.get $spare) (i32.const -1)))
        (br_if $again (i32.gt_s (global.get $spare) (i32.const 0))))`;
    };
    const code = body.map(statement).join("\n");
    return `(func $f${f} (export "f${f}") (type $t) (param $n i32) (result i32) (local $depth i32)
      ${!tells ? "" : `(local.set $depth (call ${says ? `$enter (i32.const ${f})` : "$here"}))`}
      (if (i32.eqz (global.get $fuel)) (then ${say("(call $leave)")} (return (i32.const 1))))
      (global.set $fuel (i32.sub (global.get $fuel) (i32.const 1)))
      ${code}
      ${say("(call $leave)")}
      ${tail < 0 ? "(local.get $n)" : `(return_call $f${tail} (local.get $n))`})`;
  });
  const judge = tells ? `(import "judge" "enter" (func $enter (param i32) (result i32))) (import "judge" "leave" (func $leave)) (import "judge" "here" (func $here (result i32)))
    (import "judge" "place" (func $place (param i32))) (import "judge" "caught" (func $caught (param i32)))` : "";
  return `(module ${judge} (type $t (func (param i32) (result i32))) (import "env" "host" (func $host (type $t)))
    (tag $e) (global $fuel (mut i32) (i32.const 60)) (global $spare (mut i32) (i32.const 20)) (table funcref (elem ${program.map((_, f) => `$f${f}`).join(" ")}))
    ${functions.join("\n")})`;
}

function assemble(text) {
  fs.writeFileSync("random.wat", text);
  execFileSync("wat2wasm", ["--enable-all", "--debug-names", "random.wat", "-o", "random.wasm.bin"]);
  return fs.readFileSync("random.wasm.bin");
}

/** The import: it calls the module again, and catches what that throws. `wrap` surrounds each call of the host's. */
const hostOf = (exportsOf, guard) => n => {
  const f = exportsOf()[`f${n % (FUNCTIONS + 4)}`];
  if (!f) return n;
  try {
    return guard(() => f(n + 1));
  } catch {
    return 0;
  }
};

/** Run f0 three times; what it throws is caught. */
function run(exports, guard) {
  for (let n = 0; n < 3; n++)
    try {
      guard(() => exports.f0(n));
    } catch (error) {
      if (!(error instanceof WebAssembly.Exception)) throw error;
    }
}

/** Calls by stack, as the functions tell them: f0@2;env.host;f3. */
function judged(program, follows) {
  const stack = [], calls = new Map();
  const enter = name => {
    stack.push({ name, at: 0 });
    const key = stack.map(({ name, at }, i) => (at && i < stack.length - 1 ? `${name}@${at}` : name)).join(";");
    calls.set(key, (calls.get(key) ?? 0n) + 1n);
  };
  const guard = work => {
    const depth = stack.length;
    try {
      return work();
    } finally {
      stack.length = depth;
    }
  };
  const judge = { enter: f => (enter(`f${f}`), stack.length), leave: () => void stack.pop(), here: () => stack.length,
                  place: at => void (stack.at(-1).at = at), caught: depth => void (stack.length = depth) };
  let exports;
  const inner = hostOf(() => exports, guard);
  const host = n => guard(() => (follows("host") && enter("host"), inner(n)));
  exports = new WebAssembly.Instance(new WebAssembly.Module(assemble(textOf(program, follows))), { judge, env: { host } }).exports;
  run(exports, guard);
  return calls;
}

/** The same by toll.mjs; and the profile without places. */
function recorded(bytes, options) {
  const recording = toll.record(options), module = new WebAssembly.Module(recording.prepare(bytes));
  const exports = recording.instantiate(module, { env: { host: hostOf(() => exports, work => work()) } });
  run(exports, work => work());
  const places = new Map(read(module).calls.map(({ address }, i) => [BigInt(address), i + 1])), calls = new Map();
  for (const { addresses, names, values } of samples(recording.write("pprof"))) {
    if (!values.calls) continue;
    const frames = names.map((name, i) => (i && places.has(addresses[i]) ? `${name}@${places.get(addresses[i])}` : name));
    const key = frames.reverse().join(";");
    calls.set(key, (calls.get(key) ?? 0n) + values.calls);
  }
  return { calls, recording };
}

const sorted = map => [...map].sort();
const unplaced = recording => ["ticks", "calls"].map(value => Buffer.from(recording.write("folded", value)).toString());

const OF_TIME = /that reading the clock took|that the profiler took|readings of the clock|that the samples represent/;
let stacks = 0, compared = 0;
for (let i = 0; i < count; i++) {
  const program = makeProgram(), bytes = assemble(textOf(program));
  for (const skip of [undefined, `^f[${random(7)}${random(7)}]$`, `^(f[${random(7)}${random(7)}]|host)$`]) {
    const want = judged(program, name => !skip || !new RegExp(skip).test(name)), what = `seed ${seed}, program ${i}, skip ${skip}`;
    for (const more of [{}, { time: true }, { time: "each" }, { timeline: true }, { ticks: false }]) {
      const { calls, recording } = recorded(bytes, { callLines: true, skip, ...more });
      assert.deepEqual(sorted(calls), sorted(want), what);
      assert.deepEqual(recording.summary().notes.filter(n => !OF_TIME.test(n.text)), [], what);
      const plain = recorded(bytes, { lines: true, skip, ...more }).recording;
      if (!more.ticks && more.ticks !== false) assert.deepEqual(unplaced(recording), unplaced(plain), what);
      if (more.timeline) assert.deepEqual(recording.write("speedscope", "", true), plain.write("speedscope", "", true), what);
    }
    for (const depth of [1, 3])
      assert.deepEqual(unplaced(recorded(bytes, { callLines: true, skip, depth }).recording),
                       unplaced(recorded(bytes, { skip, depth }).recording), `${what}, depth ${depth}`);
    stacks += want.size;
    compared += [...want.keys()].filter(key => key.includes("@")).length;
  }
}
// The modules of the other tests, and SQLite: the same without places, in the text of every stack.
const [placed, plain] = [await sqlite(toll, { callLines: true }), await sqlite(toll, { lines: true })];
assert.deepEqual(unplaced(placed), unplaced(plain));
assert.deepEqual(placed.summary().notes, plain.summary().notes);
const ofPlaces = samples(placed.write("pprof")).length, ofFunctions = samples(plain.write("pprof")).length;
assert.ok(ofPlaces > ofFunctions, `${ofPlaces} stacks with places, ${ofFunctions} without`);
for (const [name, argument] of [["calls", 9], ["work", 2], ["traps", 1], ["exceptions", 5], ["places", 61]]) {
  const [a, b] = [{ callLines: true }, { lines: true }].map(options => {
    const recording = toll.record(options), count = new WebAssembly.Global({ value: "i32", mutable: true }, 100);
    const module = new WebAssembly.Module(recording.prepare(fs.readFileSync(`${name}.wasm`)));
    const exports = recording.instantiate(module, { env: { host: n => n * 2, base: 2, count } });
    try {
      exports.run(argument);
    } catch {} // a trap
    return recording;
  });
  assert.deepEqual(unplaced(a), unplaced(b), name);
}
assert.ok(compared > 30 * count, `too few stacks: ${compared}`);
console.log(`call lines: ${compared} of ${stacks} stacks have the places that their functions told (seed ${seed})`);
