// outcome.mjs TOLL - what toll run leaves when the guest has ended: its files, what it prints, and how it ends itself.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isCompressed, Outcome, real, save, say } from "../../hosts/wasm/outcome.mjs";

const toll = path.resolve(process.argv[2]), here = path.dirname(new URL(import.meta.url).pathname);
const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toll-outcome-")));
process.chdir(folder);
process.setMaxListeners(0); // each Outcome has some
execFileSync("wat2wasm", ["--debug-names", path.join(here, "outcome.wat"), "-o", "guest.wasm"]);

const run = (...args) => spawnSync(toll, ["run", ...args], { encoding: "utf8" });
const report = (file, ...more) => JSON.parse(execFileSync(toll, ["report", "--json", ...more, file], { encoding: "utf8" }));
const saveText = (name, text) => save(name, take => take(Buffer.from(text)));
const descriptors = () => fs.readdirSync("/proc/self/fd").length;
const temporary = () => fs.readdirSync(".").filter(name => name.endsWith(".tmp"));

/** A profile whose file is the arguments with which it was written. */
const told = {
  withPart: (part, work) => work(),
  keepAll() {},
  aside: work => work(),
  write(format, value, inOrder, take) {
    const bytes = Buffer.from(JSON.stringify([format, value, inOrder]));
    return take ? take(bytes) : bytes;
  },
};

const tests = {
  "a file that is replaced keeps its mode, a link its target, and nothing is left beside it"() {
    fs.writeFileSync("old", "old", { mode: 0o640 });
    fs.symlinkSync("old", "link");
    fs.symlinkSync("link", "link2");
    const before = descriptors();
    saveText("link2", "new");
    saveText("fresh", "x".repeat(1 << 20));
    assert.equal(fs.readFileSync("old", "utf8"), "new");
    assert.equal(fs.statSync("old").mode & 0o777, 0o640);
    assert.ok(fs.lstatSync("link").isSymbolicLink() && fs.lstatSync("link2").isSymbolicLink());
    assert.equal(fs.statSync("fresh").size, 1 << 20);
    assert.deepEqual(temporary(), []);
    assert.equal(descriptors(), before);
  },
  "links to a file that is not there yet lead to it, and links in a circle are an error"() {
    const last = Array.from({ length: 40 }, (_, i) => `to${i}`).reduce((target, name) => (fs.symlinkSync(target, name), name), "sub/end");
    assert.equal(real("none"), "none");
    assert.equal(real(last), path.join(folder, "sub/end"));
    assert.throws(() => saveText(last, "x"), { message: `${last}: cannot create: No such file or directory` });
    fs.mkdirSync("sub");
    saveText(last, "x");
    assert.equal(fs.readFileSync("sub/end", "utf8"), "x");
    fs.symlinkSync("circle", "circle");
    assert.throws(() => saveText("circle", "x"), { message: "circle: cannot create: Too many symbolic links encountered" });
    assert.throws(() => saveText("old/x", "x"), { message: "old/x: cannot create: Not a directory" });
  },
  "a failure leaves the old file, and no other"() {
    const before = descriptors();
    assert.throws(() => save("old", take => {
      take(Buffer.from("half"));
      throw new Error("of the profile");
    }), { message: "of the profile" });
    assert.throws(() => save("old", () => temporary().forEach(name => fs.rmSync(name))), { message: "old: cannot rename into place: No such file or directory" });
    assert.equal(fs.readFileSync("old", "utf8"), "new");
    assert.deepEqual(temporary(), []);
    assert.equal(descriptors(), before);
    assert.throws(() => saveText("/dev/full", "x"), { message: "/dev/full: cannot write: No space left on device" });
    assert.ok(fs.statSync("/dev/full").isCharacterDevice());
  },
  async "a pipe gets all, though it is full at times"() {
    execFileSync("mkfifo", ["pipe"]);
    const fd = fs.openSync("pipe", fs.constants.O_RDWR | fs.constants.O_NONBLOCK), text = "0123456789".repeat(50000);
    const reader = spawn("sh", ["-c", `head -c ${text.length} pipe >got`]), ended = new Promise(done => reader.on("close", done));
    say(fd, text); // nothing else runs here meanwhile
    await ended;
    fs.closeSync(fd);
    assert.equal(fs.readFileSync("got", "utf8"), text);
    say(fd, "lost"); // it is closed
  },
  "which files are compressed"() {
    const names = ["pprof x.pb.gz", "pprof x", "pprof x.pb", "folded x.gz", "folded x.folded", "folded x.pb"];
    assert.deepEqual(names.filter(name => isCompressed(...name.split(" "))), ["pprof x.pb.gz", "pprof x", "folded x.gz"]);
  },
  "a timeline grows during the run if it is a file of that format, not compressed"() {
    const streams = (timeline, format) => new Outcome({ timeline, "timeline-format": format }).streams;
    assert.deepEqual([streams("t.toll-timeline", "timeline"), streams("t.toll-timeline.gz", "timeline"), streams("t.trace.json", "chrome"), streams()],
                     [true, false, false, false]);
  },
  "a level's profile is beside the whole, in the same order"() {
    for (const flamechart of [false, true]) {
      const outcome = new Outcome({ output: "sub/run.trace.json", format: "chrome", flamechart, "keep-all": false });
      outcome.follow(told);
      outcome.level(12, told);
      assert.deepEqual(JSON.parse(fs.readFileSync("sub/run.level-12.trace.json")), ["chrome", "", flamechart]);
    }
  },
  "the clock's share and price"() {
    const clock = (time, readings, overhead) => {
      const outcome = new Outcome({});
      outcome.follow({ spent: () => ({ time }), clockCost: () => ({ readings, overhead }) });
      return outcome.clock();
    };
    const line = (share, readings, each) => `\nabout ${share}% of the time measured is the clock itself: ${readings} readings of ${each} ns; --clock none counts ticks alone\n`;
    assert.equal(clock(1n, 1, 10), line(1000, "1", 10));
    assert.equal(clock(40000n, 1234, 20000), line(50, "1,234", 16));
    assert.equal(clock(0n, 0, 0), line(0, "0", 0));
    assert.equal(clock(0n, 1, 3), line(300, "1", 3));
  },
  "what was not saved is an exit status, unless the guest has one of its own"() {
    const outcome = new Outcome({});
    assert.deepEqual([0, 1, 7].map(status => outcome.status(status)), [0, 1, 7]);
    assert.equal(outcome.saved("saved", take => take(Buffer.from("x"))), true);
    assert.equal(outcome.status(0), 0);
    assert.equal(outcome.saved("/dev/full", take => take(Buffer.from("x"))), false);
    assert.deepEqual([0, 1, 7].map(status => outcome.status(status)), [1, 1, 7]);
  },
  "the summary is on standard error, after the guest's output and before the clock"() {
    const { status, stdout, stderr } = run("-o", "p.folded", "--timeline", "p.trace.json", "guest.wasm");
    assert.deepEqual([status, stdout], [0, "begun\n"]);
    assert.match(stderr, /^(toll: warning: format .*\n){2}\ntoll: .*\/p\.folded\nticks: /);
    assert.match(stderr, /\n\nabout \d+% of the time measured is the clock itself: \d+ readings of \d+ ns; --clock none counts ticks alone\n$/);
    assert.deepEqual(stderr.match(/(?<= )(_start|leaf|say|write|sizes)$/gm).sort(), ["_start", "leaf", "say", "sizes", "write"]);
    assert.equal(report("p.trace.json", "--value", "calls").functions.find(f => f.name === "leaf").calls, 1);
  },
  "with -q nothing is printed"() {
    const { status, stdout, stderr } = run("-q", "-o", "p.folded", "guest.wasm");
    assert.deepEqual([status, stdout, stderr], [0, "begun\n", ""]);
  },
  "a file that cannot be written: one line, a summary that says so, and status 1"() {
    fs.symlinkSync("/dev/full", "full.folded");
    const { status, stdout, stderr } = run("--clock", "none", "--heap", "-o", "full.folded", "guest.wasm");
    assert.deepEqual([status, stdout], [1, "begun\n"]);
    assert.match(stderr, /^toll: .*full\.folded: cannot write: No space left on device\n/m);
    assert.match(stderr, /\n\ntoll: \(not written\)\ninuse_space: /);
    assert.ok(!stderr.includes("of the time measured"), stderr);
  },
  async "Ctrl-C ends a loop without calls, and a profile is written"() {
    const child = spawn(toll, ["run", "-q", "-o", "s.folded", "guest.wasm", "loop"], { stdio: ["ignore", "pipe", "inherit"], detached: true });
    const ended = new Promise(done => child.once("exit", (code, name) => done(name)));
    await new Promise(done => child.stdout.once("data", done));
    process.kill(-child.pid, "SIGINT");
    const limit = setTimeout(() => process.kill(-child.pid, "SIGKILL"), 60_000);
    assert.equal(await ended, "SIGINT");
    clearTimeout(limit);
    assert.match(fs.readFileSync("s.folded", "utf8"), /;spin \d+\n/);
  },
  async "a crash of Node is said, and leaves what a timeline has"() {
    const crash = async (...options) => {
      const child = spawn(toll, ["run", "-q", "-o", "crash.folded", ...options, "guest.wasm", "loop"], { stdio: ["ignore", "pipe", "pipe"] });
      const ended = new Promise(done => child.once("close", (code, name) => done(name)));
      let said = "";
      child.stderr.on("data", text => { said += text; });
      await new Promise(done => child.stdout.once("data", done));
      process.kill(Number(fs.readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8")), "SIGSEGV");
      assert.equal(await ended, "SIGSEGV");
      return said;
    };
    const why = "toll: no profile was written: node has crashed (Segmentation fault); ", another = "; or try another version of Node\n";
    assert.equal(await crash(), `${why}with --timeline NAME.toll-timeline what is called until shortly before is kept${another}`);
    assert.equal(await crash("--timeline", "crash.toll-timeline"), `${why}crash.toll-timeline has what was called until shortly before${another}`);
    assert.ok(report("crash.toll-timeline").notes.some(({ text }) => /killed, or cut/.test(text))); // it can be read
  },
};

try {
  for (const [name, test] of Object.entries(tests)) {
    await test();
    console.log(`outcome: ${name}`);
  }
} finally {
  fs.rmSync(folder, { recursive: true });
}
