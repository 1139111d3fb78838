// graph.mjs - Draws the frames of a view between two values on the canvas, and finds the frame at a point.
import { layOut, Picture } from "./layout.mjs";
import { changeOf, presence, PRESENCE_SIGNS } from "./compare.mjs";
import { SITE_SIGN } from "./heap.mjs";
import { figureShare } from "./text.mjs";
import { TextFit } from "./text_fit.mjs";

export const ROW = 21;
const PAD = 5, FONT = "12px system-ui, sans-serif", LEAST_TEXT = 26, ANIMATION = 160;

export class Graph {
  /** The page sets matches, selected frame and change later. */
  constructor(canvas, profile, colors) {
    Object.assign(this, { canvas, profile, colors, picture: new Picture(), scroll: 0 });
    this.context = canvas.getContext("2d", { alpha: false });
    this.fit = new TextFit(this.context);
    this.from = 0;
    this.to = 1;
    this.flame = false;
    this.matches = null; // by key, 1 for each function that the search found
    this.selected = -1;
    this.hovered = -1;
    this.change = null;
    this.heap = null; // which frames allocate, if a heap column is shown
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas, ratio = devicePixelRatio || 1;
    this.width = width;
    this.height = height;
    this.canvas.width = Math.max(Math.round(width * ratio), 1);
    this.canvas.height = Math.max(Math.round(height * ratio), 1);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.request();
  }

  show(view, value) {
    Object.assign(this, { view, value });
    this.whole = view.width[0];
    this.hovered = this.selected = -1;
    this.from = 0;
    this.to = this.whole || 1;
    this.scroll = 0;
    this.request();
  }

  /** Show the values from..to; with an animation if `smooth`. */
  zoom(from, to, smooth) {
    const least = this.whole * 1e-12 || 1e-12;
    to = Math.max(to, from + least);
    if (!smooth || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.motion = null;
      [this.from, this.to] = [from, to];
    } else this.motion = { from: this.from, to: this.to, toFrom: from, toTo: to, start: performance.now() };
    this.request();
  }

  move(now) {
    const m = this.motion;
    if (!m) return;
    const t = Math.min((now - m.start) / ANIMATION, 1), ease = 1 - (1 - t) ** 3;
    this.from = m.from + (m.toFrom - m.from) * ease;
    this.to = m.to + (m.toTo - m.to) * ease;
    if (t < 1) this.request();
    else this.motion = null;
  }

  request() {
    if (this.requested) return;
    this.requested = true;
    requestAnimationFrame(now => {
      this.requested = false;
      this.move(now);
      this.draw();
    });
  }

  scrollBy(pixels) {
    this.scroll = Math.max(0, Math.min(this.scroll + pixels, this.scrollMost()));
    this.request();
  }

  scrollMost() {
    return Math.max(0, (this.picture.deepest + 1) * ROW - this.height);
  }

  top(row) {
    return this.flame ? this.height - (row + 1) * ROW + this.scroll : row * ROW - this.scroll;
  }

  /** The index in the picture of the frame at a point of the canvas, or -1. */
  at(x, y) {
    const row = Math.floor(this.flame ? (this.height - y + this.scroll) / ROW : (y + this.scroll) / ROW);
    return this.picture.at(x, row);
  }

  draw() {
    if (!this.view || !this.width) return;
    const { context: c, picture, colors } = this;
    layOut(this.view, this.from, this.to, this.width, picture);
    this.scroll = Math.min(this.scroll, this.scrollMost());
    c.fillStyle = colors.surface;
    c.fillRect(0, 0, this.width, this.height);
    c.font = FONT;
    c.textBaseline = "middle";
    this.drawBoxes();
    this.drawLabels();
    this.drawMarks();
    this.canvas.style.touchAction = this.scrollMost() ? "none" : ""; // a finger scrolls the rows if not all fit, else the page
    this.drawn?.();
  }

  visible(i) {
    const y = this.top(this.picture.row[i]);
    return y > -ROW && y < this.height;
  }

  drawBoxes() {
    const { context: c, picture: p } = this;
    let last = null;
    for (let i = 0; i < p.count; i++) {
      if (!this.visible(i)) continue;
      const fill = p.rest[i] ? this.colors.rest : this.fill(p.id[i]);
      if (fill !== last) c.fillStyle = last = fill;
      const left = Math.max(p.left[i], 0), right = Math.min(p.left[i] + p.span[i], this.width);
      const gap = right - left > 3 ? 1 : right - left > 1.5 ? 0.5 : 0;
      c.fillRect(left, this.top(p.row[i]), right - left - gap, ROW - 1);
    }
  }

  fill(id) {
    const key = this.view.key[id];
    if (this.matches) return this.matches[key] ? this.colors.match : this.colors.dim;
    if (this.change && this.colors.mode === "change")
      return this.colors.ofChange(changeOf(this.view, id, this.change, this.change.largest));
    return this.colors.ofKey(key);
  }

  drawLabels() {
    const { context: c, picture: p, view, colors } = this;
    for (let i = 0; i < p.count; i++) {
      if (p.rest[i] || p.span[i] < LEAST_TEXT || !this.visible(i)) continue;
      const left = Math.max(p.left[i], 0), room = Math.min(p.left[i] + p.span[i], this.width) - left - 2 * PAD;
      if (room < LEAST_TEXT - 2 * PAD) continue;
      const id = p.id[i], y = this.top(p.row[i]) + (ROW - 1) / 2 + 0.5;
      const text = this.label(id), width = this.fit.width(text);
      c.fillStyle = colors.text;
      c.fillText(this.fit.cut(text, room), left + PAD, y);
      const share = figureShare(view.width[id], this.whole, this.value), shareWidth = this.fit.width(share);
      if (room > width + shareWidth + 24) {
        if (colors.mode !== "change") c.fillStyle = colors.muted; // in that mode it would be too faint on strong colours
        c.fillText(share, left + PAD + room - shareWidth, y);
      }
    }
  }

  label(id) {
    const site = this.heap?.isSite(this.view, id) ? SITE_SIGN : "", label = site + this.profile.label(this.view.key[id]);
    if (!this.change) return label;
    return PRESENCE_SIGNS[presence(this.view.before[id], this.view.total[id])] + label;
  }

  /** Draw the edges of the selected frame, of others of the same function, and of the one under the pointer. */
  drawMarks() {
    const { context: c, picture: p, view } = this, key = this.selected >= 0 ? view.key[this.selected] : -2;
    for (let i = 0; i < p.count; i++) {
      if (p.rest[i] || !this.visible(i)) continue;
      const id = p.id[i], selected = id === this.selected;
      if (!selected && id !== this.hovered && view.key[id] !== key) continue;
      const left = Math.max(p.left[i], 0), right = Math.min(p.left[i] + p.span[i], this.width);
      c.lineWidth = selected ? 2 : 1;
      c.strokeStyle = selected || view.key[id] === key ? this.colors.accent : this.colors.text;
      if (right - left > 4) c.strokeRect(left + 1, this.top(p.row[i]) + 1, right - left - 3, ROW - 3);
    }
  }
}
