// corpus.mjs TOLL LIB GROUP|NAME... - modules of npm packages do the same work instrumented as plain, with
// profiles that are exact and the same again; table.mjs says which.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { Attempts } from "./attempt.mjs";
import { path } from "./common.mjs";
import { groups, table } from "./table.mjs";

const [toll, lib, ...names] = process.argv.slice(2);
const out = "out", attempts = new Attempts();
const run = (program, ...args) =>
  execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28, timeout: 60000, stdio: ["ignore", "pipe", "pipe"] });
const report = (file, value) => JSON.parse(run(toll, "report", "-q", "--json", "-n", "0", "--value", value, file));
const sum = (functions, field) => functions.reduce((all, f) => all + f[field], 0);

async function entry(row, mode) {
  const file = `${out}/${row.name}.${mode}.json`;
  fs.rmSync(file, { force: true });
  await attempts.node(["entry.mjs", lib, out, row.name, mode], `${row.name}: ${mode}`, () => fs.existsSync(file));
  return JSON.parse(fs.readFileSync(file));
}

/** One instance: its profile is whole, its module valid. Its calls. */
function hold(row, instance) {
  const { file, valid, depth, ticks, selfSum } = instance, what = file;
  assert.ok(valid, `${what}: the engine refuses the module`);
  run("wasm-validate", "--enable-all", `${file}.toll.wasm`);
  assert.equal(depth > 0, row.endsInside ?? false, `${what}: ${depth} functions stand at the end`);
  assert.equal(selfSum, ticks, `${what}: ticks of stacks`);
  run(toll, "check", "-q", `${file}.pb`);
  const { total, functions } = report(`${file}.pb`, "ticks");
  assert.equal(String(total), ticks, `${what}: ticks of the file`);
  assert.equal(sum(functions, "self"), total, `${what}: ticks of functions`);
  return sum(report(`${file}.pb`, "calls").functions, "self");
}

/** What a program has counted itself: { function: calls }. */
function holdCounts(counts, instances) {
  const { functions } = report(`${instances[0].file}.pb`, "calls");
  for (const [name, calls] of Object.entries(counts))
    assert.equal(sum(functions.filter(f => f.name === name), "self"), calls, `calls of ${name}`);
}

/** A module without its section toll, of which only the command knows all: the file's name, and definitions. */
function code(file) {
  const bytes = fs.readFileSync(file), kept = [bytes.subarray(0, 8)];
  for (let at = 8, end; at < bytes.length; at = end) {
    let size = 0, body = at + 1;
    for (let shift = 0; ; shift += 7) {
      size += (bytes[body] & 127) * 2 ** shift;
      if (bytes[body++] < 128) break;
    }
    end = body + size;
    if (bytes[at] !== 0 || bytes.toString("latin1", body, body + 5) !== "\x04toll") kept.push(bytes.subarray(at, end));
  }
  return Buffer.concat(kept);
}

/** Each file of a package was instrumented as toll instrument does it. */
function holdFiles(row, instances) {
  for (const name of row.wasm) {
    run(toll, "instrument", "-q", path(name), "-o", `${out}/${row.name}.wasm`);
    const bytes = code(`${out}/${row.name}.wasm`);
    assert.ok(instances.some(i => bytes.equals(code(`${i.file}.toll.wasm`))), `${name} was not used`);
  }
}

async function holdRow(row) {
  const before = await entry(row, "plain"), after = await entry(row, "instrumented");
  assert.equal(after.digest, before.digest, `${row.name}: another result`);
  assert.ok(after.instances.length >= Math.max(1, row.wasm.length), `${row.name}: ${after.instances.length} instances`);
  const calls = after.instances.map(instance => hold(row, instance)).reduce((a, b) => a + b, 0);
  assert.ok(calls > 0, `${row.name}: no calls`);
  holdFiles(row, after.instances);
  holdCounts(after.counts ?? {}, after.instances);
  if (!row.changes) assert.deepEqual(await entry(row, "instrumented"), after, `${row.name}: another profile the second time`);
  const ticks = after.instances.reduce((all, i) => all + BigInt(i.ticks), 0n);
  console.log(`${row.name}: ${after.instances.length} modules, ${calls} calls, ${ticks} ticks`);
}

fs.mkdirSync(out, { recursive: true });
const rows = names.flatMap(name => groups[name] ?? table.filter(row => row.name === name));
if (rows.length === 0) {
  console.log(`skipped: nothing of ${names.join(", ")} is here; the test corpus/setup tells why`);
  process.exit(77);
}
for (const row of rows) {
  try {
    await holdRow(row);
  } catch (error) {
    console.error(`${row.name}: ${error.message}\n${error.stdout ?? ""}`);
    process.exitCode = 1;
  }
}
if (attempts.hangs) console.log(`runs of Node that hung: ${attempts.hangs}`);
