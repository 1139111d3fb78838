// source.mjs - Costs by line of a function's file: self is what the line cost itself, total also what it called.
import { element, round } from "./tooltip.mjs";
import { changeText, shareText, valueText } from "./text.mjs";
import { readJsonBlock } from "./decode.mjs";

/** Sums by line of one file (an index of a string): a map of line to { self, total, before, beforeSelf }. A line's
 *  total counts its outermost occurrence on a stack. */
export function sumLines(profile, costs, threads, file) {
  const { tree, frames } = profile, { frame, end, key } = tree, lines = new Map();
  const sumOf = new Array(frames.count);
  for (let f = 0; f < frames.count; f++) {
    if (frames.file[f] !== file || !frames.at[f]) continue;
    const line = frames.at[f];
    if (!lines.has(line)) lines.set(line, { line, self: 0, total: 0, before: 0, beforeSelf: 0, end: 0 });
    sumOf[f] = lines.get(line);
  }
  if (!lines.size) return lines;
  for (const thread of threads)
    for (let i = thread + 1; i < end[thread]; i++) {
      const sum = sumOf[frame[i]];
      if (!sum || frames.function[frame[i]] !== key[i]) continue;
      sum.self += costs.selfOf(i);
      if (costs.before) sum.beforeSelf += costs.beforeOf(i);
      if (i < sum.end) continue;
      sum.end = end[i];
      sum.total += costs.unfolded[i];
      if (costs.before) sum.before += costs.unfoldedBefore[i];
    }
  return lines;
}

export class Source {
  constructor(box, profile) {
    Object.assign(this, { box, profile });
  }

  async texts() {
    this.read ??= readJsonBlock(this.profile.header, "source");
    return await this.read ?? {};
  }

  async show(key, costs, threads, value, whole) {
    const { profile } = this, path = profile.file(key);
    if (!path) return this.say(`It is not known in which file ${profile.name(key)} is.`);
    const lines = sumLines(profile, costs, threads, profile.frames.file[key]), text = (await this.texts())[path];
    if (!lines.size && text === undefined) return this.say(`The profile has no lines of ${path}.`);
    this.box.replaceChildren(element("h2", "", path), this.makeTable(lines, text, value, whole));
    if (text === undefined)
      this.box.prepend(element("p", "facts", "The page was made without this file's text: give it with --source-dir."));
    const around = this.box.querySelector(`tr[data-line="${profile.line(key)}"]`);
    if (around) this.box.scrollTop = Math.max(0, around.offsetTop - 60);
  }

  say(text) {
    this.box.replaceChildren(element("p", "hint", text));
  }

  makeTable(lines, text, { unit }, whole) {
    const made = element("table", "source"), { comparison } = this.profile;
    const heads = comparison ? ["self", "total", "change"] : ["self", "total", "total%"];
    made.append(element("tr", "", "", ...heads.map(h => element("th", "number", h)), element("th", "number", "line"), element("th", "", "source")));
    const texts = text === undefined ? null : text.split(/\r?\n/);
    const shown = texts ? texts.map((_, i) => i + 1) : [...lines.keys()].sort((a, b) => a - b);
    const hottest = Math.max(1, ...[...lines.values()].map(l => l.total));
    for (const line of shown) {
      const sum = lines.get(line), row = element("tr", sum ? "cost" : "");
      row.dataset.line = line;
      const last = sum && (comparison ? changeText(round(sum.total - sum.before), unit) : shareText(sum.total, whole));
      row.append(element("td", "number", sum ? valueText(round(sum.self), unit) : ""),
                 element("td", "number", sum ? valueText(round(sum.total), unit) : ""), element("td", "number share", last ?? ""),
                 element("td", "number line", String(line)), element("td", "code", texts ? texts[line - 1] : ""));
      if (sum) row.style.setProperty("--heat", (sum.total / hottest).toFixed(3));
      made.append(row);
    }
    return made;
  }
}
