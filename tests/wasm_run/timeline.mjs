// timeline.mjs TOLL MODULES LIB - timelines of WebAssembly programs are in their file while these run: killed ones leave
// what they did, memory does not grow, and what is in the file is what is in the profile.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [toll, modules, lib] = process.argv.slice(2).map(name => path.resolve(name));
const load = name => import(pathToFileURL(path.join(lib, name)));
const [{ Toll }, { TimelineFile }] = await Promise.all([load("toll.mjs"), load("timeline_file.mjs")]);
const app = path.join(modules, "app.wasm"), steps = fs.readFileSync(path.join(modules, "steps.wasm"));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toll-timeline-"));
process.chdir(folder);

function command(...args) {
  const { status, stdout, stderr } = spawnSync(toll, args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout;
}

const callsOf = (file, name) => JSON.parse(command("report", "-q", "--json", "--value", "calls", file)).functions
  .find(f => f.name === name)?.calls;

/** The stacks of one value, but for what was spent while no function was open. */
const stacks = (value, file) => command("convert", "-q", "--to", "folded", "--value", value, file, "-o", "-").split("\n")
  .filter(line => !line.startsWith("(outside)"));

// A program under Node is killed: Node, not the command that has started it.
fs.writeFileSync("node.sh", `#!/bin/sh\necho $$ >node.pid\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 });

async function kill(...options) {
  const run = spawn(toll, ["run", "-q", ...options, "-o", "p.pb.gz", "--timeline", "k.toll-timeline", app, "steps", "54321"],
                    { env: { ...process.env, TOLL_NODE: path.resolve("node.sh") }, stdio: ["ignore", "pipe", "inherit"] });
  const [said] = await once(run.stdout, "data");
  assert.equal(String(said), "a second later\n");
  process.kill(Number(fs.readFileSync("node.pid", "utf8")), "SIGKILL");
  await once(run, "exit");
  assert.ok(!fs.existsSync("p.pb.gz"));
}

const tests = {
  async "a killed program leaves all but the last second"() {
    for (const options of [[], ["--clock", "none"], ["--no-ticks"]]) {
      await kill(...options);
      assert.equal(callsOf("k.toll-timeline", "step"), 54321, String(options));
      assert.ok(callsOf("k.toll-timeline", "other") > 0, String(options));
      assert.match(command("report", "k.toll-timeline"), /timelines without an end/);
      for (const name of ["k.trace.json", "k.pb.gz"]) {
        command("convert", "-q", "k.toll-timeline", "-o", name);
        command("check", name);
      }
    }
  },
  "the file has what the profile has"() {
    for (const options of [[], ["--clock", "none"], ["--no-ticks"]])
      for (const [args, status] of [[["fib", "18"], 0], [["exit", "3"], 3]]) {
        const run = spawnSync(toll, ["run", "-q", ...options, "-o", "p.pb.gz", "--timeline", "w.toll-timeline", app, ...args]);
        assert.equal(run.status, status, String(run.stderr));
        command("report", "--strict", "w.toll-timeline");
        const values = JSON.parse(command("report", "--json", "w.toll-timeline")).columns.map(c => c.type);
        assert.equal(values.length, options.length === 0 ? 3 : 2);
        for (const value of values)
          assert.deepEqual(stacks(value, "w.toll-timeline"), stacks(value, "p.pb.gz"), `${options} ${args} ${value}`);
        if (args[0] === "fib") assert.ok(fs.statSync("w.toll-timeline").size < 12 * 2 * callsOf("p.pb.gz", "fib"));
      }
  },
  async "memory does not grow with the events of a file"() {
    const measured = [];
    for (const timeline of [new TimelineFile("m.toll-timeline"), new TimelineFile(), true]) {
      const t = await (await Toll.load()).instantiate(steps, {}, { timeline }), { memory } = t.library.c;
      t.exports.run(100_000);
      const before = memory.buffer.byteLength;
      t.exports.run(300_000);
      measured.push(memory.buffer.byteLength - before);
      if (timeline === true) continue;
      t.endTimeline();
      t.exports.run(5); // not in it any more
      const trace = JSON.parse(new TextDecoder().decode(t.write("speedscope", "", true)));
      assert.equal(trace.profiles[0].events.length, 2 * 400_002);
    }
    assert.deepEqual(measured.slice(0, 2), [0, 0]);
    assert.ok(measured[2] > 300_000);
    assert.equal(callsOf("m.toll-timeline", "step"), 400_000);
  },
  async "a file is of one recording, and may be full"() {
    const loaded = await Toll.load(), file = new TimelineFile(), { write } = file;
    const t = await loaded.instantiate(steps, {}, { timeline: file });
    await assert.rejects(loaded.instantiate(steps, {}, { timeline: file }), /another recording uses the timeline's file/);
    file.write = () => { throw Object.assign(new Error("full"), { code: "ENOSPC" }); };
    t.exports.run(100_000);
    assert.throws(() => t.endTimeline(), /cannot write to its temporary file: No space left on device/);
    file.write = write;
    assert.equal(t.summary({ value: "calls" }).total, 100_001);
    assert.throws(() => new TimelineFile("/dev/null"), /is no file/);
  },
  "where a temporary file cannot be, it is said what to do"() {
    const run = spawnSync(toll, ["run", "-q", "-o", "p.pb.gz", "--timeline", "t.trace.json", app], { encoding: "utf8", env: { ...process.env, TMPDIR: "/nonexistent" } });
    assert.equal(run.status, 1);
    assert.match(run.stderr, /^toll: .*no temporary file.*; set TMPDIR to a folder with room\n$/);
  },
};

try {
  for (const [name, test] of Object.entries(tests)) {
    await test();
    console.log(name);
  }
} finally {
  process.chdir("/");
  fs.rmSync(folder, { recursive: true, force: true });
}
