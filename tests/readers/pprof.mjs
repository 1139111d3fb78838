// pprof.mjs - go tool pprof: -raw shows every sample as Toll has it, and -top has the same self values and totals as
// toll report.
import assert from "node:assert/strict";
import { assertSame, byName, profiles, report, run } from "./common.mjs";

// -raw: sample types, then "values: location ids", then "id: 0x0 M=1 name file:line:column s=start".
function parseRaw(text) {
  const lines = text.split("\n");
  const samplesAt = lines.indexOf("Samples:"), locationsAt = lines.indexOf("Locations");
  const types = lines[samplesAt + 1].trim().split(/\s+/).map(t => t.replace("[dflt]", ""));
  const samples = [];
  for (const line of lines.slice(samplesAt + 2, locationsAt)) {
    const m = line.match(/^\s*([-\d\s]+):\s*([\d\s]*)$/);
    if (m) samples.push({ values: m[1].trim().split(/\s+/).map(Number), stack: m[2].trim().split(/\s+/).filter(Boolean).map(Number) });
    else assert.match(line, /^\s+\S+:\[/, `a sample or its label, not ${line}`);
  }
  return { types, samples };
}

/** Rows of -top: name, self, total. */
function top(file, { type, unit }, ...options) {
  const text = run("go", "tool", "pprof", "-top", "-nodecount=0", "-nodefraction=0", "-edgefraction=0",
                   `-sample_index=${type}`, `-unit=${unit}`, ...options, file);
  return [...text.matchAll(/^\s*(-?\d+)\S*\s+\S+%?\s+\S+%\s+(-?\d+)\S*\s+\S+%?\s\s(.*)$/gm)]
    .map(([, self, total, name]) => ({ name: name.replace(/ \(inline\)$/, ""), self: Number(self), total: Number(total) }));
}

for (const file of profiles) {
  const { types, samples } = parseRaw(run("go", "tool", "pprof", "-raw", file));
  const { columns } = report(file);
  assert.deepEqual(types, columns.map(c => `${c.type}/${c.unit}`), file);
  columns.forEach(({ type, unit }, i) => {
    const expected = report(file, "--value", type);
    assert.equal(samples.reduce((sum, s) => sum + s.values[i], 0), expected.total, `${file}: sum of ${type}`);
    const rows = top(file, { type, unit });
    const functions = expected.functions;
    // pprof knows functions by name: Toll writes those that share one as "name (file:line)".
    // It shortens C++ names: removes what is inside <> and ().
    const short = name => name.replace(/<[^<>]*>/g, "").replace(/\(\)/g, "");
    const nameOf = f => functions.filter(g => g.name === f.name).length > 1 ? `${f.name} (${f.file.replace(/.*\//, "")}:${f.line})` : short(f.name);
    assertSame(byName(rows, "self"), byName(functions, "self", nameOf), `${file}: self ${type}`);
    assertSame(byName(rows, "total"), byName(functions, "total", nameOf), `${file}: total ${type}`);
  });
  console.log(`${file}: ${samples.length} samples of ${types.join(", ")}`);
}

// The samples with a label are those that Toll has with --where.
const calls = report("labels.pb.gz").columns.find(c => c.type === "calls"), found = {};
for (const label of ["host=a", "host=b", "test=größe = 7", "thread=main"]) {
  const [, key, value] = label.match(/^(.*?)=(.*)$/);
  const expected = report("labels.pb.gz", "--value", "calls", "--where", label);
  const rows = top("labels.pb.gz", calls, `-tagfocus=${key}=^${value}$`);
  assertSame(byName(rows, "self"), byName(expected.functions, "self"), label);
  found[label] = expected.total;
}
assert.equal(found["host=a"] + found["host=b"], report("labels.pb.gz", "--value", "calls").total);
assert.ok(found["host=a"] > 0 && found["host=a"] === found["test=größe = 7"] && found["thread=main"] < 2 * found["host=a"]);
console.log(`labels.pb.gz: ${JSON.stringify(found)}`);
