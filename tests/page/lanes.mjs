// lanes.mjs MODULES - the page's timeline, compared with lists of calls: random events are decoded; the content of each
// pixel, and the sums of a range of time, must equal sums over all calls.
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { closed, eventBytes, keptNeighbours, keptSums, randomEvents, seeded } from "./timeline_model.mjs";

const module = name => import(pathToFileURL(path.resolve(process.argv[2], "timeline", `${name}.mjs`)));
const [{ LaneReader }, { placesOf }, { Row, PartRow, indexOfMask }, { Scanned, scanRow }, { rulerMarks }, { Lane }, { KeptCalls }, { sumRange }, { neighboursInRange }] =
  await Promise.all(["timeline_decode", "timeline_load", "timeline_row", "timeline_scan", "timeline_ruler", "timeline_lanes", "timeline_kept", "timeline_range", "timeline_neighbours"].map(module));
const FUNCTIONS = 5, random = seeded(3), same = Int32Array.from({ length: FUNCTIONS }, (_, f) => f);

/** The rows of a decoded lane on one axis. */
function rowsOf(lane, axis) {
  return Array.from({ length: lane.start.length - 1 }, (_, d) => {
    const cut = array => array.subarray(lane.start[d], lane.start[d + 1]);
    return new Row({ code: cut(lane.code), child: cut(lane.child), begin: cut(lane.axes[axis].begin), sum: cut(lane.axes[axis].sum) });
  });
}

/** Each call, with its caller, is where the model has it. */
function holdCalls(lane, model, axis) {
  const rows = rowsOf(lane, axis);
  assert.equal(rows.length, model.rows.length);
  rows.forEach((row, d) => {
    const found = Array.from({ length: row.count }, (_, i) => [row.begin[i], row.end(i), row.key(i), row.code[i] & 1, row.code[i] >> 1 & 1, row.child[i]]);
    const expected = model.rows[d].map(c => [c.begin[axis], c.end[axis], c.frame, c.again, c.nested, c.child]);
    assert.deepEqual(found, expected);
    assert.equal(row.child[row.count], model.rows[d + 1]?.length ?? 0);
  });
  return rows;
}

const overlap = (c, from, to, axis) => Math.max(0, Math.min(c.end[axis], to) - Math.max(c.begin[axis], from));

function holdPixels(row, calls, axis, from, unit, width) {
  const out = scanRow(row, from, unit, new Scanned(width));
  for (let p = 0; p < width; p++) {
    const left = from + p * unit, right = left + unit;
    const share = calls.reduce((sum, c) => sum + overlap(c, left, right, axis), 0) / unit;
    assert.ok(Math.abs(out.share[p] - share) < 1e-5, `pixel ${p}: ${out.share[p]}, not ${share}`);
    const most = calls.reduce((m, c) => Math.max(m, overlap(c, left, right, axis)), 0), shown = calls[out.call[p]];
    if (most > unit * 1e-6) assert.ok(Math.abs(overlap(shown, left, right, axis) - most) < unit * 1e-6, `pixel ${p}: the longest call`);
    else if (out.call[p] >= 0) assert.ok(shown.end[axis] >= left - unit * 1e-6 && shown.begin[axis] <= right + unit * 1e-6);
    else assert.ok(!calls.some(c => c.begin[axis] > left + unit * 1e-6 && c.begin[axis] < right - unit * 1e-6), `pixel ${p}: a call of no length`);
  }
  const boxes = [];
  for (let i = 0; i < out.boxes.length; i += 3) boxes.push(out.boxes[i]);
  const expected = calls.map((c, i) => [c, i]).filter(([c]) => overlap(c, from, from + width * unit, axis) >= 2 * unit && c.end[axis] - c.begin[axis] >= 4.001 * unit);
  for (const [, i] of expected) assert.ok(boxes.includes(i), `call ${i} stands by itself`);
  assert.equal(new Set(boxes).size, boxes.length);
}

function holdRow(row, calls, axis, end) {
  for (let n = 0; n < 4; n++) {
    const unit = [0.25, 1, 3.7, end / 40 + 0.1, end / 7 + 1][random(5)], from = random(end + 1) - random(9) / 4;
    holdPixels(row, calls, axis, from, unit, 40);
  }
  for (let n = 0; n < 8; n++) {
    const t = random(end + 2), [first, last] = [random(calls.length + 1), random(calls.length + 1)].sort((a, b) => a - b);
    assert.equal(row.covered(t), calls.reduce((sum, c) => sum + overlap(c, 0, t, axis), 0));
    const open = row.at(t), length = c => c.end[axis] - c.begin[axis];
    if (open >= 0) assert.ok(calls[open].begin[axis] <= t && calls[open].end[axis] >= t);
    else assert.ok(!calls.some(c => c.begin[axis] <= t && c.end[axis] > t));
    const slice = calls.slice(first, last), most = Math.max(...slice.map(length));
    assert.equal(row.longest(first, last), slice.length ? first + slice.findIndex(c => length(c) === most) : -1);
  }
  const part = new PartRow(row, indexOfMask(row, Uint8Array.of(0, 1, 0, 1, 0), null)), wanted = calls.filter(c => c.frame === 1 || c.frame === 3);
  assert.deepEqual([...part.index].map(i => calls[i]), wanted);
  holdPixels(part, wanted, axis, 0, end / 30 + 0.1, 35);
}

/** Sums of ranges of what random filters keep are those of stacks one by one. */
async function holdKept(data, model, axis) {
  const lane = Object.assign(new Lane({ depth: model.depth, thread: 0 }, 0), { data }), some = () => Array.from({ length: FUNCTIONS }, (_, f) => f).filter(() => random(3) === 0);
  const [focus, ignore] = [[some(), null], [null, some()], [some(), some()]][random(3)], mask = list => list && Uint8Array.from({ length: FUNCTIONS + 1 }, (_, f) => list.includes(f) ? 1 : 0);
  const kept = new KeptCalls([lane], { focus: mask(focus), ignore: mask(ignore) }), end = model.last[axis];
  const [from, to] = random(4) ? [random(end + 1), random(end + 1)].sort((a, b) => a - b) : [0, end], range = { from, to, last: to >= end };
  const found = await sumRange([lane], axis, range, kept, FUNCTIONS, () => false), expected = keptSums([model], axis, range, focus, ignore);
  const shown = new Map([...found.keys].filter(f => found.total[f] || found.calls[f]).map(f => [f, { self: found.self[f], total: found.total[f], calls: found.calls[f] }]));
  assert.deepEqual([...shown], [...expected.sums].sort(([a], [b]) => a - b), `${from}..${to}, focus ${focus}, ignore ${ignore}`);
  assert.equal(found.whole, expected.whole);
  await holdNeighbours(lane, model, axis, range, { focus, ignore, kept });
  await holdNeighbours(lane, model, axis, range, { focus: null, ignore: null, kept: null });
}

/** Callers and callees in a range are those of stacks one by one. */
async function holdNeighbours(lane, model, axis, range, { focus, ignore, kept }) {
  const wanted = random(FUNCTIONS), list = sums => sums.map(({ key, total }) => [key, total]).sort((a, b) => a[0] - b[0]);
  const found = await neighboursInRange([lane], axis, range, kept, FUNCTIONS, wanted, () => false);
  const expected = keptNeighbours([model], axis, range, focus, ignore, FUNCTIONS, wanted);
  assert.deepEqual({ callers: list(found.callers), callees: list(found.callees) }, expected, `${wanted} in ${range.from}..${range.to}, focus ${focus}, ignore ${ignore}`);
}

/** Random lanes, one behind the other in a block, as a page has them: at the end all frames close. */
async function holdBlock(models) {
  const bytes = models.map(eventBytes), joined = list => Buffer.concat(list);
  const steps = models[0].first.map((_, axis) => joined(bytes.map(b => b.steps[axis])));
  const reader = new LaneReader(joined(bytes.map(b => b.events)), steps, same, true);
  for (const model of models) {
    const most = model.end + random(2) * 2 ** 32; // in a longer run positions have more digits
    const lane = reader.read({ events: model.events.length, depth: model.depth }, model.first, model.end, most);
    assert.equal(lane.axes[0].begin.BYTES_PER_ELEMENT, most < 2 ** 32 ? 4 : 8);
    assert.equal(lane.open, model.unended);
    for (let axis = 0; axis < lane.axes.length; axis++) {
      holdCalls(lane, model, axis).forEach((row, d) => holdRow(row, model.rows[d], axis, model.last[axis]));
      await holdKept(lane, model, axis);
    }
  }
}

let lanes = 0;
for (let round = 0; round < 130; round++) {
  const axes = 1 + round % 2, kind = () => ({ events: random(round % 10 ? 60 : 1500), functions: FUNCTIONS, deepest: 1 + random(8), axes, still: round % 3 === 0 });
  const models = Array.from({ length: 3 }, () => closed(randomEvents(random, kind())));
  await holdBlock(models);
  lanes += models.length;
}

/* The ruler. */
const texts = (from, to, width, unit) => { const { base, marks } = rulerMarks(from, to, width, unit); return [base, ...marks.map(mark => mark.text)]; };
assert.deepEqual(texts(0, 3.5e6, 400, "nanoseconds"), ["", "0 ns", "1 ms", "2 ms", "3 ms"]);
assert.deepEqual(texts(1234567890, 1234568290, 400, "nanoseconds"), ["1.234567 s", "+900 ns", "1.234568 s", "+100 ns", "+200 ns"]);
assert.deepEqual(texts(0, 10, 1000, "nanoseconds"), ["", ...Array.from({ length: 11 }, (_, n) => `${n} ns`)]);
assert.deepEqual(texts(0, 120000, 300, "instructions"), ["", "0", "50,000", "100,000"]);
assert.deepEqual(texts(2.5e9, 7.5e9, 500, "nanoseconds"), ["", "3 s", "4 s", "5 s", "6 s", "7 s"]);
assert.deepEqual(texts(1500, 3500, 300, "microseconds"), ["", "2 ms", "3 ms"]);

assert.ok(rulerMarks(2 ** 60, 2 ** 60 + 512, 800, "nanoseconds").marks.length <= 800); // where doubles are 256 apart

/* Positions of more digits than a double has: nanoseconds since 1970, as in traces of Chrome. */
const since1970 = [{ begin: "1700000000000000456", end: "1700000000000000789" }, { begin: "1700000000000000123", end: "1700000000000200777" }];
assert.deepEqual(placesOf(since1970), { places: [{ info: since1970[0], first: [333, 0], end: 666 }, { info: since1970[1], first: [0, 0], end: 200654 }], most: 200654 });
assert.deepEqual(placesOf([]), { places: [], most: 0 });

/* What the page must refuse. */
const lane = (list, { depth = 9, end = list.length, events = list.length } = {}) =>
  () => new LaneReader(Uint8Array.from(list), [new Uint8Array(list.length).fill(1)], same, false).read({ events, depth }, [0], end);
assert.throws(lane([1, 0, 0]), /closes a frame that is not open/);
assert.throws(lane([1]), /leaves a frame open/);
assert.throws(lane([1, 13]), /a frame that the page has not/);
assert.throws(lane([1, 1, 0, 0], { depth: 1 }), /deeper than the header says/);
assert.throws(lane([1, 0], { end: 1 }), /does not end where/);
assert.throws(lane([1, 0], { events: 3 }), /ends in the middle/);
assert.deepEqual(lane([], { depth: 0 })().start, Int32Array.of(0));
console.log(`${lanes} lanes of random events`);
