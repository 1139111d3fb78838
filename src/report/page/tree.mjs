// tree.mjs - The calling-context tree as typed arrays, in preorder: a parent's index is below its
// children's, and a subtree is the range from its node to end[node]. Top-level nodes are threads.
import { Columns, readBlock } from "./decode.mjs";

/** parent and end of each node, from how many levels each goes up. `ups` becomes the parents. */
function linkNodes(ups) {
  const n = ups.length, end = new Int32Array(n), open = [];
  let depth = -1, deepest = 0;
  for (let i = 0; i < n; i++) {
    depth = depth + 1 - ups[i];
    if (depth < 0) throw new Error("the tree goes up beyond its root");
    ups[i] = depth ? open[depth - 1] : -1;
    open[depth] = i;
    if (depth > deepest) deepest = depth;
  }
  for (let i = n - 1; i >= 0; i--) {
    if (!end[i]) end[i] = i + 1;
    if (ups[i] >= 0 && !end[ups[i]]) end[ups[i]] = end[i];
  }
  return { end, deepest };
}

/** The tree's shape: { count, parent, end, key, frame, threads, deepest }. The key of a node is its function,
 *  or, of a thread, the number of frames plus the thread's index. Without places, `frame` is the same array. */
export async function readTree(header, frames) {
  const bytes = await readBlock(header, "tree", true), count = header.nodes;
  const columns = new Columns(bytes);
  const parent = columns.unsigned(new Int32Array(count));
  const frame = columns.unsigned(new Int32Array(count));
  const { end, deepest } = linkNodes(parent);
  const threads = [];
  for (let i = 0; i < count; i = end[i]) threads.push(i);
  let key = frame;
  if (frames.places) {
    key = new Int32Array(count);
    for (let i = 0; i < count; i++) key[i] = frames.function[frame[i]];
  }
  for (const node of threads) key[node] = frames.count + frame[node];
  return { count, parent, end, key, frame, threads, deepest };
}

/** The self values of a column, a double for each node. */
export async function readSelf(header, block, count) {
  const bytes = await readBlock(header, block, false);
  return bytes && new Columns(bytes).signed(new Float64Array(count));
}

/** Totals of all nodes: one pass from the last node to the first. `keep`: nodes whose self counts, or
 *  null for all. `attach`: to which node each adds its total (a tree's parents). */
export function totalsOf(self, attach, keep) {
  const totals = keep ? new Float64Array(self.length) : self.slice();
  if (keep)
    for (let i = 0; i < totals.length; i++)
      if (keep[i]) totals[i] = self[i];
  for (let i = totals.length - 1; i >= 0; i--)
    if (attach[i] >= 0) totals[attach[i]] += totals[i];
  return totals;
}
