// timeline_scan.mjs - Computes what each pixel of a row shows: the exact share of it that calls cover, and its longest
// call. The time grows with the number of pixels, not with that of calls.

/** What the pixels of one row show. share: the covered share, from 0 to 1; call: an index in the row, or -1; boxes:
 *  calls of at least BOX_LEAST pixels, a flat list of call, left, right. */
export class Scanned {
  constructor(width) {
    this.share = new Float32Array(width);
    this.call = new Int32Array(width);
    this.boxes = [];
  }
}

const BOX_LEAST = 4; // pixels; narrower calls are not in boxes

/** Fill `out` for the pixels from `from` on, each `unit` wide. colored: find the longest call of each pixel; without
 *  it, any call in the pixel will do. */
export function scanRow(row, from, unit, out, colored = true) {
  const { share, call, boxes } = out, { begin, count } = row, width = share.length;
  share.fill(0);
  call.fill(-1);
  boxes.length = 0;
  let k = row.before(from), covered = row.covered(from, k); // calls that begin before the pixel, and what they cover
  for (let p = 0; p < width;) {
    const left = from + p * unit, right = left + unit, reaches = k > 0 ? row.end(k - 1) : -Infinity;
    if (reaches >= right) { // one call covers all of this pixel, and more
      const last = Math.min(width, Math.max(p + 1, Math.floor((reaches - from) / unit)));
      share.fill(1, p, last);
      call.fill(k - 1, p, last);
      p = last;
      if (row.end(k - 1) - begin[k - 1] >= BOX_LEAST * unit && boxes.at(-3) !== k - 1)
        boxes.push(k - 1, (begin[k - 1] - from) / unit, (reaches - from) / unit);
      covered = -1;
    } else if (reaches <= left && !(k < count && begin[k] < right)) { // nothing up to the next call
      if (k === count) break;
      p = Math.max(p + 1, Math.floor(Math.min((begin[k] - from) / unit, width)));
      covered = -1;
    } else {
      const next = row.before(right, k), before = covered < 0 ? row.covered(left, k) : covered;
      covered = row.covered(right, next);
      share[p] = Math.min(1, (covered - before) / unit);
      const first = reaches > left ? k - 1 : k;
      call[p] = next - first < 2 || !colored ? first : longestIn(row, first, next, left, right);
      k = next;
      p++;
    }
  }
  return out;
}

/** The call with the largest part in the pixel; the first and the last call may extend beyond it. */
function longestIn(row, first, next, left, right) {
  const inside = i => Math.min(row.end(i), right) - Math.max(row.begin[i], left);
  let best = first;
  const middle = row.longest(first + 1, next - 1);
  if (middle >= 0 && inside(middle) > inside(best)) best = middle;
  if (inside(next - 1) > inside(best)) best = next - 1;
  return best;
}
