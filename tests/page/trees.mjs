// trees.mjs MODULES - the page's trees of random stacks, compared with sums over single stacks: from the root and
// inverted, threads together or apart, with places, filters and folded recursion; and functions' totals.
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";

const module = name => import(pathToFileURL(path.resolve(process.argv[2], `${name}.mjs`)));
const [{ Costs }, { CallView }, { InvertedView }, { foldRecursion, stacksKept }, { sumFunctions, sumMatches, sumNeighbours }, { Sums }, { Tree }] =
  await Promise.all(["costs", "view", "inverted", "filters", "functions", "sums", "tree"].map(module));

let seed = 1;
const random = below => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) % below;
const FUNCTIONS = 5, THREADS = 3, PLACES = 2;

/** A random tree in preorder: of each node the thread or function, its place, and values from -least. */
function randomTree(least) {
  const parent = [], key = [], place = [], self = [], before = [], threads = [];
  const grow = (up, depth) => {
    for (let children = depth < 6 ? random(4) : 0, used = new Set(); children > 0; children--) {
      const [f, p] = [random(FUNCTIONS), random(PLACES)];
      if (used.has(f * PLACES + p)) continue;
      used.add(f * PLACES + p);
      add(up, f, p);
      grow(parent.length - 1, depth + 1);
    }
  };
  const add = (up, f, p) => {
    parent.push(up); key.push(f); place.push(p);
    self.push(random(3) ? random(100) - least : 0);
    before.push(random(3) ? random(100) : 0);
  };
  for (let t = 0; t < THREADS; t++) {
    threads.push(parent.length);
    add(-1, FUNCTIONS + t, 0);
    grow(parent.length - 1, 0);
  }
  const count = parent.length, end = new Int32Array(count).fill(count);
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++)
      if (!isBelow(parent, j, i)) { end[i] = j; break; }
  const tree = new Tree(end, Int32Array.from(key), null, 8);
  assert.deepEqual([...tree.parent], parent);
  assert.deepEqual(tree.threads, threads);
  return { tree, self: Float64Array.from(self), before: Float64Array.from(before) };
}

function isBelow(parent, node, ancestor) {
  while (node >= 0 && node !== ancestor) node = parent[node];
  return node === ancestor;
}

/** Every node's stack as functions, thread first. */
const stacksOf = tree => Array.from(tree.key, (_, i) => {
  const stack = [];
  for (; i >= 0; i = tree.parent[i]) stack.unshift(tree.key[i]);
  return stack;
});

const folded = stack => stack.reduce((kept, f) => kept.includes(f) ? kept.slice(0, kept.indexOf(f) + 1) : [...kept, f], []);

/** All frames of a view: path -> "total before self". */
function framesOf(view) {
  const found = new Map(), open = [[0, ""]];
  while (open.length) {
    const [id, name] = open.pop(), count = view.expand(id), first = view.firstChild[id];
    let x = view.x[id];
    for (let c = first; c < first + count; c++) {
      assert.equal(view.x[c], x, "children stand side by side");
      assert.ok(c === first || view.width[c] <= view.width[c - 1], "the widest first");
      x += view.width[c];
      assert.equal(view.find(view.path(c)), c);
      open.push([c, `${name} ${view.key[c]}`]);
    }
    assert.ok(x <= view.x[id] + view.width[id], "children fit into their parent");
    if (id) found.set(name, `${view.total[id]} ${view.before[id]}`);
  }
  return found;
}

/** The same, stack by stack. */
function expectedFrames(stacks, self, before, counts) {
  const found = new Map();
  stacks.forEach((stack, i) => {
    if (!counts[i] || (!self[i] && !before[i])) return;
    for (let n = 1; n <= stack.length; n++) {
      const name = stack.slice(0, n).map(f => ` ${f}`).join(""), sum = found.get(name) ?? [0, 0];
      found.set(name, [sum[0] + self[i], sum[1] + before[i]]);
    }
  });
  return new Map([...found].map(([name, [total, then]]) => [name, `${total} ${then}`]));
}

const sorted = map => [...map].sort(([a], [b]) => a < b ? -1 : 1);

async function holdCase({ tree, self, before }, { fold, focus, ignore, threads, merge, compared }) {
  const keep = stacksKept(tree, focus, ignore), profile = { tree, keys: FUNCTIONS + THREADS, frames: { count: FUNCTIONS } };
  const column = values => Sums.of(tree.count, i => values[i]);
  const costs = new Costs(tree, column(self), compared ? column(before) : null, { keep, fold: fold ? foldRecursion(tree) : null });
  const then = compared ? before : new Float64Array(tree.count), all = stacksOf(tree), byThread = threads.length > 1 && !merge;
  const counts = all.map(stack => threads.some(t => tree.key[t] === stack[0])
    && (!focus || stack.some(f => focus[f])) && !(ignore && stack.some(f => ignore[f])));
  const stacks = fold ? all.map(folded) : all, shown = stacks.map(stack => byThread ? stack : stack.slice(1));
  const options = { threads, merge };
  const view = new CallView(profile, costs, options);
  assert.deepEqual(sorted(framesOf(view)), sorted(expectedFrames(shown, self, then, counts)));
  for (let f = 0; f < FUNCTIONS; f++) {
    const path = view.widest(f);
    if (path) assert.equal(view.key[view.find(path)], f, "the widest frame is there");
    else assert.ok(!shown.some((stack, i) => counts[i] && (self[i] || then[i]) && stack.includes(f)));
  }
  const reversed = stacks.map(stack => (byThread || stack.length === 1 ? stack : stack.slice(1)).slice().reverse());
  assert.deepEqual(sorted(framesOf(new InvertedView(profile, costs, options))), sorted(expectedFrames(reversed, self, then, counts)), "inverted");
  await holdSums(profile, costs, threads, stacks, self, counts);
}

async function holdSums(profile, costs, threads, stacks, self, counts) {
  const sumWhere = wanted => stacks.reduce((sum, stack, i) => sum + (counts[i] && wanted(stack) ? self[i] : 0), 0);
  const never = () => false, sums = await sumFunctions(profile, costs, threads, null, never);
  for (let f = 0; f < FUNCTIONS; f++) {
    assert.equal(sums.total[f], sumWhere(stack => stack.includes(f)), `total of ${f}`);
    assert.equal(sums.self[f], sumWhere(stack => stack.at(-1) === f), `self of ${f}`);
    const { callers, callees } = await sumNeighbours(profile, costs, threads, f, never);
    assert.equal(callers.reduce((sum, c) => sum + c.total, 0), sums.total[f], `callers of ${f}`);
    for (const { key, total } of callees)
      assert.equal(total, sumWhere(stack => stack.some((g, i) => g === key && i > 0 && stack[i - 1] === f)), `${f} calls ${key}`);
  }
  const mask = new Uint8Array(FUNCTIONS + THREADS);
  mask[1] = mask[3] = 1;
  assert.equal(sumMatches(profile, costs, threads, mask).total, sumWhere(stack => stack.some(f => mask[f])), "matched");
}

let cases = 0;
for (let round = 0; round < 150; round++) {
  const data = randomTree(round % 5 ? 0 : 40), { threads } = data.tree;
  const mask = () => Uint8Array.from({ length: FUNCTIONS + THREADS }, (_, f) => f < FUNCTIONS && random(3) === 0 ? 1 : 0);
  for (const fold of [false, true])
    for (const [chosen, merge] of [[threads, false], [threads, true], [[threads[1]], false]]) {
      await holdCase(data, { fold, focus: random(2) ? mask() : null, ignore: random(3) ? null : mask(), threads: chosen, merge, compared: random(2) });
      cases++;
    }
}
console.log(`${cases} trees of random stacks`);
