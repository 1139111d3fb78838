// chosen.mjs LIB TOLL EXAMPLES - toll run --kernel: the profile of one kernel_run, and flame charts of levels, against those
// of the whole run.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";

const [, , , toll, examples] = process.argv;

/** Run an example into NAME in an empty folder. Returns its files by name, and what was printed. */
function run(kernel, name, ...more) {
  fs.rmSync("chosen", { recursive: true, force: true });
  fs.mkdirSync("chosen");
  const { status, stderr } = spawnSync(toll, ["run", "--kernel", "--inbox", path.join(examples, `${kernel}.json`), "--clock", "none", "-o", `chosen/${name}`, ...more, `${kernel}.wasm`],
    { encoding: "utf8", timeout: 60000 });
  const files = Object.fromEntries(fs.readdirSync("chosen").map(file => [file, fs.readFileSync(`chosen/${file}`)]));
  return { status, stderr, files };
}

const report = (file, ...more) => spawnSync(toll, ["report", "--json", ...more, file], { encoding: "utf8" }).stdout;
const texts = files => Object.entries(files).sort().map(([, bytes]) => bytes.toString());

test("--flamechart: each level has its chart; one after the other they are that of all", () => {
  const { "all.folded": all, ...levels } = run("slices", "all.folded", "--flamechart").files;
  assert.deepEqual(Object.keys(levels), ["all.level-0.folded", "all.level-1.folded", "all.level-2.folded"]);
  assert.equal(texts(levels).join(""), all.toString());
  for (const level of texts(levels)) assert.match(level, /^%interpreter\(decode\) 0\n%interpreter\(link\) 0\n%interpreter\(init\) 0\nkernel_run/);
});

test("a chart in a format of its own: a level has its events, at their times", () => {
  const { files } = run("ledger", "all.trace.json"), events = name => JSON.parse(files[name]).traceEvents.filter(({ ph }) => ph === "B" || ph === "E");
  const levels = [0, 1, 2].map(level => events(`all.level-${level}.trace.json`));
  assert.deepEqual(levels.flat(), events("all.trace.json"));
  assert.ok(levels[1][0].ts > 0);
});

test("--run: the profile has this kernel_run alone, and so have its level's file, its chart and the table", () => {
  const whole = run("slices", "all.pb.gz");
  fs.writeFileSync("slices.all.pb.gz", whole.files["all.pb.gz"]);
  const { stderr, files } = run("slices", "one.pb.gz", "--run", "4"), wanted = JSON.parse(report("slices.all.pb.gz", "--where", "run=4"));
  const level = /^level (\d+), kernel_run 4:/m.exec(stderr)[1];
  assert.deepEqual(Object.keys(files), [`one.level-${level}.pb.gz`, "one.pb.gz"]);
  for (const file of Object.keys(files)) assert.deepEqual(JSON.parse(report(`chosen/${file}`)).functions, wanted.functions);
  assert.equal([...stderr.matchAll(/^ {4}kernel_run +[\d,]+ ticks$/gm)].length, 2, "in one table of a run, and in the last one");
  assert.equal([...stderr.matchAll(/^level \d+, kernel_run \d+:/gm)].length, 9, "all runs are named");
  const ticks = [...stderr.matchAll(/^ {4}in all +([\d,]+) ticks$/gm)].map(([, number]) => Number(number.replaceAll(",", "")));
  assert.deepEqual(ticks, [wanted.total, wanted.total]);
});

test("--run with --flamechart: the chart of this kernel_run", () => {
  const { files: { "all.folded": all } } = run("slices", "all.folded", "--flamechart"), runs = all.toString().split(/^(?=%interpreter\(decode\))/m);
  assert.equal(runs.length, 9);
  const { files } = run("slices", "one.folded", "--flamechart", "--run", "4");
  assert.deepEqual(texts(files), [runs[4], runs[4]]);
  assert.equal(run("slices", "one.pb.gz", "--run", "4", "--timeline", "chosen/t.trace.json").status, 0);
  const names = JSON.parse(fs.readFileSync("chosen/t.trace.json")).traceEvents.filter(({ ph, name }) => ph === "B" && name === "kernel_run");
  assert.equal(names.length, 1);
});
