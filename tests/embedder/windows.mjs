// windows.mjs LIB GUEST - time by windows (TOLL_RECORD_WINDOWS) of the guest windows.wat: calls and ticks are those without
// time, and what a window boundary separates is exact. The clock is a function of the guest's ticks, and of what the host
// adds, so each sum is known.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [lib, path_] = process.argv.slice(2);
const compiled = new WebAssembly.Module(fs.readFileSync(path.join(lib, "toll.wasm"))), source = fs.readFileSync(path_);
const TICKS = 1, TIME = 2, TIMELINE = 4, FOLD = 256, SAMPLES = 2048, WINDOWS = 512;
const INSTRUMENT_TIME = 256, NO_TICKS = 1, INSTRUMENT_CALL_LINES = 4 | 16, ARGUMENT = 10, LONG_BEGINS = -2;
const NS_A_TICK = 100, SLOW = 1_000_000, BEFORE = 30_000, AFTER = 4_000_000, FILLS = 500_000, BETWEEN = 12_345, PROFILES = 70_000_000;

function load(now) {
  const none = () => 52;
  const c = new WebAssembly.Instance(compiled, {
    toll_host: { now },
    wasi_snapshot_preview1: { fd_write: none, fd_pread: none, fd_pwrite: none, fd_filestat_set_size: none, clock_time_get: none },
  }).exports;
  c._initialize();
  const put = bytes => {
    const at = c.alloc(bytes.length);
    new Uint8Array(c.memory.buffer).set(bytes, at);
    return at;
  };
  const text = value => put(Buffer.from(`${value}\0`));
  const read = (at, size) => new Uint8Array(c.memory.buffer).slice(c[at](), c[at]() + c[size]());
  const error = () => new TextDecoder().decode(read("error_text", "error_size"));
  const result = status => {
    assert.equal(status, 0, error());
    return read("result", "result_size");
  };
  const instrument = flags => result(c.instrument(put(source), source.length, text("guest.wasm"), text(""), text(""), text(""), flags));
  const folded = value => Object.fromEntries(new TextDecoder().decode(result(c.profile(-1, text("folded"), text(value), 0)))
    .trim().split("\n").map(line => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]));
  const notes = () => JSON.parse(new TextDecoder().decode(result(c.report(-1, text("time"), 0, 2)))).notes;
  return { c, put, text, error, instrument, folded, notes };
}

/** Record a run. `calls` is [name of an export, argument] of each call, or ["phase" or "section", name, calls]; `placed`: with
 *  lines of calls; `watched`: by the events that mark their begin and end; `windows`: false for no time; `counts`: false
 *  for no ticks; `folds`: recursion is folded; `most` functions may be open; `bare`:
 *  the host's own calls of "fails" have no guard; `waits`: events may stay pending; `prompt`: not those of the host's
 *  functions; `late`: after a failure the next event may. Costs by stack, of each column. */
function record(calls, { placed = false, watched = false, windows = true, counts = true, folds = false, most = 0, bare = false, waits = true, prompt = true, late = false, instances = 1, depth = 0 } = {}) {
  let at = 0n, before = 0n, added = 0, exports;
  const { c, put, text, error, instrument, folded, notes } = load(() => NS_A_TICK * Number(before + at) + added);
  const made = instrument((windows && prompt ? INSTRUMENT_TIME : 0) | (placed ? INSTRUMENT_CALL_LINES : 0) | (counts ? 0 : NO_TICKS)), module = new WebAssembly.Module(made);
  assert.equal(c.begin((counts ? TICKS : 0) | (windows ? TIME | WINDOWS : 0) | (folds ? FOLD : 0), depth, 0n), 0, error());
  const section = put(made);
  c.limit_frames(most);
  const event = name => (...parameters) => {
    if (parameters.at(-1) > at) at = parameters.at(-1); // the ticks; settle has those of a pending event, or older ones
    const clocked = windows && name !== "settle" ? "_clocked" : "";
    const result = c[`${name}${placed ? "_placed" : ""}${clocked}${watched ? "_watched" : ""}`](...parameters);
    if (name === "settle" && windows && (Number(parameters[0]) | 0) === LONG_BEGINS) added += FILLS;
    return result;
  };
  const ticks = () => {
    at = exports["toll:ticks"]?.value ?? 0n;
    return at;
  };
  const deliver = () => {
    const pending = exports["toll:pending"];
    if (pending.value > 1) pending.value = c[placed ? "settle_placed" : "settle"](pending.value, exports["toll:pending_ticks"].value);
  };
  const outer = (name, parameter) => {
    deliver();
    const depthBefore = c.depth();
    try {
      exports[name](parameter);
    } catch (failure) {
      if (!(failure instanceof WebAssembly.RuntimeError)) throw failure;
      if (c.frames_exhausted()) {
        c.recover();
        exports["toll:pending"].value = placed ? 1n : 1; // so the next event is pending
      }
      deliver();
      c.unwind(depthBefore, ticks());
      if (!late) exports["toll:pending"].value = placed ? 0n : 0;
    }
  };
  const host = {
    slow: () => { added += SLOW; },
    throws: () => {
      added += SLOW;
      throw new WebAssembly.RuntimeError("the host's");
    },
    calls_back: n => {
      added += BEFORE;
      if (bare && n > 10 && n <= 100) {
        try {
          exports.fails(n);
        } catch {
          // the functions stay open until this one returns
        }
      } else
        outer(n > 100 ? "work" : n > 10 ? "fails" : "nested", n);
      added += AFTER;
    },
    counts: () => { // works for the profiler: a snapshot
      c.charge(ticks());
      added += PROFILES;
      c.pass(ticks());
      added += SLOW;
    },
  };
  for (let i = 0; i < instances; i++) {
    assert.equal(c.module(section, made.length), 0, error());
    c.next_instance(at);
    before += at;
    at = 0n;
    const toll = { ...c, enter: event("enter"), leave: event("leave"), settle: event("settle") };
    c.settles(0);
    exports = new WebAssembly.Instance(module, { toll, host }).exports;
    c.settles(waits ? 1 : 0);
    const runAll = list => {
      for (const [name, parameter, inner] of list) {
        added += BETWEEN; // the embedder's own time
        if (!inner) {
          outer(name, parameter);
          continue;
        }
        const at = text(parameter);
        assert.equal(c[name](at, ticks()), 0, error());
        runAll(inner);
        added += BETWEEN;
        c[`${name}_end`](...(name === "phase" ? [] : [at]), ticks());
      }
    };
    runAll(calls);
    deliver();
    ticks();
  }
  c.charge(at);
  const columns = { calls: folded("calls"), ...(counts ? { ticks: folded("ticks") } : {}) };
  return windows ? { ...columns, time: folded("time"), notes: notes() } : columns;
}

const sum = (costs, under = "") => Object.entries(costs).reduce((all, [stack, cost]) =>
  stack === under || !under || stack.startsWith(`${under};`) ? all + cost : all, 0);

const CALLS = [["catches", 20], ["catches", 7], ["run", 3000], ["run", 20], ["nested", 6], ["fails", 400], ["run", 51], ["fails", 401], ["run", 50], ["nested", 2]];

function costsAreThose() {
  for (const options of [{}, { placed: true }, { watched: true }, { instances: 3 }, { counts: false }, { folds: true }, { waits: false }, { prompt: false }, { late: true }]) {
    const timed = record(CALLS, options), plain = record(CALLS, { ...options, watched: false, windows: false });
    assert.deepEqual(timed.calls, plain.calls, JSON.stringify(options));
    assert.deepEqual(timed.ticks, plain.ticks);
  }
}

/** After a failure by the limit of frames an event may be pending. */
function countsAfterTheLimitOfFrames() {
  const calls = [["deep", 3], ["deep", 9], ["run", 20], ["deep", 7], ["deep", 2], ["nested", 2]];
  for (const placed of [false, true]) {
    const timed = record(calls, { most: 6, placed }), plain = record(calls, { most: 6, placed, windows: false });
    assert.deepEqual(timed.calls, plain.calls);
    assert.deepEqual(timed.ticks, plain.ticks);
    assert.equal(timed.calls.deep, 4);
  }
}

/** A host function calls the guest without a guard, and catches the failure: what it has left open ends with it. */
function forgetsWhatWasLeft() {
  const { calls, ticks, time } = record([["last", 13], ["work", 10], ["work", 10]], { bare: true });
  assert.equal(sum(time), hosts(calls) + NS_A_TICK * sum(ticks));
}

function boundariesAreExact() {
  for (const options of [{}, { watched: true }, { instances: 2 }, { waits: false }, { placed: true }, { folds: true }, { prompt: false }]) {
    const { calls, ticks, time } = record(CALLS, options), times = (options.instances ?? 1) * (options.prompt ?? 1);
    for (const [stack, count] of Object.entries(calls)) {
      if (ofHost(stack)) assert.equal(time[stack], count * ofHost(stack), stack);
      if (stack.endsWith(";calls_back;work")) assert.equal(sum(time, stack), NS_A_TICK * sum(ticks, stack), stack);
    }
    assert.ok(hosts(calls) > 20 * SLOW);
    // The rest is what ticks took, and the fills: nothing of the embedder's or the profiler's.
    assert.equal(sum(time), hosts(calls) + NS_A_TICK * sum(ticks) + 4 * times * FILLS);
    assert.ok(time.run >= 4 * times * FILLS, "a long instruction is its function's");
    assert.equal(time["fails;slow"], 2 * (options.instances ?? 1) * SLOW, "functions that a trap has left");
  }
}

const HOSTS = { slow: SLOW, counts: SLOW, throws: SLOW, calls_back: BEFORE + AFTER };
const ofHost = stack => HOSTS[stack.slice(stack.lastIndexOf(";") + 1)] ?? 0;

/** The time of the host's functions in stacks that begin like this. */
const hosts = (calls, start = "") => Object.entries(calls).reduce((all, [stack, count]) => all + (stack.startsWith(start) ? count * ofHost(stack) : 0), 0);

/** Without ticks the clock moves in the host alone. */
function withoutTicks() {
  const { calls, time } = record(CALLS, { counts: false });
  for (const [stack, count] of Object.entries(calls)) assert.equal(time[stack] ?? 0, count * ofHost(stack), stack);
  assert.equal(sum(time), hosts(calls));
}

/** Recursion through the host is one stack then. */
function foldsRecursion() {
  const { ticks, time } = record([["nested", 6]], { folds: true });
  assert.equal(sum(time), NS_A_TICK * sum(ticks) + 7 * SLOW + 6 * (BEFORE + AFTER));
  assert.equal(time["nested;slow"], 7 * SLOW);
}

/** What the embedder does in a phase or section is that one's, also between calls. */
function takesPhases() {
  const inner = [["run", 200], ["phase", "inner", [["run", 30], ["fails", 8]]], ["nested", 3]];
  for (const frame of ["phase", "section"]) {
    const { calls, ticks, time } = record([["run", 10], [frame, "outer", inner], ["run", 11]]), runs = [...Object.keys(time)];
    const outer = runs.find(stack => stack.startsWith("outer")).split(";")[0], nested = runs.find(stack => stack.includes(";inner")).split(";")[1];
    const guest = stack => sum(time, stack) - time[stack];
    assert.equal(time[outer], 4 * BETWEEN, frame);
    assert.equal(time[`${outer};${nested}`], 3 * BETWEEN, frame);
    assert.equal(time[`${outer};run;slow`], SLOW);
    assert.equal(time[`${outer};${nested};run;slow`], SLOW);
    assert.equal(guest(`${outer};${nested}`), NS_A_TICK * sum(ticks, `${outer};${nested}`) + FILLS + hosts(calls, `${outer};${nested};`));
  }
}

/** With a clock of this machine, and so many windows that what an event takes is known: it is taken off, but never from
 *  what a host function takes. */
function keepsTheHostsTime() {
  const WAITS_MS = 0.5, { c, put, error, instrument, folded, notes } = load(() => performance.now() * 1e6), made = instrument(INSTRUMENT_TIME);
  let waited = 0, exports;
  const wait = () => {
    const began = performance.now();
    let now = began;
    while (now < began + WAITS_MS) now = performance.now();
    waited += now - began;
  };
  assert.equal(c.begin(TICKS | TIME | WINDOWS, 0, 0n), 0, error());
  assert.equal(c.module(put(made), made.length), 0, error());
  c.next_instance(0n);
  const host = { slow: wait, counts() {}, throws() {}, calls_back: n => { wait(); exports.work(n); wait(); } };
  const events = { enter: c.enter_clocked, leave: c.leave_clocked };
  exports = new WebAssembly.Instance(new WebAssembly.Module(made), { toll: { ...c, ...events }, host }).exports;
  c.settles(1);
  exports.work(2_000_000);
  for (let i = 0; i < 100; i++) exports.run(200);
  const time = folded("time"), ns = time["run;slow"] + time["run;calls_back"], note = text => notes().find(each => each.text.startsWith(text)).count;
  assert.ok(ns > 0.998e6 * waited && ns < 1.2e6 * waited, `the host has waited for ${waited} ms, and has ${ns} ns`);
  assert.ok(note("nanoseconds that the profiler took") > 0);
  assert.equal(folded("calls")["run;calls_back;work;leaf"], 100 * 200, "what was repeated to measure it is no call");
  assert.equal(sum(time) + note("nanoseconds that the profiler took"), note("nanoseconds that the samples represent"));
}

const leb128 = n => n < 128 ? [n] : [n & 127 | 128, ...leb128(n >> 7)];

/** Within a component (include/toll/embedder.h), where depth does not tell when a function of the host ends. */
function recordsItself() {
  const ROUNDS = 10, TICKS_EACH = 100_000;
  let at = 0n, added = 0;
  const { c, put, instrument, folded } = load(() => NS_A_TICK * Number(at) + added), made = instrument(INSTRUMENT_TIME);
  const section = new Uint8Array(WebAssembly.Module.customSections(new WebAssembly.Module(made), "toll")[0]);
  // Flags, depth limit, has places, unrecorded, loses, the sections: see src/wasm/instrument_component.c.
  const description = Uint8Array.from([...leb128(TICKS | TIME), 0, 0, 0, 0, ...leb128(section.length), ...section]);
  c.component_begin(put(description), description.length);
  const event = name => (...parameters) => {
    if (parameters.at(-1) > at) at = parameters.at(-1);
    return c[name](...parameters);
  };
  const toll = { ...c, enter: event("enter_clocked"), leave: event("leave_clocked"), settle: event("settle") };
  const host = { slow: () => { added += SLOW; }, throws() {}, calls_back() {}, counts() {} };
  const exports = new WebAssembly.Instance(new WebAssembly.Module(made), { toll, host }).exports;
  c.component_clock();
  for (let i = 0; i < ROUNDS; i++) {
    added += BETWEEN;
    exports.waits(TICKS_EACH);
  }
  const ticks = folded("ticks"), time = folded("time");
  assert.equal(time["waits;count_down;slow"], ROUNDS * SLOW);
  assert.equal(sum(time), ROUNDS * SLOW + NS_A_TICK * sum(ticks));
}

/** toll.mjs: a function of the host that is not recorded begins a phase, in which the guest runs. */
async function takesPhasesOfUnrecorded() {
  const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
  const toll = await Toll.load(), recording = toll.record({ time: true, skip: "^slow$" });
  const host = { slow: () => recording.phase("inner", () => recording.exports.spins(20_000_000)), throws() {}, calls_back() {}, counts() {} };
  recording.instantiate(new WebAssembly.Module(recording.prepare(source)), { host }).waits(1);
  const functions = recording.summary({ value: "time" }).functions, self = name => functions.find(f => f.name === name).self;
  assert.ok(self("spins") > self("inner"), `${self("spins")} ns in the phase's function, ${self("inner")} ns in the phase itself`);
}

function sumsAreEven() {
  for (const options of [{}, { placed: true }, { depth: 3 }, { depth: 2 }, { counts: false }, { folds: true }]) {
    const { time, notes } = record(CALLS, options);
    const note = text => notes.find(each => each.text.startsWith(text))?.count ?? 0;
    assert.equal(sum(time) + note("nanoseconds that the profiler took"), note("nanoseconds that the samples represent"), JSON.stringify(notes));
    assert.ok(note("nanoseconds that the samples represent") > 0);
  }
}

function refuses() {
  for (const flags of [WINDOWS | TICKS, ...[TIMELINE, SAMPLES].map(other => WINDOWS | TIME | TICKS | other)]) {
    const { c, error } = load(() => 0);
    assert.equal(c.begin(flags, 0, 0n), ARGUMENT, `${flags}`);
    assert.match(error(), /windows|WINDOWS/);
  }
}

costsAreThose();
countsAfterTheLimitOfFrames();
forgetsWhatWasLeft();
boundariesAreExact();
withoutTicks();
foldsRecursion();
takesPhases();
keepsTheHostsTime();
recordsItself();
await takesPhasesOfUnrecorded();
sumsAreEven();
refuses();
console.log("time by windows is what semantics.md says");
