// results.cjs - what is left of a test run: a profile of each test, of each file of tests, and of all, and a table.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { gunzipSync, gzipSync } = require("node:zlib");
const { as, merge, profile, refused, table } = require("./convert.cjs");
const { cannotWrite, makeFolder, writeAll } = require("./disk.cjs");
const traces = require("./traces.cjs");

const FOLDER = "toll-profiles", OUTSIDE = "outside of tests", MOST_PENDING = 256 << 20, ROWS = 15;
// A test may change the folder. TOLL_RUN says that what is there is of this run, so that it is added to.
const alsoTo = traces.real.env.TOLL_OUT && path.resolve(traces.real.env.TOLL_OUT), adds = traces.real.env.TOLL_RUN;
const files = new Map(); // a file of tests -> its transactions that are not written yet
let pending = 0; // bytes of traces that wait

/** Keep a transaction, and read its traces at the end, or before there are too many. */
function add(transaction) {
  const { file = "script" } = transaction;
  if (!files.has(file)) files.set(file, []);
  files.get(file).push(transaction);
  pending += transaction.traces.names.reduce((sum, name) => sum + fs.statSync(path.join(transaction.traces.folder, name)).size, 0);
  if (pending > MOST_PENDING) for (const all of files.values()) all.forEach(read);
}

/** Of one that toll cannot read the others' profiles are kept, and a note says why. */
function read(transaction) {
  const { logs, traces: written } = transaction;
  if (!written) return;
  try {
    if (logs.length && !logs.some(line => line.endsWith(" invoke [1]"))) throw new Error("the log is cut off before any program runs; raise withLogBytesLimit");
    if (logs.length) Object.assign(transaction, profile(transaction));
  } catch (error) {
    transaction.problem = error.message.replace(/^toll: /, "");
  }
  transaction.untaken = traces.release(written);
  transaction.functions = written.names.length > 0;
  transaction.traces = undefined;
  pending = 0;
}

/** The beginning of a text, whole characters in at most `size` bytes. */
const beginning = (text, size) => Buffer.from(text).subarray(0, size).toString().replace(/\uFFFD$/, "");

/** Names of files for names of tests, each once. A system's limit is 255 bytes, with what write() and the format add. */
function fileNames(tests) {
  const used = new Set();
  return tests.map(test => {
    const plain = beginning(test.replace(/[^\p{L}\p{N} ._-]+/gu, "-").trim(), 100).trim() || "-";
    let name = plain;
    for (let n = 2; used.has(name.toLowerCase()); n++) name = `${plain} ${n}`;
    used.add(name.toLowerCase());
    return name;
  });
}

/** Transactions by test, in order. */
function byTest(transactions) {
  const tests = new Map();
  for (const one of transactions) {
    const test = one.test ?? OUTSIDE;
    if (!tests.has(test)) tests.set(test, []);
    tests.get(test).push(one);
  }
  return tests;
}

/** A path in FOLDER for a file that may be outside of this folder, and back. */
const swap = (name, from, to) => name.split(path.sep).map(part => (part === from ? to : part)).join(path.sep);
const inward = file => swap(path.relative(process.cwd(), file), "..", "(up)");
const outward = name => swap(name, "(up)", "..");

/** Why transactions are in no profile, or in one without functions, or their traces not where SBF_TRACE_DIR says. */
function problems(transactions) {
  return Object.entries({
    problem: "transactions that are in no profile", untraced: "transactions whose functions are unknown",
    untaken: "transactions whose traces are not in SBF_TRACE_DIR",
  }).flatMap(([field, what]) => {
    const all = transactions.map(one => one[field]).filter(Boolean);
    return [...new Set(all)].map(why => `${what}: ${all.filter(one => one === why).length}: ${why}`);
  });
}

const profilesOf = transactions => transactions.map(one => one.profile).filter(Boolean);

/** Write what is known of files of tests that have ended; of all that wait if none is named. Returns { text, error }: what to
 * print, and why profiles are not written. */
function finish(file) {
  const ended = file === undefined ? [...files.keys()] : [file].filter(name => files.has(name));
  let error;
  const text = ended.map(name => {
    const transactions = files.get(name);
    files.delete(name);
    transactions.forEach(read);
    if (profilesOf(transactions).length) {
      const written = writeFile(name, transactions);
      error ??= written.error;
      return written.text;
    }
    const notes = problems(transactions);
    return notes.length ? ["", `toll: ${inward(name)}`, ...notes.map(note => `note: ${note}`), ""].join("\n") : "";
  }).join("");
  return { text, error };
}

function writeFile(file, transactions) {
  const inside = inward(file), base = path.join(FOLDER, inside);
  const tests = byTest(transactions), names = fileNames([...tests.keys()]);
  const contents = new Map(), whole = merge(profilesOf(transactions));
  [...tests.values()].forEach((some, i) => {
    const profiles = profilesOf(some);
    if (profiles.length) contents.set(path.join(base, `${names[i]}.pb.gz`), gzipSync(merge(profiles)));
  });
  contents.set(`${base}.pb.gz`, gzipSync(whole));
  contents.set(`${base}.json`, `${JSON.stringify(transactions.map(one => one.rpc), null, 1)}\n`);
  let error;
  try {
    locked(() => {
      const all = merge([...ofOtherFiles(inside), whole]);
      contents.set(path.join(FOLDER, "all.pb.gz"), gzipSync(all));
      writeAll(contents, base);
      if (alsoTo) writeAlso(all, whole);
    });
  } catch (problem) {
    error = problem;
  }
  return { error, text: text(inside, error ? undefined : base, tests, transactions, table(whole, ROWS)) };
}

/** Write TOLL_OUT: all, or the files of this run. */
function writeAlso(all, whole) {
  const name = traces.real.env.TOLL_OUT, old = adds && fs.existsSync(alsoTo) ? [gunzipSync(fs.readFileSync(alsoTo))] : [];
  let content;
  try {
    content = as(alsoTo, adds ? merge([...old, whole]) : all);
  } catch {
    throw new Error(`toll-litesvm: TOLL_OUT: '${name}' has no ending of a format; end it in .pb.gz, .speedscope.json or .folded`);
  }
  writeAll(new Map([[alsoTo, content]]));
}

/** The profiles of all other files of tests that still exist, each as it ran last. */
function ofOtherFiles(inside) {
  return fs.readdirSync(FOLDER, { recursive: true }).filter(name => name.endsWith(".json"))
    .map(name => name.slice(0, -".json".length)).filter(name => name !== inside && fs.existsSync(outward(name)))
    .map(name => gunzipSync(fs.readFileSync(path.join(FOLDER, `${name}.pb.gz`))));
}

/** Runs `work` while no other process does. Test files run in several. */
function locked(work) {
  const lock = path.join(FOLDER, ".lock");
  makeFolder(FOLDER);
  for (;;) {
    try {
      fs.mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw cannotWrite(lock, error);
      const made = fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
      if (Date.now() - made > 30_000) fs.rmSync(lock, { recursive: true, force: true }); // of a process that was killed
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
  try {
    work();
  } finally {
    fs.rmSync(lock, { recursive: true, force: true });
  }
}

function text(name, base, tests, transactions, functions) {
  const number = n => n.toLocaleString("en-US");
  const units = some => some.reduce((sum, one) => sum + one.units, 0);
  const rows = [["CU", "transactions", "failed", "test"], ...[...tests].map(([test, some]) =>
    [number(units(some)), number(some.length), number(some.filter(one => one.failed).length), test])];
  const widths = [0, 1, 2].map(i => Math.max(...rows.map(row => row[i].length)));
  const lines = rows.map(row => `${row.slice(0, 3).map((cell, i) => cell.padStart(widths[i])).join("  ")}  ${row[3]}`);
  const notes = [];
  if (!transactions.some(one => one.functions) && transactions.some(one => one.logs.some(line => /^Program \S+ consumed \d+ of /.test(line))))
    notes.push(`functions are unknown, since LiteSVM wrote no register traces: import toll-litesvm before machines are made, in a process and not in a worker thread (${traces.room()})`);
  notes.push(...refused(), ...problems(transactions));
  const where = base && `toll: profiles of each test in ${base}/, of the file in ${base}.pb.gz, of all files in ${path.join(FOLDER, "all.pb.gz")}`;
  return ["", `toll: ${name}`, ...lines, "", functions.trimEnd(), ...notes.map(note => `note: ${note}`), "",
    where ?? "toll: profiles are not written", "", ""].join("\n");
}

module.exports = { add, finish };
