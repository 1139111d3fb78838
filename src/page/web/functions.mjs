// functions.mjs - Adds up functions: the table, the callers and callees of one function, and the matches of a search.
// A function's total counts only its outermost frame on a stack: recursion counts once. Long passes are split into
// slices, between which the page handles events.

const SLICE = 400000; // nodes

/** Tells requests whether a later one has made them obsolete. */
export class Latest {
  next() {
    const token = this.token = {};
    return () => this.token !== token;
  }
}

const nextSlice = () => new Promise(done => {
  const channel = new MessageChannel();
  channel.port1.onmessage = done;
  channel.port2.postMessage(0);
});

/** Call `work(node)` for each node of the threads, in preorder. false: `stale()` became true in between. */
export async function eachNode(tree, threads, stale, work) {
  let left = SLICE;
  for (const thread of threads)
    for (let i = thread; i < tree.end[thread];) {
      const last = Math.min(tree.end[thread], i + left);
      left -= last - i;
      for (; i < last; i++) work(i);
      if (left > 0) continue;
      left = SLICE;
      await nextSlice();
      if (stale()) return false;
    }
  return true;
}

/** Sums by key: { keys, self, total, before, beforeSelf, calls }, arrays by key except `keys`, which lists the
 *  functions that have some cost. null if it is stale. */
export async function sumFunctions(profile, costs, threads, calls, stale) {
  const { tree, keys } = profile, { key, end } = tree, { fold } = costs, numbers = () => new Float64Array(keys);
  const sums = { self: numbers(), total: numbers(), width: numbers(), before: costs.before && numbers(),
                 beforeSelf: costs.before && numbers(), calls: calls && numbers() };
  const open = new Int32Array(keys); // by key: the end of the function's last outermost node
  const done = await eachNode(tree, threads, stale, i => {
    const f = key[i];
    sums.self[f] += costs.selfOf(i);
    if (calls && !(costs.keep && !costs.keep[i])) sums.calls[f] += calls.at(i);
    if (costs.before) sums.beforeSelf[f] += costs.beforeOf(i);
    if (fold ? fold.alias[i] !== i : i < open[f]) return;
    open[f] = end[i];
    sums.total[f] += costs.totalOf(i);
    sums.width[f] += costs.widthOf(i);
    if (costs.before) sums.before[f] += costs.beforeTotalOf(i);
  });
  if (!done) return null;
  const listed = [];
  for (let f = 0; f < profile.frames.count; f++)
    if (sums.width[f] > 0 || sums.total[f] || (costs.before && sums.before[f]) || (calls && sums.calls[f] > 0)) listed.push(f);
  sums.keys = Int32Array.from(listed);
  return sums;
}

/** Totals of the callers and callees of a function: maps from a key to { total, before }. The callers' sum is the
 *  function's total. A callee counts once on a stack, like functions. */
export async function sumNeighbours(profile, costs, threads, wanted, stale) {
  const { tree, keys } = profile, { key, end, parent } = tree, { fold } = costs;
  const callers = new Map(), callees = new Map(), open = new Int32Array(keys);
  const outwards = fold ? fold.parent : parent;
  const add = (sums, f, i) => {
    const sum = sums.get(f) ?? { key: f, total: 0, before: 0, width: 0 };
    sum.total += costs.totalOf(i);
    sum.width += costs.widthOf(i);
    if (costs.before) sum.before += costs.beforeTotalOf(i);
    sums.set(f, sum);
  };
  let outermost = 0;
  const done = await eachNode(tree, threads, stale, i => {
    if (fold && fold.alias[i] !== i) return;
    const outer = outwards[i], caller = outer < 0 ? -1 : key[outer];
    if (key[i] === wanted && (fold || i >= outermost)) {
      outermost = end[i];
      if (outer >= 0) add(callers, caller, i);
    }
    if (caller === wanted && (fold || i >= open[key[i]])) {
      open[key[i]] = end[i];
      add(callees, key[i], i);
    }
  });
  const list = sums => [...sums.values()].filter(s => s.width > 0).sort((a, b) => b.width - a.width || a.key - b.key);
  return done ? { callers: list(callers), callees: list(callees) } : null;
}

/** The total cost of all stacks with a function of the mask. */
export function sumMatches(profile, costs, threads, mask) {
  const { key, end } = profile.tree, sum = { total: 0, width: 0, before: 0 };
  const seen = costs.fold ? foldedMatches(costs.fold, key, mask) : null;
  for (const thread of threads)
    for (let i = thread; i < end[thread];) {
      const counts = seen ? seen[i] === 1 : mask[key[i]];
      if (counts) {
        sum.total += costs.totalOf(i);
        sum.width += costs.widthOf(i);
        if (costs.before) sum.before += costs.beforeTotalOf(i);
      }
      i = counts && !seen ? end[i] : i + 1;
    }
  return sum;
}

/** By node, 1: an outermost match in the folded tree; 2: under such a match, or folded. */
function foldedMatches({ alias, parent }, key, mask) {
  const seen = new Uint8Array(key.length);
  for (let i = 0; i < key.length; i++) {
    const outer = parent[i];
    if (alias[i] !== i || (outer >= 0 && seen[outer])) seen[i] = alias[i] !== i ? 0 : 2;
    else if (mask[key[i]]) seen[i] = 1;
  }
  return seen;
}
