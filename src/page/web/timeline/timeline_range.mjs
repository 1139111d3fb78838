// timeline_range.mjs - Computes the costs of functions in a range of the timeline. The sums are exact: calls that cross
// an end of the range are cut there. Long ranges are added up in slices, between which the page handles events.

export const CALLS_AT_ONCE = 300000;

/** Add some calls of a row to the sums: self, total and calls by function. A call is counted if it begins in the range;
 *  with `last` also if it begins at the range's end. kept: with filters, the kept part of the row's calls, including
 *  their callees (KeptParts). */
function sumRow(row, below, { from, to, last }, sums, kept, first, end) {
  const { begin, code, child, sum } = row;
  for (let i = first; i < end; i++) {
    const key = code[i] >> 2, left = Math.max(begin[i], from), right = Math.min(row.end(i), to), inside = right - left;
    let own = inside;
    if (below) {
      if (left === begin[i] && inside === sum[i + 1] - sum[i]) own -= below.sum[child[i + 1]] - below.sum[child[i]];
      else own -= below.covered(right) - below.covered(left);
    }
    const counts = !kept || kept.is[i] === 1, total = kept ? kept.add(i, counts ? own : 0, child) : inside;
    if (!(code[i] & 2)) sums.total[key] += total;
    if (counts) {
      sums.self[key] += own;
      if (!(code[i] & 1) && begin[i] >= from && (begin[i] < to || last)) sums.calls[key]++;
    }
    if (counts || total) sums.seen[key] = 1;
  }
}

/** The part of the calls first..end - 1 of a row that the filters keep, including their callees in the range. */
class KeptParts {
  /** is: 1 for each call of the row that is kept; inner: the parts of the row below, or null. */
  constructor(is, inner, first, end) {
    Object.assign(this, { is, inner, first, end, part: new Float64Array(Math.max(end - first, 0)), whole: 0 });
  }

  /** own: the part of the call's own cost that is kept. */
  add(i, own, child) {
    const { inner } = this;
    let part = own;
    if (inner)
      for (let callee = Math.max(child[i], inner.first), last = Math.min(child[i + 1], inner.end); callee < last; callee++) part += inner.part[callee - inner.first];
    this.part[i - this.first] = part;
    this.whole += part;
    return part;
  }
}

/** Let the page handle events. */
export const pauseSum = () => new Promise(done => {
  const channel = new MessageChannel();
  channel.port1.onmessage = done;
  channel.port2.postMessage(0);
});

/** { keys, self, total, width, calls, whole } for the table; null if `stale()` became true in between. whole: what the
 *  outermost frames cover. range: { from, to, last (the range reaches the end of the timeline) }. filter: KeptCalls or
 *  null. With a filter only the kept calls count, as in filtered stacks. Rows are added up from the innermost outwards,
 *  since a call contains the kept part of its callees. */
export async function sumRange(lanes, axis, range, filter, functions, stale) {
  const numbers = () => new Float64Array(functions);
  const sums = { self: numbers(), total: numbers(), calls: numbers(), seen: new Uint8Array(functions), before: null, beforeSelf: null, whole: 0 };
  let left = CALLS_AT_ONCE;
  for (const lane of lanes) {
    let kept = null;
    for (let d = lane.data ? lane.depth - 1 : -1; d >= 0; d--) {
      const row = lane.row(d, axis), below = d + 1 < lane.depth ? lane.row(d + 1, axis) : null;
      const [first, end] = [row.between(range.from, range.to)[0], row.before(range.to, 0, range.last)];
      kept = filter && new KeptParts(filter.of(row), kept, first, end);
      for (let i = first; i < end; i += CALLS_AT_ONCE) {
        const until = Math.min(end, i + CALLS_AT_ONCE);
        sumRow(row, below, range, sums, kept, i, until);
        left -= until - i;
        if (left > 0) continue;
        left = CALLS_AT_ONCE;
        await pauseSum();
        if (stale()) return null;
      }
      if (d === 0) sums.whole += kept ? kept.whole : row.covered(range.to) - row.covered(range.from);
    }
  }
  const keys = [];
  for (let f = 0; f < functions; f++)
    if (sums.seen[f]) keys.push(f);
  return Object.assign(sums, { keys: Int32Array.from(keys), width: sums.total });
}
