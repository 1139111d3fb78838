// details.mjs - Shows the panel of the selected frame: its costs, those of its function, and its stack; and the lists
// of callers and callees.
import { costRows, element, factsText, round } from "./tooltip.mjs";
import { SITE_SIGN } from "./heap.mjs";
import { changeText, digitsText, figureShare, figureText, grouped, ratioText, valueText } from "./text.mjs";

const heading = text => element("h3", "", text);

function table(rows) {
  const made = element("table", "facts-table");
  for (const [name, amount, share] of rows)
    made.append(element("tr", "", "", element("th", "", name), element("td", "number", amount), element("td", "number share", share)));
  return made;
}

function functionRows(sums, key, listed) {
  const { unit, whole } = listed, rows = ["total", "self"].map(name =>
    [name, figureText(round(sums[name][key]), listed), figureShare(sums[name][key], whole, listed)]);
  if (sums.before) {
    rows.push(["before", valueText(round(sums.before[key]), unit), ""]);
    rows.push(["change", changeText(round(sums.total[key] - sums.before[key]), unit), ratioText(sums.before[key], sums.total[key])]);
  }
  if (sums.calls) rows.push(["calls", grouped(sums.calls[key]), ""]);
  return rows;
}

/** Show the selected frame. frame: its id in the view, or -1; key: its function. listed: the functions' sums, { sums,
 *  unit, sampled, whole, range (whether they are for a range of time) }, or null. open(id): goes to a frame. */
export function showDetails(box, profile, { view, frame, key, value, listed, whole, heap }, open) {
  if (key < 0 && frame < 0) {
    box.replaceChildren(element("p", "hint", "Select a frame or a function to see its costs, its stack, its callers and callees."));
    return;
  }
  const parts = [element("h2", "", profile.label(key))], facts = factsText(profile, key), name = profile.wholeName(key);
  if (name) parts.push(element("p", "facts name", name));
  if (facts) parts.push(element("p", "facts", facts));
  if (frame >= 0) {
    const zoom = element("button", "zoom", "Zoom to it");
    zoom.type = "button";
    zoom.onclick = () => open(frame);
    parts.push(zoom);
    const site = heap.siteText(view, frame, value);
    if (site) parts.push(element("p", "site", SITE_SIGN + site));
    parts.push(heading("This stack"), table([...costRows(view, frame, value, whole), ...heap.rows(view, frame)]));
    const exact = digitsText(round(view.total[frame]), value);
    if (exact) parts.push(element("p", "facts", exact));
  }
  if (listed && key >= 0 && !profile.isThread(key))
    parts.push(heading(listed.range ? "The function, in the selected range" : "The function, in all stacks"), table(functionRows(listed.sums, key, listed)));
  if (frame > 0) parts.push(heading("Its stack"), stackList(profile, view, frame, open));
  box.replaceChildren(...parts);
}

const STACK_MOST = 200;

function stackList(profile, view, frame, open) {
  const list = element("ol", "stack"), ids = [];
  for (let id = frame; id >= 0; id = view.parent[id]) ids.push(id);
  const shown = ids.slice(0, STACK_MOST);
  for (const id of shown) {
    const button = element("button", "link", profile.label(view.key[id]));
    button.type = "button";
    button.onclick = () => open(id);
    list.append(element("li", "", "", button));
  }
  if (ids.length > shown.length) list.append(element("li", "facts", `and ${grouped(ids.length - shown.length)} more`));
  return list;
}

const LIST_MOST = 500;

function neighbourList(title, list, profile, facts, select) {
  const { unit, whole, compared } = facts;
  const made = element("table", "neighbours"), caption = element("caption", "", title);
  made.append(caption);
  for (const n of list.slice(0, LIST_MOST)) {
    const button = element("button", "link", profile.label(n.key));
    button.type = "button";
    if (profile.isThread(n.key)) button.disabled = true;
    else button.onclick = () => select(n.key);
    const row = element("tr", "", "", element("td", "number", figureText(round(n.total), facts)),
                        element("td", "number share", figureShare(n.total, whole, facts)));
    if (compared) row.append(element("td", "number", changeText(round(n.total - n.before), unit)));
    row.append(element("td", "name", "", button));
    made.append(row);
  }
  if (!list.length) made.append(element("tr", "", "", element("td", "facts", "none")));
  if (list.length > LIST_MOST)
    made.append(element("tr", "", "", element("td", "facts", `and ${grouped(list.length - LIST_MOST)} more`)));
  return made;
}

/** Show callers and callees of a function, side by side. facts.whole: the sum for shares; facts.range: whether the sums
 *  are for a range of time. */
export function showNeighbours(box, profile, { callers, callees }, key, facts, select) {
  const range = facts.range ? [element("p", "facts", "In the selected range of time.")] : [];
  box.replaceChildren(element("h2", "", profile.label(key)), ...range, element("div", "pair", "",
    neighbourList("Callers", callers, profile, facts, select), neighbourList("Callees", callees, profile, facts, select)));
}
