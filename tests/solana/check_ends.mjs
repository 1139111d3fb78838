// check_ends.mjs TOLL DIR - whatever way the transactions of ends.mjs ended: the total is what the machine
// charged: from the log with its sum, from the lines alone where they suffice, and from traces with either.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [toll, dir] = process.argv.slice(2);
const report = (...files) => {
  const text = execFileSync(toll, ["report", "--tree", ...files], { encoding: "utf8" });
  const [, total] = /^ *([\d,]+) CU 100\.0%/m.exec(text) ?? [, "0"];
  return { text, total: Number(total.replaceAll(",", "")) };
};

// What is not in the lines: a larger heap; a syscall that reads where it may not; and what remained for a
// built-in program that asked for more.
const beyondLines = /^heap(?!-smallest|-exhausted)|^readsyscall$|^exhausted-native$/;
const beyondTraces = /^heap(?!-smallest|-exhausted)|^exhausted-native$/;
// Units for each program's heap of more than a page: 8 a page. All of them have a row.
const heaps = {
  heap: 2 * 56, "heap-pages": 16, "heap-smallest": 0, "heap-invoked": 3 * 56, "heap-access": 2 * 56, "heap-invoked-access": 2 * 56,
  "heap-exhausted": 56, "heap-invoked-exhausted": 2 * 56,
};
const heapOf = text => [...text.matchAll(/^ *([\d,]+) CU .*\(heap frame\)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
let checked = 0;
const { ends, helped } = JSON.parse(readFileSync(`${dir}/ends.json`, "utf8"));

for (const { name, charged, failed, traced } of ends) {
  const file = `${dir}/${name}`;
  const check = (found, how) => {
    assert.equal(found.total, charged, `${name}: ${how}\n${found.text}`);
    checked++;
  };
  const lines = report(`${file}.logs`);
  check(report(`${file}.json`), "the log with its sum");
  assert.match(lines.text, /note: outermost invocations of transactions without computeUnitsConsumed/, name);
  if (!beyondLines.test(name)) check(lines, "the lines alone");
  else assert.ok(lines.total !== charged, `${name} is known from its lines\n${lines.text}`);
  const holdHeap = ({ text }, how) => {
    if (!(name in heaps)) return;
    assert.equal(heapOf(text), heaps[name], `${name}: ${how}\n${text}`);
    assert.doesNotMatch(text, /\(not in the log\)|something else/, `${name}: ${how}\n${text}`);
  };
  holdHeap(report(`${file}.json`), "the log with its sum");
  if (!traced) continue;
  const traces = report("--logs", `${file}.json`, file);
  check(traces, "traces, and the log with its sum");
  holdHeap(traces, "traces, and the log with its sum");
  if (!beyondTraces.test(name)) check(report("--logs", `${file}.logs`, file), "traces and lines");
  const isAboutTheLast = failed && !/^precompile|^system/.test(name);
  assert.equal(/ \(failed\)/.test(traces.text), isAboutTheLast, `${name}\n${traces.text}`);
  assert.equal(/ \(failed\)/.test(report(file).text), isAboutTheLast, `${name} without logs`);
}

// Names of functions come from the file of the program that ran, and from no other.
const named = elf => spawnSync(toll, ["report", "-q", "--tree", "--elf", `${helped}=${dir}/${elf}`, `${dir}/helped`], { encoding: "utf8" });
assert.match(named("helped.so").stdout, /entrypoint[^]*helper[^]*sol_log_compute_units_/);
assert.equal(named("changed.so").status, 2);
assert.match(named("changed.so").stderr, /changed\.so: is not the code of \w+ that ran: .* has b7000000 00000000 as instruction 1 of \.text/);
assert.match(named("stripped.so").stdout, /entrypoint[^]*fn@\d+/);
assert.doesNotMatch(named("stripped.so").stdout, /helper/);
console.log(`${checked} totals are what was charged`);
