// perfview.mjs - PerfView's files contain what toll report prints, when read like PerfView reads them
// (perfview_reader.mjs). Toll reads the samples once, although the file has them in two forms.
import assert from "node:assert/strict";
import fs from "node:fs";
import { perfviewSamples } from "./perfview_reader.mjs";
import { assertSame, columns, folded, profiles, report, run } from "./common.mjs";

const toll = process.argv[2];
const sum = values => values.reduce((a, b) => a + b, 0);

for (const file of profiles)
  for (const { type } of columns(file)) {
    run(toll, "convert", "-q", "--value", type, "-o", "one.PerfView.json", file);
    const text = fs.readFileSync("one.PerfView.json", "utf8"), shown = perfviewSamples(text);
    const top = JSON.parse(text).Samples, total = report(file, "--value", type).total;
    assert.equal(sum(top.map(s => s.Metric)), total, `${file}: ${type}`);
    assert.deepEqual(shown, top.map(s => ({ stack: s.Stack, metric: Math.fround(s.Metric) })), "the two forms differ");
    assert.equal(report("one.PerfView.json").total, total, `${file}: ${type}, read again`);
    const stacks = new Map(top.map(s => [[...s.Stack].reverse().join(";"), s.Metric]));
    if (!file.startsWith("names")) assertSame(stacks, folded(file, type), `${file}: ${type}`);
    console.log(`${file}: ${type}: PerfView shows ${shown.length} samples of ${total} in all`);
  }
