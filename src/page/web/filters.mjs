// filters.mjs - Selects stacks (focus, ignore), and folds recursion. The words and their meaning are those of
// `toll report --focus, --ignore, --fold-recursion`.

/** Marks of a frame. A stack counts if the marks of all its frames, joined by `|`, are FOCUSED. */
export const FOCUSED = 1, IGNORED = 2;

/** The marks of each key; null if there is no filter. The masks are by key. */
export function marksOf(focus, ignore) {
  return focus || ignore ? (focus ?? ignore).map((_, key) => (!focus || focus[key] ? FOCUSED : 0) | (ignore?.[key] ? IGNORED : 0)) : null;
}

/** The nodes that count: 1 if the stack has a frame in `focus` (if this is given) and none in `ignore`. null if all
 *  count. */
export function stacksKept(tree, focus, ignore) {
  const { parent, key, count } = tree, marks = marksOf(focus, ignore), seen = marks && new Uint8Array(count);
  for (let i = 0; marks && i < count; i++) seen[i] = (parent[i] >= 0 ? seen[parent[i]] : 0) | marks[key[i]];
  for (let i = 0; marks && i < count; i++) seen[i] = seen[i] === FOCUSED ? 1 : 0;
  return seen;
}

/** Fold recursion: a call of a function that is already on the stack goes to that frame, so a;b;a;c becomes a;c. The
 *  results are by node. alias: the node to which it is charged (mostly itself); parent: the folded parent of an alias;
 *  attach: the node to which it adds its total; next: a linked list of the nodes with the same alias. */
export function foldRecursion({ parent, key, count }) {
  const alias = new Int32Array(count), folded = new Int32Array(count), attach = new Int32Array(count);
  const next = new Int32Array(count).fill(-1), depth = new Int32Array(count);
  // Invariant for the open nodes, which are those from a root to the current one: `at` has the folded stack by depth,
  // and `innermost` has, for each key, the last open node that was not folded. If that node is no longer in the folded
  // stack, no node with its key is, since folding removes the end of the stack, and further nodes are added there.
  // Leaving a node undoes its changes.
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
