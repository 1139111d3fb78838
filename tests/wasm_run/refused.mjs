// refused.mjs TOLL LIB - what the functions of toll.wasm refuse: to be called before a recording, or a set of
// sites, has begun, and numbers that mean nothing. Nothing is written to where NULL points then.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const lib = path.resolve(process.argv[3]);
const { cString, Library } = await import(pathToFileURL(path.join(lib, "library.mjs")));
const toll = new WebAssembly.Module(fs.readFileSync(path.join(lib, "toll.wasm")));
const ARGUMENT = 10, STATE = 11, UNSUPPORTED = 31, SYNTAX = 40; // toll_status

const lowest = library => Buffer.from(new Uint8Array(library.c.memory.buffer, 0, 1024));

/** A new library, without a recording; `work` leaves what is around NULL as it was. */
function check(name, work) {
  const library = new Library(toll, () => 0), before = lowest(library);
  library.sink = () => {};
  library.with([cString("text")], text => work(library.c, text));
  assert(before.equals(lowest(library)), `${name} wrote to NULL`);
}

// Events have no status: they trap.
const events = {
  charge: [0n], pass: [0n], next_instance: [0n], phase_end: [0n], enter: [0, 0n, 0, 0n], leave: [0, 0n, 0, 0n],
  settle: [2, 0n], unwind: [0, 0n], enter_placed: [0n, 0n, 1n << 32n, 0n], leave_placed: [0n, 0n, 0n, 0n], settle_placed: [2n | 1n << 32n, 0n],
};
for (const [name, args] of Object.entries(events))
  check(name, c => assert.throws(() => c[name](...args), WebAssembly.RuntimeError, name));
for (const name of ["phase", "section", "section_end"])
  check(name, (c, text) => assert.throws(() => c[name](text, 0n), WebAssembly.RuntimeError, name));
check("note", (c, text) => assert.throws(() => c.note(text, 1n), WebAssembly.RuntimeError));

// A recording begins once, and only the functions that the guest has can be named.
check("begin", c => {
  assert.equal(c.begin(1, 0, 0n), 0);
  assert.equal(c.begin(1, 0, 0n), STATE);
});
const put = (c, bytes) => {
  const at = c.alloc(bytes.length);
  new Uint8Array(c.memory.buffer).set(bytes, at);
  return [at, bytes.length];
};
check("module", c => {
  assert.equal(c.begin(1, 0, 0n), 0);
  assert.equal(c.counters(), 0);
  assert.equal(c.module(...put(c, [7, 0, 0, 3, 1, 97, 1, 98, 1, 99, 3, 0, 0, 0, 0, 0, 0, 0])), 0); // as toll/wasm.h has it
  for (const odd of [4, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1]) {
    c.enter(0, 0n, odd, 1n); // one that the module does not have: charged to its caller, and counted
    c.leave(0, 0n, odd, 2n);
  }
  c.executions(0, 5); // of counters that it does not have
});
check("places", c => {
  assert.equal(c.begin(1, 0, 0n), 0);
  assert.equal(c.module(...put(c, [7, 0, 0, 2, 1, 97, 1, 98, 0, 0, 0, 0, 1, 9, 0, 0, 1, 1, 3, 0, 0])), 0); // a calls once
  for (const place of [0n, 1n, 2n, 2n ** 31n, 2n ** 32n - 1n]) // places that it does not have: as 0
    for (const odd of [0n, 1n, 2n, 2n ** 31n, 2n ** 32n - 2n, 2n ** 32n - 1n]) {
      c.enter_placed(0n, 0n, place << 32n | odd, 1n);
      c.enter_placed(place << 32n | 2n, 1n, place << 32n | odd, 2n);
      c.leave_placed(0n, 0n, place << 32n | odd, 2n);
    }
  c.unwind(0, 3n);
});
// Sections whose counts, indices and sizes do not fit; the first is good but for its last byte.
const start = [7, 0, 0, 1, 1, 97, 0, 1, 109, 1, 48, 0, 2];
for (const rest of [[1, 1, 102, 1, 7, 1, 1, 3, 9, 9], [1, 1, 102, 2, 7, 0], [0, 5], [0, 1, 2, 3, 9, 3, 9], [0, 2, 1, 3, 9], [0, 0, 1, 2, 3, 9],
                    [0, 0, 2, 1, 3], [0, 0, 0, 1, 1, 1, 65], [0, 0, 0, 2, 0, 1, 65], [1], []])
  check(`section ${rest}`, c => {
    assert.equal(c.begin(1, 0, 0n), 0);
    assert.equal(c.module(...put(c, [...start, ...rest])), SYNTAX, `${rest}`);
  });
check("section", c => {
  assert.equal(c.begin(1, 0, 0n), 0);
  assert.equal(c.module(...put(c, [3])), UNSUPPORTED);
  assert.equal(c.module(...put(c, [...start, 1, 1, 102, 1, 7, 1, 1, 3, 9, 0, 0])), 0);
  assert.equal(c.counters(), 1);
});
check("no calls", c => assert.equal(c.begin(16 | 2, 0, 0n), ARGUMENT));
check("result", c => assert.equal(c.result_size(), 0));

// Sites: none before sites_begin, none after sites_end, and no file before sites_write.
for (const after of ["", "sites_end"])
  check(`sites ${after}`, (c, text) => {
    if (after) assert.equal(c.sites_begin(0), 0);
    if (after) c[after]();
    assert.equal(c.sites_allocator(text), STATE);
    assert.equal(c.site(text, 4, 1, 1), STATE);
    assert.equal(c.growth(text, 4, 0, 1), STATE);
    assert.equal(c.site_age(1, 1, 1), STATE);
    assert.equal(c.sites_noted(0, 1), STATE);
    assert.equal(c.sites_write(3, text), STATE);
    assert.equal(c.sites_told(0), 0);
    assert.equal(c.sites_step(1), STATE);
  });
check("sites_noted", c => {
  assert.equal(c.sites_begin(0), 0);
  for (const odd of [-1, 0.5, NaN, 2 ** 60]) assert.equal(c.sites_noted(0, odd), ARGUMENT);
  assert.equal(c.sites_noted(6, 1), ARGUMENT);
  assert.equal(c.sites_noted(5, 2 ** 53), 0);
});
check("site_age", (c, text) => {
  assert.equal(c.sites_begin(0), 0);
  assert.equal(c.site_age(1, 1, 1), ARGUMENT); // of no site
  assert.equal(c.site(text, 4, 3, 30), 0);
  for (const [snapshot, count, bytes] of [[0, 1, 1], [1, 0, 0], [1, 4, 30], [1, 1, 31], [1, 0.5, 1], [1, NaN, 1], [1, 1, -1]])
    assert.equal(c.site_age(snapshot, count, bytes), ARGUMENT);
  assert.equal(c.site_age(2, 2, 20), 0);
  assert.equal(c.site_age(2, 1, 1), ARGUMENT); // again
  assert.equal(c.site_age(1, 1, 1), ARGUMENT); // an earlier one
  assert.equal(c.site_age(3, 1, 11), ARGUMENT); // more than is left
  assert.equal(c.site_age(3, 1, 10), 0);
});
check("sites_told", c => {
  assert.equal(c.sites_begin(0), 0);
  for (const odd of [-1, 8, 2 ** 31, 2 ** 32 - 1]) assert.equal(c.sites_told(odd), 0);
  assert.equal(c.sites_step(1), STATE);
});
console.log("refused: what means nothing");
