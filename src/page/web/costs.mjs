// costs.mjs - Computes the cost of each node of the tree in the shown column, after the filters.
import { Sums } from "./sums.mjs";
import { totalsOf } from "./tree.mjs";

/** Self values and totals of one profile. A total is a difference of running sums over a range of nodes (sums.mjs).
 *  With recursion folded this no longer holds, so totals are an array of their own then. */
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

  /** The total without folding of recursion. */
  unfoldedOf(node) {
    return this.self.between(node, this.end[node]);
  }
}

/** Costs of all nodes, by methods that take a node:
 *  - selfOf, totalOf; in a comparison (`before` is not null) also beforeOf, beforeTotalOf, for the other profile;
 *  - widthOf: the node's width in the graph. Widths add up and are never negative: the total; the sum of magnitudes if
 *    values are negative; in a comparison before + after, or one of the two. sum, beforeSum: the sums of all nodes.
 *    scale: the factor for values of the other profile that makes both sums of the threads `normalized` equal. keep,
 *    fold: the filters. */
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

  /** The factor for the other profile's values; 1 if a sum is 0. */
  scaleOf(threads) {
    const sum = sumOver(threads, node => this.totalOf(node)), before = sumOver(threads, node => this.beforeTotalOf(node));
    return sum > 0 && before > 0 ? sum / before : 1;
  }

  /** Self values and totals of a column after the same filters. */
  sideOf(column) {
    const { tree, keep, fold } = this;
    return new Side(tree, keep ? Sums.of(tree.count, i => keep[i] ? column.at(i) : 0) : column, fold);
  }

  /** The side of a column, and the side of its magnitudes; they are the same if no value is negative. */
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

  /** The node's own part of its width. */
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
