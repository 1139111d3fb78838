// tree.mjs - Stores the calling-context tree as typed arrays, in preorder. A parent's index is less than its
// children's, and a subtree is the range from its node to end[node]. Top-level nodes are threads.
import { Columns, unpack } from "./decode.mjs";

/** { count, end, key, frame, threads, deepest }. The key of a node is its function; for a thread it is the number of
 *  frames plus the thread's index. Without places, `frame` and `key` are the same array. */
export class Tree {
  constructor(end, key, frame, deepest) {
    Object.assign(this, { count: end.length, end, key, frame, deepest, threads: [] });
    for (let i = 0; i < this.count; i = end[i]) this.threads.push(i);
  }

  /** The parents of all nodes, -1 for threads; made when they are first needed. */
  get parent() {
    if (this.parents) return this.parents;
    const { count, end } = this, parents = this.parents = new Int32Array(count), open = [];
    let depth = 0;
    for (let i = 0; i < count; i++) {
      while (depth && end[open[depth - 1]] <= i) depth--;
      parents[i] = depth ? open[depth - 1] : -1;
      open[depth++] = i;
    }
    return parents;
  }
}

/** The keys that each caller calls. Those of `caller` are callees[first[caller]] and the following ones. Caller 0 is
 *  the top of the tree; then come the keys. */
function readCallees(columns, keys) {
  const counts = columns.unsigned(new Int32Array(1 + keys)), first = new Int32Array(1 + keys);
  let sum = 0;
  for (let caller = 0; caller <= keys; caller++) {
    first[caller] = sum;
    sum += counts[caller];
  }
  return { first, callees: columns.unsigned(new Int32Array(sum)) };
}

/** The end and the frame of each node. `ups`: by how many levels the path goes up before the node; `places`: the place
 *  of its frame among its parent's callees. */
function readNodes(ups, places, count, { first, callees }) {
  const end = new Int32Array(count), frame = arrayOfKeys(first.length - 1, count), open = [], start = [first[0]];
  let depth = 0, deepest = 0;
  for (let i = 0; i < count; i++) {
    for (let up = ups.next(); up > 0; up--) end[open[--depth]] = i;
    const key = callees[start[depth] + places.next()];
    if (!(depth >= 0 && key >= 0)) throw new Error("a block has a node that is nowhere in the tree");
    frame[i] = key;
    open[depth++] = i;
    start[depth] = first[key + 1];
    if (depth > deepest) deepest = depth;
  }
  while (depth) end[open[--depth]] = count;
  ups.finish();
  places.finish();
  return { end, frame, deepest: Math.max(deepest - 1, 0) };
}

/** An array for `count` keys, all less than `keys`. */
function arrayOfKeys(keys, count) {
  return keys <= 65536 ? new Uint16Array(count) : new Int32Array(count);
}

/** The tree's arrays, from its blocks. */
export async function decodeTree({ blocks, count, keys }) {
  const [callees, ups, places] = (await Promise.all(blocks.map(unpack))).map(bytes => new Columns(bytes));
  return readNodes(ups, places, count, readCallees(callees, keys));
}

/** The tree of those arrays. `functions`: the function of each frame, if there are several frames of some. */
export function makeTree({ end, frame, deepest }, keys, functions) {
  if (!functions) return new Tree(end, frame, frame, deepest);
  const key = arrayOfKeys(keys, frame.length);
  for (let i = 0; i < key.length; i++) key[i] = frame[i] < functions.length ? functions[frame[i]] : frame[i];
  return new Tree(end, key, frame, deepest);
}

/** Totals of all nodes. Each node adds its total to another one, attach[node], or to none (-1), in one pass from the
 *  last node to the first. */
export function totalsOf(self, attach) {
  const totals = new Float64Array(attach.length);
  for (let i = 0; i < totals.length; i++) totals[i] = self.at(i);
  for (let i = totals.length - 1; i >= 0; i--)
    if (attach[i] >= 0) totals[attach[i]] += totals[i];
  return totals;
}
