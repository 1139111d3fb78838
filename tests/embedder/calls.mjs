// calls.mjs LIB PROGRAMS TRAP - single functions of toll.wasm in LIB do what toll/embedder.h says: examined modules,
// errors, events that are never pending, WASI's clock, results.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";

const [lib, programs, trap] = process.argv.slice(2);
const compiled = new WebAssembly.Module(fs.readFileSync(path.join(lib, "toll.wasm")));
const TICKS = 1, TIME = 2, TIMELINE = 4, HEAP = 8, NO_CALLS = 16, WASI_CLOCK = 128, WINDOWS = 512, SAMPLES = 2048;
const INSTRUMENTED = 1 << 16, LINES = 1 << 17, CALL_LINES = 1 << 18;
const ARGUMENT = 10, STATE = 11, NOT_FOUND = 12, UNKNOWN_FORMAT = 30;

/** An instance of toll.wasm whose clocks count their readings. */
function load() {
  const read = { now: 0, wasi: 0 }, none = () => 52;
  const c = new WebAssembly.Instance(compiled, {
    toll_host: { now: () => 1e9 + 10 * read.now++ },
    wasi_snapshot_preview1: { fd_write: none, fd_pread: none, fd_pwrite: none, fd_filestat_set_size: none, clock_time_get: (id, precision, at) => {
      assert.equal(id, 1);
      new DataView(c.memory.buffer).setBigUint64(at, 5000000000n + 10n * BigInt(read.wasi++), true);
      return 0;
    } },
  }).exports;
  c._initialize();
  const put = bytes => {
    const at = c.alloc(bytes.length);
    new Uint8Array(c.memory.buffer).set(bytes, at);
    return at;
  };
  const text = value => put(Buffer.from(`${value}\0`));
  const result = () => new Uint8Array(c.memory.buffer).slice(c.result(), c.result() + c.result_size());
  const error = () => new TextDecoder().decode(new Uint8Array(c.memory.buffer).slice(c.error_text(), c.error_text() + c.error_size()));
  const instrument = (bytes, flags = 0) => {
    assert.equal(c.instrument(put(bytes), bytes.length, text("guest.wasm"), text(""), text(""), text(""), flags), 0, error());
    return result();
  };
  const profile = (format, value = "") => {
    assert.equal(c.profile(-1, text(format), text(value), 0), 0, error());
    return new TextDecoder().decode(result());
  };
  return { c, put, text, result, error, instrument, profile, read };
}

const guest = fs.readFileSync(programs), failing = fs.readFileSync(trap);

function looksIntoModules() {
  const { c, put, error, instrument } = load();
  const of = bytes => c.instrumented(put(bytes), bytes.length);
  assert.equal(of(guest), 0);
  assert.equal(c.instrumented_depth(put(guest), guest.length), 0);
  assert.equal(of(instrument(guest)), INSTRUMENTED | TICKS);
  assert.equal(of(instrument(guest, 1)), INSTRUMENTED);
  assert.equal(of(instrument(guest, 2)), INSTRUMENTED | TICKS | HEAP);
  assert.equal(of(instrument(guest, 4)), INSTRUMENTED | TICKS | LINES);
  assert.equal(of(instrument(guest, 4 | 16)), INSTRUMENTED | TICKS | LINES | CALL_LINES);
  assert.equal(of(instrument(guest, 4 | 8)), INSTRUMENTED | NO_CALLS | LINES);
  assert.ok(of(Buffer.from("no module")) < 0);
  assert.match(error(), /module/);
  assert.equal(of(guest.subarray(0, 100)) < 0, true);
}

function refuses() {
  const { c, put, text, error, instrument } = load();
  assert.equal(c.interface(), 1);
  assert.equal(c.begin(1 << 30, 0, 0n), ARGUMENT);
  assert.match(error(), /0x40000000/);
  assert.equal(c.begin(TICKS, 0, 0n), 0);
  assert.equal(c.begin(TICKS, 0, 0n), STATE);
  assert.equal(c.module(put(guest), guest.length), ARGUMENT);
  assert.match(error(), /not instrumented/);
  assert.notEqual(c.module(put([6]), 1), 0, "a section that ends early");
  assert.equal(c.format_of(text("profile.xyz")), UNKNOWN_FORMAT);
  assert.match(error(), /profile\.xyz/);
  assert.equal(c.parameters(put(guest), guest.length, text("none")), NOT_FOUND);
  assert.notEqual(c.pvm_start(put([0, 1]), 2), 0);
  assert.match(error(), /module/);
  assert.equal(c.section_end(text("none"), 0n), NOT_FOUND);
  assert.notEqual(c.profile(-1, text("none"), text(""), 0), 0);
  assert.match(error(), /none/);
}

/** A module that is instrumented already is itself, if it reports what is asked for. */
function prepares() {
  const { c, put, text, result, error, instrument } = load();
  const prepare = (bytes, flags, { only = "", skip = "", costs = "" } = {}) =>
    c.prepare(put(bytes), bytes.length, text("guest.wasm"), text(only), text(skip), text(costs), flags);
  for (const flags of [0, 1, 2, 4, 4 | 8, 4 | 16, 32]) {
    const made = instrument(guest, flags);
    assert.equal(prepare(guest, flags), 0, error());
    assert.deepEqual(result(), made);
    assert.equal(prepare(made, flags), 0, error());
    assert.deepEqual(result(), made);
    for (const [other, name] of [[2, "heap"], [4, "lines"], [4 | 8, "no calls"], [4 | 16, "call lines"], [32, "call kinds"]]) {
      if ((flags & other) === other) continue;
      assert.equal(prepare(made, other), STATE, `${flags} ${other}`);
      assert.match(error(), new RegExp(`^guest.wasm: was instrumented before: (${name}|lines) is for toll instrument$`));
    }
    for (const [name, value] of [["only", "run"], ["skip", "run"], ["costs", "fuel"]]) {
      assert.equal(prepare(made, flags, { [name]: value }), STATE);
      assert.match(error(), new RegExp(`before: ${name} is for`));
    }
    assert.equal(prepare(made, flags | 1), 0, "without ticks it can be recorded");
    assert.equal(c.module_section(put(made), made.length), 0, error());
    assert.deepEqual(result(), new Uint8Array(WebAssembly.Module.customSections(new WebAssembly.Module(made), "toll")[0]));
  }
  assert.equal(c.module_section(put(guest), guest.length), ARGUMENT);
  assert.notEqual(prepare(Buffer.from("no module"), 0), 0);
  assert.match(error(), /^guest.wasm: /);
}

function namesFormats() {
  const { c, text, result, error } = load();
  for (const [name, format] of [["a.pb.gz", "pprof"], ["a.folded", "folded"], ["a.speedscope.json", "speedscope"], ["a.trace.json.gz", "chrome"]]) {
    assert.equal(c.format_of(text(name)), 0, error());
    assert.equal(new TextDecoder().decode(result()), format);
  }
}

/** The profile of `calls` calls of a guest, the last of which may trap. `settles`: events may stay pending; `section`:
 *  toll.wasm gets the section "toll" alone. */
function run(bytes, { flags = 0, settles = true, section = false, calls = 1 } = {}) {
  const { c, put, instrument, profile, read, error } = load(), made = instrument(bytes);
  const module = new WebAssembly.Module(made), at = put(made);
  assert.equal(c.begin(c.instrumented(at, made.length) | flags, c.instrumented_depth(at, made.length), 0n), 0, error());
  const own = new Uint8Array(WebAssembly.Module.customSections(module, "toll")[0]);
  assert.equal(section ? c.module(put(own), own.length) : c.module(at, made.length), 0, error());
  c.next_instance(0n);
  const exports = new WebAssembly.Instance(module, { toll: c }).exports;
  c.settles(settles);
  const pending = exports["toll:pending"], ticks = () => exports["toll:ticks"].value;
  const deliver = () => { if (pending.value > 1) pending.value = c.settle(pending.value, exports["toll:pending_ticks"].value); };
  let sawPending = false;
  for (let i = 0; i < calls; i++) {
    deliver();
    assert.equal(c.depth(), 0);
    try {
      exports.run(3);
    } catch {
      sawPending ||= pending.value > 1;
      deliver();
      assert.ok(c.depth() > 0);
      c.unwind(0, ticks());
      c.unwind(9, ticks()); // deeper than there is: nothing
    }
    sawPending ||= pending.value > 1;
  }
  deliver();
  c.charge(ticks());
  return { profile, read, sawPending, c };
}

function countsAlike() {
  for (const bytes of [guest, failing]) {
    const all = [{}, { settles: false }, { section: true }].map(options => run(bytes, { calls: 3, ...options }));
    const [first, ...others] = all.map(({ profile }) => ["calls", "ticks"].map(value => profile("folded", value)));
    others.forEach(other => assert.deepEqual(other, first));
    assert.match(first[0], /run/);
    assert.equal(all[1].sawPending, false);
  }
  assert.match(run(failing, { calls: 3 }).profile("folded", "calls"), /^run;step;step;step;step 3$/m);
}

function readsTheClock() {
  for (const [flag, name] of [[0, "now"], [WASI_CLOCK, "wasi"]]) {
    const { profile, read, c } = run(failing, { flags: TIME | flag });
    assert.equal(read[name === "now" ? "wasi" : "now"], 0);
    assert.equal(BigInt(read[name]), c.clock_readings() + 1n, "one at the beginning");
    assert.equal(c.time(), 10 * (read[name] - 1));
    const sum = profile("folded", "time").trim().split("\n").reduce((all, line) => all + Number(line.split(" ").pop()), 0);
    assert.equal(sum, Number(c.spent_time()));
    assert.ok(sum > 0);
    assert.ok(c.overhead() > 0n, "profiles say what reading the clock has cost");
    const before = read[name];
    c.clock_cost(2, 10);
    assert.equal(read[name] - before, 22);
  }
}

/** Two instances at the same time would be one stack; one after the other they are two. */
function refusesTwoAtATime() {
  const { c, put, instrument, error, profile } = load(), made = instrument(failing), at = put(made);
  assert.equal(c.begin(c.instrumented(at, made.length), 0, 0n), 0, error());
  const begin = () => {
    assert.equal(c.module(at, made.length), 0, error());
    c.next_instance(0n);
    return new WebAssembly.Instance(new WebAssembly.Module(made), { toll: c }).exports;
  };
  assert.throws(() => begin().run(3), WebAssembly.RuntimeError); // it stays open: nobody unwinds
  assert.ok(c.depth() > 0);
  assert.equal(c.module(at, made.length), STATE);
  assert.match(error(), /is open; unwind it.*at the same time need a toll\.wasm each/);
  c.unwind(0, 0n);
  begin();
  assert.match(profile("folded", "calls"), /^run 1$/m);
}

/** A phase of the embedder's may be open around an instance. */
function takesModulesInPhases() {
  const { c, put, text, instrument, error } = load(), made = instrument(guest), at = put(made);
  assert.equal(c.begin(c.instrumented(at, made.length), 0, 0n), 0, error());
  assert.equal(c.phase(text("link"), 0n), 0);
  assert.equal(c.module(at, made.length), 0, error());
}

function refusesSampling() {
  for (const flags of [TIME | WINDOWS | TIMELINE, TICKS | TIME | WINDOWS | TIMELINE, TIME | SAMPLES | TIMELINE, TIME | SAMPLES | WINDOWS]) {
    const { c, error } = load();
    assert.equal(c.begin(flags, 0, 0n), ARGUMENT);
    assert.match(error(), /sampled/);
    assert.equal(c.begin(TIME | (flags & SAMPLES || WINDOWS), 0, 0n), 0, "another begin may follow");
    if (flags & SAMPLES) assert.equal(c.sampling_begins(0n), 0);
  }
  const { c, error } = load();
  assert.equal(c.begin(TICKS, 0, 0n), 0);
  assert.equal(c.sampling_begins(0n), STATE);
  assert.match(error(), /not recorded/);
}

/** Stacks of the engine's sampler are those that were recorded, also if the engine leaves out a function. */
function findsSampledStacks() {
  const { c, put, instrument, error, profile } = load(), made = instrument(guest), at = put(made), [outer, inner, leaf] = [0, 1, 2];
  assert.equal(c.begin(TICKS | TIME | SAMPLES, 0, 0n), 0, error());
  assert.equal(c.module(at, made.length), 0, error());
  c.next_instance(0n);
  assert.equal(c.sampling_begins(0n), 0);
  for (const function_ of [outer, inner, leaf]) c.enter(0, 0n, function_, 0n);
  for (const function_ of [leaf, inner, outer]) c.leave(0, 0n, function_, 0n);
  const first = c.sampled_stack(0, outer), second = c.sampled_stack(first, inner), third = c.sampled_stack(second, leaf);
  assert.equal(new Set([first, second, third]).size, 3);
  assert.deepEqual([c.sampled_stack(first, leaf), c.sampled_stack(0, leaf), c.sampled_stack(0, inner)], [third, third, second], "functions left out");
  assert.deepEqual([c.sampled_stack(third, outer), c.sampled_stack(second, inner)], [third, second], "calls that were not recorded");
  c.sampled(third, 70n);
  c.sampled(c.sampled_cut(c.sampled_cut(0, inner), leaf), 8n);
  c.samples_counted(2n, 100n, 15n, 7n);
  const lines = profile("folded", "time").trim().split("\n").map(line => line.split(" ").at(-1));
  assert.deepEqual(lines.map(Number).filter(ns => ns === 70 || ns === 8).sort(), [70, 8].sort());
  assert.match(profile("folded", "time"), /^\[outer calls that the engine does not show\];\S+;\S+ 8$/m);
  assert.equal(c.overhead(), 15n);
  assert.equal(c.samples_anew(), 0);
  assert.doesNotMatch(profile("folded", "time"), / (70|8)$/m);
}

findsSampledStacks();
looksIntoModules();
refuses();
prepares();
namesFormats();
countsAlike();
refusesTwoAtATime();
takesModulesInPhases();
refusesSampling();
readsTheClock();
console.log("toll.wasm does what toll/embedder.h says");
