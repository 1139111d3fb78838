// api.mjs LIB - the interface of toll.mjs: exports that look like the module's own, and recordings of calls without
// counters.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [lib] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const { TimelineFile } = await import(pathToFileURL(path.join(lib, "timeline_file.mjs")));
const toll = await Toll.load(), bytes = fs.readFileSync("calls.wasm"), imports = { env: { host: n => n } };
const plain = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports).exports;
const exported = value => value === undefined ? undefined : [typeof value, value.name, value.length];

// Some libraries distinguish functions by their names and by the number of their parameters.
const t = await toll.instantiate(bytes, imports), hidden = Object.keys(t.exports).sort();
assert.deepEqual(hidden, Object.keys(plain).sort());
for (const name of hidden) assert.deepEqual(exported(t.exports[name]), exported(plain[name]), name);
assert.deepEqual(exported(t.exports.run), ["function", plain.run.name, 1]);

// An export is no function of WebAssembly's: what imports it looks after the stack all the same.
const other = await toll.instantiate(bytes, { env: { host: t.exports.run } });
other.exports.run(3);
assert.equal(other.depth, 0);

// Instances of one recording replace one another, also by one whose start function fails: what remains of the older ones
// is refused, and not recorded as the new one's.
const several = toll.record(), compiled = new WebAssembly.Module(several.prepare(bytes));
const refused = /of an instance that was replaced by a newer one of its recording; make a recording for each/;
const older = several.instantiate(compiled, imports);
older.run(3);
const newer = several.instantiate(compiled, { env: { host: older.run } });
const first = several.summary({ value: "calls" }).functions;
assert.throws(() => older.run(3), refused);
assert.throws(() => newer.run(3), refused, "the new instance imports it");
assert.equal(several.depth, 0);
const called = name => several.summary({ value: "calls" }).functions.find(f => f.name === name).calls - first.find(f => f.name === name).calls;
assert.equal(called("run"), 1, "the call of the new instance");
const failing = new WebAssembly.Module(several.prepare(fs.readFileSync("start.wasm")));
assert.throws(() => several.instantiate(failing, { env: { host: () => { throw new Error("no"); } } }));
assert.throws(() => newer.run(3), refused);

// Calls alone, of a module that counts ticks as of one that does not.
const counted = other.summary({ value: "calls" }).functions.map(f => [f.name, f.calls]).sort();
for (const module of [bytes, toll.instrument(bytes), toll.instrument(bytes, { ticks: false })]) {
  const calls = toll.record({ ticks: false }), prepared = new WebAssembly.Module(calls.prepare(module));
  calls.instantiate(prepared, { env: { host: n => n } }).run(3);
  const { columns, functions, notes } = calls.summary();
  assert.deepEqual(columns.map(c => c.type), ["calls"]);
  assert.deepEqual(functions.map(f => [f.name, f.calls]).sort(), counted);
  assert.deepEqual(notes, []);
  assert.match(new TextDecoder().decode(await calls.profile("folded")), /^run;.* \d+$/m);
}
assert.throws(() => toll.record({ ticks: false, timeline: true }), /needs ticks or time, and neither is recorded/);
const inOrder = toll.record({ ticks: false, time: true, timeline: true });
assert.deepEqual(inOrder.summary().columns.map(c => c.type), ["calls", "time"]);

// Labels: of the environment, and then those that the program gives, in place of those of the same keys.
const titles = made => JSON.parse(new TextDecoder().decode(made.write("speedscope"))).profiles.map(p => p.name);
const labelled = async (options = {}) => {
  process.env.TOLL_LABELS = "commit=1\nhost=a, b\n";
  try {
    return await toll.instantiate(bytes, imports, options);
  } finally {
    delete process.env.TOLL_LABELS;
  }
};
const own = await labelled();
own.label("commit=2,commit=3,zone=x");
for (const wrong of ["host", "thread=x", "=x"]) assert.throws(() => own.label(wrong), /label/);
own.mark();
own.exports.run(3);
for (const title of titles(own)) assert.match(title, /^main \{commit=2, commit=3, host=a, b, zone=x\}/);
assert.match(new TextDecoder().decode(own.since("speedscope")), /"name":"main \{commit=2, commit=3, host=a, b, zone=x\}/);
own.note("something more", 5); // a note that the profile at the mark does not have
const later = toll.sum();
later.add(own.since("pprof"));
assert.equal(later.summary().notes.find(n => n.text === "something more").count, 5);
const sum = toll.sum();
sum.add(own.write("pprof"));
sum.label("commit=4");
for (const title of titles(sum)) assert.match(title, /^main \{commit=4, host=a, b, zone=x\}/);
const timed = await labelled({ timeline: new TimelineFile("labels.toll-timeline") });
timed.label("commit=2");
timed.exports.run(3);
assert.throws(() => timed.label("commit=3"), /has its labels already; set them before the first call/);
timed.endTimeline();
const again = toll.sum();
again.add(fs.readFileSync("labels.toll-timeline"));
for (const title of titles(again)) assert.match(title, /^main \{commit=2, host=a, b\}/);
fs.rmSync("labels.toll-timeline");
console.log(`toll.mjs: exports are as the module's, calls alone are ${counted.length} functions'`);
