// costs.mjs - What each node of the tree costs, of the column that is shown, after the filters.
import { totalsOf } from "./tree.mjs";

/** Costs of all nodes: { self, total, before, beforeTotal, width, keep, fold, sum, beforeSum, scale }.
 *  before: the self values of the profile that this one is compared with, or null.
 *  width: what the graph's widths stand for. It adds up and is never negative: the total itself; the sum of
 *  magnitudes where values are negative; in a comparison before + after, or one of the two. */
export class Costs {
  constructor(tree, self, before, { keep = null, fold = null, normalize = false, widths = "both" } = {}) {
    Object.assign(this, { tree, self, before, keep, fold, widths });
    const attach = fold ? fold.attach : tree.parent;
    this.total = totalsOf(self, attach, keep);
    this.sum = sumOver(tree.threads, this.total);
    this.width = this.total;
    this.scale = 1;
    this.negative = self.some(v => v < 0) || (before !== null && before.some(v => v < 0));
    if (before) {
      this.beforeTotal = totalsOf(before, attach, keep);
      this.beforeSum = sumOver(tree.threads, this.beforeTotal);
      if (normalize && this.beforeSum > 0) this.scale = this.sum / this.beforeSum;
      if (this.scale !== 1) this.beforeTotal = this.beforeTotal.map(v => v * this.scale);
    }
    if (before || this.negative) this.width = this.widthTotals(attach);
  }

  widthTotals(attach) {
    const self = new Float64Array(this.self.length);
    for (let i = 0; i < self.length; i++) self[i] = this.widthOf(i);
    return totalsOf(self, attach, null);
  }

  /** Totals with recursion as it was. */
  get unfolded() {
    return this.fold ? this.unfoldedNow ??= totalsOf(this.self, this.tree.parent, this.keep) : this.total;
  }

  get unfoldedBefore() {
    if (!this.fold) return this.beforeTotal;
    return this.unfoldedThen ??= totalsOf(this.before, this.tree.parent, this.keep).map(v => v * this.scale);
  }

  selfOf(node) {
    return this.keep && !this.keep[node] ? 0 : this.self[node];
  }

  beforeOf(node) {
    return this.keep && !this.keep[node] ? 0 : this.before[node] * this.scale;
  }

  widthOf(node) {
    if (!this.before) return Math.abs(this.selfOf(node));
    const after = this.widths === "before" ? 0 : Math.abs(this.selfOf(node));
    return after + (this.widths === "after" ? 0 : Math.abs(this.beforeOf(node)));
  }
}

function sumOver(nodes, values) {
  let sum = 0;
  for (const node of nodes) sum += values[node];
  return sum;
}
