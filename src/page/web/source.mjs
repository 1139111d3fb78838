// source.mjs - Shows costs by line of a function's file: self is the cost of the line itself, total includes its
// callees.
import { printable } from "../../../hosts/wasm/printable.mjs";
import { element, round } from "./tooltip.mjs";
import { changeText, figureShare, figureText, grouped } from "./text.mjs";
import { readJsonBlock } from "./decode.mjs";
import { readValues } from "./profile.mjs";
import { readCalled, sumCalled } from "./source_called.mjs";

/** Sums by line of one file (an index of a string): a map from a line to { self, total, before, beforeSelf, executions
 *  }. `before` and `beforeSelf` are the total and self value of the other profile. A line's total counts only its
 *  outermost occurrence on a stack. Line 0 has costs in the file whose line is not known. called: columns with the
 *  costs of callees, or null. */
function sumLines(profile, costs, threads, file, executions, called) {
  const { tree, frames } = profile, { frame, end, key } = tree, lines = new Map();
  const sumOf = new Array(frames.count);
  for (let f = 0; f < frames.count; f++) {
    if (frames.placeFile[f] !== file) continue;
    const line = frames.at[f];
    if (!lines.has(line)) lines.set(line, { line, self: 0, total: 0, before: 0, beforeSelf: 0, executions: 0, end: 0 });
    sumOf[f] = lines.get(line);
  }
  if (lines.size === 1 && lines.has(0)) return new Map();
  for (const thread of threads)
    for (let i = thread + 1; i < end[thread]; i++) {
      const sum = sumOf[frame[i]];
      if (!sum || frames.function[frame[i]] !== key[i]) continue;
      sum.self += costs.selfOf(i);
      if (costs.before) sum.beforeSelf += costs.beforeOf(i);
      if (executions && !(costs.keep && !costs.keep[i])) sum.executions += executions.at(i);
      if (sum.line === 0) {
        sum.total += costs.selfOf(i);
        if (costs.before) sum.before += costs.beforeOf(i);
        continue;
      }
      if (i < sum.end) continue;
      sum.end = end[i];
      sum.total += costs.unfoldedOf(i);
      if (costs.before) sum.before += costs.unfoldedBeforeOf(i);
    }
  if (called) {
    sumCalled(profile, threads, sumOf, costs.sideOf(called[0]), (sum, amount) => { sum.total += amount; });
    if (called[1]) sumCalled(profile, threads, sumOf, costs.sideOf(called[1]), (sum, amount) => { sum.before += amount * costs.scale; });
  }
  return lines;
}

/** The files (indices of strings) in which a function has lines, that of its definition first. */
function filesOf({ frames }, key) {
  const files = new Set([frames.file[key]]);
  for (let f = 0; f < frames.count; f++) if (frames.function[f] === frames.function[key]) files.add(frames.placeFile[f]);
  return [...files].filter(file => file > 0);
}

/** The columns of figures: [title, text of a line's sums]. */
function lineColumns({ comparison, header }, kind, whole) {
  const { unit } = kind, value = (title, of) => [title, s => figureText(round(of(s)), kind)], change = (title, of) => [title, s => changeText(round(of(s)), unit)];
  if (comparison)
    return [value("total before", s => s.before), value("total after", s => s.total), change("change", s => s.total - s.before),
            value("self before", s => s.beforeSelf), value("self after", s => s.self), change("self change", s => s.self - s.beforeSelf)];
  const columns = [value("self", s => s.self), value("total", s => s.total), ["total%", s => figureShare(s.total, whole, kind)]];
  return header.executions < 0 ? columns : [...columns, ["executions", s => grouped(s.executions)]];
}

/** How strongly lines are coloured, from -1 to 1: by their totals; in a comparison by the square root of the change,
 *  above 0 if the line's total has grown. */
function heatsOf(sums, comparison) {
  const amount = s => comparison ? s.total - s.before : s.total, most = sums.reduce((largest, s) => Math.max(largest, Math.abs(amount(s))), 1);
  return s => comparison ? Math.sign(amount(s)) * Math.sqrt(Math.abs(amount(s)) / most) : amount(s) / most;
}

/* Code is escaped, except for tabs. */
const codeText = line => line.split("\t").map(printable).join("\t");

export class Source {
  constructor(box, profile) {
    Object.assign(this, { box, profile, ranged: false });
  }

  async texts() {
    this.read ??= readJsonBlock(this.profile.header, "source").then(texts => Object.fromEntries(Object.entries(texts ?? {}).map(([path, text]) => [printable(path), text])));
    return this.read;
  }

  /** Where texts come from that were not read from their own files. */
  origins() {
    return this.from ??= new Map(Object.entries(this.profile.header.embedded ?? {}).map(([path, origin]) => [printable(path), printable(origin)]));
  }

  async executions() {
    const { header, comparison } = this.profile;
    if (header.executions < 0 || comparison) return null;
    this.counts ??= readValues(header, header.executions);
    return (await this.counts)[0];
  }

  async show(key, costs, threads, value, whole) {
    const { profile } = this, files = filesOf(profile, key);
    if (!files.length) return this.say(`It is not known in which file ${profile.name(key)} is.`);
    const executions = await this.executions(), texts = await this.texts(), called = await readCalled(profile.header, value);
    this.box.replaceChildren();
    for (const file of files) {
      const path = profile.strings[file], text = Object.hasOwn(texts, path) ? texts[path] : undefined; // a file may have the name "constructor"
      const lines = sumLines(profile, costs, threads, file, executions, called);
      if (!lines.size && text === undefined) continue;
      if (text === undefined)
        this.box.append(element("p", "facts", "The page was made without this file's text: give it with --source-dir."));
      this.box.append(element("h2", "", path));
      const origin = text === undefined ? undefined : this.origins().get(path);
      if (origin !== undefined) this.box.append(element("p", "facts", `The text of this file is the one embedded in ${origin}, the program's source map.`));
      this.box.append(this.makeTable(lines, text, value, whole));
    }
    if (!this.box.children.length) return this.say(`The profile has no lines of ${profile.strings[files[0]]}.`);
    if (this.ranged) this.box.prepend(element("p", "facts", "The whole run, not the selected range of time: a timeline has no costs by line."));
    const around = this.box.querySelector(`tr[data-line="${profile.line(key)}"]`);
    if (around) this.box.scrollTop = Math.max(0, around.offsetTop - 60);
  }

  say(text) {
    this.box.replaceChildren(element("p", "hint", text));
  }

  makeTable(lines, text, value, whole) {
    const made = element("table", "source"), { comparison } = this.profile, columns = lineColumns(this.profile, value, whole);
    made.append(element("tr", "", "", ...columns.map(([name]) => element("th", "number", name)), element("th", "number", "line"), element("th", "", "source")));
    const texts = text === undefined ? null : text.split(/\r?\n/);
    const known = texts ? texts.map((_, i) => i + 1) : [...lines.keys()].filter(line => line).sort((a, b) => a - b);
    const shown = lines.has(0) && (lines.get(0).total || lines.get(0).before) ? [...known, 0] : known;
    const heatOf = heatsOf([...lines.values()], comparison);
    for (const line of shown) {
      const sum = lines.get(line), row = element("tr", sum ? "cost" : "");
      row.dataset.line = line;
      for (const [, text] of columns) row.append(element("td", "number", sum ? text(sum) : ""));
      row.append(element("td", "number line", line ? String(line) : ""),
                 element("td", "code", line === 0 ? "(not known in which line)" : codeText(texts?.[line - 1] ?? "")));
      if (sum) {
        const heat = heatOf(sum);
        if (comparison && heat) row.classList.add(heat > 0 ? "grown" : "shrunk");
        row.style.setProperty("--heat", Math.abs(heat).toFixed(3));
      }
      made.append(row);
    }
    return made;
  }
}
