// npm pprof-format, another reader of the protobuf: strings, sums, and every sample's stack.
import assert from "node:assert/strict";
import fs from "node:fs";
import zlib from "node:zlib";
import { Profile } from "pprof-format";
import { assertSame, folded, profiles, report } from "./common.mjs";

for (const file of profiles) {
  const p = Profile.decode(zlib.gunzipSync(fs.readFileSync(file)));
  const text = i => p.stringTable.strings[Number(i)];
  const types = p.sampleType.map(t => ({ type: text(t.type), unit: text(t.unit) }));
  assert.deepEqual(types, report(file).columns);
  const names = new Map(p.function.map(f => [Number(f.id), text(f.name)]));
  const locations = new Map(p.location.map(l => [Number(l.id), l.line.map(line => names.get(Number(line.functionId)))]));
  types.forEach(({ type }, i) => {
    const stacks = new Map();
    for (const s of p.sample) {
      const frames = s.locationId.flatMap(id => locations.get(Number(id))).reverse();
      const key = frames.join(";") || "(outside)";
      stacks.set(key, (stacks.get(key) ?? 0) + Number(s.value[i]));
    }
    assert.equal([...stacks.values()].reduce((a, b) => a + b, 0), report(file, "--value", type).total);
    // Folded text has no ; in names; where Toll had to change one the sums are all there is to compare.
    if (!file.startsWith("names")) assertSame(stacks, folded(file, type), `${file}: ${type}`);
  });
  console.log(`${file}: ${p.sample.length} samples, ${p.function.length} functions`);
}

// Labels: each list of them is that of a thread.
const p = Profile.decode(zlib.gunzipSync(fs.readFileSync("labels.pb.gz"))), text = i => p.stringTable.strings[Number(i)];
const lists = new Set(p.sample.map(s => s.label.map(l => `${text(l.key)}=${text(l.str)}`).join()));
const { threads, labels } = report("labels.pb.gz");
const ofThreads = threads.map((name, i) => [...(name ? [`thread=${name}`] : []),
  ...Object.entries(labels[i]).flatMap(([key, values]) => values.map(value => `${key}=${value}`))].join());
assert.deepEqual([...lists].sort(), ofThreads.sort());
assert.ok(lists.size >= 4);
console.log(`labels.pb.gz: ${[...lists].join("; ")}`);
