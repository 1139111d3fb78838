// sums.mjs - Stores a column of values as running sums over the nodes in preorder. A self value is the difference of
// two neighbours, and a total is the difference between both ends of a subtree. So one array gives both.

import { Columns, unpack } from "./decode.mjs";

const HALF = 2 ** 32, CHUNK = 4096;

/** Sums of integers below 2^63, stored as two halves of 32 bits, so that differences below 2^53 are exact. The sum of
 *  several threads may be larger. Then it wraps around; but differences, which are values of one subtree, are still
 *  right. */
export class Sums {
  constructor(count) {
    this.low = new Uint32Array(count + 1);
    this.high = null; // made when it is needed
    this.count = 0;
    this.lastLow = this.lastHigh = 0;
    this.negative = false; // whether some value is negative
  }

  /** Sums from the fields that decodeSums returns. */
  static from(fields) {
    return Object.assign(new Sums(0), fields);
  }

  /** Sums of a column that has valueOf(node) for each node. */
  static of(count, valueOf) {
    const sums = new Sums(count), slice = new Float64Array(Math.min(count, CHUNK));
    for (let from = 0; from < count; from += slice.length) {
      const size = Math.min(slice.length, count - from);
      for (let i = 0; i < size; i++) slice[i] = valueOf(from + i);
      sums.append(slice, size);
    }
    return sums;
  }

  /** Sums of the next `count` signed integers of a block. */
  static read(columns, count) {
    const sums = new Sums(count), slice = new Float64Array(Math.min(count, CHUNK));
    for (let left = count; left > 0; left -= slice.length)
      sums.append(columns.signed(left < slice.length ? slice.subarray(0, left) : slice), Math.min(left, slice.length));
    return sums;
  }

  /** Append the next values, which are integers. */
  append(values, count) {
    const { low } = this;
    let { high, lastLow, lastHigh, negative, count: at } = this;
    for (let i = 0; i < count; i++) {
      const value = values[i];
      if (value < 0) negative = true;
      lastLow += value;
      if (lastLow >= HALF || lastLow < 0) {
        const carry = Math.floor(lastLow / HALF);
        lastLow -= carry * HALF;
        lastHigh += carry;
        if (!high) high = this.high = new Int32Array(low.length);
      }
      low[++at] = lastLow;
      if (high) high[at] = lastHigh;
    }
    Object.assign(this, { lastLow, lastHigh, negative, count: at });
  }

  /** The sum of the nodes from `first` on, before `end`. */
  between(first, end) {
    const { low, high } = this, difference = low[end] - low[first];
    return high ? difference + (high[end] - high[first] | 0) * HALF : difference;
  }

  /** The value of one node. */
  at(node) {
    return this.between(node, node + 1);
  }
}

/** The fields of the sums of a block. */
export async function decodeSums({ block, count }) {
  return { ...Sums.read(new Columns(await unpack(block)), count) };
}
