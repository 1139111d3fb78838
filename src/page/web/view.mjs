// view.mjs - The tree of groups that the graph shows. A group is all nodes of the profile's tree that have the same
// path of functions from the root: the places of a function are one frame, and so are the threads, if they are added
// up. A group is made only when it is needed, in time proportional to the children of its parent's nodes.

const FIELDS = { key: Int32Array, parent: Int32Array, depth: Int32Array, firstChild: Int32Array, children: Int32Array,
                 firstMember: Int32Array, members: Int32Array, x: Float64Array, width: Float64Array,
                 total: Float64Array, self: Float64Array, before: Float64Array, beforeSelf: Float64Array };
const UNKNOWN = -1; // in `children`: not made yet

const grown = (array, size) => {
  const larger = new array.constructor(Math.max(size, array.length * 2));
  larger.set(array);
  return larger;
};

/** Collects groups by key, while the children of one group are being made. */
class Gathering {
  constructor(keys) {
    this.slot = new Int32Array(keys).fill(-1);
  }

  begin() {
    this.keys = [];
    this.sums = []; // for each group: width, total, self, before, beforeSelf, number of nodes
  }

  of(key) {
    let slot = this.slot[key];
    if (slot < 0) {
      slot = this.slot[key] = this.keys.length;
      this.keys.push(key);
      this.sums.push(0, 0, 0, 0, 0, 0);
    }
    return slot;
  }

  end() {
    for (const key of this.keys) this.slot[key] = -1;
  }
}

/** The common part of the tree from the root and of the inverted tree. A subclass has `open(id, gathering)`, which adds
 *  up the children, and `place(id, gathering, cursor)`, which puts each child's nodes into `pool`. */
export class View {
  constructor(profile, costs, options) {
    Object.assign(this, { profile, costs, options });
    this.count = 0;
    for (const [name, type] of Object.entries(FIELDS)) this[name] = new type(1024);
    this.gathering = new Gathering(profile.keys);
    this.byThread = options.threads.length > 1 && !options.merge;
  }

  add(key, parent, depth) {
    const id = this.count++;
    if (id >= this.key.length)
      for (const name of Object.keys(FIELDS)) this[name] = grown(this[name], this.count);
    this.key[id] = key;
    this.parent[id] = parent;
    this.depth[id] = depth;
    this.children[id] = UNKNOWN;
    return id;
  }

  addSums(id, sums, at) {
    [this.width[id], this.total[id], this.self[id], this.before[id], this.beforeSelf[id]] = sums.slice(at, at + 5);
  }

  /** Make the children. Returns their number; they are firstChild[id] and the following ones, the widest first. */
  expand(id) {
    if (this.children[id] !== UNKNOWN) return this.children[id];
    const gathering = this.gathering;
    gathering.begin();
    this.open(id, gathering);
    const { keys, sums } = gathering;
    const order = keys.map((_, slot) => slot).sort((a, b) => sums[b * 6] - sums[a * 6] || keys[a] - keys[b]);
    this.firstChild[id] = this.count;
    this.children[id] = order.length;
    const cursor = new Int32Array(order.length);
    let x = this.x[id], member = this.memberStart(id, sums);
    for (const slot of order) {
      const child = this.add(keys[slot], id, this.depth[id] + 1);
      this.addSums(child, sums, slot * 6);
      this.x[child] = x;
      x += this.width[child];
      this.firstMember[child] = cursor[slot] = member;
      member += this.members[child] = sums[slot * 6 + 5];
    }
    this.place(id, gathering, cursor);
    gathering.end();
    return order.length;
  }

  /** The child with a key, or -1. */
  child(id, key) {
    const count = this.expand(id);
    for (let i = 0, c = this.firstChild[id]; i < count; i++, c++)
      if (this.key[c] === key) return c;
    return -1;
  }

  /** The keys from the root's child to a frame. They identify it independently of the order in which groups were made.
   */
  path(id) {
    const keys = [];
    for (; id > 0; id = this.parent[id]) keys.push(this.key[id]);
    return keys.reverse();
  }

  /** The frame at a path, or the last existing one on it. */
  find(path) {
    let id = 0;
    for (const key of path) {
      const child = this.child(id, key);
      if (child < 0) break;
      id = child;
    }
    return id;
  }
}

/** The tree from the root: threads or outermost functions first. */
export class CallView extends View {
  constructor(profile, costs, options) {
    super(profile, costs, options);
    this.pool = new Int32Array(1024);
    this.pooled = 0;
    const threads = options.threads, single = threads.length === 1;
    const root = this.add(single ? profile.tree.key[threads[0]] : -1, -1, 0);
    const sums = [0, 0, 0, 0, 0, 0];
    for (const node of threads) this.sum(sums, 0, node);
    this.firstMember[root] = 0;
    this.members[root] = threads.length;
    this.reserve(threads.length);
    this.pool.set(threads);
    this.addSums(root, sums, 0);
    if (this.byThread) this.self[root] = this.beforeSelf[root] = 0;
  }

  sum(sums, at, node) {
    const { costs } = this;
    sums[at] += costs.widthOf(node);
    sums[at + 1] += costs.totalOf(node);
    if (costs.before) sums[at + 3] += costs.beforeTotalOf(node);
    for (; node >= 0; node = costs.fold ? costs.fold.next[node] : -1) {
      sums[at + 2] += costs.selfOf(node);
      if (costs.before) sums[at + 4] += costs.beforeOf(node);
      sums[at + 5]++;
    }
  }

  reserve(count) {
    const first = this.pooled;
    this.pooled += count;
    if (this.pooled > this.pool.length) this.pool = grown(this.pool, this.pooled);
    return first;
  }

  memberStart(id, sums) {
    let count = 0;
    for (let i = 5; i < sums.length; i += 6) count += sums[i];
    return this.reserve(count);
  }

  /** Call `work` with each child of a group's nodes that has a width. */
  eachChild(id, work) {
    const { end } = this.profile.tree, { costs } = this, { fold } = costs;
    const first = this.firstMember[id], last = first + this.members[id];
    for (let m = first; m < last; m++) {
      const node = this.pool[m];
      if (id === 0 && this.byThread) {
        if (costs.widthOf(node) > 0) work(node);
      } else
        for (let c = node + 1; c < end[node]; c = end[c])
          if (!(fold && fold.alias[c] !== c) && costs.widthOf(c) > 0) work(c);
    }
  }

  open(id, gathering) {
    const { key } = this.profile.tree;
    this.eachChild(id, node => this.sum(gathering.sums, gathering.of(key[node]) * 6, node));
  }

  place(id, gathering, cursor) {
    const { key } = this.profile.tree, { fold } = this.costs;
    this.eachChild(id, node => {
      const slot = gathering.slot[key[node]];
      for (; node >= 0; node = fold ? fold.next[node] : -1) this.pool[cursor[slot]++] = node;
    });
  }

  /** The sum of a group's nodes in another column (Costs.sideOf): of totals, or of self values (own). */
  sumOver(id, side, own = false) {
    const { fold } = this.costs, first = this.firstMember[id];
    let sum = 0;
    for (let m = first; m < first + this.members[id]; m++) {
      const node = this.pool[m];
      if (own) sum += side.selfOf(node);
      else if (!fold || fold.alias[node] === node) sum += side.totalOf(node);
    }
    return sum;
  }

  /** The path of the function's widest node (its places counted separately), or null if it has no cost. */
  widest(wanted) {
    const { parent, key, end } = this.profile.tree, { costs } = this, { fold } = costs;
    let best = -1, most = 0;
    for (const thread of this.options.threads)
      for (let i = thread; i < end[thread]; i++)
        if (key[i] === wanted && !(fold && fold.alias[i] !== i) && costs.widthOf(i) > most) {
          best = i;
          most = costs.widthOf(i);
        }
    if (best < 0) return null;
    const path = [];
    for (let i = best; i >= 0; i = (fold ? fold.parent : parent)[i])
      if (parent[i] >= 0 || this.byThread) path.unshift(key[i]);
    return path;
  }
}
