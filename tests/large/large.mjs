// large.mjs GUEST TOLL LIB - runs a guest without Toll and under Toll.hook. Its results are the same, and the sums of
// its profile are those of its counters, even if few stacks are written. Prints time and memory; only the memory is
// checked.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { guests } from "./guests.mjs";

const [guest, command, lib, how] = process.argv.slice(2), MOST_STACKS = 1e6, MOST_BYTES = 1e9;

/** The most memory that this process has had. The system's maxRSS begins with that of the process which started this one. */
const mostBytes = () => Number(/VmHWM:\s*(\d+) kB/.exec(fs.readFileSync("/proc/self/status", "utf8"))[1]) * 1024;

const seconds = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;

/** In a process of its own: run the guest, and write its profile. */
async function run() {
  let h;
  if (how !== "plain") {
    const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
    h = (await Toll.load()).hook(how === "folded" ? { foldRecursion: true } : {});
  }
  const result = await guests[guest](), loaded = seconds();
  const ticks = h?.recordings.reduce((sum, recording) => sum + recording.ticks, 0n);
  if (h) fs.writeFileSync(`${guest}.${how}.pb.gz`, await h.profile()); // of now: finalizers run the guest while it is compressed
  console.log(JSON.stringify({ result, loaded, written: seconds() - loaded, bytes: mostBytes(), ticks: String(ticks) }));
  process.exit(0);
}

function inProcess(way) {
  const { stdout, stderr, status } = spawnSync("node", ["--no-warnings", fileURLToPath(import.meta.url), guest, command, lib, way],
    { encoding: "utf8", maxBuffer: 1 << 26 });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

function report(file, value) {
  return JSON.parse(execFileSync(command, ["report", "-q", "--json", "-n", "0", "--value", value, file], { encoding: "utf8", maxBuffer: 1 << 28 }));
}

function compare(plain, way) {
  const made = inProcess(way), file = `${guest}.${way}.pb.gz`;
  assert.equal(made.result, plain.result);
  execFileSync(command, ["check", "-q", file]);
  const { total, functions } = report(file, "ticks");
  assert.equal(BigInt(total), BigInt(made.ticks), "ticks of the profile, and of the modules");
  assert.equal(functions.reduce((sum, f) => sum + BigInt(f.self), 0n), BigInt(total));
  const stacks = execFileSync(command, ["convert", "-q", "--keep-all", file, "--to", "folded", "-o", "-"], { maxBuffer: 2 ** 31 - 1 })
    .reduce((lines, byte) => lines + (byte === 10), 0);
  assert.ok(stacks <= MOST_STACKS, `${stacks} stacks`);
  assert.ok(made.bytes < MOST_BYTES, `${made.bytes} bytes of memory`);
  console.log(`${guest} ${way}: ${(made.loaded / plain.loaded).toFixed(1)} times plain (${plain.loaded.toFixed(1)} s of CPU), ` +
    `written in ${made.written.toFixed(1)} s, ${Math.round(made.bytes / 1e6)} MB; ${functions.length} functions, ${stacks} stacks`);
}

if (how) await run();
const plain = inProcess("plain");
compare(plain, "all");
compare(plain, "folded");
