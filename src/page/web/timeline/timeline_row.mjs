// timeline_row.mjs - One depth of a lane on one axis: its sorted calls, which are found and added up by binary search.
// See timeline_decode.mjs for its form in memory.

const BLOCK_CALLS = 8; // calls in a block, whose longest call is stored; so many blocks make one of the next level, and so on

export class Row {
  /** The arrays have one entry more than there are calls. */
  constructor({ code, child, begin, sum }) {
    Object.assign(this, { code, child, begin, sum, count: code.length - 1 });
  }

  end(i) {
    return this.begin[i] + (this.sum[i + 1] - this.sum[i]);
  }

  key(i) {
    return this.code[i] >> 2;
  }

  /** How many calls begin before t (with `too`, also at t). There are at least `low`; the search is fast if there are
   *  few more. */
  before(t, low = 0, too = false) {
    const { begin, count } = this;
    let high = low, step = 1;
    while (high < count && (too ? begin[high] <= t : begin[high] < t)) {
      low = high + 1;
      high += step;
      step *= 2;
    }
    if (high > count) high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (too ? begin[middle] <= t : begin[middle] < t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The length that calls cover before t; the first k calls begin before t. */
  covered(t, k = this.before(t)) {
    if (k === 0) return 0;
    const over = this.end(k - 1) - t;
    return over > 0 ? this.sum[k] - over : this.sum[k];
  }

  /** The call that is open at t, the last one that begins there; or -1. */
  at(t) {
    const i = this.before(t, 0, true) - 1;
    return i >= 0 && (this.end(i) > t || this.begin[i] === t) ? i : -1;
  }

  /** [first, last + 1] of the calls that overlap from..to. */
  between(from, to) {
    const first = this.before(from);
    return [first > 0 && this.end(first - 1) > from ? first - 1 : first, this.before(to)];
  }

  /** The longest call of each block of calls, of each block of blocks, and so on. */
  get levels() {
    if (this.pyramid) return this.pyramid;
    this.pyramid = [];
    for (let count = this.count, level = 0; count > BLOCK_CALLS; level++) {
      const below = this.pyramid[level - 1], above = new Int32Array(Math.ceil(count / BLOCK_CALLS));
      for (let b = 0; b < above.length; b++) {
        const last = Math.min((b + 1) * BLOCK_CALLS, count);
        let best = -1, longest = -1;
        for (let i = b * BLOCK_CALLS; i < last; i++) {
          const call = below ? below[i] : i, size = this.sum[call + 1] - this.sum[call];
          if (size > longest) [best, longest] = [call, size];
        }
        above[b] = best;
      }
      this.pyramid.push(above);
      count = above.length;
    }
    return this.pyramid;
  }

  /** The longest of the calls first..last - 1, the first one of several; -1 if there is none. */
  longest(first, last) {
    const { sum } = this;
    let best = -1, longest = -1, below = null;
    const consider = call => {
      const size = sum[call + 1] - sum[call];
      if (size > longest || (size === longest && call < best)) {
        longest = size;
        best = call;
      }
    };
    for (let level = 0; first < last; level++) {
      const whole = last - first > 2 * BLOCK_CALLS && this.levels[level];
      const left = whole ? Math.ceil(first / BLOCK_CALLS) * BLOCK_CALLS : last, right = whole ? Math.floor(last / BLOCK_CALLS) * BLOCK_CALLS : last;
      for (let i = first; i < left; i++) consider(below ? below[i] : i);
      for (let i = right; i < last; i++) consider(below ? below[i] : i);
      if (!whole) break;
      first = left / BLOCK_CALLS;
      last = right / BLOCK_CALLS;
      below = this.levels[level];
    }
    return best;
  }
}

/** Some calls of a row, as a row: those of a search, or of one function. index: the position of each in the whole row.
 */
export class PartRow extends Row {
  constructor({ code, begin, sum }, index) {
    const count = index.length;
    const own = { code: new Int32Array(count + 1), child: null, begin: new begin.constructor(count + 1), sum: new sum.constructor(count + 1) };
    for (let n = 0; n < count; n++) {
      const i = index[n];
      own.code[n] = code[i];
      own.begin[n] = begin[i];
      own.sum[n + 1] = own.sum[n] + (sum[i + 1] - sum[i]);
    }
    super(own);
    this.index = index;
  }
}

/** The positions in a row of the calls whose function is in `mask`, and that are 1 in `kept`; null: all. */
export function indexOfMask({ code, count }, mask, kept) {
  let found = 0, at = 0;
  const isOne = i => (mask === null || mask[code[i] >> 2] === 1) && (kept === null || kept[i] === 1);
  for (let i = 0; i < count; i++) if (isOne(i)) found++;
  const index = new Int32Array(found);
  for (let i = 0; at < found; i++)
    if (isOne(i)) index[at++] = i;
  return index;
}
