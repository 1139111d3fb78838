// test_session.mjs - one session of tests: its settings, the profile of all of its processes, and budgets, by `toll check`.
//
// The first process makes a folder, which others find by TOLL_TEST_PARTS, for the profiles of them all. It adds them up
// when it ends.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import zlib from "node:zlib";
import { isCompressed, save } from "./outcome.mjs";
import { Toll } from "./toll.mjs";

const ROWS = "10"; // of the summary
const OVER = 3; // the exit status of `toll check` where a rule fails

/** What has Node load test.mjs into a process before its program. */
export const PRELOAD = `--import=${new URL("test.mjs", import.meta.url)}`;

/** Each process reads them, from the environment. */
export function settings() {
  const { TOLL_OUT: out, TOLL_BUDGET: budget, TOLL_WRITE_BUDGET: newBudget, TOLL_TEST_PARTS: folder, TOLL_OPTIONS } = process.env;
  return { out, budget, newBudget, folder, options: JSON.parse(TOLL_OPTIONS || "{}") };
}

/** The program and first arguments of the command: that of the package or the build in which this file is, or of the PATH. */
function command() {
  const name = process.platform === "win32" ? "toll.exe" : "toll";
  const places = ["../toll.cjs", `../bin/${name}`, `../../bin/${name}`].map(place => fileURLToPath(new URL(place, import.meta.url)));
  const found = places.find(place => fs.existsSync(place)) ?? "toll";
  return found.endsWith(".cjs") ? [process.execPath, found] : [found];
}

/** Run the command, for this process to show what it says. */
function run(args, cwd) {
  const { NODE_OPTIONS, NODE_TEST_CONTEXT, GITHUB_ACTIONS, ...env } = process.env, [program, ...first] = command();
  const done = spawnSync(program, [...first, ...args], { cwd, env, encoding: "utf8", maxBuffer: Infinity });
  if (done.error) throw new Error(`the command toll cannot be run: ${done.error.message}; install tollprof, or put it on the PATH`);
  return { status: done.status, printed: done.stdout, said: done.stderr.replace(/^toll: /gm, "").trimEnd() };
}

function withFolder(work) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toll-"));
  try {
    return work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function throwIfOver({ status, said }) {
  if (status) throw new Error(status === OVER ? said : `toll: ${said}`);
}

/** Hold a profile to rules. They are in a file that messages name: "toll.check:1: ...". */
export function hold(profile, rules) {
  withFolder(folder => {
    fs.writeFileSync(path.join(folder, "test.pb"), profile);
    fs.writeFileSync(path.join(folder, "toll.check"), rules.map(rule => `${rule}\n`).join(""));
    throwIfOver(run(["check", "-q", "--budget", "toll.check", "test.pb"], folder));
  });
}

/** Hold the profile of a test to the rules of TOLL_BUDGET that are about it. */
export function holdFile(profile) {
  withFolder(folder => {
    const file = path.join(folder, "test.pb");
    fs.writeFileSync(file, profile);
    throwIfOver(run(["check", "-q", "--partial", "--budget", settings().budget, file]));
  });
}

const say = text => process.stderr.write(text && `${text.trimEnd()}\n`);

function printed(args) {
  const done = run(args);
  if (done.status) throw new Error(done.said);
  return done.printed;
}

/** Remove a file of an older run, which would be taken for what these tests cost. Returns what to say of it. */
function removed(file) {
  if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) return "";
  fs.rmSync(file);
  return "; the old one is removed";
}

function finish(toll, folder) {
  const { out, budget, newBudget } = settings(), parts = fs.readdirSync(folder).filter(name => name.endsWith(".pb")).sort();
  if (!parts.length) {
    const why = "no test has run WebAssembly";
    if (budget) say(`toll: nothing was held to ${budget}: ${why}`);
    return out && say(`toll: ${out} is not written: ${why}${removed(out)}`);
  }
  const sum = toll.sum(), file = out ?? path.join(folder, "tests.pb.gz"), format = toll.formatOf(file);
  for (const name of parts) sum.add(fs.readFileSync(path.join(folder, name)));
  const bytes = sum.write(format);
  save(file, take => take(isCompressed(format, file) ? zlib.gzipSync(bytes) : bytes));
  say(`\n${printed(["report", "--each", "--by", "test", "-n", ROWS, file])}`);
  if (budget) {
    const held = run(["check", "--partial", "--budget", budget, file]);
    say(held.printed.trimEnd().split("\n").at(-1));
    if (held.status && !process.exitCode) throw new Error(held.said); // rules about several tests together
  }
  if (newBudget) say(printed(["check", "--partial", "--write-budget", newBudget, file]));
}

/** Make this process the first one of a session, if it has none yet. */
export async function beginSession() {
  if (settings().folder) return;
  const toll = await Toll.load(), { budget, newBudget } = settings();
  if (budget && newBudget) throw new Error("toll: one of TOLL_BUDGET and TOLL_WRITE_BUDGET");
  if (budget && !fs.existsSync(budget)) throw new Error(`toll: TOLL_BUDGET: there is no file ${budget}; TOLL_WRITE_BUDGET makes one`);
  const folder = process.env.TOLL_TEST_PARTS = fs.mkdtempSync(path.join(os.tmpdir(), "toll-"));
  process.on("exit", () => {
    try {
      finish(toll, folder);
    } catch (error) {
      say(`toll: ${error.message.replace(/^toll: /, "")}`);
      process.exitCode ||= 1;
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
}
