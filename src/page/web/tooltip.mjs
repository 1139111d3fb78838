// tooltip.mjs - Describes a frame in a few lines, for the tooltip and the details.
import { SITE_SIGN } from "./heap.mjs";
import { changeText, countText, digitsText, figureShare, figureText, placeText, ratioText, valueText } from "./text.mjs";

export function element(name, className, text, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined && text !== "") made.textContent = text;
  made.append(...children);
  return made;
}

/** Rows [name, value, more] of a frame's costs. */
export function costRows(view, id, value, whole) {
  const { unit } = value, rows = [];
  const row = (name, amount, of) => rows.push([name, figureText(amount, value), of > 0 ? figureShare(amount, of, value) : ""]);
  row("total", view.total[id], whole);
  row("self", view.self[id], whole);
  if (view.costs.before) {
    const before = view.before[id], change = view.total[id] - before;
    rows.push(["before", valueText(round(before), unit), ""]);
    rows.push(["change", changeText(round(change), unit), ratioText(before, view.total[id])]);
    const selfChange = view.self[id] - view.beforeSelf[id];
    rows.push(["self change", changeText(round(selfChange), unit), ratioText(view.beforeSelf[id], view.self[id])]);
  }
  const parent = view.parent[id];
  if (parent > 0) rows.push(["of its caller", "", figureShare(view.total[id], view.total[parent], value)]);
  return rows;
}

/** Normalised values are not whole numbers, so they are rounded for display. */
export const round = value => Math.round(value);

/** "a.c:12 · app · section", or the parts of it that are known. */
export function factsText(profile, key) {
  const kind = profile.kindName(key);
  return [placeText(profile.file(key), profile.line(key)), profile.module(key), kind === "function" ? "" : kind]
    .filter(Boolean).join(" · ");
}

export class Tooltip {
  constructor(box, profile, heap) {
    Object.assign(this, { box, profile, heap });
  }

  hide() {
    this.box.hidden = true;
  }

  /** Show the tooltip for entry i of the graph's picture. */
  show(graph, i, value, x, y) {
    const { view, picture } = graph, id = picture.id[i];
    this.put(picture.rest[i] ? this.restLines(view, id, value, graph) : this.frameLines(view, id, value), x, y);
  }

  /** Show some lines beside a point of the window. */
  put(lines, x, y) {
    this.box.replaceChildren(...lines);
    this.box.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const left = x + 14 + width > innerWidth ? Math.max(x - width - 10, 4) : x + 14;
    const top = y + 18 + height > innerHeight ? Math.max(y - height - 12, 4) : y + 18;
    this.box.style.left = `${left}px`;
    this.box.style.top = `${top}px`;
  }

  frameLines(view, id, value) {
    const key = view.key[id], whole = view.costs.sum;
    const table = element("table");
    for (const [name, amount, share] of [...costRows(view, id, value, whole), ...this.heap.rows(view, id)])
      table.append(element("tr", "", "", element("th", "", name), element("td", "", amount), element("td", "share", share)));
    const lines = [element("strong", "", this.profile.label(key))], facts = factsText(this.profile, key), name = this.profile.wholeName(key);
    if (name) lines.push(element("div", "facts", name));
    if (facts) lines.push(element("div", "facts", facts));
    const site = this.heap.siteText(view, id, value);
    if (site) lines.push(element("div", "site", SITE_SIGN + site));
    const exact = digitsText(round(view.total[id]), value);
    lines.push(table);
    if (exact) lines.push(element("div", "facts", exact));
    return lines;
  }

  /** The lines for frames that are narrower than a pixel. */
  restLines(view, id, value, graph) {
    let count = 0, total = 0;
    const narrow = (graph.to - graph.from) / graph.width;
    for (let c = view.firstChild[id], last = c + view.children[id]; c < last; c++)
      if (view.width[c] < narrow) {
        count++;
        total += view.total[c];
      }
    return [element("strong", "", `${countText(count, "frame")} narrower than a pixel`),
            element("div", "facts", `${valueText(round(total), value.unit)} in all; zoom in to see them`)];
  }
}
