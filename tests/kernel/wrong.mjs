// wrong.mjs LIB - kernels that make wrong calls get the PVM's error numbers, or trap themselves. Neither the host nor
// memory outside of the given range changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Kernel, blake2b, hex, load, runKernel } from "./host.mjs";

const END = 2 * 65536, FAR = [END, END - 1, 0x7fffffff, -1, -4096];
const PREIMAGE = Buffer.from("preimage");
const caller = new WebAssembly.Module(load("caller"));

/** Calls `body(c, put, memory)` inside of a kernel_run; c are the imports, as the module sees them. */
async function inKernel(body, { levels = [[]], ...options } = {}) {
  const kernel = new Kernel(options);
  kernel.load(levels);
  let failed = null;
  await kernel.run({ instantiate: () => {
    const test = { body() {
      const put = (at, data) => (new Uint8Array(exports.mem.buffer).set(Buffer.from(data), at), [at, Buffer.byteLength(data)]);
      try {
        body(exports, put, new Uint8Array(exports.mem.buffer));
      } catch (error) {
        failed ??= error;
      }
    } };
    const { exports } = new WebAssembly.Instance(caller, { test, ...kernel.imports(() => exports.mem) });
    return exports;
  } });
  if (failed) throw failed;
  return kernel;
}

test("addresses outside of the memory are answered with -6", () => inKernel((c, put, memory) => {
  const key = put(0, "/a/b"), before = put(200, "/kept");
  assert.equal(c.store_write(...before, 0, 0, 4), 0);
  const image = memory.slice(), calls = {
    write_output: at => c.write_output(at, 4), store_has: at => c.store_has(at, 4), store_exists: at => c.store_exists(at, 4),
    store_value_size: at => c.store_value_size(at, 4), store_read: at => c.store_read(at, 4, 0, 0, 4),
    "store_read to": at => c.store_read(...before, 0, at, 4), store_write: at => c.store_write(at, 4, 0, 0, 4),
    "store_write from": at => c.store_write(...key, 0, at, 4), store_create: at => c.store_create(at, 4, 9),
    store_get_nth_key: at => c.store_get_nth_key(at, 4, 0n, 0, 9), store_delete: at => c.store_delete(at, 4),
    "nth to": at => c.store_get_nth_key(0, 0, 0n, at, 9), store_delete_value: at => c.store_delete_value(at, 4),
    store_copy: at => c.store_copy(at, 4, ...key), "store_copy to": at => c.store_copy(...before, at, 4),
    store_move: at => c.store_move(at, 4, ...key), "store_move to": at => c.store_move(...before, at, 4),
    hash: at => c.hash(at, 4, 0, 32), "hash to": at => c.hash(...before, at, 32), reveal_metadata: at => c.reveal_metadata(at, 24),
    reveal_preimage: at => c.reveal_preimage(at, 33, 0, 9), reveal: at => c.reveal(at, 4, 0, 9),
    read_input: at => c.read_input(at, 300, 9), "read_input to": at => c.read_input(300, at, 9),
  };
  for (const [name, call] of Object.entries(calls)) for (const at of FAR) assert.equal(call(at), -6, `${name} ${at}`);
  for (const at of FAR) assert.equal(c.store_list_size(at, 4), -6n);
  FAR.forEach(at => c.write_debug(at, 4));
  assert.deepEqual(memory, image, "nothing was written");
  assert.equal(c.store_exists(...key), 0);
  assert.equal(c.store_list_size(0, 0), 2n, "/kept, and the host's /readonly");
}));

test("sizes that are too large have numbers of their own", () => inKernel((c, put) => {
  const key = put(0, "/a");
  for (const size of [241, 65536, -1]) {
    assert.equal(c.store_has(0, size), -1);
    assert.equal(c.store_list_size(0, size), -1n);
  }
  assert.equal(c.store_write(...key, 0, 1000, 2048), 0);
  assert.deepEqual([c.store_write(...key, 0, 1000, 2049), c.store_read(...key, 0, 1000, 2049)], [-7, -7]);
  assert.deepEqual([c.store_write(...key, 0, 1000, -1), c.store_create(...put(10, "/b"), -1)], [-5, -5]);
  assert.deepEqual([c.store_write(...key, -1, 1000, 1), c.store_read(...key, -1, 1000, 1), c.store_read(...key, 2048, 0, 1)], [-4, -4, -4]);
  assert.deepEqual([c.write_output(0, 4097), c.reveal_preimage(0, 4097, 0, 1)], [-7, -7]);
  assert.equal(c.read_input(300, 400, -1), -6);
  assert.equal(c.store_has(...put(20, "no key")), -2);
  assert.equal(c.store_write(...put(20, "/readonly/x"), 0, 0, 1), -9);
  assert.deepEqual([c.store_value_size(...put(20, "/none")), c.store_copy(20, 5, ...key), c.store_get_nth_key(...key, 1n, 0, 9),
    c.store_get_nth_key(...key, -1n, 0, 9), c.store_create(...key, 3)], [-3, -10, -12, -12, -13]);
}));

test("what is longer than the room for it is cut", () => inKernel((c, put, memory) => {
  c.store_write(...put(0, "/a/name"), 0, 0, 7);
  memory.fill(0xee, 100, 140);
  assert.equal(c.store_get_nth_key(0, 2, 0n, 100, 2), 2);
  assert.equal(hex(memory.subarray(99, 104)), "006e61eeee");
  assert.equal(c.reveal_metadata(100, 3), 3);
  assert.equal(hex(memory.subarray(100, 104)), "070809ee");
  assert.equal(c.read_input(110, 120, 1), 1, "and the rest of a message is gone");
  assert.equal(hex(memory.subarray(110, 122)), "0000000000000000eeee00ee");
  assert.equal(c.read_input(110, 120, 9), 9);
  assert.equal(memory[114], 1, "the second message");
  assert.deepEqual([c.reveal(...put(200, "\x01"), 300, 24), memory[300]], [24, 7]);
  assert.equal(c.reveal(...put(200, Buffer.concat([Buffer.of(0, 0), blake2b(PREIMAGE)])), 300, 2), 2);
  assert.equal(Buffer.from(memory.subarray(300, 303)).toString(), "pr\x09");
  for (const request of ["", "\x01\x01", "\0hash", "\0"]) assert.equal(c.reveal(...put(200, request), 300, 2), 0, "is no request");
}, { metadata: Buffer.alloc(24).map((_, i) => i + 7), preimages: () => PREIMAGE }));

test("a message that cannot be read stays to be read; an outbox has room for 100", async () => {
  const kernel = await inKernel((c, _, memory) => {
    assert.equal(c.read_input(END - 8, 100, 9), -6, "the PVM wants a byte more");
    assert.equal(c.read_input(END - 9, 100, 9), 2);
    assert.equal(memory[END - 5], 0, "the first message");
    for (let i = 0; i < 100; i++) assert.equal(c.write_output(i, 1), 0);
    assert.equal(c.write_output(0, 1), -11);
  }, { levels: [[], []] });
  assert.equal(kernel.outputs.length, 200, "each level has its own");
});

test("marks are found anywhere in a text; other texts are passed on as they are", async () => {
  const texts = [], sections = [], note = kind => data => sections.push(`${kind}${data}`);
  await inKernel((c, put) => {
    for (const text of ["__wasm_debugger__::start_section(a(b)\xff)", "plain é", "__wasm_debugger__::end_section()\n", "__wasm_debugger__::end_section(x)",
      "__wasm_debugger__::start_section", "[Debug] __wasm_debugger__::start_section(line)\n and more", "__wasm_debugger__::end_section(y",
      "__wasm_debugger__::other(z)", "__wasm_debugger__::start_section(left open) (as is the parenthesis)"])
      c.write_debug(...put(0, text));
  }, { debug: text => texts.push(text), section: { start: note("+"), end: note("-"), leftOpen: note("?"), unmatched: note("!") } });
  assert.deepEqual(texts, ["plain é", "__wasm_debugger__::start_section", "__wasm_debugger__::end_section(y", "__wasm_debugger__::other(z)"]);
  const open = "left open) (as is the parenthesis";
  assert.deepEqual(sections, ["+a(b)ÿ", "-", "!x", "+line", `+${open}`, `?${open}`, "?line"]);
});

test("a page of the data availability layer is asked for by its level, slot and page", () => inKernel((c, put, memory) => {
  const request = Buffer.from("02" + "00000102" + "ff" + "0103", "hex");
  assert.equal(c.reveal(...put(200, request), 300, 4096), 4);
  assert.equal(Buffer.from(memory.subarray(300, 304)).toString(), "page");
  assert.equal(c.reveal(...put(200, request), 300, 2), 2, "as much as there is room for");
  assert.equal(c.reveal(...put(200, request.subarray(1)), 300, 9), 0, "is no request");
  assert.equal(c.reveal(...put(200, Buffer.concat([request, Buffer.of(0)])), 300, 9), 0, "is no request");
}, { dalPages: (...numbers) => (assert.deepEqual(numbers, [0x102, 255, 0x103]), Buffer.from("page")), preimages: () => PREIMAGE }));

test("a kernel replaces itself; one that cannot be started gives way to the one before", async () => {
  const ledger = hex(load("slices")), upgrade = load("upgrade");
  const { runs, kernel, sum } = await runKernel(upgrade, [[{ external: ledger }], [{ external: "03000000" }]], { install: true });
  assert.deepEqual(runs.map(r => [r.level, r.reboot, r.error]), [[0, true, null], [0, false, null], [1, false, null]]);
  assert.deepEqual([...new Uint32Array(kernel.store.get("/primes/list").buffer)], [2, 3, 5]);
  assert.deepEqual(Buffer.from(kernel.store.get("/readonly/kernel/boot.wasm")), load("slices"));
  assert.equal(sum.failures, 0);

  const bad = await runKernel(upgrade, [[{ external: "0061736d" }, { external: ledger }], [{ external: ledger }]], { install: true });
  assert.deepEqual(bad.runs.map(r => [r.level, r.reboot, r.error?.constructor.name]),
    [[0, true, undefined], [0, false, "CompileError"], [1, true, undefined], [1, false, undefined]]);
  assert.deepEqual(Buffer.from(bad.kernel.store.get("/kernel/boot.wasm")), load("slices"));
  assert.equal(bad.kernel.store.has("/readonly/kernel/env/upgrade_error"), 0, "until a run ends well");
  assert.equal(bad.sum.failures, 1);
  await assert.rejects(runKernel(Buffer.from("0061736d", "hex"), [[]], { install: true }), WebAssembly.CompileError);
});

test("a module that is no kernel is told so", async () => {
  const empty = Buffer.from("0061736d01000000", "hex");
  await assert.rejects(runKernel(empty, [[]]), /exports no function kernel_run/);
  assert.throws(() => new Kernel({ metadata: Buffer.alloc(23) }), /metadata of 23 bytes; give 24/);
  const kernel = new Kernel(), core = kernel.imports(() => null).smart_rollup_core;
  assert.throws(() => core.store_has(0, 1), /without a memory; export the memory/);
});
