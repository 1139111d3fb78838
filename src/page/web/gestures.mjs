// gestures.mjs - Handles mouse, wheel and touch on the graph.

const CLICK = 4; // pixels that a pointer may move between press and release

/** actions: hover(index, x, y), leave(), click(index), and changed(smooth) after the range has moved. */
export class Gestures {
  constructor(graph, element, actions) {
    Object.assign(this, { graph, element, actions, pointers: new Map() });
    element.addEventListener("pointerdown", e => this.down(e));
    element.addEventListener("pointermove", e => this.move(e));
    element.addEventListener("pointerup", e => this.up(e));
    element.addEventListener("pointercancel", e => this.pointers.delete(e.pointerId));
    element.addEventListener("pointerleave", () => this.actions.leave());
    element.addEventListener("wheel", e => this.wheel(e), { passive: false });
  }

  point(event) {
    const box = this.graph.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  down(event) {
    if (event.button) return;
    this.element.setPointerCapture(event.pointerId);
    const at = this.point(event);
    this.pointers.set(event.pointerId, at);
    this.start = at;
    this.dragged = this.pointers.size > 1;
  }

  move(event) {
    const at = this.point(event), last = this.pointers.get(event.pointerId);
    if (!last) {
      this.actions.hover(this.graph.at(at.x, at.y), event.clientX, event.clientY);
      return;
    }
    if (Math.hypot(at.x - this.start.x, at.y - this.start.y) > CLICK) this.dragged = true;
    if (!this.dragged) return;
    this.actions.leave();
    if (this.pointers.size === 2) this.pinch(event.pointerId, at);
    else {
      this.pan((last.x - at.x) / this.graph.width);
      this.graph.scrollBy((last.y - at.y) * (this.graph.flame ? -1 : 1));
    }
    this.pointers.set(event.pointerId, at);
  }

  /** Two fingers zoom. The position in their middle stays there. */
  pinch(id, at) {
    const middle = points => (points[0].x + points[1].x) / 2, gap = points => Math.max(Math.abs(points[0].x - points[1].x), 10);
    const before = [...this.pointers.values()];
    this.pointers.set(id, at);
    const after = [...this.pointers.values()];
    this.zoomAt(middle(before), gap(before) / gap(after));
    this.pan((middle(before) - middle(after)) / this.graph.width);
  }

  up(event) {
    const at = this.point(event);
    if (!this.pointers.delete(event.pointerId) || this.dragged) return;
    this.actions.click(this.graph.at(at.x, at.y));
  }

  wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 20 : 1, { deltaX, deltaY } = event;
    if (event.shiftKey) this.graph.scrollBy((deltaY || deltaX) * unit * (this.graph.flame ? -1 : 1));
    else if (Math.abs(deltaX) > Math.abs(deltaY)) this.pan(deltaX * unit / this.graph.width);
    else this.zoomAt(this.point(event).x, Math.exp(deltaY * unit * (event.ctrlKey ? 0.01 : 0.002)));
    this.actions.leave();
  }

  /** Move by a share of what is visible. */
  pan(share, smooth = false) {
    const { from, to, whole } = this.graph, size = to - from;
    const start = Math.max(0, Math.min(from + share * size, whole - size));
    this.graph.zoom(start, start + size, smooth);
    this.actions.changed();
  }

  /** Show a range `factor` times as large. The value at pixel x stays there. */
  zoomAt(x, factor, smooth = false) {
    const { from, to, whole, width } = this.graph, share = x / width;
    const size = Math.min((to - from) * factor, whole), fixed = from + (to - from) * share;
    const start = Math.max(0, Math.min(fixed - size * share, whole - size));
    this.graph.zoom(start, start + size, smooth);
    this.actions.changed();
  }
}
