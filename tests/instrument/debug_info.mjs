// debug_info.mjs TOLL LIB - toll.mjs reads a module's DWARF by itself: its profiles have the lines that toll convert --debug
// finds for the same recording without it, and a module that it instruments is the one that toll instrument writes.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [, , command, lib] = process.argv;
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
Date.now = () => 0; // when a profile began, and how long it took, are in its bytes
Object.defineProperty(performance, "now", { value: () => 0 }); // Node 18 has it read-only
const toll = await Toll.load(), name = "debug.wasm", bytes = fs.readFileSync(name);

function convert(from, to, ...options) {
  const { status, stderr } = spawnSync(command, ["convert", "-q", ...options, from, "-o", to], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return fs.readFileSync(to);
}

async function recorded(options) {
  const recording = await toll.instantiate(bytes, {}, { lines: true, name, ...options });
  recording.exports.run(3);
  return recording;
}

/** The same from addresses, by the command. */
async function converted(options, format, ...more) {
  fs.writeFileSync("addresses.pb.gz", await (await recorded({ ...options, debug: false })).profile("pb.gz"));
  return convert("addresses.pb.gz", `converted.${format}`, "--debug", name, ...more);
}

for (const [options, ...more] of [[{}], [{ inlines: true }, "--inlines"], [{ calls: false }], [{ callLines: true }],
                                  [{ callLines: true, inlines: true }, "--inlines"]]) {
  const recording = await recorded(options), what = JSON.stringify(options);
  fs.writeFileSync("lines.pb.gz", await recording.profile("pb.gz"));
  const again = convert("lines.pb.gz", "again.callgrind"); // pb.gz keeps the addresses beside the lines
  assert.equal(again.toString(), (await converted(options, "callgrind", ...more)).toString(), what);
  for (const format of ["callgrind", "folded"])
    assert.equal(Buffer.from(await recording.profile(format)).toString(), (await converted(options, format, ...more)).toString(), `${what} ${format}`);
  assert.match(Buffer.from(await recording.profile("callgrind")).toString(), /work\.c/, what);
}

// From the addresses that are kept, inlined functions can be found afterwards.
fs.writeFileSync("lines.pb.gz", await (await recorded({})).profile("pb.gz"));
assert.equal(convert("lines.pb.gz", "inlines.callgrind", "--debug", name, "--inlines").toString(),
             Buffer.from((await recorded({ inlines: true })).write("callgrind")).toString());

// What comes after a mark, twice; and what is written before anything has run.
const later = await toll.instantiate(bytes, {}, { lines: true, name });
assert.ok(later.write("pprof").length > 0, "before the first call");
later.exports.run(1);
later.mark();
later.exports.run(3);
const sums = recording => Buffer.from(recording).toString().match(/^(totals|summary): .*$/m)[0];
assert.equal(sums(later.since("callgrind")), sums((await recorded({})).write("callgrind")));

// Packages that compile their modules themselves.
const { hook } = toll, plain = WebAssembly.instantiate, hooked = hook.call(toll, { lines: true, name });
(await WebAssembly.instantiate(bytes, {})).instance.exports.run(3);
assert.notEqual(WebAssembly.instantiate, plain);
assert.deepEqual(gunzipSync(await hooked.profile("pb.gz")), gunzipSync(await (await recorded({})).profile("pb.gz")));

// Modules: with files and lines of functions, as the command writes them.
for (const [options, ...more] of [[{}], [{ lines: true }, "--lines"]]) {
  const { status, stderr } = spawnSync(command, ["instrument", "-q", ...more, name, "-o", "debug.toll.wasm"], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.deepEqual(Buffer.from(toll.instrument(bytes, { name, ...options })), fs.readFileSync("debug.toll.wasm"));
}

// Damaged DWARF: there are addresses, and the names of functions.
const damaged = Buffer.from(bytes), at = damaged.indexOf(".debug_info") + ".debug_info".length;
damaged.fill(255, at, at + 40);
const rest = await toll.instantiate(damaged, {}, { lines: true, name });
rest.exports.run(3);
assert.doesNotMatch(Buffer.from(rest.write("callgrind")).toString(), /work\.c/);
console.log("debug information: toll.mjs reads it as the command does");
