// compare.mjs - Computes how much frames and functions have changed between two profiles.

/** The change of a frame of the view, from -1 to 1. Relative: as a share of the larger of both values. Absolute: the
 *  square root of its share of the largest change of any frame below the root; the square root keeps small changes
 *  visible. */
export function changeOf(view, id, { by, measure }, largest) {
  const after = by === "self" ? view.self[id] : view.total[id];
  const before = by === "self" ? view.beforeSelf[id] : view.before[id];
  if (after === before) return 0;
  if (measure === "relative") return (after - before) / Math.max(Math.abs(after), Math.abs(before));
  return Math.sign(after - before) * Math.sqrt(Math.min(Math.abs(after - before) / largest, 1));
}

/** The largest change of any node, by total or self. */
export function largestChange(costs, by) {
  let largest = 0;
  for (let i = 0; i < costs.tree.count; i++) {
    const change = by === "self" ? costs.selfOf(i) - costs.beforeOf(i) : costs.totalOf(i) - costs.beforeTotalOf(i);
    if (Math.abs(change) > largest) largest = Math.abs(change);
  }
  return largest || 1;
}

/** The largest change of a child of the view's root, or of a child of its threads. */
export function largestOfRoots(view, root = 0) {
  let largest = 0;
  for (let i = view.expand(root), c = view.firstChild[root]; i > 0; i--, c++)
    largest = Math.max(largest, view.profile.isThread(view.key[c]) ? largestOfRoots(view, c) : Math.abs(view.total[c] - view.before[c]));
  return largest || 1;
}

/** "new", "gone", or "" for a frame that both profiles have. */
export const presence = (before, after) => before === after || (before !== 0 && after !== 0) ? "" : before === 0 ? "new" : "gone";
export const PRESENCE_SIGNS = { new: "+ ", gone: "− ", "": "" };
