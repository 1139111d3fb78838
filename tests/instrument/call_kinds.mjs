// call_kinds.mjs TOLL LIB - how many calls were indirect: in a module whose calls are known, and in SQLite, where the instruction
// at each place of --call-lines says it. Nothing else of the profile differs from one without kinds.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { samples } from "./pprof.mjs";
import { bytes, sqlite } from "./sqlite_run.mjs";

const [command, lib] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const toll = await Toll.load();
const text = (recording, value) => Buffer.from(recording.write("folded", value)).toString();

// --- a module whose calls are known: two in turn, so that the second instance's calls are added ---

if (WebAssembly.validate(fs.readFileSync("kinds.wasm"))) {
  const record = (bytes, options) => {
    const recording = toll.record(options);
    for (let i = 0; i < 2; i++)
      recording.instantiate(new WebAssembly.Module(recording.prepare(bytes)), { env: { host: n => n } }).run(1);
    return recording;
  };
  const bytes = fs.readFileSync("kinds.wasm");
  const all = "main;host 2\nmain;jump 2\nmain;leaf 12\nmain;step 2\n"; // leaf: 2 * (5 + jump's); host and step: once of two times
  execFileSync(command, ["instrument", "-q", "--call-kinds", "kinds.wasm", "-o", "kinds.instrumented"]);
  const instrumented = fs.readFileSync("kinds.instrumented");
  fs.rmSync("kinds.instrumented");
  for (const more of [{}, { time: true }, { time: "each" }, { ticks: false }, { timeline: true }])
    assert.equal(text(record(bytes, { callKinds: true, ...more }), "indirect calls"), all, JSON.stringify(more));
  assert.equal(text(record(instrumented, { callKinds: true }), "indirect calls"), all);
  for (const value of ["calls", "ticks"]) assert.equal(text(record(bytes, { callKinds: true }), value), text(record(bytes, {}), value));
  // What the functions that are not followed call is of the kind by which these were called.
  assert.equal(text(record(bytes, { callKinds: true, skip: "^jump$" }), "indirect calls"), "main;host 2\nmain;leaf 12\nmain;step 2\n");
  assert.throws(() => record(bytes, { callKinds: true, foldRecursion: true }), /kinds of calls are not kept apart/);
  const plain = toll.instrument(bytes, {});
  assert.throws(() => record(plain, { callKinds: true }), /instrumented before: call kinds/);
} else {
  console.log("skipped: kinds.wasm: this Node has no tail calls");
}

// --- SQLite ---

/** Where the content of the code section begins. */
function codeOf(module) {
  for (let at = 8; at < module.length;) {
    const id = module[at++];
    let size = 0, shift = 0;
    do size |= (module[at] & 127) << shift, shift += 7; while (module[at++] & 128);
    if (id === 10) return at;
    at += size;
  }
}

const CALL_INDIRECT = 0x11, code = codeOf(bytes), want = new Map();
for (const { addresses, names, values } of samples((await sqlite(toll, { callLines: true })).write("pprof"))) {
  if (!values.calls || names.length < 2) continue;
  const opcode = bytes[code + Number(addresses[1])];
  if (opcode !== CALL_INDIRECT) continue;
  const stack = names.reverse().join(";");
  want.set(stack, (want.get(stack) ?? 0n) + values.calls);
}
const kinds = await sqlite(toll, { callKinds: true }), plain = await sqlite(toll, {}), got = new Map();
for (const { names, values } of samples(kinds.write("pprof")))
  if (values["indirect calls"]) got.set(names.reverse().join(";"), values["indirect calls"]);
assert.deepEqual([...got].sort(), [...want].sort());
assert.ok(got.size > 10, `${got.size} stacks`);
for (const value of ["calls", "ticks"]) assert.equal(text(kinds, value), text(plain, value));
assert.deepEqual(kinds.summary().notes, plain.summary().notes);
console.log(`call kinds: as known; ${got.size} stacks of SQLite have the indirect calls that their instructions are`);
