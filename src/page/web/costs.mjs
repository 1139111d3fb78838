// costs.mjs - Computes what each node of the tree costs in the shown column, after the filters.
import { Sums } from "./sums.mjs";
import { totalsOf } from "./tree.mjs";

/** Self values and totals of one profile. With recursion folded, a total is no longer that of a range of nodes: totals
 *  are then an array of their own. */
class Side {
  constructor(tree, self, fold) {
    Object.assign(this, { self, end: tree.end, totals: fold && totalsOf(self, fold.attach) });
  }

  selfOf(node) {
    return this.self.at(node);
  }

  totalOf(node) {
    return this.totals ? this.totals[node] : this.unfoldedOf(node);
  }

  /** The total with recursion as it was. */
  unfoldedOf(node) {
    return this.self.between(node, this.end[node]);
  }
}

/** Costs of all nodes, by functions of a node: selfOf, totalOf; in a comparison (`before` is not null) beforeOf,
 *  beforeTotalOf: the same of the profile that this one is compared with.
 *  widthOf: what the graph's widths stand for. It adds up and is never negative: the total itself; the sum of
 *  magnitudes where values are negative; in a comparison before + after, or one of the two.
 *  sum, beforeSum: of everything. scale: by what the values before are multiplied, so that both sums of the threads `normalized` are
 *  equal. keep, fold: the filters. */
export class Costs {
  constructor(tree, self, before, { keep = null, fold = null, normalized = null, widths = "both" } = {}) {
    Object.assign(this, { tree, keep, fold });
    this.negative = self.negative || !!before?.negative;
    [this.after, this.afterSizes] = this.sides(self);
    [this.before, this.beforeSizes] = before ? this.sides(before) : [null, null];
    this.sum = sumOver(tree.threads, node => this.totalOf(node));
    this.scale = 1;
    if (before) {
      this.beforeSum = sumOver(tree.threads, node => this.beforeTotalOf(node));
      if (normalized) this.scale = this.scaleOf(normalized);
    }
    this.afterWidth = widths === "before" ? 0 : 1;
    this.beforeWidth = before && widths !== "after" ? this.scale : 0;
  }

  /** 1 where there is nothing to multiply. */
  scaleOf(threads) {
    const sum = sumOver(threads, node => this.totalOf(node)), before = sumOver(threads, node => this.beforeTotalOf(node));
    return sum > 0 && before > 0 ? sum / before : 1;
  }

  /** Self values and totals of a column after the same filters. */
  sideOf(column) {
    const { tree, keep, fold } = this;
    return new Side(tree, keep ? Sums.of(tree.count, i => keep[i] ? column.at(i) : 0) : column, fold);
  }

  /** The side of a column, and that of its magnitudes, which may be the same. */
  sides(column) {
    const side = this.sideOf(column), { tree, fold } = this;
    return [side, side.self.negative ? new Side(tree, Sums.of(tree.count, i => Math.abs(side.selfOf(i))), fold) : side];
  }

  selfOf(node) {
    return this.after.selfOf(node);
  }

  totalOf(node) {
    return this.after.totalOf(node);
  }

  unfoldedOf(node) {
    return this.after.unfoldedOf(node);
  }

  beforeOf(node) {
    return this.before.selfOf(node) * this.scale;
  }

  beforeTotalOf(node) {
    return this.before.totalOf(node) * this.scale;
  }

  unfoldedBeforeOf(node) {
    return this.before.unfoldedOf(node) * this.scale;
  }

  widthOf(node) {
    const after = this.afterSizes.totalOf(node) * this.afterWidth;
    return this.before ? after + this.beforeSizes.totalOf(node) * this.beforeWidth : after;
  }

  /** The part of the width that is the node's own. */
  selfWidthOf(node) {
    const after = this.afterSizes.selfOf(node) * this.afterWidth;
    return this.before ? after + this.beforeSizes.selfOf(node) * this.beforeWidth : after;
  }
}

function sumOver(nodes, valueOf) {
  let sum = 0;
  for (const node of nodes) sum += valueOf(node);
  return sum;
}
