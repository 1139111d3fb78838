// pvm.mjs LIB TOLL EXAMPLES - toll run --kernel --costs pvm: the ticks of Tezos' WASM PVM. They are compared with figures
// that Octez publishes, with a model of its interpreter, and with programs that were counted by hand.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Maker, Model, moduleText } from "./pvm_model.mjs";

const [, , lib, command, examples] = process.argv;
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const toll = await Toll.load();

function build(name, text) {
  fs.writeFileSync(`${name}.wat`, text);
  execFileSync("wat2wasm", ["--enable-tail-call", `${name}.wat`, "-o", `${name}.wasm`]);
  return fs.readFileSync(`${name}.wasm`);
}

/** Run a kernel. Returns the ticks of each kernel_run by phase, what was printed, and the status. */
function run(file, inbox, ...more) {
  const { status, stdout, stderr } = spawnSync(command, ["run", "--kernel", "--inbox", inbox, "--costs", "pvm", "--clock", "none", "-o", "pvm.pb.gz", ...more, file],
    { encoding: "utf8", timeout: 60000 });
  const runs = [];
  for (const line of stderr.split("\n")) {
    if (line.startsWith("level ") && line.includes("kernel_run")) runs.push({});
    const [, name, ticks] = /^ {4}(\S.*?) {2,}([\d,]+) ticks/.exec(line) ?? [];
    if (name && runs.length && !(name in runs.at(-1))) runs.at(-1)[name] = Number(ticks.replaceAll(",", ""));
  }
  return { runs, status, stdout, stderr };
}

fs.writeFileSync("empty.json", "[[]]");

/** A kernel that imports a function of so many parameters, and does nothing. */
const idle = (name, params) => `(module (import "smart_rollup_core" "${name}" (func (param${" i32".repeat(params)}) (result i32)))
  (memory 1) (export "mem" (memory 0)) (func (export "kernel_run") (nop)))`;

test("Octez' regression tests: the ticks until the PVM waits for the end of the kernel_run", () => {
  // "kernel link_... run (proof)" in src/lib_scoru_wasm/regressions/expected: the run begins at tick 5000, and proofs
  // are smallest from the tick on from which the PVM waits. One more tick ends the kernel_run.
  const published = [["reveal", 4, 5199], ["store_create", 3, 5204], ["store_delete_value", 2, 5209],
    ["__internal_store_get_hash", 4, 5218], ["store_exists", 2, 5203]];
  for (const [name, params, waits] of published) {
    build("idle", idle(name, params));
    const { runs: [costs] } = run("idle.wasm", "empty.json");
    assert.equal(costs["in all"], waits - 5000 + 1, name);
  }
});

test("random programs: a model that executes the interpreter's states", () => {
  let sum = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const functions = new Maker(seed).all(6), bytes = build("random", moduleText(functions));
    const recording = toll.record({ ticks: true });
    const exports = recording.instantiate(new WebAssembly.Module(toll.instrument(bytes, { costs: "pvm" })), {});
    exports.kernel_run();
    const expected = new Model(functions).run(functions.length - 1);
    assert.equal(Number(recording.spent().ticks), expected, `seed ${seed}`);
    sum += expected;
  }
  assert.ok(sum > 30_000, `${sum} ticks`);
});

const start = text => toll.pvmStart(build("start", text));

test("starting a module, counted by hand: memory.init in a block ends the search for it", () => {
  const begun = start(`(module (memory (export "mem") 1) (data "ab")
    (func (block (memory.init 0 (i32.const 0) (i32.const 0) (i32.const 0))) (nop)) (func (nop)) (func (export "kernel_run")))`);
  const sections = 38, type = 5, declared = 3 + 1, exported = 6 + 3 + 6 + 10, data = 6 + 2;
  const bodies = (6 + 1 + 6 + 2 * 2) + (6 + 1 + 1 + 2) + (6 + 1 + 2), searched = (1 + 3 + 4) + 1 + 1;
  assert.equal(Number(begun.decode), sections + type + declared + exported + data + bodies + searched);
  assert.equal(Number(begun.link), 1);
  const ends = 15, items = 1 + 3 * 4 + 4 + 2 + 2, joined = 2 + (2 + 1) + (3 + 1), evaluated = 5;
  assert.equal(Number(begun.init), ends + items + joined + evaluated);
});

test("starting a module, counted by hand: an if without else is searched as two blocks", () => {
  const module = before => start(`(module (memory (export "mem") 1) (data "ab")
    (func ${before} (block (memory.init 0 (i32.const 0) (i32.const 0) (i32.const 0)))) (func (export "kernel_run")))`);
  const read = 3 + 2, outer = 2, then = 2, otherwise = 1;
  assert.equal(Number(module("(if (i32.const 1) (then (nop)))").decode - module("").decode), read + outer + then + otherwise);
});

test("starting a module, counted by hand: the difference that each item makes", () => {
  const first = "(memory (export \"mem\") 1) (table 4 funcref) (func $f) (export \"kernel_run\" (func $f))", plain = start(`(module ${first})`);
  const differs = (more, decode, init, link = 0) => {
    const other = start(`(module ${more} ${first})`);
    assert.deepEqual([other.decode - plain.decode, other.link - plain.link, other.init - plain.init].map(Number), [decode, link, init], more);
  };
  differs("(type (func (param i32 i64) (result i32)))", 5 + 3, 1);
  differs("(import \"smart_rollup_core\" \"é\" (func))", 9 + 17 + 1, 2, 1); // characters, not bytes
  differs("(global i32 (i32.const 1))", 2 + 4, 6 + 10 + 1);
  differs("(global (mut i32) (i32.const 1)) (global i32 (i32.const 2))", 2 * (2 + 4), 2 * (6 + 10 + 1));
  differs("(func (local i32 i32 i64) (nop))", 1 + 6 + 2 + 2 + 3 + 4 + (1 + 1 + 1 + 1), 4);
  differs("(func (if (i32.const 1) (then (nop))))", 1 + 6 + (1 + 3 + 2 * 2) + (1 + 3 + 3 + 1), 4); // an else, too, though it is empty
  differs("(func (if (i32.const 1) (then (nop)) (else (nop))))", 1 + 6 + (1 + 4 + 2 + 2 * 2) + (1 + 4 + 3 + 1), 4);
  // A list of five instructions, which is joined with others: 1 for the only list, and twice 5.
  differs("(elem (i32.const 0) $f $f)", 4 + (4 + 1) + 2, 3 + 2 * 16 + 1 + 10 + (6 + 3 + 12 + 2 * 42));
  differs("(data (i32.const 0) \"abc\")", 6 + (4 + 1) + 3, 2 + 1 + 10 + (6 + 3 + 12 + 3 * 42));
  // Two lists: the first join moves 10.
  differs("(data (i32.const 0) \"a\") (data (i32.const 0) \"b\")", 2 * (6 + 5 + 1), 2 * 2 + 2 + 10 + 20 + 2 * (21 + 42));
  differs("(elem func $f)", 4 + 1, 3 + 16 + 1);
  differs("(elem declare func $f)", 4 + 1, 3 + 16 + 1 + 2 + 3);
  differs("(elem funcref (ref.func $f) (ref.null func))", 4 + 2 * (4 + 1), 3 + 2 * (10 + 6) + 1);
  differs("(table 4 funcref) (elem (table 1) (i32.const 0) func $f)", 1 + 4 + 1 + 5, 4 + 3 + 16 + 1 + 10 + 15 + 6 + 42);
  differs("(start $f)", 0, 1 + 3);
  assert.equal(run("start.wasm", "empty.json").status, 0);
});

test("locals, counted by hand: a group without any is only read, unless others follow", () => {
  const decoded = (...groups) => { // a module with one function, which has these numbers of locals
    const locals = [groups.length, ...groups.flatMap(count => [count, 0x7f])], body = [locals.length + 1, ...locals, 0x0b];
    const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10, body.length + 1, 1, ...body];
    return Number(toll.pvmStart(Uint8Array.from(bytes)).decode);
  };
  const none = decoded();
  assert.deepEqual([[2], [2, 0], [0, 2], [0], [1, 1]].map(groups => decoded(...groups) - none), [2 + 2, 2 + 3, 2 + 4, 1, 2 + 4]);
});

const KERNEL = "(memory (export \"mem\") 1)", I = 6; // ticks of most instructions

/** Run a kernel with this body. */
function kernel(body, ...more) {
  build("kernel", `(module (import "smart_rollup_core" "store_write" (func $write (param i32 i32 i32 i32 i32) (result i32)))
    (import "smart_rollup_core" "store_read" (func $read (param i32 i32 i32 i32 i32) (result i32)))
    (import "smart_rollup_core" "write_debug" (func $debug (param i32 i32)))
    (import "smart_rollup_core" "reveal_metadata" (func $metadata (param i32 i32) (result i32)))
    ${KERNEL} (data (i32.const 0) "/a/key") (data (i32.const 32) "__wasm_debugger__::start_section(x)")
    (data (i32.const 96) "__wasm_debugger__::end_section(y)") (func (export "kernel_run") ${body}))`);
  return run("kernel.wasm", "empty.json", ...more);
}

const BEGIN = 9, END = 6, CALL = 4, RETURN = 2; // of kernel_run; of a host function, those that are its caller's
const ran = body => kernel(body).runs[0].kernel_run - BEGIN - END;

test("host functions: 5, and 42 for each byte of a key and of a value", () => {
  const write = (key, size) => `(drop (call $write (i32.const 0) (i32.const ${key}) (i32.const 0) (i32.const 64) (i32.const ${size})))`;
  const call = 5 * I + CALL + 5 + RETURN + I;
  assert.equal(ran(write(6, 10)), call + 42 * 6 + 1 + 42 * 10);
  assert.equal(ran(write(1, 10)), call, "nothing more if it fails: / is no key");
  const read = "(drop (call $read (i32.const 0) (i32.const 6) (i32.const 2) (i32.const 64) (i32.const 99)))";
  assert.equal(ran(write(6, 10) + read), 2 * (call + 42 * 6 + 1) + 42 * 10 + 42 * 8, "as much as was read");
  assert.equal(ran("(drop (call $metadata (i32.const 64) (i32.const 99)))"), 2 * I + CALL + 5 + RETURN + I + 1 + 42 * 24);
  assert.equal(ran("(call $debug (i32.const 0) (i32.const 9))"), 2 * I + CALL + 5 + RETURN);
});

test("bulk instructions: 42 for each byte or element, 48 if they copy", () => {
  build("bulk", `(module ${KERNEL} (table 9 funcref) (func $f) (elem $e func $f $f $f) (data $d "abcde") (func (export "kernel_run")
    (table.init $e (i32.const 0) (i32.const 0) (i32.const 3)) (table.copy (i32.const 3) (i32.const 0) (i32.const 2))
    (table.fill 0 (i32.const 0) (ref.func $f) (i32.const 4)) (memory.init $d (i32.const 0) (i32.const 0) (i32.const 5))
    (memory.copy (i32.const 9) (i32.const 0) (i32.const 6)) (memory.fill (i32.const 0) (i32.const 1) (i32.const 7)) (elem.drop $e) (data.drop $d)))`);
  const { runs: [costs] } = run("bulk.wasm", "empty.json");
  assert.equal(costs.kernel_run, BEGIN + 6 * 4 * I + 2 * I + 42 * (3 + 4 + 5 + 7) + 48 * (2 + 6) + END);
});

test("a host function that is not recorded has its ticks, too", () => {
  const body = "(call $debug (i32.const 0) (i32.const 9))";
  assert.deepEqual(kernel(body, "--skip", "debug").runs, kernel(body).runs);
});

test("a section: the ticks from one mark to the other", () => {
  const { stdout } = kernel("(call $debug (i32.const 32) (i32.const 35)) (nop) (call $debug (i32.const 96) (i32.const 33))");
  const between = RETURN + I + 2 * I + CALL + 5;
  assert.match(stdout, new RegExp(`Section\\{ticks:${between};data:\\(0x78,0x79\\)\\}`));
});

test("the PVM's limit: by its version, with a warning if it is exceeded", () => {
  assert.match(kernel("").stderr, /^ {4}the PVM's limit +50,000,000,000,000 ticks, of which less than 0\.001 % are used$/m);
  // 1023 pages of 64 KiB, filled four times: 42 ticks a byte
  const fill = "(drop (memory.grow (i32.const 1022))) " + "(memory.fill (i32.const 0) (i32.const 7) (i32.const 0x3ff0000))".repeat(4);
  const bytes = 4 * 0x3ff0000, { runs: [{ kernel_run: ticks, "in all": all }], stderr, status } = kernel(fill, "--pvm-version", "2.0.0-r3");
  assert.equal(ticks, BEGIN + 3 * I + 4 * 4 * I + 42 * bytes + END);
  assert.match(stderr, new RegExp(`the PVM's limit +11,000,000,000 ticks, of which ${(all / 1.1e8).toFixed(3)} % are used`));
  assert.match(stderr, /toll: warning: this kernel_run would leave the PVM stuck for good: it takes 11,263,\d{3},\d{3} ticks, and at most 11,000,000,000 are allowed/);
  assert.equal(status, 0);
  assert.doesNotMatch(kernel(fill).stderr, /warning: this kernel_run/);
});

test("a trap: the ticks up to the next branch are counted, too, and the line says so", () => {
  const trap = "(memory.fill (i32.const 0) (i32.const 7) (i32.const 65536)) (drop (i32.load (i32.const 65536))) (nop)";
  const { runs: [costs], stderr, status } = kernel(trap.repeat(1), "--pvm-version", "2.0.0-r1");
  assert.equal(costs.kernel_run, BEGIN + 4 * I + 42 * 65536 + 4 * I + END, "also the last three instructions");
  assert.equal(costs["(outside)"], 1 + 6);
  assert.match(stderr, /of which at most 0\.025 % are used/);
  assert.equal(status, 134);
});

test("the ticks are the same however calls are recorded", () => {
  const ways = [["--heap"], ["--call-kinds"], ["--timeline", "pvm.trace.json"], ["--max-depth", "3"], ["--fold-recursion"], ["--clock", "each"], ["--only", "kernel_run"]];
  const sums = (...way) => run("ledger.wasm", path.join(examples, "ledger.json"), ...way).runs.map(costs => costs["in all"]), plain = sums();
  assert.equal(plain.length, 3);
  for (const way of ways) assert.deepEqual(sums(...way), plain, `${way}`);
});

test("what has no ticks of the PVM is refused: lines, and instructions that it lacks", () => {
  const { status, stderr } = kernel("", "--lines");
  assert.equal(status, 2);
  assert.match(stderr, /^toll: run: the PVM's costs depend on which branches are taken, so they cannot be divided among lines/);
  build("tail", `(module ${KERNEL} (func $f) (func (export "kernel_run") (return_call $f)))`);
  assert.match(run("tail.wasm", "empty.json").stderr, /at byte \d+, in the code section: Tezos' PVM has no return_call, so its ticks are not known/);
});

test("without --kernel and with --no-ticks", () => {
  const { runs: [costs], stderr } = kernel("(nop)", "--no-ticks", "--clock", "wall");
  assert.equal(costs["in all"], 0);
  assert.doesNotMatch(stderr, /the PVM's limit/);
  build("plain", "(module (func (export \"main\") (nop) (nop)))");
  const plain = spawnSync(command, ["run", "--costs", "pvm", "--clock", "none", "--invoke", "main", "-o", "pvm.pb.gz", "plain.wasm"], { encoding: "utf8" });
  assert.match(plain.stderr, /ticks: 28 in/, "10 to enter, two instructions, 6 to leave");
});
