// hints.mjs TOLL - branch hints of hints.wasm are at the same instructions in the instrumented module, for each way to record; the
// module does the same; damaged hints are left out.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";

const [toll] = process.argv.slice(2), NAME = "metadata.code.branch_hint";

/** The hints of a module: { f (its number among those defined), op (the instruction there), value }. */
function read(bytes) {
  let at = 8;
  const number = () => {
    let value = 0, shift = 0, byte;
    do value += ((byte = bytes[at++]) & 127) * 2 ** shift, shift += 7; while (byte & 128);
    return value;
  };
  const skip = size => { at += size; };
  const hints = [], bodies = [];
  let imported = 0;
  while (at < bytes.length) {
    const id = bytes[at++], end = number() + at;
    if (id === 2)
      for (let left = number(); left > 0; left--) {
        skip(number()), skip(number());
        assert.equal(bytes[at++], 0, "only functions are imported");
        number(), imported++;
      }
    else if (id === 10) for (let left = number(); left > 0; left--) { const size = number(); bodies.push(at), skip(size); }
    else if (id === 0) {
      const size = number(), name = Buffer.from(bytes.subarray(at, at + size)).toString();
      skip(size);
      if (name === NAME) {
        for (let left = number(); left > 0; left--) {
          const f = number();
          for (let n = number(); n > 0; n--) { const offset = number(); assert.equal(number(), 1); hints.push([f, offset, bytes[at++]]); }
        }
        assert.equal(at, end);
      }
    }
    at = end;
  }
  return hints.map(([f, offset, value]) => ({ f: f - imported, op: bytes[bodies[f - imported] + offset], value }));
}

const IF = 0x04, BR_IF = 0x0d, wanted = [[0, BR_IF, 0], [0, IF, 1], [2, IF, 1], [3, BR_IF, 1]].map(([f, op, value]) => ({ f, op, value }));
const bytes = fs.readFileSync("hints.wasm");
assert.deepEqual(read(bytes), wanted);

function instrumented(file, ...options) {
  const { status, stderr } = spawnSync(toll, ["instrument", ...options, file, "-o", "hints.out.toll.wasm"], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return { stderr, made: fs.readFileSync("hints.out.toll.wasm") };
}

/** What the functions return and log. `none`: what an event returns. */
function results(module, none) {
  let depth = 0;
  const toll = { enter: () => (depth++, none), leave: () => (depth--, none), settle: () => none, depth: () => depth, unwind: to => { depth = to; } };
  const logged = [], { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), { env: { log: value => logged.push(value) }, toll });
  return [...["plain", "none", "catches", "loops"].flatMap(name => [1, 0, 5].slice(name === "loops" ? 2 : 0).map(n => exports[name](n))), logged];
}

for (const options of [[], ["--no-ticks"], ["--lines"], ["--call-lines"], ["--lines", "--no-calls"], ["--only", "none"]]) {
  const { stderr, made } = instrumented("hints.wasm", ...options);
  assert.deepEqual(read(made), wanted, options.join(" "));
  assert.doesNotMatch(stderr, /left out/);
  assert.deepEqual(results(made, options.includes("--call-lines") ? 0n : 0), results(bytes), options.join(" "));
}

// A hint for the instruction before its branch: that one alone is left out.
const first = bytes.indexOf(NAME) + NAME.length + 3, moved = Buffer.from(bytes);
assert.equal(moved[first], 9);
moved[first] = 8;
fs.writeFileSync("moved.toll.wasm", moved);
const less = instrumented("moved.toll.wasm");
assert.deepEqual(read(less.made), wanted.slice(1));
assert.match(less.stderr, /branch hints that are for no if or br_if are left out/);

const at = bytes.indexOf(NAME) + NAME.length, damaged = Buffer.from(bytes);
damaged[at + 4] = 2; // the size of a hint
fs.writeFileSync("damaged.toll.wasm", damaged);
const { stderr, made } = instrumented("damaged.toll.wasm");
assert.deepEqual(read(made), []);
assert.match(stderr, /sections that tell of places in the code are left out/);
console.log("ok: branch hints");
