// listing.mjs - Shows the table of functions: its columns, its order, and which functions it lists.
import { changeText, figureShare, figureText, grouped, placeText, ratioText } from "./text.mjs";
import { SITE_SIGN } from "./heap.mjs";
import { presence } from "./compare.mjs";
import { element, round } from "./tooltip.mjs";
import { Table } from "./table.mjs";

const ratioOf = (before, after) => before === after ? 1 : before === 0 ? Infinity : after / before;

/** The columns: what each one shows and sorts by, computed from the sums of functions. */
function columnsFor(profile, now) {
  const figure = (name, title, of, text) => ({ name, title, of, text: f => text(of(f)), number: true, sort: true });
  const value = (name, title, of) => figure(name, title, of, v => figureText(round(v), now()));
  const change = (name, title, of) => figure(name, title, of, v => changeText(round(v), now().unit));
  const share = (name, title, of) => figure(name, title, of, v => figureShare(v, now().whole, now()));
  const s = () => now().sums;
  const compared = [
    value("before", "total before", f => s().before[f]),
    value("total", "total after", f => s().total[f]),
    change("change", "change", f => s().total[f] - s().before[f]),
    { ...figure("ratio", "ratio", f => ratioOf(s().before[f], s().total[f]), () => ""),
      text: f => ratioText(s().before[f], s().total[f]) },
    value("selfbefore", "self before", f => s().beforeSelf[f]),
    value("self", "self after", f => s().self[f]),
    change("selfchange", "self change", f => s().self[f] - s().beforeSelf[f]),
  ];
  const alone = [
    value("self", "self", f => s().self[f]), share("selfshare", "self%", f => s().self[f]),
    value("total", "total", f => s().total[f]), share("share", "total%", f => s().total[f]),
  ];
  const columns = profile.comparison ? compared : alone;
  if (profile.header.calls >= 0)
    columns.push(figure("calls", "calls", f => s().calls?.[f] ?? 0, v => grouped(v)));
  const fill = (cell, f) => {
    const sign = profile.comparison && presence(s().before[f], s().total[f]);
    if (sign) cell.append(element("span", `mark ${sign}`, sign));
    const place = placeText(profile.file(f), profile.line(f));
    cell.append(element("span", "function", (now().heap.allocates(f) ? SITE_SIGN : "") + profile.label(f)));
    const short = placeText(profile.shortFile(f), profile.line(f));
    if (place && !profile.name(f).includes(short)) cell.append(element("span", "place", short));
    cell.title = `${profile.name(f)}\n${[place, profile.module(f)].filter(Boolean).join(" · ")}`;
  };
  return [...columns, { name: "name", title: "function", fill, sort: true, of: f => profile.name(f) }];
}

export class Listing {
  /** now(): returns { sums, unit, sampled, whole } of the functions that are listed at present. */
  constructor(box, profile, state, now, select) {
    Object.assign(this, { profile, state, now });
    this.columns = columnsFor(profile, now);
    this.table = new Table(box, "functions", this.columns, { select, sort: name => this.sortBy(name) });
  }

  order() {
    const text = this.state.get("sort") || (this.profile.comparison ? "change" : "self");
    const name = text.replace(/^-/, ""), column = this.columns.find(c => c.name === name);
    return column ? { column, ascending: text.startsWith("-") !== (name === "name") }
                  : { column: this.columns[0], ascending: false };
  }

  sortBy(name) {
    const { column } = this.order(), reversed = this.state.get("sort").startsWith("-");
    this.state.set({ sort: column.name === name && !reversed ? `-${name}` : name });
  }

  /** Show the functions of `mask` (null: all), sorted. */
  draw(mask, selected) {
    const { sums } = this.now(), { column, ascending } = this.order();
    const keys = mask ? sums.keys.filter(f => mask[f]) : sums.keys.slice();
    if (column.name === "name") {
      const collator = new Intl.Collator("en"), names = new Map();
      for (const f of keys) names.set(f, column.of(f));
      keys.sort((a, b) => collator.compare(names.get(a), names.get(b)) || a - b);
    } else {
      // By default the largest change in either direction comes first, since people look for it first.
      const size = column.name === "change" && !this.state.get("sort") ? f => Math.abs(column.of(f)) : column.of;
      const by = new Float64Array(this.profile.frames.count);
      for (const f of keys) by[f] = size(f);
      keys.sort((a, b) => by[b] === by[a] ? a - b : by[b] > by[a] ? 1 : -1);
    }
    if (ascending !== (column.name === "name")) keys.reverse();
    this.table.sorted(column.name, !ascending);
    this.table.show(keys, selected);
    return keys.length;
  }
}
