// navigation.mjs - Handles mouse and keyboard in the graph: hover, select, zoom, and go from frame to frame.
import { byId } from "./controls.mjs";
import { ROW } from "./graph.mjs";
import { pathText } from "./state.mjs";

export class Navigation {
  constructor(page) {
    Object.assign(this, { page, graph: page.graph, state: page.state });
  }

  hover(i, x, y) {
    const { graph, page } = this, id = i >= 0 && !graph.picture.rest[i] ? graph.picture.id[i] : -1;
    if (i >= 0) page.tooltip.show(graph, i, page.model.value, x, y);
    else page.tooltip.hide();
    if (id === graph.hovered) return;
    graph.hovered = id;
    graph.request();
  }

  leave() {
    this.page.tooltip.hide();
    if (this.graph.hovered >= 0) this.graph.request();
    this.graph.hovered = -1;
  }

  click(i) {
    const { graph } = this;
    if (i < 0) return;
    if (!graph.picture.rest[i]) return this.zoomTo(graph.picture.id[i]);
    const center = graph.picture.left[i] + graph.picture.span[i] / 2;
    this.gestures.zoomAt(center, graph.picture.span[i] / graph.width, true);
  }

  /** Wheel or keys have moved the range. */
  changed() {
    const { from, to, motion, whole } = this.graph;
    this.keepRange(motion ? motion.toFrom : from, motion ? motion.toTo : to, whole, false);
  }

  keepRange(from, to, whole, step, more = {}) {
    const all = from <= 0 && to >= whole, digits = v => Number((v / whole).toPrecision(12));
    this.state.set({ range: all ? "" : `${digits(from)}_${digits(to)}`, ...more }, step);
  }

  zoomTo(id) {
    const { graph, page } = this, { view } = graph;
    graph.zoom(view.x[id], view.x[id] + view.width[id], true);
    page.mark(id, view.key[id]);
    this.keepRange(view.x[id], view.x[id] + view.width[id], graph.whole, true, { frame: id > 0 ? pathText(view.path(id)) : "" });
    this.reveal(id);
  }

  zoomAll() {
    this.zoomTo(0);
    this.graph.scroll = 0;
  }

  zoomOut() {
    const { selectedFrame: frame } = this.page, { view } = this.graph;
    this.zoomTo(frame > 0 ? view.parent[frame] : 0);
  }

  zoomSelected() {
    if (this.page.selectedFrame >= 0) this.zoomTo(this.page.selectedFrame);
  }

  zoomBy(factor) {
    this.gestures.zoomAt(this.graph.width / 2, factor, true);
  }

  pan(share) {
    this.gestures.pan(share, true);
  }

  scroll(direction) {
    this.graph.scrollBy(direction * this.graph.height * 0.8);
  }

  /** Go to the frame beside, above or below the selected one, as the picture shows them. */
  step(key) {
    const { graph, page } = this, { view } = graph, id = page.selectedFrame;
    const inwards = key === (graph.flame ? "ArrowUp" : "ArrowDown");
    let to = -1;
    if (id < 0) to = 0;
    else if (inwards) to = view.expand(id) ? view.firstChild[id] : -1;
    else if (key === "ArrowUp" || key === "ArrowDown") to = view.parent[id];
    else to = this.sibling(id, key === "ArrowRight" ? 1 : -1);
    if (to < 0) return;
    page.mark(to, view.key[to]);
    this.state.set({ frame: to > 0 ? pathText(view.path(to)) : "" });
    this.bringIn(to);
  }

  sibling(id, step) {
    const { view } = this.graph, parent = view.parent[id];
    if (parent < 0) return -1;
    const at = id + step, first = view.firstChild[parent];
    return at >= first && at < first + view.children[parent] ? at : -1;
  }

  /** Zoom out, or move, until a frame can be seen. */
  bringIn(id) {
    const { graph } = this, { view, from, to } = graph, size = to - from, x = view.x[id], end = x + view.width[id];
    const pixels = view.width[id] / size * graph.width;
    if (pixels < 4 || view.width[id] > size * 1.0001) graph.zoom(x, end, true);
    else if (x < from) graph.zoom(x, x + size, true);
    else if (end > to) graph.zoom(end - size, end, true);
    this.changed();
    this.reveal(id);
  }

  /** Scroll until a frame's row can be seen. */
  reveal(id) {
    const { graph } = this, top = graph.view.depth[id] * ROW;
    graph.picture.deepest = Math.max(graph.picture.deepest, graph.view.depth[id] + 2);
    if (top < graph.scroll) graph.scroll = top;
    else if (top + 2 * ROW > graph.scroll + graph.height) graph.scrollBy(top + 2 * ROW - graph.scroll - graph.height);
  }

  focus(where) {
    if (where === "table") this.state.set({ tab: "functions" });
    const graph = this.page.timeline?.shown ? "calls" : "graph";
    const target = where === "table" ? document.querySelector("#functions tbody tr[tabindex='0']") : byId(where === "graph" ? graph : where);
    target?.focus();
  }

  toggle(name) {
    if (name === "time" && !this.page.timeline) return;
    this.page.controls.toggle(name);
  }

  help() {
    byId("help").showModal();
  }
}
