// filters.mjs - Selects stacks (focus, ignore), and folds recursion. The words and their meaning are those of
// `toll report --focus, --ignore, --fold-recursion`.

/** What the frames of a stack have in common, put together by `|`: a stack counts if that is FOCUSED. */
export const FOCUSED = 1, IGNORED = 2;

/** By key, what a frame adds to its stack; null if there is no filter. The masks are by key. */
export function marksOf(focus, ignore) {
  return focus || ignore ? (focus ?? ignore).map((_, key) => (!focus || focus[key] ? FOCUSED : 0) | (ignore?.[key] ? IGNORED : 0)) : null;
}

/** Nodes whose stack has a frame in `focus` (if there is one) and none in `ignore`: 1 for each that counts, or null
 *  if all do. */
export function stacksKept(tree, focus, ignore) {
  const { parent, key, count } = tree, marks = marksOf(focus, ignore), seen = marks && new Uint8Array(count);
  for (let i = 0; marks && i < count; i++) seen[i] = (parent[i] >= 0 ? seen[parent[i]] : 0) | marks[key[i]];
  for (let i = 0; marks && i < count; i++) seen[i] = seen[i] === FOCUSED ? 1 : 0;
  return seen;
}

/** Recursion folded: a call of a function that is already on the stack goes to that frame, so a;b;a;c is a;c.
 *  alias: the node that each is charged to (itself mostly); parent: the folded parent of those; attach: the node
 *  that each adds its total to; next: a list of the nodes with the same alias. */
export function foldRecursion({ parent, key, count }) {
  const alias = new Int32Array(count), folded = new Int32Array(count), attach = new Int32Array(count);
  const next = new Int32Array(count).fill(-1), depth = new Int32Array(count);
  // What holds of the open nodes, which are those from a root to the current one: `at` has the folded stack by depth, and
  // `innermost` the last of them with each key that was not folded. If that one is not in the folded stack any more, none
  // with its key is: what is folded cuts the stack below, and what follows is added there. Leaving a node undoes its own.
  const at = [], innermost = [], before = new Int32Array(count), inner = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    for (let left = i - 1; left !== parent[i] && left >= 0; left = parent[left]) {
      if (alias[left] !== left) continue;
      at[depth[left]] = before[left];
      innermost[key[left]] = inner[left];
    }
    const outer = parent[i] < 0 ? -1 : alias[parent[i]], last = innermost[key[i]] ?? -1;
    const same = last >= 0 && outer >= 0 && depth[last] <= depth[outer] && at[depth[last]] === last ? last : -1;
    alias[i] = same >= 0 ? same : i;
    depth[i] = outer >= 0 ? depth[outer] + 1 : 0;
    before[i] = at[depth[i]] ?? -1;
    inner[i] = last;
    if (same < 0) {
      at[depth[i]] = i;
      innermost[key[i]] = i;
    }
    folded[i] = outer;
    attach[i] = same >= 0 ? same : outer;
    if (same >= 0) {
      next[i] = next[same];
      next[same] = i;
    }
  }
  return { alias, parent: folded, attach, next };
}
