// timeline_range.mjs - What functions cost in a range of the timeline: exactly, since calls that reach out of it are cut at its
// ends. Long ranges are added up in slices, between which the page answers.

const CALLS_AT_ONCE = 300000;

/** Sums of one row: self, total and calls by function. A call counts where it begins; `last`: and at the range's end, too. */
function sumRow(row, below, { from, to, last }, sums, first, end) {
  const { begin, code, child, sum } = row;
  for (let i = first; i < end; i++) {
    const key = code[i] >> 2, left = Math.max(begin[i], from), right = Math.min(row.end(i), to);
    let inside = right - left, own = inside;
    if (below) {
      if (left === begin[i] && inside === sum[i + 1] - sum[i]) own -= below.sum[child[i + 1]] - below.sum[child[i]];
      else own -= below.covered(right) - below.covered(left);
    }
    sums.self[key] += own;
    if (!(code[i] & 2)) sums.total[key] += inside;
    if (!(code[i] & 1) && begin[i] >= from && (begin[i] < to || last)) sums.calls[key]++;
    sums.seen[key] = 1;
  }
}

const pauseSum = () => new Promise(done => {
  const channel = new MessageChannel();
  channel.port1.onmessage = done;
  channel.port2.postMessage(0);
});

/** { keys, self, total, width, calls, whole } as the table needs them; null if `stale()` in between. whole: what the outermost
 *  frames cover. range: { from, to, last }: whether the range is up to the end of all. */
export async function sumRange(lanes, axis, range, functions, stale) {
  const numbers = () => new Float64Array(functions);
  const sums = { self: numbers(), total: numbers(), calls: numbers(), seen: new Uint8Array(functions), before: null, beforeSelf: null, whole: 0 };
  let left = CALLS_AT_ONCE;
  for (const lane of lanes)
    for (let d = 0; lane.data && d < lane.depth; d++) {
      const row = lane.row(d, axis), below = d + 1 < lane.depth ? lane.row(d + 1, axis) : null;
      const [first, end] = [row.between(range.from, range.to)[0], row.before(range.to, 0, range.last)];
      if (d === 0) sums.whole += row.covered(range.to) - row.covered(range.from);
      for (let i = first; i < end; i += CALLS_AT_ONCE) {
        const until = Math.min(end, i + CALLS_AT_ONCE);
        sumRow(row, below, range, sums, i, until);
        left -= until - i;
        if (left > 0) continue;
        left = CALLS_AT_ONCE;
        await pauseSum();
        if (stale()) return null;
      }
    }
  const keys = [];
  for (let f = 0; f < functions; f++)
    if (sums.seen[f]) keys.push(f);
  return Object.assign(sums, { keys: Int32Array.from(keys), width: sums.total });
}
