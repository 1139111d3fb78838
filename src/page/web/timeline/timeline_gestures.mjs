// timeline_gestures.mjs - Handles mouse, wheel and touch on the timeline: moves and zooms it, and selects a range.
import { RULER } from "./timeline_picture.mjs";

const STILL = 4, HOLD = 6; // pixels: how far a pointer may move during a click; how near an end of the range can be grabbed

/** actions: hover(x, y, event), leave(), click(x, y, event), open(x, y). */
export class TimeGestures {
  constructor(timeline, element, actions) {
    Object.assign(this, { timeline, element, actions, pointers: new Map() });
    const on = (name, work, options) => element.addEventListener(name, work, options);
    on("pointerdown", e => this.down(e));
    on("pointermove", e => this.move(e));
    on("pointerup", e => this.up(e));
    on("pointercancel", e => this.pointers.delete(e.pointerId));
    on("pointerleave", () => this.actions.leave());
    on("wheel", e => this.wheel(e), { passive: false });
    on("dblclick", e => this.actions.open(this.point(e).x, this.point(e).y));
  }

  point(event) {
    const box = this.timeline.picture.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** If one end of the range is at x, the other end; else null. */
  otherEnd(x) {
    const { picked, picture } = this.timeline;
    if (!picked) return null;
    const held = picked.findIndex(end => Math.abs(picture.x(end) - x) < HOLD);
    return held < 0 ? null : picked[1 - held];
  }

  down(event) {
    if (event.button) return;
    this.element.setPointerCapture(event.pointerId);
    const at = this.point(event);
    this.pointers.set(event.pointerId, at);
    this.start = at;
    this.dragged = this.pointers.size > 1;
    this.anchor = null;
    if (event.shiftKey || at.y < RULER) this.anchor = (at.y < RULER ? this.otherEnd(at.x) : null) ?? this.timeline.picture.position(at.x);
  }

  move(event) {
    const at = this.point(event), last = this.pointers.get(event.pointerId), { timeline } = this;
    if (!last) {
      this.element.style.cursor = at.y >= RULER ? "" : this.otherEnd(at.x) === null ? "text" : "ew-resize";
      this.actions.hover(at.x, at.y, event);
      return;
    }
    if (Math.hypot(at.x - this.start.x, at.y - this.start.y) > STILL) this.dragged = true;
    if (!this.dragged) return;
    this.actions.leave();
    if (this.pointers.size === 2) this.pinch(event.pointerId, at);
    else if (this.anchor !== null) this.pick(at.x);
    else {
      this.pan((last.x - at.x) / timeline.picture.width);
      if (event.pointerType === "mouse") timeline.box.scrollTop += last.y - at.y;
    }
    this.pointers.set(event.pointerId, at);
  }

  /** Select the range from where the drag began to x, in whole units of the axis. */
  pick(x) {
    const { timeline } = this, [least, most] = timeline.whole, whole = position => Math.round(Math.max(least, Math.min(position, most)));
    const [from, to] = [whole(this.anchor), whole(timeline.picture.position(x))].sort((a, b) => a - b);
    timeline.pick(to > from ? [from, to] : null);
  }

  pinch(id, at) {
    const before = [...this.pointers.values()];
    this.pointers.set(id, at);
    const after = [...this.pointers.values()], middle = points => (points[0].x + points[1].x) / 2;
    const gap = points => Math.max(Math.abs(points[0].x - points[1].x), 10);
    this.zoomAt(middle(after), gap(before) / gap(after));
    this.pan((middle(before) - middle(after)) / this.timeline.picture.width);
  }

  up(event) {
    const at = this.point(event);
    if (!this.pointers.delete(event.pointerId) || this.dragged) return;
    if (at.y < RULER) this.timeline.pick(null);
    else this.actions.click(at.x, at.y);
  }

  wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 20 : 1, { deltaX, deltaY } = event, { timeline } = this;
    if (event.shiftKey || Math.abs(deltaX) > Math.abs(deltaY)) this.pan((deltaX || deltaY) * unit / timeline.picture.width);
    else if (event.altKey) timeline.box.scrollTop += deltaY * unit;
    else this.zoomAt(this.point(event).x, Math.exp(deltaY * unit * (event.ctrlKey ? 0.01 : 0.002)));
    this.actions.leave();
  }

  /** The range that the timeline shows, or will show after the current motion. */
  get target() {
    const { motion, from, to } = this.timeline;
    return motion ? [motion.toFrom, motion.toTo] : [from, to];
  }

  /** Move by a share of what is visible. */
  pan(share, smooth = false) {
    const [from, to] = this.target, [least, most] = this.timeline.whole, size = to - from;
    const start = Math.max(least, Math.min(from + share * size, most - size));
    this.timeline.zoom(start, start + size, smooth);
  }

  /** Show a range `factor` times as large. The position at pixel x stays there. */
  zoomAt(x, factor, smooth = false) {
    const [from, to] = this.target, [least, most] = this.timeline.whole, share = x / this.timeline.picture.width;
    const size = Math.min(Math.max((to - from) * factor, Math.min(10, most - least)), most - least), fixed = from + (to - from) * share;
    const start = Math.max(least, Math.min(fixed - size * share, most - size));
    this.timeline.zoom(start, start + size, smooth);
  }
}
