// timeline_calls.mjs - Finds calls of the timeline: callers and callees, their order, and all calls of a function or of a search.
import { indexOfMask, PartRow } from "./timeline_row.mjs";

/** A call is { lane, depth, i }. */
export const sameCall = (a, b) => !!a && !!b && a.lane === b.lane && a.depth === b.depth && a.i === b.i;

/** The index of the i-th call's caller in the row of the caller's depth: the last call there whose callees begin at or
 *  before i. */
function callerIndex(lane, depth, i) {
  const { child, count } = lane.row(depth - 1, 0);
  let low = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (child[middle] <= i) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export const callerOf = ({ lane, depth, i }) => depth === 0 ? null : { lane, depth: depth - 1, i: callerIndex(lane, depth, i) };

/** The callees of a call: { first, count } in the next depth's row. */
export function calleesOf({ lane, depth, i }) {
  const { child } = lane.row(depth, 0);
  return { first: child[i], count: child[i + 1] - child[i] };
}

/** The stack of a call, from the call outwards. */
export function stackOf(call) {
  const stack = [];
  for (let at = call; at; at = callerOf(at)) stack.push(at);
  return stack;
}

/** The total and the self value of a call, on an axis. */
export function costOf({ lane, depth, i }, axis) {
  const row = lane.row(depth, axis), total = row.sum[i + 1] - row.sum[i];
  if (depth + 1 >= lane.depth) return { total, self: total };
  const { sum } = lane.row(depth + 1, axis);
  return { total, self: total - (sum[row.child[i + 1]] - sum[row.child[i]]) };
}

/** For each depth, how many of its calls begin before the call, or are the call itself. */
function begunBy({ lane, depth, i }) {
  const begun = new Int32Array(lane.depth);
  for (let d = depth, at = i; ; at = callerIndex(lane, d, at), d--) {
    begun[d] = at + 1;
    if (d === 0) break;
  }
  for (let d = depth + 1, at = lane.row(depth, 0).child[i]; d < lane.depth; d++) {
    begun[d] = at;
    at = lane.row(d, 0).child[at];
  }
  return begun;
}

/** How many of the entries first..end - 1 of an index are calls, and not continued frames. */
function countCalled({ code }, index, first, end) {
  let count = 0;
  for (let n = first; n < end; n++) count += 1 - (code[index[n]] & 1);
  return count;
}

/** Some calls of all lanes: those of the functions in a mask that the filters keep (KeptCalls); null: all. `calls`:
 *  their number, without continued frames. */
export class CallSet {
  constructor(lanes, mask, kept) {
    this.index = new Map(); // lane -> by depth, the indices of its calls
    this.parts = new Map(); // row -> the row of its calls that are in the set
    for (const lane of lanes)
      if (lane.data) this.index.set(lane, Array.from({ length: lane.depth }, (_, d) => indexOfMask(lane.row(d, 0), mask, kept?.of(lane.row(d, 0)) ?? null)));
    this.calls = lanes.reduce((sum, lane) => sum + this.callsOf(lane), 0);
  }

  callsOf(lane) {
    return (this.index.get(lane) ?? []).reduce((sum, index, d) => sum + countCalled(lane.row(d, 0), index, 0, index.length), 0);
  }

  /** The number of the call in its lane, from 1. */
  ordinal(call) {
    const begun = begunBy(call), { lane } = call;
    return this.index.get(lane).reduce((sum, index, d) => sum + countCalled(lane.row(d, 0), index, 0, lowest(index, begun[d])), 0);
  }

  /** The calls of the set in a row, as a row; null if there are none. */
  of(row) {
    const index = this.index.get(row.lane)?.[row.depth];
    if (!index?.length) return null;
    if (index.length === row.count) return row;
    if (!this.parts.has(row)) this.parts.set(row, new PartRow(row, index));
    return this.parts.get(row);
  }

  /** How many calls of the lanes overlap a range. */
  within(lanes, axis, from, to) {
    let count = 0;
    for (const lane of lanes)
      this.index.get(lane)?.forEach((index, d) => {
        if (!index.length) return;
        const row = lane.row(d, axis), [first, last] = row.between(from, to);
        count += countCalled(row, index, lowest(index, first), lowest(index, last));
      });
    return count;
  }

  /** The first (step 1) or last (-1) call in a lane; null if it has none. */
  outermost(lane, step) {
    return this.best(lane, step, index => index.at(step > 0 ? 0 : -1));
  }

  /** The next (step 1) or previous (-1) call in the lane, in order of time; null if there is none. */
  beside(call, step) {
    const begun = begunBy(call);
    return this.best(call.lane, step, (index, d) => {
      const own = d === call.depth && step < 0 ? begun[d] - 1 : begun[d];
      return index[step > 0 ? lowest(index, own) : lowest(index, own) - 1];
    });
  }

  /** `choose` returns a call of each depth; the result is the first of them in time (step 1), or the last one. */
  best(lane, step, choose) {
    let best = null;
    this.index.get(lane)?.forEach((index, d) => {
      const found = { lane, depth: d, i: choose(index, d) };
      if (found.i === undefined) return;
      if (!best || isBefore(found, best) === step > 0) best = found;
    });
    return best;
  }
}

/** How many numbers of a sorted array are less than `wanted`. */
function lowest(array, wanted) {
  let low = 0, high = array.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (array[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Does a begin before b? Both are in one lane. */
function isBefore(a, b) {
  if (a.depth > b.depth) return !isBefore(b, a);
  if (a.depth === b.depth) return a.i < b.i;
  let at = a.i;
  for (let d = a.depth; d < b.depth; d++) at = a.lane.row(d, 0).child[at];
  return b.i >= at;
}
