// events.mjs LIB [SEED] - random events for toll.wasm, compared with a simple model: the profile is the same, no matter
// which events took the fast path.
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [lib, given] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const toll = await Toll.load(), seed = Number(given ?? 1), FUNCTIONS = 6;
let state = seed;
const random = n => { // xorshift
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % n;
};

/** Stacks as folded lines have them, with their own ticks and calls. */
class Model {
  constructor(depth) {
    this.limit = depth || Infinity;
    this.stack = [];
    this.last = null;
    this.ticks = new Map();
    this.calls = new Map();
    this.notes = { ended: 0, unknown: 0 };
  }

  add(map, n) {
    const key = this.stack.slice(0, this.limit).join(";") || "(outside)";
    if (n) map.set(key, (map.get(key) ?? 0) + n);
  }

  charge(now) {
    if (this.last !== null) this.add(this.ticks, now - this.last);
    this.last = now;
  }

  enter(name, now) {
    this.charge(now);
    this.stack.push(name);
    if (this.stack.length <= this.limit) this.add(this.calls, 1);
  }

  leave(name, now) {
    this.charge(now);
    const folded = this.stack.length > this.limit, at = this.stack.lastIndexOf(name);
    if (this.stack.length === 0) return;
    if (folded || this.stack.at(-1) === name) this.stack.pop();
    else if (at < 0) this.notes.unknown++;
    else this.stack.length = at, this.notes.ended++;
  }

  unwind(depth, now) {
    this.charge(now);
    this.stack.length = Math.min(depth, this.stack.length);
  }
}

function begin(depth, timeline) {
  const recording = toll.record({ depth, timeline }), { library } = recording;
  const names = Array.from({ length: FUNCTIONS }, (_, f) => [2, ...new TextEncoder().encode(`f${f}`)]);
  const section = new Uint8Array([7, 0, 0, FUNCTIONS, ...names.flat(), FUNCTIONS, 0, 0, 0, 0, 0, 0, 0]); // as toll/wasm.h has it
  library.with([section], at => library.check(library.c.module(at, section.length)));
  library.c.settles(true);
  return recording;
}

/** The module's side: it may keep an event pending, which it delivers with the next one. */
class Guest {
  constructor(c) {
    this.c = c;
    this.pending = 0;
    this.then = 0n;
  }

  tell(leaves, f, now) {
    if (this.pending === 1 && random(8)) {
      this.pending = 2 * f + 2 + leaves;
      this.then = BigInt(now);
    } else {
      this.pending = this.c[leaves ? "leave" : "enter"](this.pending, this.then, f, BigInt(now));
    }
  }

  settle() {
    this.pending = this.c.settle(this.pending, this.then);
  }
}

const lines = bytes => new TextDecoder().decode(bytes).trim().split("\n").filter(line => line)
  .map(line => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))])
  .filter(([, n]) => n).sort();

function hold(recording, guest, model, now, what) {
  const { c } = recording.library;
  guest.settle();
  c.charge(BigInt(now));
  model.charge(now);
  Object.defineProperty(recording, "ticks", { value: BigInt(now), configurable: true });
  assert.deepEqual(lines(recording.write("folded", "ticks")), [...model.ticks].sort(), what);
  assert.deepEqual(lines(recording.write("folded", "calls")), [...model.calls].sort(), what);
  assert.equal(c.depth(), model.stack.length, what);
}

/** What a program does, mostly: calls and returns that pair; and now and then what it does not. */
function play(depth, timeline, events) {
  const recording = begin(depth, timeline), { c } = recording.library, guest = new Guest(c), model = new Model(depth);
  let now = random(100);
  for (let i = 0; i < events; i++) {
    const kind = random(100), f = random(FUNCTIONS);
    now += random(5);
    if (kind < 48) guest.tell(0, f, now), model.enter(`f${f}`, now);
    else if (kind < 94 && model.stack.length) {
      const top = model.stack.at(-1);
      guest.tell(1, Number(top.slice(1)), now), model.leave(top, now);
    } else if (kind < 96) guest.tell(1, f, now), model.leave(`f${f}`, now);
    else if (kind < 98) {
      const to = random(model.stack.length + 1);
      guest.settle();
      c.unwind(to, BigInt(now)), model.unwind(to, now);
    } else if (kind < 99) guest.settle(), c.charge(BigInt(now)), model.charge(now);
    else if (random(20) === 0) hold(recording, guest, model, now, `seed ${seed}, depth ${depth}, event ${i}`);
  }
  hold(recording, guest, model, now, `seed ${seed}, depth ${depth}, the end`);
  judged(model.notes, depth);
  const count = text => Number(recording.summary().notes.find(n => n.text.startsWith(text))?.count ?? 0);
  assert.equal(count("returns that also left deeper functions"), model.notes.ended);
  assert.equal(count("returns of functions that were not open"), model.notes.unknown);
}

// Without a limit, some of the returns must have been of functions whose callees were not seen to end.
function judged(notes, depth) {
  if (depth === 0) assert.ok(notes.ended > 0 && notes.unknown > 0, "the events are too tame to tell anything");
}

for (const depth of [0, 1, 3, 20]) for (const timeline of [false, true]) play(depth, timeline, 20000);
console.log(`toll.wasm: random events as in a model (seed ${seed})`);
