// timeline_lanes.mjs - The lanes of the timeline, one for each thread: their rows, and where they are on the page.
import { Row } from "./timeline_row.mjs";

export const ROW_HEIGHT = 20, SMALL_ROW = 3, SMALL_MOST = 8; // pixels; at most so many rows in a closed lane
const LANE_GAP = 7, LANE_HEAD = 22, LANE_LEAST = 24;

/** A thread: its entry in the header, and its calls once they are decoded. */
export class Lane {
  constructor(info, index) {
    Object.assign(this, { info, index, data: null, rows: [], closed: false });
  }

  get depth() {
    return this.data ? this.data.start.length - 1 : this.info.depth;
  }

  /** The calls at a depth, on an axis. */
  row(depth, axis) {
    const rows = this.rows[axis] ??= [];
    if (!rows[depth]) {
      const { start, code, child, axes } = this.data, cut = array => array.subarray(start[depth], start[depth + 1]);
      rows[depth] = new Row({ code: cut(code), child: cut(child), begin: cut(axes[axis].begin), sum: cut(axes[axis].sum) });
      Object.assign(rows[depth], { lane: this, depth });
    }
    return rows[depth];
  }

  /** Where the lane's first call begins and its last one ends: [from, to], or null if it has none. */
  extent(axis) {
    if (!this.data || !this.depth) return null;
    const row = this.row(0, axis);
    return [row.begin[0], row.end(row.count - 1)];
  }

  /** Is a call still open where the lane's events end? */
  isOpen(depth, i) {
    return depth < this.data.open && i === this.row(depth, 0).count - 1;
  }
}

/** The lanes and their places, from top to bottom. */
export class Lanes {
  constructor(lanes) {
    Object.assign(this, { all: lanes, shown: lanes, height: 0, placed: null });
  }

  /** Place the lanes. heads: names are above the lanes, not beside them. */
  place(shown, heads) {
    let y = 4;
    for (const lane of shown) {
      lane.head = heads ? LANE_HEAD : 0;
      lane.rowHeight = lane.closed ? SMALL_ROW : ROW_HEIGHT;
      lane.rowsShown = lane.closed ? Math.min(lane.depth, SMALL_MOST) : lane.depth;
      lane.top = y;
      lane.height = lane.head + Math.max(lane.rowsShown * lane.rowHeight, heads ? 0 : LANE_LEAST);
      y += lane.height + LANE_GAP;
    }
    this.shown = shown;
    this.height = y;
    this.placed = {}; // a new object for each layout
  }

  /** The first lane that ends below y. */
  firstAt(y) {
    const { shown } = this;
    let low = 0, high = shown.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (shown[middle].top + shown[middle].height <= y) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Call `work(lane)` for lanes that are at least partly between two heights. */
  each(from, to, work) {
    for (let n = this.firstAt(from); n < this.shown.length && this.shown[n].top < to; n++) work(this.shown[n]);
  }

  /** Call `work(lane, depth, top)` for rows between two heights. */
  eachRow(from, to, work) {
    this.each(from, to, lane => {
      if (!lane.data) return;
      const top = lane.top + lane.head, first = Math.max(0, Math.floor((from - top) / lane.rowHeight));
      const last = Math.min(lane.rowsShown, Math.ceil((to - top) / lane.rowHeight));
      for (let depth = first; depth < last; depth++) work(lane, depth, top + depth * lane.rowHeight);
    });
  }

  /** { lane, depth } at a height. depth -1: there is no row. null: there is no lane. */
  at(y) {
    const lane = this.shown[this.firstAt(y)];
    if (!lane || y < lane.top) return null;
    const depth = Math.floor((y - lane.top - lane.head) / lane.rowHeight);
    return { lane, depth: lane.data && depth >= 0 && depth < lane.rowsShown ? depth : -1 };
  }
}
