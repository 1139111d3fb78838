// timeline_neighbours.mjs - Computes callers and callees of a function in a range of the timeline. The sums are exact: calls that cross an
// end of the range are cut there. Each call is visited once: entered before its callees, left after them.
import { CALLS_AT_ONCE, pauseSum } from "./timeline_range.mjs";

/** Call enter(depth, key) and leave(depth, key, total, nested) for the calls of a lane that overlap a range. total: the
 *  part of the call in the range; with a filter, the part of that which the filter keeps. nested: whether the function
 *  was already open. false: the request is stale. */
async function walkRange(lane, axis, { from, to, last }, filter, enter, leave, stale) {
  const { depth } = lane, rows = Array.from({ length: depth }, (_, d) => lane.row(d, axis)), kept = filter && rows.map(row => filter.of(row));
  const first = rows.map(row => row.between(from, to)[0]), end = rows.map(row => row.before(to, 0, last));
  const at = new Int32Array(depth + 1), until = new Int32Array(depth + 1); // by depth: the next call; the end of its caller's callees
  const covered = new Float64Array(depth + 1), part = new Float64Array(depth + 1); // of callees that were left: cost in the range; kept part
  [at[0], until[0]] = [first[0], end[0]];
  for (let d = 0, left = CALLS_AT_ONCE; ;) {
    if (at[d] < until[d]) {
      const { child, code } = rows[d], i = at[d];
      enter(d, code[i] >> 2);
      d++;
      covered[d] = part[d] = at[d] = until[d] = 0;
      if (d < depth) [at[d], until[d]] = [Math.max(child[i], first[d]), Math.min(child[i + 1], end[d])];
      continue;
    }
    if (d === 0) return true;
    const row = rows[--d], i = at[d]++, inside = Math.min(row.end(i), to) - Math.max(row.begin[i], from);
    const total = kept ? part[d + 1] + (kept[d][i] ? inside - covered[d + 1] : 0) : inside;
    covered[d] += inside;
    part[d] += total;
    leave(d, row.code[i] >> 2, total, row.code[i] & 2);
    if (--left > 0) continue;
    left = CALLS_AT_ONCE;
    await pauseSum();
    if (stale()) return false;
  }
}

/** { callers, callees }, as sumNeighbours returns them; null if `stale()` became true in between. A recursive call of
 *  the function is not added to its callers again, and a recursive callee counts once for each call. lanes, axis,
 *  range, filter: as for sumRange. */
export async function neighboursInRange(lanes, axis, range, filter, functions, wanted, stale) {
  const callers = new Map(), callees = new Map(), open = new Int32Array(functions), keys = []; // open: calls of each function by the wanted one
  const add = (sums, key, total) => {
    if (!sums.has(key)) sums.set(key, { key, total: 0 });
    sums.get(key).total += total;
  };
  for (const lane of lanes) {
    if (!lane.data || !lane.depth) continue;
    const { thread } = lane.info, enter = (d, key) => {
      keys[d] = key;
      if (d && keys[d - 1] === wanted) open[key]++;
    };
    const leave = (d, key, total, nested) => {
      if (key === wanted && !nested) add(callers, d ? keys[d - 1] : thread < 0 ? -1 : functions + thread, total);
      if (d && keys[d - 1] === wanted && --open[key] === 0) add(callees, key, total);
    };
    if (!await walkRange(lane, axis, range, filter, enter, leave, stale)) return null;
  }
  const list = sums => [...sums.values()].filter(s => s.total > 0).sort((a, b) => b.total - a.total || a.key - b.key);
  return { callers: list(callers), callees: list(callees) };
}
