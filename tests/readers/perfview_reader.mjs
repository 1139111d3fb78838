// What PerfView shows of a .PerfView.json file, by the rules of its reader (class XmlStackSource, which
// goes through JSON as if it were XML: a member is an element of its key's name, an item of an array an
// element "item"). Only these count:
//   - the first element "StackSource", wherever it is: all else outside of it is skipped
//   - inside of it each item of "Samples": Metric (1 if there is none) and Time, numbers or their text
//   - inside of a sample the items one level below a member of it: its frames, innermost first
// A second "StackSource" would keep the real reader going for ever. Metrics are 32-bit floating point.
import assert from "node:assert/strict";

const isObject = value => typeof value === "object" && value !== null;

/** The first member "StackSource" in the order of the text. */
function findSource(value) {
  if (!isObject(value)) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = key === "StackSource" && !Array.isArray(value) ? inner : findSource(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

function number(value, what) {
  assert.ok(typeof value === "number" || (typeof value === "string" && value.trim() !== "" && !Number.isNaN(Number(value))),
            `PerfView fails at ${what} ${JSON.stringify(value)}`);
  return Number(value);
}

function sample(item) {
  assert.ok(isObject(item) && !Array.isArray(item), "a sample is no object");
  const stack = Object.values(item).filter(Array.isArray).flat();
  for (const name of stack) assert.equal(typeof name, "string", "a frame is no text");
  if ("Time" in item) number(item.Time, "Time");
  return { stack, metric: Math.fround(number(item.Metric ?? 1, "Metric")) };
}

/** The samples: [{ stack: names, innermost first; metric }]. */
export function perfviewSamples(text) {
  assert.ok(text.split('"StackSource":').length <= 2, "PerfView never ends at a second StackSource");
  const source = findSource(JSON.parse(text));
  return isObject(source) && Array.isArray(source.Samples) ? source.Samples.map(sample) : [];
}

assert.deepEqual(perfviewSamples('{"Samples":[{"Stack":["f"],"Metric":1}]}'), []);
assert.deepEqual(perfviewSamples('{"StackSource":{"Samples":[{"Stack":["g","f"],"Metric":"2"},{"Stack":["f"]}]}}'),
                 [{ stack: ["g", "f"], metric: 2 }, { stack: ["f"], metric: 1 }]);
