// timeline_picture.mjs - Draws the timeline. Rows are drawn pixel by pixel, since each pixel may have a call of its
// own; then names, marks, the ruler and the range with canvas operations.
import { PartRow } from "./timeline_row.mjs";
import { positionText, rulerMarks } from "./timeline_ruler.mjs";
import { Scanned, scanRow } from "./timeline_scan.mjs";
import { mixed, Tones } from "./timeline_tones.mjs";
import { SMALL_ROW } from "./timeline_lanes.mjs";
import { valueText } from "../text.mjs";
import { TextFit } from "../text_fit.mjs";

export const RULER = 26; // pixels
const CALL_FONT = "12px system-ui, sans-serif", RULER_FONT = "11px system-ui, sans-serif", CALL_PAD = 5, CALL_TEXT = 24;
const FAINTEST = 0.2; // opacity of a pixel that calls hardly cover

export class TimePicture {
  constructor(canvas, profile, colors) {
    Object.assign(this, { canvas, profile, colors, width: 0, height: 0 });
    this.context = canvas.getContext("2d", { alpha: false });
    this.tones = new Tones(colors, profile.keys);
    this.names = new TextFit(this.context);
    this.ratio = 1;
  }

  resize(width, height) {
    this.ratio = devicePixelRatio || 1;
    Object.assign(this, { width, height });
    this.across = Math.max(1, Math.round(width * this.ratio));
    this.down = Math.max(1, Math.round(height * this.ratio));
    Object.assign(this.canvas, { width: this.across, height: this.down });
    this.image = this.context.createImageData(this.across, this.down);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.line = new Uint32Array(this.across);
    this.scanned = new Scanned(this.across);
    this.part = new Scanned(this.across);
  }

  /** The position on the axis of a pixel of the page. */
  position(x) {
    return this.from + x * this.ratio * this.unit;
  }

  x(position) {
    return (position - this.from) / this.unit / this.ratio;
  }

  /** Draw a scene: { lanes, axis, unit, from, to, scroll, kept, all, same, found, selected, hovered, key, picked }.
   *  kept: the calls that the filters keep (KeptCalls); all, same, found: sets of calls (timeline_sets.mjs) or null. */
  draw(scene) {
    if (!this.width || !this.height) return;
    this.unit = (scene.to - scene.from) / this.across;
    this.from = Math.round(scene.from / this.unit) * this.unit; // move by whole pixels
    this.marks = rulerMarks(this.from, scene.to, this.width, scene.unit);
    if (this.isOther(scene)) this.drawRows(scene);
    this.context.putImageData(this.image, 0, 0);
    this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.drawLabels(scene);
    this.drawEdges(scene);
    this.drawRange(scene);
    this.drawRuler(scene);
  }

  /** Must the rows be drawn again for this scene? The pointer and the selection do not change them. */
  isOther({ lanes, axis, from, to, scroll, kept, found, key }) {
    const now = [lanes.placed, axis, from, to, scroll, kept, found, key, this.image, this.tones.ofFunction], same = this.last?.every((value, n) => value === now[n]);
    this.last = now;
    return !same;
  }

  drawRows(scene) {
    const { lanes, axis, scroll } = scene;
    this.background = this.tones.pixel(this.colors.surface);
    this.pixels.fill(0xff000000 | this.background);
    this.rule();
    this.labels = [];
    lanes.eachRow(scroll, scroll + this.height - RULER, (lane, depth, top) => this.drawRow(scene, lane.row(depth, axis), top - scroll + RULER));
  }

  /** Draw the ruler's lines through all lanes, behind the calls. */
  rule() {
    const shade = mixed(this.background, this.tones.pixel(this.colors.line), 0.5);
    for (const { at } of this.marks.marks) {
      const x = Math.round((at - this.from) / this.unit);
      if (x < 0 || x >= this.across) continue;
      for (let p = x; p < this.pixels.length; p += this.across) this.pixels[p] = shade;
    }
  }

  drawRow(scene, row, top) {
    const { line, across, ratio, pixels } = this, { rowHeight } = row.lane;
    const first = Math.max(Math.round(top * ratio), 0), last = Math.min(Math.round((top + rowHeight) * ratio) - (rowHeight > SMALL_ROW ? 1 : 0), this.down);
    if (first >= last) return;
    line.set(pixels.subarray(first * across, (first + 1) * across));
    const { kept, all, found, same } = scene, { dim, match, accent } = this.colors, colored = found ? null : kept ? all.of(row) : row;
    scanRow(row, this.from, this.unit, this.scanned, colored === row);
    if (colored !== row) this.paint(row, this.scanned, () => this.tones.pixel(dim));
    if (colored) this.paint(colored, colored === row ? this.scanned : scanRow(colored, this.from, this.unit, this.part), key => this.tones.ofKey(key));
    if (found?.of(row)) this.paintPart(found.of(row), this.tones.pixel(match), 1);
    if (same?.of(row)) this.paintPart(same.of(row), this.tones.pixel(accent), 0.34);
    this.separate();
    for (let y = first; y < last; y++) pixels.set(line, y * across);
    if (rowHeight > SMALL_ROW) this.collect(row, top, same?.of(row), kept?.of(row));
  }

  /** Paint the calls of a row: each pixel in the tone of its longest call's function. */
  paint(row, { share, call }, tone) {
    const { line, across, background } = this;
    let shown = -1, part = -1, color = 0;
    for (let p = 0; p < across; p++) {
      if (call[p] < 0) continue;
      if (call[p] !== shown || share[p] !== part) {
        [shown, part] = [call[p], share[p]];
        color = mixed(background, tone(row.key(shown)), FAINTEST + (1 - FAINTEST) * part);
      }
      line[p] = color;
    }
  }

  /** Paint some of the row's calls over the others. */
  paintPart(part, tone, strength) {
    const { line, across } = this, { share, call } = scanRow(part, this.from, this.unit, this.part, false);
    for (let p = 0; p < across; p++)
      if (call[p] >= 0) line[p] = mixed(line[p], tone, strength * (share[p] < 1 ? 0.4 + 0.6 * share[p] : 1));
  }

  /** Paint a gap after each call that is wide enough. */
  separate() {
    const { line, across, background, scanned: { boxes } } = this;
    for (let b = 0; b < boxes.length; b += 3) {
      const last = Math.ceil(boxes[b + 2] - 1e-6) - 1;
      if (last >= 0 && last < across) line[last] = 0xff000000 | background;
    }
  }

  /** Collect the calls that have room for a name, and those of the selected function, which get an edge. Calls that the
   *  filters do not keep are pale. */
  collect(row, top, same, kept) {
    const { scanned: { boxes }, ratio, labels, width } = this;
    for (let b = 0; b < boxes.length; b += 3) {
      const left = Math.max(boxes[b + 1] / ratio, 0), right = Math.min(boxes[b + 2] / ratio, width);
      if (right - left >= CALL_TEXT || same) labels.push({ row, i: boxes[b], left, right, top, pale: kept?.[boxes[b]] === 0 });
    }
  }

  drawLabels({ axis, unit, key }) {
    const { context: c, colors, names } = this;
    c.font = CALL_FONT;
    c.textBaseline = "middle";
    for (const { row, i, left, right, top, pale } of this.labels) {
      if (row.key(i) === key && !pale) {
        c.lineWidth = 1;
        c.strokeStyle = colors.accent;
        if (right - left > 4) c.strokeRect(left + 0.5, top + 0.5, right - left - 2, row.lane.rowHeight - 2);
      }
      const room = right - left - 2 * CALL_PAD;
      if (room < CALL_TEXT - 2 * CALL_PAD) continue;
      const text = (row.code[i] & 1 ? "↻ " : "") + this.profile.label(row.key(i)), width = names.width(text), y = top + row.lane.rowHeight / 2;
      c.fillStyle = pale ? colors.soft : colors.text;
      c.fillText(names.cut(text, room), left + CALL_PAD, y);
      const size = room > width + 60 ? valueText(row.end(i) - row.begin[i], unit) : "", sizeWidth = size && names.width(size);
      if (!size || room < width + sizeWidth + 20) continue;
      c.fillStyle = pale ? colors.soft : colors.muted;
      c.fillText(size, left + CALL_PAD + room - sizeWidth, y);
    }
  }

  /** The box of a call on the canvas. It is at least a few pixels wide. */
  boxOf({ lane, depth, i }, { axis, scroll }) {
    if (depth >= lane.rowsShown || lane.rowHeight === undefined) return null;
    const row = lane.row(depth, axis), left = Math.max(this.x(row.begin[i]), -4), right = Math.min(this.x(row.end(i)), this.width + 4);
    const spare = Math.max(0, 5 - (right - left)) / 2;
    if (right < -3 || left > this.width + 3) return null;
    return { left: left - spare, width: right - left + 2 * spare, top: lane.top + lane.head + depth * lane.rowHeight - scroll + RULER, height: lane.rowHeight };
  }

  /** Draw the edges of the selected call and of the one under the pointer, and mark calls that have no end. */
  drawEdges(scene) {
    const { context: c, colors } = this;
    for (const [call, color, thickness] of [[scene.hovered, colors.text, 1], [scene.selected, colors.accent, 2]]) {
      const box = call && scene.lanes.shown.includes(call.lane) && this.boxOf(call, scene);
      if (!box) continue;
      c.lineWidth = thickness;
      c.strokeStyle = color;
      c.strokeRect(box.left + thickness / 2, box.top + thickness / 2, box.width - thickness - 1, box.height - thickness - 1);
    }
    scene.lanes.each(scene.scroll, scene.scroll + this.height, lane => {
      if (!lane.data?.open) return;
      const x = this.x(lane.extent(scene.axis)[1]), top = lane.top + lane.head - scene.scroll + RULER;
      if (x < 0 || x > this.width) return;
      c.setLineDash([3, 3]);
      c.lineWidth = 2;
      c.strokeStyle = colors.muted;
      c.beginPath();
      c.moveTo(x, top);
      c.lineTo(x, top + Math.min(lane.data.open, lane.rowsShown) * lane.rowHeight);
      c.stroke();
      c.setLineDash([]);
    });
  }

  drawRange({ picked }) {
    if (!picked) return;
    const { context: c, colors } = this, left = Math.max(0, this.x(picked[0])), right = Math.min(this.width, this.x(picked[1]));
    c.globalAlpha = 0.62;
    c.fillStyle = colors.surface;
    c.fillRect(0, RULER, Math.min(left, this.width), this.height);
    c.fillRect(Math.max(right, 0), RULER, this.width, this.height);
    c.globalAlpha = 1;
    c.fillStyle = colors.accent;
    for (const at of picked) c.fillRect(Math.round(this.x(at)) - 0.5, 0, 1, this.height);
  }

  drawRuler({ unit, picked }) {
    const { context: c, colors, names, marks: { marks, base } } = this;
    c.fillStyle = colors.raised;
    c.fillRect(0, 0, this.width, RULER);
    c.font = RULER_FONT;
    const start = base ? names.width(base) + 14 : 0, [left, right] = picked ? this.pickedBox(picked, unit) : [0, -9];
    let free = start; // from here on there is room
    for (const { at, text, round } of marks) {
      const x = this.x(at), end = x + names.width(text) + 6;
      c.fillStyle = colors.line;
      c.fillRect(Math.round(x), RULER - 7, 1, 7);
      if (x < free || (x < right + 2 && end > left) || end > this.width) continue;
      free = end;
      c.fillStyle = round ? colors.text : colors.soft;
      c.fillText(text, x + 4, RULER / 2);
    }
    c.fillStyle = colors.text;
    if (base) c.fillText(base, 4, RULER / 2);
    c.fillStyle = colors.line;
    c.fillRect(0, RULER - 1, this.width, 1);
    if (picked) this.drawPicked(picked, unit);
  }

  /** Where the ruler shows the length of the range: [left, right]. */
  pickedBox([from, to], unit) {
    const left = Math.max(0, this.x(from)), right = Math.min(this.width, this.x(to));
    const width = this.names.width(valueText(to - from, unit)) + 14, x = Math.min(Math.max(0, (left + right - width) / 2), this.width - width);
    return right < 0 || left > this.width ? [0, 0] : [x, x + width];
  }

  /** Draw the range on the ruler, with its length. */
  drawPicked([from, to], unit) {
    const { context: c, colors } = this, [left, right] = this.pickedBox([from, to], unit);
    if (!right) return;
    const start = Math.max(0, this.x(from));
    c.fillStyle = colors.accent;
    c.fillRect(start, RULER - 3, Math.max(Math.min(this.width, this.x(to)) - start, 1), 3);
    c.beginPath();
    c.roundRect(left, 3, right - left, RULER - 8, 5);
    c.fill();
    c.fillStyle = colors.surface;
    c.fillText(valueText(to - from, unit), left + 7, RULER / 2 - 1);
  }
}
