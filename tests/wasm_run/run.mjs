// run.mjs TOLL MODULES - holds toll run to what a program does without it: streams, files, exit status; and
// that a profile comes whatever ends the program.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const [toll, modules] = process.argv.slice(2).map(name => path.resolve(name));
const app = path.join(modules, "app.wasm"), mix = path.join(modules, "mix.wasm"), heap = path.join(modules, "heap.wasm");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toll-wasm-run-"));
process.chdir(folder);
fs.writeFileSync("note.txt", "a line of a file\n");

const run = (args, input = "") => spawnSync(toll, ["run", ...args], { input, encoding: "utf8" });
const report = file => JSON.parse(spawnSync(toll, ["report", "--json", file], { encoding: "utf8" }).stdout);
const calls = (profile, name) => profile.functions.find(f => f.name === name)?.calls ?? 0;

const reportOf = (value, file) => JSON.parse(spawnSync(toll, ["report", "--json", "--value", value, file], { encoding: "utf8" }).stdout);
const totalOf = (value, file) => reportOf(value, file).total;

function sound(file) {
  const { status, stdout, stderr } = spawnSync(toll, ["check", file], { encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
}

/** A run with a profile: what it printed, and the profile. */
function profiled(args, { status = 0, input = "", options = [] } = {}) {
  fs.rmSync("p.pb.gz", { force: true });
  const result = run(["-q", "-o", "p.pb.gz", ...options, app, ...args], input);
  assert.equal(result.status, status, result.stderr);
  sound("p.pb.gz");
  return { ...result, profile: report("p.pb.gz") };
}

const tests = {
  "streams, arguments, variables and files are the program's own"() {
    const { stdout, stderr } = profiled(["echo", "/data/note.txt"], {
      input: "one\ntwo\n", options: ["--dir", `${folder}::/data`, "--env", "COLOR=blue"],
    });
    assert.equal(stdout, `argument 0: ${app}\nargument 1: echo\nargument 2: /data/note.txt\nCOLOR is blue\nfile: a line of a file\n`);
    assert.equal(stderr, "input: one\ninput: two\n");
  },
  "without --dir there are no files"() {
    profiled(["echo", path.join(folder, "note.txt")], { status: 3 });
  },
  "calls are exact, and the same each time"() {
    const first = profiled(["fib", "15"]), again = profiled(["fib", "15"]);
    assert.equal(first.stdout, "610\n");
    assert.equal(calls(first.profile, "fib"), 1973);
    const ticks = profile => profile.functions.map(f => [f.name, f.calls, f.self]);
    assert.deepEqual(ticks(first.profile), ticks(again.profile));
  },
  "many calls of WASI while memory grows"() { // V8 of Node 20 and 22 died of it in fast API calls of node:wasi
    fs.writeFileSync("much.txt", "x".repeat(16384));
    const { stdout, profile } = profiled(["reads", "much.txt"], { options: ["--dir", "."] });
    assert.equal(stdout, "16384000 bytes\n");
    assert.equal(calls(profile, "__wasi_fd_read"), 4000);
  },
  "the lines' ticks are the functions' own, however the program ends"() {
    const self = value => reportOf(value, "p.pb.gz").functions.filter(f => f.self).map(f => [f.name, f.self]).sort();
    for (const [args, status] of [[["fib", "12"], 0], [["exit", "7"], 7], [["trap"], 134], [["overflow"], 134]]) {
      profiled(args, { status, options: ["--lines", "--clock", "none"] });
      const ticks = self("ticks");
      assert.deepEqual(self("line ticks"), ticks, `${args}`);
      profiled(args, { status, options: ["--lines", "--no-calls"] });
      assert.deepEqual(report("p.pb.gz").columns.map(c => c.type), ["ticks", "executions", "block executions"]);
      if (args[0] !== "overflow") assert.deepEqual(self("ticks"), ticks, `${args}, without calls`); // frames are smaller
    }
  },
  "files are finished though nobody reads what is printed"() {
    const quick = "mkfifo closed; exec 3<>closed 4>closed 3<&-; exec \"$@\" 2>&4"; // a pipe without a reader
    for (const file of ["n.callgrind", "n.pb.gz", "n.html"]) { // callgrind has no time: there is a warning
      fs.rmSync("closed", { force: true });
      const { status, stdout } = spawnSync("sh", ["-c", quick, "sh", toll, "run", "--lines", "-o", file, app, "fib", "15"], { encoding: "utf8" });
      assert.equal(status, 0);
      assert.equal(stdout, "610\n");
      assert.ok(fs.statSync(file).size > 0);
    }
    assert.deepEqual(fs.readdirSync(".").filter(name => name.startsWith("n.")), ["n.callgrind", "n.html", "n.pb.gz"]);
  },
  "calls alone are counted, too"() {
    const { stdout, profile } = profiled(["fib", "15"], { options: ["--no-ticks", "--clock", "none"] });
    assert.equal(stdout, "610\n");
    assert.deepEqual(profile.columns.map(c => c.type), ["calls"]);
    assert.equal(calls(profile, "fib"), 1973);
    const heapOnly = run(["-q", "--heap", "--no-ticks", "--clock", "none", "-o", "h.pb.gz", heap]);
    assert.equal(heapOnly.status, 0, heapOnly.stderr);
    assert.deepEqual(report("h.pb.gz").columns.map(c => c.type),
                     ["calls", "alloc_objects", "alloc_space", "inuse_objects", "inuse_space"]);
    for (const order of [["--flamechart", "-o", "o.folded"], ["-o", "o.trace.json"], ["--timeline", "o.trace.json"]]) {
      const { status, stderr } = run(["-q", "--no-ticks", "--clock", "none", ...order, app, "fib", "3"]);
      assert.equal(status, 2);
      assert.match(stderr, /order in time needs ticks or time/);
    }
  },
  "phases have time, and no ticks"() {
    profiled(["fib", "3"], { options: ["--clock", "wall"] });
    const text = spawnSync(toll, ["report", "--json", "--value", "time", "p.pb.gz"], { encoding: "utf8" }).stdout;
    for (const phase of ["decode", "link", "init"]) {
      const { self, calls } = JSON.parse(text).functions.find(f => f.name === `%interpreter(${phase})`);
      assert.ok(self > 0 && calls === 1, phase);
    }
  },
  "time is sampled, and calls and ticks are what they are without time"() {
    const self = value => reportOf(value, "p.pb.gz").functions.map(f => [f.name, f.self, f.calls]).sort();
    const inGuest = rows => rows.filter(([name]) => !name.startsWith("%"));
    const notes = (options, n = "30") => profiled(["fib", n], { options }).profile.notes.map(n => n.text).join("\n");
    const looks = /samples: the engine's own sampler measured the time/, clock = /reading the clock took/;
    const ticks = (notes(["--clock", "none"]), self("ticks"));
    for (const options of [[], ["--clock", "wall"], ["--clock", "sampled"]]) {
      const sampled = notes(options);
      assert.match(sampled, looks);
      assert.ok(!clock.test(sampled));
      assert.deepEqual(inGuest(self("ticks")), inGuest(ticks));
    }
    const inOrder = notes(["--timeline", "t.speedscope.json"], "20");
    assert.match(inOrder, clock);
    assert.ok(!looks.test(inOrder));
    const each = notes(["--clock", "each"], "24"), whole = totalOf("time", "p.pb.gz");
    assert.match(each, clock);
    assert.ok(!looks.test(each));
    const less = spawnSync(toll, ["report", "--json", "--value", "time", "--no-overhead", "p.pb.gz"], { encoding: "utf8" });
    const without = JSON.parse(less.stdout), off = without.notes.find(n => n.text.includes("taken off the time"));
    assert.equal(without.total + off.count, whole);
    const refused = run(["-q", "--clock", "sampled", "--timeline", "t.trace.json", app, "fib", "3"]);
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /order in time needs the time of each event/);
  },
  "time is that of a second run, which nobody notices"() {
    const twice = "samples: the engine's own sampler measured the time, in a second run of the module as it is";
    const sum = (options, words = [], input = "1\n20\n300\n") => {
      const { profile, stdout } = profiled(["sum", ...words], { status: 5, input, options });
      assert.match(stdout, /^\d+ 5702887\n\.*$/);
      return { profile, stdout, notes: profile.notes.map(n => n.text) };
    };
    const once = sum(["--clock", "sampled"]), again = sum(["--twice"]);
    assert.ok(again.notes.includes(twice) && !once.notes.includes(twice), again.notes.join("\n"));
    assert.equal(again.stdout, "321 5702887\n");
    const rows = profile => profile.functions.map(f => [f.name, f.self, f.calls]).filter(([name]) => !name.startsWith("%"));
    assert.deepEqual(rows(again.profile), rows(once.profile));
    assert.ok(reportOf("time", "p.pb.gz").functions[0].name === "fib");
    assert.ok(!sum([]).notes.includes(twice), "unless it is asked for");
    assert.ok(sum(["--dir", ".", "--twice"]).notes.includes(twice));
    const random = [1, 2, 3].map(() => sum(["--twice"], ["random"]).notes); // once in 256 both runs print as many dots
    assert.ok(random.some(notes => !notes.includes(twice) && notes.some(text => /not of a second one: it has written \d+,0 bytes to standard output, error; not \d+,0$/.test(text))));
    fs.writeFileSync("numbers.txt", "100\n1\n2\n");
    const input = fs.openSync("numbers.txt"); // from where the file stands
    fs.readSync(input, Buffer.alloc(4));
    const { stdout } = spawnSync(toll, ["run", "-q", "--twice", "-o", "p.pb.gz", app, "sum"], { stdio: [input, "pipe", "inherit"], encoding: "utf8" });
    assert.equal(stdout, "3 5702887\n");
    assert.ok(report("p.pb.gz").notes.some(n => n.text === twice));
  },
  "the exit status passes through, from any depth"() {
    assert.equal(calls(profiled(["exit", "42"], { status: 42 }).profile, "leave"), 6);
  },
  "a trap leaves a profile, and tells where"() {
    const { stderr } = profiled(["trap"], { status: 134 });
    assert.match(stderr, /^toll: app.wasm: trap: unreachable\n    in main\n    in /m);
  },
  "so does a stack without end"() {
    const { profile, stderr } = profiled(["overflow"], { status: 134, options: ["--max-depth", "50"] });
    assert.ok(calls(profile, "deeper") < 50 && profile.notes.length > 0);
    assert.match(stderr, /trap: (memory access out of bounds|Maximum call stack size exceeded)\n    in deeper/);
  },
  "an export is called with numbers of its types"() {
    const { stdout, stderr, status } = run(["-q", "--invoke", "mix", mix, "9007199254740993", "-5", "0.5", "1e3"]);
    assert.deepEqual([status, stdout, stderr], [0, "9007199254740988\n1000.5\n", ""]);
    assert.match(run(["--invoke", "mix", mix, "1", "4294967296", "0", "0"]).stderr, /'4294967296' is no i32/);
    assert.match(run(["--invoke", "mix", mix, "1"]).stderr, /mix takes 4 arguments, and 1 are given/);
    assert.match(run(["--invoke", "max", mix]).stderr, /no function is exported as 'max'/);
    assert.match(run([mix]).stderr, /no _start.*it exports mix/);
  },
  "the heap is exact, by the function that allocates"() {
    for (const options of [[], ["--skip", "^(malloc|free|operator|dl)"], ["--no-ticks"]]) {
      const { stdout, status, stderr } = run(["-q", "-o", "h.pb.gz", "--heap", ...options, heap]);
      assert.equal(status, 0, stderr);
      sound("h.pb.gz");
      const of = type => Object.fromEntries(JSON.parse(spawnSync(toll, ["report", "--json", "--value", type, "h.pb.gz"],
        { encoding: "utf8" }).stdout).functions.map(f => [f.name, f.total]));
      const [bytes, objects, allocated] = ["inuse_space", "inuse_objects", "alloc_objects"].map(of);
      const sites = stdout.trim().split("\n").map(line => line.split(" "));
      assert.equal(sites.length, 7);
      for (const [site, ...known] of sites)
        assert.deepEqual([bytes[site], objects[site], allocated[site]], known.map(Number), site);
    }
    assert.equal(run(["-q", "-o", "h.pb.gz", "--heap", path.join(modules, "throws.wasm")]).status, 0);
    assert.equal(totalOf("alloc_space", "h.pb.gz"), 300); // also those deeper than the one that threw
    assert.match(run(["--heap", "-q", "--invoke", "mix", mix, "1", "2", "3", "4"]).stdout, /^3\n/); // no warnings
  },
  "the order in time is written on request"() {
    for (const name of ["p.speedscope.json", "p.trace.json", "p.folded"]) {
      assert.equal(run(["-q", "-o", name, "--flamechart", app, "fib", "5"]).status, 0);
      sound(name);
    }
    assert.match(fs.readFileSync("p.folded", "utf8"), /^%interpreter\(decode\) \d+\n%interpreter\(link\) \d+\n/);
    const evented = JSON.parse(fs.readFileSync("p.speedscope.json", "utf8"));
    assert.equal(evented.profiles[0].type, "evented");
    assert.equal(run(["-q", "--timeline", "t.trace.json", app, "fib", "5"]).status, 0);
    assert.equal(report("t.trace.json").functions.find(f => f.name === "fib").calls, 15);
    assert.match(run(["--flamechart", app, "fib", "5"]).stderr, /keeps no order in time/);
  },
  "what cannot be written is told, what is no plain file stays what it is"() {
    assert.equal(run(["-q", "-o", "p.trace.json", app, "fib", "5"]).status, 0); // is nothing but an order in time
    sound("p.trace.json");
    const full = run(["-q", "--to", "folded", "-o", "/dev/full", app, "fib", "5"]);
    assert.equal(full.status, 1);
    assert.equal(full.stderr, "toll: /dev/full: cannot write: No space left on device\n");
    assert.ok(fs.statSync("/dev/full").isCharacterDevice());
    fs.rmSync("linked.folded", { force: true });
    fs.writeFileSync("target.folded", "");
    fs.symlinkSync("target.folded", "linked.folded");
    assert.equal(run(["-q", "-o", "linked.folded", app, "fib", "5"]).status, 0);
    assert.ok(fs.lstatSync("linked.folded").isSymbolicLink() && fs.statSync("target.folded").size > 0);
    assert.match(run(["-q", "--timeline", "same.trace.json", "-o", "same.trace.json", app]).stderr, /are one file/);
    assert.equal(run(["-q", "--skip", "-none", app, "fib", "5"]).status, 0);
  },
  "bad modules, and what is not WASI, are told"() {
    fs.writeFileSync("bad.wasm", fs.readFileSync(app).subarray(0, 1000));
    const bad = run(["-o", "bad.pb.gz", "bad.wasm"]);
    assert.equal(bad.status, 1);
    assert.match(bad.stderr, /^toll: bad.wasm: .*\n$/);
    assert.ok(!fs.existsSync("bad.pb.gz"));
    assert.match(run(["none.wasm"]).stderr, /none.wasm: no such module/);
    assert.match(run(["--clock", "cpu", app]).stderr, /wall clock/);
  },
};

/** A program that never ends, ended by a signal: a profile is written, and the exit status is the signal's. */
async function interrupted(signal, wholeGroup) {
  fs.rmSync("s.pb.gz", { force: true });
  const child = spawn(toll, ["run", "-q", "-o", "s.pb.gz", app, "loop"],
                      { stdio: ["ignore", "pipe", "inherit"], detached: true });
  await new Promise(resolve => child.stdout.once("data", resolve));
  process.kill(wholeGroup ? -child.pid : child.pid, signal);
  const end = await new Promise(resolve => child.once("exit", (code, name) => resolve(name)));
  assert.equal(end, signal);
  sound("s.pb.gz");
  assert.equal(calls(report("s.pb.gz"), "spin"), 1);
}

for (const [name, test] of Object.entries(tests)) {
  test();
  console.log(`ok: ${name}`);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  await interrupted(signal, false);
  await interrupted(signal, true);
  console.log(`ok: ${signal} ends a loop without calls, and a profile comes`);
}
fs.rmSync(folder, { recursive: true });
