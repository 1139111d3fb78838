// filters.mjs - Which stacks count (focus, ignore), and recursion folded. The words and their meaning are those of
// `toll report --focus, --ignore, --fold-recursion`.

/** Nodes whose stack has a frame in `focus` (if there is one) and none in `ignore`: 1 for each that counts, or null
 *  if all do. The masks are by key. */
export function stacksKept(tree, focus, ignore) {
  if (!focus && !ignore) return null;
  const FOCUSED = 1, IGNORED = 2;
  const { parent, key, count } = tree, seen = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    let state = parent[i] >= 0 ? seen[parent[i]] : 0;
    if (!focus || focus[key[i]]) state |= FOCUSED;
    if (ignore && ignore[key[i]]) state |= IGNORED;
    seen[i] = state;
  }
  for (let i = 0; i < count; i++) seen[i] = seen[i] === FOCUSED ? 1 : 0;
  return seen;
}

/** Recursion folded: a call of a function that is already on the stack goes to that frame, so a;b;a;c is a;c.
 *  alias: the node that each is charged to (itself mostly); parent: the folded parent of those; attach: the node
 *  that each adds its total to; next: a list of the nodes with the same alias. */
export function foldRecursion({ parent, key, count }) {
  const alias = new Int32Array(count), folded = new Int32Array(count), attach = new Int32Array(count);
  const next = new Int32Array(count).fill(-1);
  for (let i = 0; i < count; i++) {
    const outer = parent[i] < 0 ? -1 : alias[parent[i]];
    let same = outer;
    while (same >= 0 && key[same] !== key[i]) same = folded[same];
    alias[i] = same >= 0 ? same : i;
    folded[i] = outer;
    attach[i] = same >= 0 ? same : outer;
    if (same >= 0) {
      next[i] = next[same];
      next[same] = i;
    }
  }
  return { alias, parent: folded, attach, next };
}
