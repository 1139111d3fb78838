// legend.mjs - Explains the colours and signs that occur, and shows what is known about the profile.
import { SITE_SIGN } from "./heap.mjs";
import { KINDS } from "./profile.mjs";
import { element } from "./tooltip.mjs";
import { countText, exactText, grouped, printable, valueText } from "./text.mjs";

const SWATCHES_MOST = 6;

function swatch(color, text) {
  const made = element("span"), box = element("i");
  box.style.background = color;
  made.append(box, text);
  return made;
}

function gradient(colors) {
  const canvas = element("canvas"), steps = [...colors.shrunk].reverse().concat(colors.grown.slice(1));
  canvas.width = steps.length;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  steps.forEach((color, i) => {
    context.fillStyle = color;
    context.fillRect(i, 0, 1, 1);
  });
  return element("span", "", "", "shrunk", canvas, "grown");
}

/** The colours by module, file or kind: those of the functions with the highest self values. */
function swatches(profile, colors, sums) {
  const { frames, strings } = profile, column = frames[colors.mode], found = new Map();
  for (const f of sums.keys) {
    const group = found.get(column[f]) ?? { f, cost: 0 };
    group.cost += Math.abs(sums.self[f]);
    found.set(column[f], group);
  }
  const text = f => colors.mode === "kind" ? KINDS[profile.kind(f)].name : strings[column[f]].split("/").pop() || "(not known)";
  const largest = [...found.values()].sort((a, b) => b.cost - a.cost || a.f - b.f);
  const shown = largest.slice(0, SWATCHES_MOST).map(({ f }) => swatch(colors.ofKey(f), text(f)));
  if (found.size > SWATCHES_MOST) shown.push(element("span", "", `and ${grouped(found.size - SWATCHES_MOST)} more`));
  return shown;
}

export function showLegend(box, profile, colors, { searching, sums, heap }) {
  const parts = [];
  if (searching) parts.push(swatch(colors.match, "matched"));
  else if (colors.mode === "change") parts.push(gradient(colors));
  else if (colors.mode !== "name" && sums) parts.push(...swatches(profile, colors, sums));
  if (profile.comparison) parts.push(element("span", "", "+ new"), element("span", "", "− gone"));
  const kinds = new Set(profile.functions().reduce((list, on, f) => on ? (list.add(profile.kind(f)), list) : list, new Set()));
  for (const kind of [...kinds].sort()) {
    if (!KINDS[kind].sign) continue;
    const made = element("span", "", `${KINDS[kind].sign}${KINDS[kind].name}`);
    made.title = KINDS[kind].text;
    parts.push(made);
  }
  if (heap.sites) {
    const made = element("span", "", `${SITE_SIGN}allocation site`);
    made.title = "a function that allocates, itself or by calling an allocator";
    parts.push(made);
  }
  box.replaceChildren(...parts);
}

const dateText = ns => new Date(Number(BigInt(ns) / 1000000n)).toISOString().replace("T", " ").replace(/\..*/, " UTC");

/** How the values were measured: "exact", "sampled", or "" if that is not known. */
const origin = header => header.exact === true ? "exact" : header.exact === false ? "sampled" : "";

/** The same for a column; of samples how many there are, and how exact shares are (src/report/precision.h). */
export function originText(header, { sampled }) {
  if (!sampled) return origin(header);
  if (!sampled.least) return "sampled";
  const points = Math.ceil(980 / Math.sqrt(sampled.samples)) / 10;
  if (sampled.windows && points < 20) return `${countText(sampled.samples, "window")}: time in one is divided as ticks are`;
  return countText(sampled.samples, "sample") + (points < 20 ? `: shares within ${points.toFixed(1)} points` : ", too few for shares");
}

/** The tab "About": sums to the last digit, how exact they are, notes. */
export function showNotes(box, { header, comparison }) {
  const list = element("dl"), row = (name, text) => list.append(element("dt", "", name), element("dd", "", text));
  row("profile", header.title);
  if (comparison) row("compared with", header.before);
  if (header.time) row("recorded", dateText(header.time));
  if (header.duration) row("took", valueText(header.duration, "nanoseconds"));
  const samples = header.values.filter(v => v.sampled).map(v => v.name).join(", ");
  row("figures", { exact: samples ? `exact: counted, none estimated; but ${samples} is made of samples` : "exact: every value was counted, none estimated", sampled: `sampled ${header.sampled ?? ""}`.trimEnd() }[origin(header)]
    ?? "the file does not say whether they were counted or sampled");
  for (const v of header.values)
    row(v.name, exactText(v.sum, v.unit) + (comparison ? ` (before ${exactText(v.sumBefore, v.unit)})` : ""));
  if (header.values.some(v => isRounded(v.sum))) row("digits", "some values have more digits than the page holds: they are rounded in the sixteenth digit, sums above are exact");
  row("size", [[header.nodes, "node"], [header.frames, "frame"], [header.threads.length, "thread"]].map(([n, of]) => countText(n, of)).join(", "));
  const sources = header.blocks.source?.items;
  const embedded = Object.values(header.embedded ?? {});
  if (sources) row("source", `${grouped(sources)} ${sources === 1 ? "file" : "files"} in this page${
    embedded.length ? `, ${grouped(embedded.length)} of them from the program's source map (${[...new Set(embedded)].map(printable).join(", ")})` : ""}`);
  row("made by", header.generator);
  const notes = element("ul", "", "", ...header.notes.map(text => element("li", "", text)));
  const scope = header.timeline ? [element("p", "facts", "Of the whole run, also while a range of time is selected.")] : [];
  box.replaceChildren(element("h2", "", "What this is"), ...scope, list, element("h3", "", "Notes"),
                      header.notes.length ? notes : element("p", "hint", "There are none: nothing was dropped, clamped or guessed."));
}

/** Is a sum too large for a double to be exact? */
export const isRounded = sum => {
  const size = BigInt(sum) < 0n ? -BigInt(sum) : BigInt(sum);
  return size > 9007199254740991n;
};
