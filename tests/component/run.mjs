// run.mjs TOLL APP LIB [few] - holds toll run of components to the same program as a module (APP, and app.component.wasm), to counts by
// hand (two.wasm), and to messages for what cannot be run.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const [toll, app, lib] = process.argv.slice(2, 5).map(name => path.resolve(name)), isFew = process.argv[5] === "few", here = process.cwd();
const component = path.resolve("app.component.wasm");
fs.writeFileSync("note.txt", "a line of a file\n");

const command = (args, options = {}) => spawnSync(toll, args, { encoding: "utf8", ...options });

function json(args) {
  const { status, stdout, stderr } = command(["report", "--json", "--rows", "0", ...args]);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

/** A run with a profile. */
function profiled(program, args, { status = 0, input = "", options = [] } = {}) {
  fs.rmSync("p.pb.gz", { force: true });
  const result = command(["run", "-q", "-o", "p.pb.gz", ...options, program, ...args], { input });
  assert.equal(result.status, status, result.stdout + result.stderr);
  const checked = command(["check", "p.pb.gz"]);
  assert.equal(checked.status, 0, checked.stdout + checked.stderr);
  return { ...result, profile: json(["p.pb.gz"]) };
}

const find = (profile, name) => profile.functions.find(f => f.name === name);
function folded(...options) {
  const { status, stdout, stderr } = command(["convert", "-q", "--to", "folded", ...options, "p.pb.gz", "-o", "-"]);
  assert.equal(status, 0, stderr);
  return stdout.split("\n").filter(Boolean);
}
const TURNS = 20; // of `run` in two.wat

const tests = {
  "a program's own functions cost the same in a component as in a module"() {
    const module = profiled(app, ["fib", "15"]), inside = profiled(component, ["fib", "15"]);
    assert.equal(inside.stdout, module.stdout);
    const costs = ({ profile }) => ["calls", "self", "total"].map(value => find(profile, "fib")[value]);
    assert.deepEqual(costs(inside), costs(module));
    assert.equal(inside.profile.functions.reduce((sum, f) => sum + f.self, 0), inside.profile.total);
    const again = profiled(component, ["fib", "15"]);
    assert.deepEqual(again.profile.functions.map(f => [f.name, f.calls, f.self]), inside.profile.functions.map(f => [f.name, f.calls, f.self]));
  },
  "what the adapter does is under the program's call"() {
    profiled(component, ["fib", "15"]);
    assert.match(folded("--value", "calls").join("\n"), /;main;.*;__wasi_fd_write;__imported_wasi_snapshot_preview1_fd_write;fd_write;/);
  },
  "streams, arguments, variables and files are the program's own"() {
    const { stdout, stderr } = profiled(component, ["echo", "/data/note.txt"], {
      input: "one\ntwo\n", options: ["--dir", `${here}::/data`, "--env", "COLOR=blue"],
    });
    assert.equal(stdout, `argument 0: ${component}\nargument 1: echo\nargument 2: /data/note.txt\nCOLOR is blue\nfile: a line of a file\n`);
    assert.equal(stderr, "input: one\ninput: two\n");
    profiled(component, ["echo", path.join(here, "note.txt")], { status: 1 }); // without --dir there are no files
  },
  "a profile comes whatever ends the program"() {
    profiled(component, ["exit", "0"]);
    profiled(component, ["exit", "3"], { status: 1 }); // WASI 0.2 has no other
    const { profile, stderr } = profiled(component, ["trap"], { status: 134 });
    assert.match(stderr, /trap: /);
    assert.ok(find(profile, "main") ?? find(profile, "__main_argc_argv"), "no main");
  },
  "modules that call each other, by functions and by a table, are one program"() {
    const { stdout, profile } = profiled("two.wasm", [String(TURNS)], { options: ["--invoke", "run"] });
    assert.equal(stdout, `${2 * TURNS}\n`);
    const wanted = { run: [1, 8 * TURNS + 4], through: [TURNS, 4 * TURNS], twice: [TURNS, 4 * TURNS], leaf: [2 * TURNS, 6 * 2 * TURNS], count: [1, 2] };
    for (const [name, [calls, self]] of Object.entries(wanted)) assert.deepEqual([find(profile, name).calls, find(profile, name).self], [calls, self], name);
    assert.equal(profile.total, Object.values(wanted).reduce((sum, [, self]) => sum + self, 0));
    assert.deepEqual(folded("--value", "calls").filter(line => line.includes("leaf")),
                     [`run;through #2;through;twice;leaf #2 ${2 * TURNS}`, `run;through #2;through;twice;leaf #2;leaf ${2 * TURNS}`]);
  },
  "all ways to record give the same sums"() {
    const { profile: { total } } = profiled("two.wasm", [String(TURNS)], { options: ["--invoke", "run"] });
    for (const options of [["--clock", "none"], ["--clock", "each"], ["--call-lines"], ["--fold-recursion"], ["--timeline", "t.json"], ["--call-kinds"]]) {
      const { profile } = profiled("two.wasm", [String(TURNS)], { options: ["--invoke", "run", ...options] });
      assert.equal(profile.total, total, options.join(" "));
      assert.equal(find(profile, "leaf").calls, 2 * TURNS, options.join(" "));
    }
    profiled("two.wasm", [String(TURNS)], { options: ["--invoke", "run", "--lines"] });
    assert.equal(json(["--value", "line ticks", "p.pb.gz"]).total, total);
  },
  "components that are composed cost what their own modules do, with resources that one gives to the other"() {
    const { stdout, profile } = profiled("store.wasm", [String(TURNS)], { options: ["--invoke", "run"] });
    assert.equal(stdout, `${10 + TURNS + 1000 + 2 * 10000}\n`); // two destructors have run
    assert.deepEqual(profile.functions.filter(({ self }) => self > 0).map(({ name, calls, self }) => [name, calls, self]).sort(), [
      ["add", TURNS, 9 * TURNS], ["drop", 2, 8], ["my:store/counters#[constructor]counter", 2, 24], ["my:store/counters#[dtor]counter", 2, 10],
      ["my:store/counters#dropped", 1, 2], ["my:store/counters#peek", 1, 3], ["my:store/counters#take", 1, 8], ["run", 1, 22 + 9 * TURNS],
    ]);
    assert.ok(folded("--value", "calls").includes("run;take;my:store/counters#take;drop;my:store/counters#[dtor]counter 1"));
  },
  "a trap in one module leaves the functions of both"() {
    const { stderr, profile } = profiled("two.wasm", [], { status: 134, options: ["--invoke", "broken"] });
    assert.match(stderr, /trap: .*unreachable.*\n    in a.fail\n(.*\n)*    in b.broken\n/);
    assert.deepEqual(["broken", "fail"].map(name => find(profile, name).calls), [1, 1]);
  },
  "functions of interfaces take and return values"() {
    const call = (name, args, status = 0) => profiled("values.wasm", args, { status, options: ["--invoke", name] }).stdout;
    assert.equal(call("my:own/math#twice", ["-4611686018427387904n"]), "-9223372036854775808\n");
    assert.equal(call("my:own/math#half", ["2.5"]), "1.25\n");
    assert.equal(call("my:own/math#twice", ["3"]), "6\n");
    call("fails", ["false"]);
    call("fails", ["true"], 1);
    assert.equal(profiled("failing.wasm", [], { status: 1 }).stderr, "");
    const failed = profiled("payload.wasm", ["12345678901234567890"], { status: 1, options: ["--invoke", "to-do"] });
    assert.equal(failed.stderr, "toll: the result is an error: 5\n");
  },
  "a closed standard output is no failure of toll"() {
    const { status, stderr } = command(["run", "-q", "-o", "p.pb.gz", "--clock", "none", component, "fib", "15"], { stdio: ["ignore", fs.openSync("/dev/full", "w"), "pipe"] });
    assert.deepEqual([status, stderr], [0, ""]);
  },
  "lines are those of each module's debug information"() {
    profiled(component, ["fib", "15"], { options: ["--lines"] });
    const module = command(["run", "-q", "-o", "m.pb.gz", "--lines", app, "fib", "15"]);
    assert.equal(module.status, 0, module.stderr);
    const linesOf = file => json(["--value", "executions", file]).functions.filter(f => f.name === "fib").map(({ name, file: source, self }) => [name, source, self]);
    assert.ok(linesOf("p.pb.gz").length > 0);
    assert.deepEqual(linesOf("p.pb.gz"), linesOf("m.pb.gz"));
  },
  "modules of a Node program can be linked, with the same sum"() {
    const results = [{}, { linked: true }].map(options => {
      const env = { ...process.env, TOLL_OUTPUT: path.resolve("js/p.pb.gz"), TOLL_OPTIONS: JSON.stringify(options) };
      const args = ["--import", path.join(lib, "preload.mjs"), "app.program.mjs", "fib", "15"];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: "js", encoding: "utf8", env, input: "" });
      assert.deepEqual([status, stdout], [0, "610\n"], stderr);
      fs.copyFileSync("js/p.pb.gz", "p.pb.gz");
      return { profile: json(["p.pb.gz"]), stacks: folded("--value", "calls").join("\n") };
    });
    const [apart, linked] = results.map(({ profile }) => profile);
    assert.equal(linked.total, apart.total);
    for (const name of ["fib", "main", "fd_write", "__stdio_write"])
      assert.deepEqual([find(linked, name).calls, find(linked, name).self], [find(apart, name).calls, find(apart, name).self], name);
    assert.doesNotMatch(results[0].stacks, /;main;.*;fd_write;/);
    assert.match(results[1].stacks, /;main;.*;fd_write;/);
  },
  "what cannot be run is refused, and says why"() {
    for (const [args, text] of [
      [["cut.wasm"], /^toll: cut.wasm: /],
      [["empty.wasm"], /the component has no wasi:cli\/run: it is no program. Say --invoke NAME; it exports nothing/],
      [["typed.wasm"], /component export `t` was not a function or instance/],
      [["takes.wasm"], /the component imports my:host\/things, which is not of WASI 0.2/],
      [["two.wasm"], /Say --invoke NAME; it exports broken, run/],
      [["--invoke", "walk", "two.wasm"], /the component exports no walk; it exports broken, run/],
      [["--invoke", "run", "two.wasm", "1", "2"], /--invoke: run takes 1 arguments, and 2 are given/],
      [["--invoke", "run", "owns.wasm"], /has imports from a module "toll" of its own/],
      [["--costs", "pvm", "--invoke", "run", "two.wasm", "1"], /costs of pvm are those of a kernel/],
      [["--heap", "--invoke", "run", "memories.wasm", "1"], /heap: blocks are known by their addresses/],
      [["deep.wasm"], /^toll: deep.wasm: /],
    ]) {
      fs.rmSync("p.pb.gz", { force: true });
      const { status, stderr } = command(["run", "-q", "-o", "p.pb.gz", ...args]);
      assert.equal(status, 1, `${args}: ${stderr}`);
      assert.match(stderr, text);
      assert.equal(stderr.trim().split("\n").length, 1, stderr);
    }
  },
  "without jco the message says how to get it"() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toll-component-"));
    fs.copyFileSync("two.wasm", path.join(folder, "two.wasm"));
    const { status, stderr } = command(["run", "--invoke", "run", "two.wasm", "1"], { cwd: folder });
    assert.equal(status, 1);
    assert.match(stderr, /^toll: two.wasm: is a component, for which Node needs the package @bytecodealliance\/jco-transpile: npm install @bytecodealliance\/jco-transpile\n$/);
    fs.rmSync(folder, { recursive: true });
  },
};

let failed = 0;
const FEW = [/^a program's own/, /^modules that call/, /^components that are/, /^a trap in/, /^without jco/];
for (const [name, test] of Object.entries(tests).filter(([name]) => !isFew || FEW.some(pattern => pattern.test(name))))
  try {
    test();
    console.log(`ok: ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}: ${error.stack}`);
  }
process.exit(failed ? 1 : 0);
