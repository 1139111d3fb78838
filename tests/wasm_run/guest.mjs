// guest.mjs TOLL - what toll run gives to a guest: numbers, variables, folders, streams; and what it refuses to run.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Guest } from "../../hosts/wasm/guest.mjs";

const toll = path.resolve(process.argv[2]), here = path.dirname(new URL(import.meta.url).pathname);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toll-guest-"));
process.chdir(folder);
execFileSync("wat2wasm", [path.join(here, "guest.wat"), "-o", "guest.wasm"]);
const [I32, I64, F32, F64, REFERENCE] = [0x7f, 0x7e, 0x7d, 0x7c, 0x6f];

/** What an export gets that is called with these words of the command line. */
function given(words, types) {
  let got;
  new Guest(["guest", ...words], {}).call("f", types)({ f: (...args) => void (got = args) });
  return got;
}

/** The variables of a guest, as environ_get gives them. */
function variables(env) {
  const guest = new Guest(["guest"], { env }), memory = new WebAssembly.Memory({ initial: 1 });
  const { environ_sizes_get: sizes, environ_get: get } = guest.imports(new WebAssembly.Module(emptyModule)).wasi_snapshot_preview1;
  guest.wasi.use(memory);
  assert.equal(sizes(0, 4), 0);
  const [, size] = new Uint32Array(memory.buffer, 0, 2);
  assert.equal(get(8, 1024), 0);
  return Buffer.from(memory.buffer, 1024, size).toString().split("\0").slice(0, -1);
}

const emptyModule = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
const importing = (text, name = "import.wasm") => {
  fs.writeFileSync("import.wat", text);
  execFileSync("wat2wasm", ["import.wat", "-o", name]);
  return new WebAssembly.Module(fs.readFileSync(name));
};
const run = (args, input = "") => spawnSync(toll, ["run", "-q", ...args, "guest.wasm"], { input, encoding: "utf8" });
const invoke = (name, ...words) => spawnSync(toll, ["run", "-q", "--invoke", name, "guest.wasm", ...words], { encoding: "utf8" });

const tests = {
  "an integer is one of its type, in both ways to write it"() {
    for (const [type, bits] of [[I32, 32n], [I64, 64n]]) {
      const least = -(1n << (bits - 1n)), most = (1n << bits) - 1n, number = value => (type === I32 ? Number(value) : value);
      for (const value of [least, -1n, 0n, 7n, most]) assert.deepEqual(given([`${value}`], [type]), [number(value)]);
      assert.deepEqual(given(["0x1F", "-0x10", "+5"], [type, type, type]), [31n, -16n, 5n].map(number));
      for (const wrong of [`${least - 1n}`, `${most + 1n}`, "", " ", "x", "1.5", "1e3", "--1", "0x", "NaN"])
        assert.throws(() => given([wrong], [type]), { message: `--invoke: the argument '${wrong}' is no i${bits}` });
    }
  },
  "a floating-point number is whatever JavaScript takes for one"() {
    for (const type of [F32, F64]) {
      assert.deepEqual(given(["5", "-0.5", "1e30", "NaN", "Infinity", "0x10"], Array(6).fill(type)), [5, -0.5, 1e30, NaN, Infinity, 16]);
      for (const wrong of ["", " ", "x", "nan", "1,5"])
        assert.throws(() => given([wrong], [type]), { message: `--invoke: the argument '${wrong}' is no ${type === F32 ? "f32" : "f64"}` });
    }
  },
  "other types cannot be given, and as many arguments as parameters must be"() {
    assert.throws(() => given(["0"], [REFERENCE]), { message: "--invoke: the argument '0' is no reference or vector, which cannot be given here" });
    for (const words of [[], ["1"], ["1", "2", "3"]])
      assert.throws(() => given(words, [I32, I32]), { message: `--invoke: f takes 2 arguments, and ${words.length} are given` });
    assert.deepEqual(given([], []), []);
  },
  "variables: the last one of a name, those of this process, and values with an equals sign"() {
    process.env.TOLL_TEST_GUEST = "mine";
    delete process.env.TOLL_TEST_NONE;
    assert.deepEqual(variables([]), []);
    assert.deepEqual(variables(["A=1", "B=x=y=", "A=2", "TOLL_TEST_GUEST", "TOLL_TEST_NONE", "E="]),
                     ["A=2", "B=x=y=", "TOLL_TEST_GUEST=mine", "TOLL_TEST_NONE=", "E="]);
  },
  "folders, by their own names or others"() {
    fs.mkdirSync("sub");
    fs.writeFileSync("file", "");
    const names = dir => new Guest(["guest"], { dir }).options.folders.map(([name]) => name);
    assert.deepEqual(names(["sub", "sub::/data", "sub::/a::b"]), ["sub", "/data", "/a::b"]);
    for (const wrong of ["none", "file", "none::/data"])
      assert.throws(() => names([wrong]), { message: `--dir: there is no folder '${wrong.replace("::/data", "")}'` });
  },
  "a function that WASI does not have fails when it is called, and other imports at once"() {
    const functions = new Guest(["guest"], {}).imports(importing(`(module (import "other" "f" (func))
      (import "wasi_snapshot_preview1" "fd_tell" (func)) (import "wasi_unstable" "none" (func)) (import "toll" "x" (global i32)))`));
    for (const [from, name] of [["other", "f"], ["wasi_unstable", "none"]])
      assert.throws(() => functions[from][name](), { message: new RegExp(`^the module called ${from}\\.${name}, which is not of WASI`) });
    assert.equal(functions.wasi_snapshot_preview1.fd_tell(9, 0), 8);
    assert.equal(functions.toll, undefined);
    assert.throws(() => new Guest(["guest"], {}).imports(importing('(module (import "other" "g" (global i32)))')),
                  { message: /^the module imports other\.g, which is not of WASI/ });
  },
  "the older WASI is the one of the modules that import it"() {
    for (const [from, end] of [["wasi_unstable", 1], ["wasi_snapshot_preview1", 2]]) { // how fd_seek counts from the end
      const guest = new Guest(["guest"], { dir: ["."] }), memory = new WebAssembly.Memory({ initial: 1 });
      const { path_open: open, fd_seek: seek } = guest.imports(importing(`(module (import "${from}" "fd_seek" (func)))`))[from];
      guest.wasi.use(memory);
      new Uint8Array(memory.buffer).set(Buffer.from("import.wat"), 64);
      assert.equal(open(3, 0, 64, 10, 0, 0x26n, 0n, 0, 8), 0);
      assert.equal(seek(new DataView(memory.buffer).getUint32(8, true), 0n, end, 16), 0);
      assert.equal(new DataView(memory.buffer).getBigUint64(16, true), BigInt(fs.statSync("import.wat").size));
    }
  },
  "a module without _start is no program, and its functions are named"() {
    const check = text => (importing(text), new Guest(["guest"], {}).check(fs.readFileSync("import.wasm")));
    assert.throws(() => check('(module (memory (export "m") 1) (func (export "f")) (func (export "g")))'), { message: /no program\. Say --invoke NAME; it exports f, g$/ });
    assert.throws(() => check("(module)"), { message: /it exports nothing$/ });
    check('(module (func (export "_start")))');
  },
  "a program has its streams"() {
    const { status, stdout, stderr } = run([], "some input");
    assert.deepEqual([status, stdout, stderr], [0, "some input", "done\n"]);
  },
  "an export is called after _initialize, and its results are printed"() {
    for (const [name, words, wanted] of [["begun", [], "7\n"], ["twice", ["9007199254740993", "-1"], "9007199254740993\n-1\n"], ["nothing", [], ""]]) {
      const { status, stdout, stderr } = invoke(name, ...words);
      assert.deepEqual([status, stdout, stderr], [0, wanted, ""]);
    }
    const { status, stderr } = invoke("call_other");
    assert.equal(status, 1);
    assert.match(stderr, /^toll: guest\.wasm: the module called other\.never, which is not of WASI/);
  },
};

try {
  for (const [name, test] of Object.entries(tests)) {
    test();
    console.log(`guest: ${name}`);
  }
} finally {
  fs.rmSync(folder, { recursive: true });
}
