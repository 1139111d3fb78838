// snapshots.mjs - The tab "Snapshots" of a page of several profiles, such as snapshots of a heap: what each function had
// in each of them. What grew in each step comes first, since a leak looks like that. In a column of the heap a function
// has the blocks of its allocation site. As src/report/series.c.
import { eachNode, Latest } from "./functions.mjs";
import { SITE_SIGN } from "./heap.mjs";
import { readSnapshots, snapshotTitles } from "./profile.mjs";
import { Table } from "./table.mjs";
import { changeText, countText, grouped, placeText, valueText } from "./text.mjs";
import { element } from "./tooltip.mjs";

const SNAPSHOTS_SHOWN = 8; // columns of values: the last ones
const CURVE = { width: 90, height: 18 };

/** The values of each function in each snapshot: { keys, of(f): an array in the order of time }. null if it is stale. */
async function sumSnapshots(profile, model, heap, columns, stale) {
  const { tree } = profile, { costs } = model, count = columns.length, sums = new Map();
  const done = await eachNode(tree, model.view.options.threads, stale, i => {
    if (costs.keep && !costs.keep[i]) return;
    let values;
    for (let s = 0; s < count; s++) {
      const value = columns[s]?.at(i) ?? 0;
      if (!value) continue;
      values ??= valuesOf(sums, tree.key[heap.siteOf ? heap.siteOf[i] : i], count);
      values[s] += value;
    }
  });
  return done ? sums : null;
}

function valuesOf(sums, key, count) {
  let values = sums.get(key);
  if (!values) sums.set(key, values = new Float64Array(count));
  return values;
}

const growthOf = values => values[values.length - 1] - values[0];
const stepsGrown = values => values.reduce((grown, v, i) => grown + (i > 0 && v > values[i - 1] ? 1 : 0), 0);

/** A small curve from the first value to the last, from 0 to the largest. */
function curve(values) {
  const { width, height } = CURVE, svg = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const most = Math.max(...values, 1), step = width / Math.max(1, values.length - 1);
  const points = Array.from(values, (v, i) => `${(i * step).toFixed(1)},${(height - 1 - Math.max(v, 0) / most * (height - 2)).toFixed(1)}`);
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, class: "curve", "aria-hidden": "true" });
  picture.append(svg("polyline", { points: points.join(" "), fill: "none" }));
  return picture;
}

export class Snapshots {
  /** The page shows a function by `select(key)`, and compares two snapshots by `compare("2-3")`. */
  constructor(box, profile, select, compare) {
    Object.assign(this, { box, profile, select, compare, asked: new Latest(), sort: "" });
    this.titles = snapshotTitles(profile.header);
  }

  /** Show the model's column. */
  async show(model, heap, selected) {
    const stale = this.asked.next(), { costs, column } = model;
    if (this.shown !== costs || this.view !== model.view) {
      const columns = await readSnapshots(this.profile.header, column);
      if (stale()) return;
      const sums = await sumSnapshots(this.profile, model, heap, columns, stale);
      if (!sums) return;
      const others = heap.other && await sumSnapshots(this.profile, model, heap, await readSnapshots(this.profile.header, heap.other.column), stale);
      if (stale()) return;
      Object.assign(this, { shown: costs, view: model.view, sums, others, heap, value: model.value, pair: model.pair });
      this.make();
    }
    this.table.select(selected, true);
  }

  make() {
    const { sums, value: { unit }, heap, titles } = this, steps = titles.length - 1;
    const others = f => this.others?.get(f) ?? new Float64Array(titles.length);
    const column = (name, title, of, text) => ({ name, title, of, text: f => text(of(f)), number: true, sort: true });
    const columns = [column("change", "change", f => growthOf(sums.get(f)), v => changeText(v, unit))];
    if (this.others)
      columns.push(column("other", heap.other.inBytes ? "blocks" : "bytes", f => growthOf(others(f)), v => changeText(v, heap.other.inBytes ? "count" : heap.other.unit)));
    columns.push(column("grew", "steps grown", f => stepsGrown(sums.get(f)), v => `${v} of ${steps}`));
    columns.push({ name: "curve", title: "over time", number: true, fill: (cell, f) => cell.append(curve(sums.get(f))) });
    for (let s = Math.max(0, titles.length - SNAPSHOTS_SHOWN); s < titles.length; s++)
      columns.push(column(`at${s}`, String(s + 1), f => sums.get(f)[s], v => valueText(v, unit)));
    const fill = (cell, f) => {
      cell.append(element("span", "function", (heap.siteOf ? SITE_SIGN : "") + this.profile.label(f)));
      const place = placeText(this.profile.shortFile(f), this.profile.line(f));
      if (place) cell.append(element("span", "place", place));
      cell.title = this.profile.name(f);
    };
    columns.push({ name: "name", title: heap.siteOf ? "allocation site" : "function (self)", fill });
    const rows = element("div", "snapshot-rows");
    this.box.replaceChildren(this.list(), rows);
    this.columns = columns;
    this.table = new Table(rows, "functions over the snapshots", columns, { select: this.select, sort: name => this.sortBy(name) });
    this.order();
  }

  /** What each snapshot has in all, and how many functions grew in each step. */
  list() {
    const { sums, others, titles, value: { unit }, heap } = this, list = element("ol", "snapshots");
    const total = (of, s) => [...of.values()].reduce((sum, values) => sum + values[s], 0);
    titles.forEach((title, s) => {
      const parts = [valueText(total(sums, s), unit)];
      if (s) parts.push(changeText(total(sums, s) - total(sums, s - 1), unit));
      if (others) parts.push(heap.other.inBytes ? countText(total(others, s), "block") : valueText(total(others, s), heap.other.unit));
      const name = s ? this.button(title, [s - 1, s]) : element("span", "place", title);
      list.append(element("li", "", `${parts.join(", ")} · `, name));
    });
    const steps = titles.length - 1, leaks = [...sums.values()].filter(values => stepsGrown(values) === steps).length;
    const what = heap.siteOf ? "allocation site" : "function", fact = `${countText(leaks, what)} of ${grouped(sums.size)} grew in each of ${steps} steps.`;
    const all = element("p", "facts", "Compared: ", this.button("the first and the last", [0, steps]), ", or choose one to see what it changed.");
    return element("div", "snapshot-facts", "", element("p", "facts", fact), all, list);
  }

  /** A button that compares two snapshots; it is pressed while these are shown. */
  button(text, pair) {
    const button = element("button", "link", text), [from, to] = pair;
    button.type = "button";
    button.setAttribute("aria-pressed", String(pair.join() === this.pair.join()));
    button.onclick = () => this.compare(from === 0 && to === this.titles.length - 1 ? "" : pair.join("-"));
    return button;
  }

  sortBy(name) {
    this.sort = this.sort === name ? `-${name}` : name;
    this.order();
  }

  /** Sort the rows: by default what grew in each step first, then what grew, then what shrank, the larger change first. */
  order() {
    const { sums, titles } = this, steps = titles.length - 1, reversed = this.sort.startsWith("-"), name = this.sort.replace("-", "");
    const growth = f => growthOf(sums.get(f)), group = f => stepsGrown(sums.get(f)) === steps ? 2 : growth(f) > 0 ? 1 : 0;
    const by = name ? this.columns.find(c => c.name === name).of : f => Math.abs(growth(f)), first = name ? () => 0 : group;
    const keys = [...sums.keys()].sort((a, b) => first(b) - first(a) || by(b) - by(a) || a - b);
    if (reversed) keys.reverse();
    this.table.sorted(name || "change", !reversed);
    this.table.show(keys, -1);
  }
}
