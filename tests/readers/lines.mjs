// lines.mjs - costs by line: toll annotate, go tool pprof -list and callgrind_annotate agree line by line on an exact
// profile that Go has written (lines.go), and pprof agrees on toll's copy of it.
import assert from "node:assert/strict";
import { assertSame, run } from "./common.mjs";

const toll = process.argv[2];
const profile = "lines.pb.gz", units = { alloc_objects: "count", alloc_space: "bytes" }, types = Object.keys(units);
run("go", "build", "-o", "lines_of_go", "lines.go");
run("./lines_of_go", profile);
run(toll, "convert", "-q", profile, "-o", "lines_by_toll.pb.gz");
run(toll, "convert", "-q", profile, "-o", "lines.callgrind");

const annotate = (value, what, ...options) =>
  JSON.parse(run(toll, "annotate", "--json", "-q", "--value", value, ...options, profile, what));

/** pprof -list: "FUNCTION:LINE" -> [self, total], without the lines that cost nothing. */
function list(file, value) {
  const text = run("go", "tool", "pprof", "-list", "^main\\.", `-sample_index=${value}`, `-unit=${units[value]}`, file);
  const rows = new Map();
  let routine;
  for (const line of text.split("\n")) {
    const number = t => Number(t.replace(/B$/, "").replace(/^\.$/, "0"));
    const head = line.match(/^ROUTINE =+ (\S+) in /), row = line.match(/^\s*(\S+)\s+(\S+)\s+(\d+):/);
    if (head) routine = head[1];
    else if (row && (number(row[1]) || number(row[2]))) rows.set(`${routine}:${row[3]}`, [number(row[1]), number(row[2])]);
  }
  return rows;
}

for (const value of types) {
  const ours = new Map();
  for (const f of annotate(value, "main.").functions.filter(f => f.name.startsWith("main."))) {
    assert.equal(f.lines.reduce((sum, line) => sum + line.self, 0), f.self, `${f.name}: lines add up`);
    for (const { line, self, total } of f.lines) if (self || total) ours.set(`${f.name}:${line}`, [self, total]);
  }
  assert.ok(ours.size > 10, `${ours.size} lines`);
  assert.deepEqual(Object.fromEntries([...ours].sort()), Object.fromEntries([...list(profile, value)].sort()), `pprof -list: ${value}`);
  assert.deepEqual(list("lines_by_toll.pb.gz", value), list(profile, value), `pprof -list of what toll wrote: ${value}`);
}

// callgrind_annotate --auto=yes --context=10000 prints whole files, calls as lines with "=> " in between.
function auto(value) {
  const text = run("callgrind_annotate", "--auto=yes", "--context=10000", "--threshold=100", "--show-percs=no", `--show=${value}`, `--sort=${value}`, "lines.callgrind");
  const source = text.slice(text.search(/^-- Auto-annotated source: \S*lines\.go$/m));
  const rows = new Map();
  let line = 0;
  for (const row of source.split("\n").slice(4)) {
    if (/^-{20}/.test(row)) break;
    const m = row.match(/^\s*([\d,]+|\.)\s\s?(.*)$/);
    if (!m || m[2].startsWith("=> ")) continue;
    rows.set(++line, m[1] === "." ? 0 : Number(m[1].replaceAll(",", "")));
  }
  return rows;
}

for (const value of types) {
  const [file] = annotate(value, "lines.go").files;
  const rows = auto(value);
  assertSame(rows, new Map(file.lines.filter(l => l.line).map(l => [l.line, l.self])), `callgrind_annotate: ${value}`);
}
console.log(`${types.join(", ")}: the same lines in toll, pprof and callgrind_annotate`);
