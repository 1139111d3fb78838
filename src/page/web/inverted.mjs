// inverted.mjs - Builds the inverted tree: from the innermost frames outwards, with callers as children of callees. A
// group is a range of `nodes`, which has the nodes with a self value. Making a group's children sorts that range by the
// next caller, in place. So each node needs two integers of memory, no matter how deep the stacks are.
import { View } from "./view.mjs";

function nodesWithSelf({ count, end }, costs, threads) {
  const nodes = new Int32Array(count);
  let size = 0;
  for (const thread of threads)
    for (let i = thread; i < end[thread]; i++)
      if (costs.selfWidthOf(i) > 0) nodes[size++] = i;
  return nodes.slice(0, size);
}

export class InvertedView extends View {
  constructor(profile, costs, options) {
    super(profile, costs, options);
    this.nodes = nodesWithSelf(profile.tree, costs, options.threads);
    this.frameNow = this.nodes.slice(); // by position: the frame at the depth of the deepest group that contains it
    const single = options.threads.length === 1 ? profile.tree.key[options.threads[0]] : -1;
    const root = this.add(single, -1, 0), sums = [0, 0, 0, 0, 0, 0];
    for (let p = 0; p < this.nodes.length; p++) this.sum(sums, 0, this.nodes[p]);
    this.members[root] = this.nodes.length;
    this.addSums(root, sums, 0);
    this.self[root] = this.beforeSelf[root] = 0;
  }

  sum(sums, at, node) {
    const { costs } = this, self = costs.selfOf(node);
    sums[at] += costs.selfWidthOf(node);
    sums[at + 1] += self;
    if (costs.before) sums[at + 3] += costs.beforeOf(node);
    sums[at + 5]++;
  }

  /** The next node outwards, the caller; -1 for the outermost frame. */
  outwards(node) {
    const { tree } = this.profile, { fold } = this.costs;
    const next = (fold ? fold.parent : tree.parent)[fold ? fold.alias[node] : node];
    return next >= 0 && !this.byThread && tree.parent[next] < 0 ? -1 : next;
  }

  memberStart(id) {
    return this.firstMember[id] + this.ended; // nodes whose stack begins with this frame come first
  }

  open(id, gathering) {
    const { key } = this.profile.tree, { nodes, frameNow } = this;
    const first = this.firstMember[id], last = first + this.members[id];
    const own = [0, 0, 0, 0, 0, 0];
    this.ended = 0;
    for (let p = first; p < last; p++) {
      const next = frameNow[p] = frameNow[p] < 0 ? -1 : id === 0 ? frameNow[p] : this.outwards(frameNow[p]);
      if (next >= 0) this.sum(gathering.sums, gathering.of(key[next]) * 6, nodes[p]);
      else {
        this.ended++;
        this.sum(own, 0, nodes[p]);
      }
    }
    this.self[id] = own[1]; // of stacks that begin with this frame
    this.beforeSelf[id] = own[3];
  }

  place(id, gathering, cursor) {
    const { key } = this.profile.tree, first = this.firstMember[id], last = first + this.members[id];
    const nodes = this.nodes.slice(first, last), now = this.frameNow.slice(first, last);
    let ended = first;
    for (let i = 0; i < nodes.length; i++) {
      const at = now[i] < 0 ? ended++ : cursor[gathering.slot[key[now[i]]]]++;
      this.nodes[at] = nodes[i];
      this.frameNow[at] = now[i];
    }
  }

  isInverted = true;

  /** The sum of a group's nodes in another column (Costs.sideOf). */
  sumOver(id, side) {
    let sum = 0;
    for (let p = this.firstMember[id], last = p + this.members[id]; p < last; p++) sum += side.selfOf(this.nodes[p]);
    return sum;
  }

  /** The path of a function. It is a child of the root if it has a self value; null if it has none. */
  widest(wanted) {
    return this.child(0, wanted) < 0 ? null : [wanted];
  }
}
