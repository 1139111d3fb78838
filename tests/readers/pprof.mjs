// go tool pprof: -raw holds every sample as Toll has it, -top counts self and total as toll report does.
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

for (const file of profiles) {
  const { types, samples } = parseRaw(run("go", "tool", "pprof", "-raw", file));
  const { columns } = report(file);
  assert.deepEqual(types, columns.map(c => `${c.type}/${c.unit}`), file);
  columns.forEach(({ type, unit }, i) => {
    const expected = report(file, "--value", type);
    assert.equal(samples.reduce((sum, s) => sum + s.values[i], 0), expected.total, `${file}: sum of ${type}`);
    const text = run("go", "tool", "pprof", "-top", "-nodecount=0", "-nodefraction=0", "-edgefraction=0",
                     `-sample_index=${type}`, `-unit=${unit}`, file);
    const rows = [...text.matchAll(/^\s*(-?\d+)\S*\s+\S+%?\s+\S+%\s+(-?\d+)\S*\s+\S+%?\s\s(.*)$/gm)]
      .map(([, self, total, name]) => ({ name: name.replace(/ \(inline\)$/, ""), self: Number(self), total: Number(total) }));
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
