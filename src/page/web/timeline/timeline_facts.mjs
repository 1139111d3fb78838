// timeline_facts.mjs - Describes a call, or calls too narrow to see, for the tooltip, the panel and screen readers.
import { calleesOf, costOf, stackOf } from "./timeline_calls.mjs";
import { positionText } from "./timeline_ruler.mjs";
import { countText, exactText, grouped, shareText, valueText } from "../text.mjs";
import { element, factsText } from "../tooltip.mjs";

/** The axes: [{ type, unit }]. */
export const axisName = ({ type }) => type || "time";

/** Rows [name, text, share] about a call. */
export function callRows(axes, call, axis) {
  const row = call.lane.row(call.depth, axis), rows = [["begin", positionText(row.begin[call.i], axes[axis].unit), ""]];
  for (const n of [axis, ...axes.keys()].filter((a, at, all) => all.indexOf(a) === at)) {
    const { total, self } = costOf(call, n), { unit } = axes[n], name = axes.length > 1 ? axisName(axes[n]) : "duration";
    rows.push([name, valueText(total, unit), ""], ["self", valueText(self, unit), shareText(self, total)]);
  }
  return rows;
}

/** Notes about a call: what is special about it. */
export function callNotes({ lane, depth, i }, cut) {
  const notes = [], code = lane.row(depth, 0).code[i];
  if (code & 1) notes.push("goes on after a pause: not counted as a call");
  if (code & 2) notes.push("recursive: the function is open already");
  if (lane.isOpen(depth, i)) notes.push(cut ? "still open where the file is cut" : "still open at the thread's last event");
  return notes;
}

const laneName = (profile, lane) => lane.info.name || profile.header.threads[lane.info.thread] || "main";

/** "thread main, depth 3, 2 callees" */
export function placeFacts(profile, call) {
  return `thread ${laneName(profile, call.lane)} · depth ${call.depth} · ${countText(calleesOf(call).count, "callee")}`;
}

const tableOf = (className, rows) => {
  const made = element("table", className);
  for (const [name, amount, share] of rows)
    made.append(element("tr", "", "", element("th", "", name), element("td", "number", amount), element("td", "number share", share)));
  return made;
};

/** The tooltip's lines about a call. ordinal: "call 3 of 17" or "". */
export function callLines(profile, axes, cut, call, axis, ordinal) {
  const key = call.lane.row(call.depth, axis).key(call.i), facts = factsText(profile, key);
  return [element("strong", "", profile.label(key)), ...facts ? [element("div", "facts", facts)] : [], tableOf("", callRows(axes, call, axis)),
          element("div", "facts", [placeFacts(profile, call), ordinal].filter(Boolean).join(" · ")),
          ...callNotes(call, cut).map(note => element("div", "facts", note))];
}

/** The tooltip's lines about several calls in one pixel: { count, share, longest }. */
export function crowdLines(profile, axes, { count, share, longest }, axis) {
  const row = longest.lane.row(longest.depth, axis), { unit } = axes[axis];
  return [element("strong", "", `${countText(count, "call")} in one pixel`),
          element("div", "facts", `they cover ${(share * 100).toFixed(1)}% of it; zoom in to see them`),
          element("div", "facts", `the longest: ${profile.label(row.key(longest.i))}, ${valueText(row.end(longest.i) - row.begin[longest.i], unit)}`)];
}

const CALLERS_MOST = 60;

function button(className, text, run) {
  const made = element("button", className, text);
  made.type = "button";
  made.onclick = run;
  return made;
}

/** The panel's part about the selected range. listed: the table's sums, once they are there. */
export function rangePanel(unit, [from, to], listed, zoom, clear) {
  const calls = listed ? listed.sums.calls.reduce((sum, count) => sum + count, 0) : 0, length = valueText(to - from, unit), exact = exactText(to - from, unit);
  const rows = [["length", length, ""], ["from", positionText(from, unit), ""], ["to", positionText(to, unit), ""]];
  if (listed) rows.push(["calls", grouped(calls), ""], ["covered", valueText(listed.whole, unit), ""]);
  const parts = [listed?.kept ? "of calls that the filters keep" : "", length === exact ? "" : `exactly ${exact}`].filter(Boolean);
  return [element("h3", "", "The selected range"), tableOf("facts-table", rows), ...parts.map(text => element("p", "facts", text)),
          button("zoom", "Zoom to it", zoom), " ", button("zoom", "Clear it", clear)];
}

/** The panel's part about the selected call. actions: { zoom(call), select(call), pick(call) } */
export function callPanel(profile, axes, cut, call, axis, ordinal, actions) {
  const row = call.lane.row(call.depth, axis), exact = exactText(row.end(call.i) - row.begin[call.i], axes[axis].unit);
  const stack = stackOf(call).slice(1), list = element("ol", "stack");
  for (const at of stack.slice(0, CALLERS_MOST))
    list.append(element("li", "", "", button("link", profile.label(at.lane.row(at.depth, axis).key(at.i)), () => actions.select(at))));
  if (stack.length > CALLERS_MOST) list.append(element("li", "facts", `and ${grouped(stack.length - CALLERS_MOST)} more`));
  const zoom = button("zoom", "Zoom to it", () => actions.zoom(call)), pick = button("zoom", "Select its range", () => actions.pick(call));
  return [element("h3", "", ordinal ? `This call: ${ordinal}` : "This call"), tableOf("facts-table", callRows(axes, call, axis)),
          element("p", "facts", `exactly ${exact}`), element("p", "facts", placeFacts(profile, call)),
          ...callNotes(call, cut).map(note => element("p", "facts", note)), zoom, " ", pick, ...stack.length ? [element("h3", "", "Its callers"), list] : []];
}

/** One line, for screen readers. */
export function callText(profile, axes, call, axis) {
  const row = call.lane.row(call.depth, axis), key = row.key(call.i);
  const rows = callRows(axes, call, axis).map(([name, text]) => `${name} ${text}`);
  return [profile.label(key), ...rows, factsText(profile, key)].filter(Boolean).join(", ");
}
