// judge.mjs - checks files with the tools that read them: speedscope's schema, PerfView's form, speedscope itself.
import assert from "node:assert/strict";
import fs from "node:fs";
import Ajv from "ajv";
import { withPage } from "./chromium.mjs";
import { perfviewSamples } from "./perfview_reader.mjs";

const ajv = new Ajv({ strict: false, allErrors: true });
const schema = fs.readFileSync("node_modules/speedscope/dist/release/file-format-schema.json");
const isSpeedscope = ajv.compile(JSON.parse(schema));
const samples = {
  type: "array",
  items: {
    type: "object",
    required: ["Stack", "Metric"],
    additionalProperties: false,
    properties: {
      Stack: { type: "array", minItems: 1, items: { type: "string", minLength: 1 } },
      Metric: { type: "integer", minimum: 0 },
    },
  },
};
const isPerfView = ajv.compile({ // the specification's form, and the one that PerfView's reader looks for
  type: "object",
  required: ["Notes", "Samples", "StackSource"],
  additionalProperties: false,
  properties: {
    Notes: { type: "array", items: { type: "string", pattern: "^[0-9]+ ." } },
    Samples: samples,
    StackSource: { type: "object", required: ["Samples"], additionalProperties: false, properties: { Samples: samples } },
  },
});
const sum = values => values.reduce((a, b) => a + b, 0);
const assertFalling = (values, what) =>
  values.forEach((v, i) => assert.ok(i === 0 || values[i - 1] >= v, `${what}: ${values[i - 1]} before ${v}`));

/** By stack of names, innermost first: { key: bytes }. Frames of the profiler itself must not be among them. */
function byStack(samples) {
  const sums = {};
  for (const { stack, bytes } of samples) sums[stack.join(";")] = (sums[stack.join(";")] ?? 0) + bytes;
  for (const stack of Object.keys(sums)) assert.doesNotMatch(stack, /onMalloc|onSbrkGrow|trace_record|memprof/);
  return sums;
}

/** The sites of a speedscope file by stack, the file held to its schema and to its sums. */
export function speedscope(text) {
  const file = JSON.parse(text), { shared: { frames }, profiles } = file;
  assert.ok(isSpeedscope(file), JSON.stringify(isSpeedscope.errors?.slice(0, 3)));
  assert.equal(new Set(frames.map(f => f.name)).size, frames.length, "frames stand there twice");
  const [bytes, growth, counts] = profiles;
  assert.deepEqual(profiles.map(p => [p.type, p.unit]), [["sampled", "bytes"], ["sampled", "bytes"], ["sampled", "none"]]);
  for (const p of profiles) assert.equal(sum(p.weights), p.endValue, p.name);
  assertFalling(bytes.weights, "weights");
  assert.deepEqual(counts.samples, bytes.samples);
  const samples = bytes.samples.map((s, i) => ({ stack: s.map(f => frames[f].name).reverse(), bytes: bytes.weights[i] }));
  return { stacks: byStack(samples), bytes: bytes.endValue, objects: counts.endValue, sites: samples.length,
           growth: growth.endValue, growths: growth.samples.map(s => s.map(f => frames[f].name).reverse().join(";")) };
}

export function perfview(text) {
  const file = JSON.parse(text);
  assert.ok(isPerfView(file), JSON.stringify(isPerfView.errors?.slice(0, 3)));
  assertFalling(file.Samples.map(s => s.Metric), "metrics");
  assert.deepEqual(perfviewSamples(text), file.Samples.map(s => ({ stack: s.Stack, metric: Math.fround(s.Metric) })),
                   "PerfView shows other samples");
  const stacks = byStack(file.Samples.map(s => ({ stack: s.Stack, bytes: s.Metric })));
  return { stacks, bytes: sum(Object.values(stacks)), sites: file.Samples.length };
}

assert.throws(() => speedscope(`{"shared":{"frames":[]},"profiles":[{"type":"sampled"}]}`));
const twice = (list, other = list) => `{"Notes":[],"Samples":${list},"StackSource":{"Samples":${other}}}`;
assert.throws(() => perfview(`{"Samples":[{"Stack":["f"],"Metric":1}]}`), /StackSource/);
assert.throws(() => perfview(twice(`[{"Stack":["f"],"Metric":"1"}]`)));
assert.throws(() => perfview(twice(`[{"Stack":["f"],"Metric":1}]`, "[]")), /PerfView shows/);
assert.throws(() => perfview(twice(`[{"Stack":["f"],"Metric":1},{"Stack":["f"],"Metric":2}]`)), /before/);

/** What speedscope shows of a file when it is opened: the name of the profile, of how many. */
export const shownFirst = (browser, app, url) =>
  withPage(browser, `${app}/#profileURL=${encodeURIComponent(url)}`, async page => {
    await page.waitForFunction(() => document.body.innerText.includes("Export"), null, { timeout: 30000 });
    return (await page.evaluate(() => document.body.innerText)).split("\n").find(line => line.endsWith(")"));
  });

/** What speedscope's sandwich view shows of a file: { name: text of the total }. */
export const shown = (browser, app, url) =>
  withPage(browser, `${app}/#profileURL=${encodeURIComponent(url)}`, async page => {
    await page.waitForFunction(() => document.body.innerText.includes("Export"), null, { timeout: 30000 });
    await page.keyboard.press("3");
    await page.waitForFunction(() => document.querySelector("table tr td"), null, { timeout: 30000 });
    const rows = await page.$$eval("table", tables =>
      [...tables.at(-1).querySelectorAll("tr")].map(r => [...r.querySelectorAll("td")].map(c => c.innerText.trim())));
    return Object.fromEntries(rows.filter(r => r.length >= 3).map(([total, , name]) => [name, total]));
  });

/** The lines of a program's own count, sorted. */
export const lines = text => text.trim().split("\n").sort();

/** What JSON of sites has by call-site key, in the form of `lines`: "NAME BLOCKS BYTES". */
export function ofSites(text) {
  const sums = {};
  for (const { callSiteKey: key, outstandingCount, outstandingBytes } of JSON.parse(text).allocationSites) {
    const sum = sums[key] ??= [0, 0];
    sum[0] += outstandingCount;
    sum[1] += outstandingBytes;
  }
  return Object.entries(sums).map(([key, sum]) => `${key} ${sum.join(" ")}`).sort();
}
