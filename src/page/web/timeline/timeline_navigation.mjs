// timeline_navigation.mjs - Handles mouse and keyboard in the timeline: hover, select, zoom, and go from call to call.
import { calleesOf, callerOf, sameCall } from "./timeline_calls.mjs";
import { callLines, crowdLines } from "./timeline_facts.mjs";
import { RULER } from "./timeline_picture.mjs";

const REACH = 2; // pixels beside a call that still select it

export class TimeNavigation {
  constructor(timeline) {
    Object.assign(this, { timeline, page: timeline.page });
  }

  /** What is at a point: { call }; { call: the longest, count, share } if a pixel has several calls; or null. */
  at(x, y) {
    const { timeline } = this, { picture, lanes, axis, box } = timeline;
    if (!timeline.ready || y < RULER) return null;
    const found = lanes.at(y - RULER + box.scrollTop);
    if (!found || found.depth < 0) return null;
    const { lane, depth } = found, row = lane.row(depth, axis), pixel = Math.floor(x * picture.ratio);
    for (const reach of [0, -1, 1, -REACH, REACH]) {
      const left = picture.from + (pixel + reach) * picture.unit, right = left + picture.unit, [first, last] = row.between(left, right);
      if (last - first === 1) return { call: { lane, depth, i: first } };
      if (last <= first) continue;
      const inside = i => Math.min(row.end(i), right) - Math.max(row.begin[i], left);
      const i = [first, row.longest(first + 1, last - 1), last - 1].filter(n => n >= 0).reduce((a, b) => inside(b) > inside(a) ? b : a);
      const wide = row.end(i) - row.begin[i] > 3 * picture.unit;
      return { call: { lane, depth, i }, count: wide ? 1 : last - first, share: (row.covered(right) - row.covered(left)) / picture.unit };
    }
    return null;
  }

  hover(x, y, event) {
    const { timeline, page } = this, found = this.at(x, y), { profile, axes, axis, info } = timeline;
    if (!found) page.tooltip.hide();
    else page.tooltip.put(found.count > 1 ? crowdLines(profile, axes, { ...found, longest: found.call }, axis)
                                          : callLines(profile, axes, info.cut, found.call, axis, timeline.sets.ordinal(found.call)), event.clientX, event.clientY);
    const hovered = found && !(found.count > 1) ? found.call : null;
    if (hovered === timeline.hovered || sameCall(hovered, timeline.hovered)) return;
    timeline.hovered = hovered;
    timeline.request();
  }

  leave() {
    this.page.tooltip.hide();
    if (this.timeline.hovered) this.timeline.request();
    this.timeline.hovered = null;
  }

  click(x, y) {
    const found = this.at(x, y);
    if (found) this.timeline.select(found.call);
  }

  open(x, y) {
    const found = this.at(x, y);
    if (found) this.zoomTo(found.call);
  }

  select(call) {
    this.timeline.select(call);
    this.bringIn(call);
  }

  zoomTo(call) {
    const { timeline } = this, row = call.lane.row(call.depth, timeline.axis), begin = row.begin[call.i], size = row.end(call.i) - begin;
    const spare = Math.max(size * 0.02, 1);
    timeline.zoom(begin - spare, begin + size + spare, true);
    this.reveal(call);
  }

  zoomSelected() {
    const { selected, picked } = this.timeline;
    if (selected) this.zoomTo(selected);
    else if (picked) this.timeline.zoom(...picked, true);
  }

  zoomAll() {
    this.timeline.zoom(...this.timeline.whole, true);
  }

  zoomBy(factor) {
    const { timeline } = this, { selected, picture, axis } = timeline, row = selected?.lane.row(selected.depth, axis);
    const x = selected ? picture.x((row.begin[selected.i] + row.end(selected.i)) / 2) : -1;
    timeline.gestures.zoomAt(x > 0 && x < picture.width ? x : picture.width / 2, factor, true);
  }

  pan(share) {
    this.timeline.gestures.pan(share, true);
  }

  scroll(direction) {
    this.timeline.box.scrollTop += direction * this.timeline.picture.height * 0.8;
  }

  /** Select the longest outermost call in view, in the first lane that has one. */
  first() {
    const { lanes, axis, from, to } = this.timeline;
    for (const lane of lanes.shown) {
      if (!lane.depth) continue;
      const row = lane.row(0, axis), [first, last] = row.between(from, to);
      if (first < last) return { lane, depth: 0, i: row.longest(first, last) };
    }
    return null;
  }

  /** An arrow key: go to the caller, the longest callee, or the previous or next call at the same depth. */
  step(key) {
    const { selected: call, axis } = this.timeline;
    let to = call ? null : this.first();
    if (call && key === "ArrowUp") to = callerOf(call);
    else if (call && key === "ArrowDown") {
      const { first, count } = calleesOf(call);
      if (count) to = { lane: call.lane, depth: call.depth + 1, i: call.lane.row(call.depth + 1, axis).longest(first, first + count) };
    } else if (call) {
      const i = call.i + (key === "ArrowRight" ? 1 : -1);
      if (i >= 0 && i < call.lane.row(call.depth, axis).count) to = { ...call, i };
    }
    if (to) this.select(to);
  }

  /** Go to the next or previous call of the selected function; to another lane if this one has no more. */
  beside(step) {
    const { timeline } = this, { lanes: { shown }, selected } = timeline, set = timeline.sets.same;
    if (!set) return;
    const own = selected ? shown.indexOf(selected.lane) : step > 0 ? -1 : shown.length;
    let to = own >= 0 && own < shown.length ? set.beside(selected, step) : null;
    for (let n = own + step; !to && n >= 0 && n < shown.length; n += step) to = set.outermost(shown[n], step);
    if (to) this.select(to);
  }

  /** Select the range of a call; without a call, the range in view. */
  pickCall(call = this.timeline.selected) {
    const { timeline } = this, row = call?.lane.row(call.depth, timeline.axis);
    const [from, to] = call ? [row.begin[call.i], row.end(call.i)] : [Math.round(timeline.from), Math.round(timeline.to)];
    if (to > from) timeline.pick([from, to]);
  }

  /** Escape: clear the selected range; if there is none, the selected call. */
  clear() {
    const { timeline } = this;
    if (timeline.picked) return timeline.pick(null);
    timeline.selected = null;
    this.page.mark(-1, -1);
    timeline.state.set({ call: "", frame: "" });
  }

  /** Move until a call can be seen. */
  bringIn(call) {
    const { timeline } = this, row = call.lane.row(call.depth, timeline.axis), begin = row.begin[call.i], end = row.end(call.i);
    const [from, to] = timeline.gestures.target, size = to - from;
    if (end <= from || begin >= to) timeline.zoom((begin + end - size) / 2, (begin + end + size) / 2, true);
    this.reveal(call);
  }

  /** Scroll until a call's row can be seen. */
  reveal({ lane, depth }) {
    const { box, picture } = this.timeline, top = lane.top + lane.head + Math.min(depth, lane.rowsShown) * lane.rowHeight;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + 2 * lane.rowHeight > box.scrollTop + picture.height - RULER) box.scrollTop = top + 2 * lane.rowHeight - picture.height + RULER;
  }
}
