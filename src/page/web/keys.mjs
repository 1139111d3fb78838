// keys.mjs - Defines what each key does, for the page and for its help.
import { TIME_KEYS, TIME_MOUSE } from "./timeline/timeline_keys.mjs";
import { element } from "./tooltip.mjs";

/** Keys of the graph. The actions are methods of the page. */
const GRAPH_KEYS = [
  { keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"], show: "← → ↑ ↓", text: "to the frame beside, above, below",
    run: (actions, key) => actions.step(key) },
  { keys: ["Enter"], show: "Enter", text: "zoom to the selected frame", run: actions => actions.zoomSelected() },
  { keys: ["Escape", "Backspace"], show: "Esc", text: "zoom out to the caller", run: actions => actions.zoomOut() },
  { keys: ["0", "Home"], show: "0", text: "show everything", run: actions => actions.zoomAll() },
  { keys: ["w", "W", "+", "="], show: "W +", text: "zoom in", run: actions => actions.zoomBy(0.6) },
  { keys: ["s", "S", "-"], show: "S −", text: "zoom out", run: actions => actions.zoomBy(1 / 0.6) },
  { keys: ["a", "A"], show: "A", text: "move left", run: actions => actions.pan(-0.2) },
  { keys: ["d", "D"], show: "D", text: "move right", run: actions => actions.pan(0.2) },
  { keys: ["PageDown"], show: "PgDn", text: "deeper frames", run: actions => actions.scroll(1) },
  { keys: ["PageUp"], show: "PgUp", text: "outer frames", run: actions => actions.scroll(-1) },
];
const PAGE_KEYS = [
  { keys: ["/"], show: "/", text: "search", run: actions => actions.focus("search") },
  { keys: ["g"], show: "G", text: "to the graph", run: actions => actions.focus("graph") },
  { keys: ["t"], show: "T", text: "to the table of functions", run: actions => actions.focus("table") },
  { keys: ["i"], show: "I", text: "inverted: callers below their callees", run: actions => actions.toggle("inverted") },
  { keys: ["o"], show: "O", text: "in order of time", time: true, run: actions => actions.toggle("time") },
  { keys: ["f"], show: "F", text: "flame graph or icicles", run: actions => actions.toggle("layout") },
  { keys: ["r"], show: "R", text: "fold recursion", run: actions => actions.toggle("fold") },
  { keys: ["?"], show: "?", text: "this help", run: actions => actions.help() },
];
const MOUSE = [
  ["click", "select a frame and zoom to it"], ["drag", "move"], ["wheel", "zoom about the pointer"],
  ["Shift + wheel", "move up and down"], ["browser's Back", "undo the last zoom"],
];

function dispatch(table, event, actions) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const row = table.find(r => r.keys.includes(event.key));
  if (!row) return;
  row.run(actions, event.key);
  event.preventDefault();
  event.stopPropagation();
}

export function listenToTimeKeys(box, actions) {
  box.addEventListener("keydown", event => dispatch(TIME_KEYS, event, actions));
}

export function listenToKeys(graphBox, actions) {
  graphBox.addEventListener("keydown", event => dispatch(GRAPH_KEYS, event, actions));
  document.addEventListener("keydown", event => {
    if (!event.target.closest("input, select, textarea, dialog")) dispatch(PAGE_KEYS, event, actions);
  });
}

/** Fill the help. timed: whether the page has a timeline. */
export function fillHelp(box, timed) {
  const rows = (title, list) => {
    const made = element("dl");
    for (const [key, text] of list) made.append(element("dt", "", "", element("kbd", "", key)), element("dd", "", text));
    return element("section", "", "", element("h3", "", title), made);
  };
  const shown = table => table.filter(r => timed || !r.time).map(r => [r.show, r.text]);
  box.replaceChildren(rows("Anywhere", shown(PAGE_KEYS)), rows("In the graph", shown(GRAPH_KEYS)), rows("Mouse", MOUSE),
                      ...timed ? [rows("In order of time", shown(TIME_KEYS)), rows("Mouse, in order of time", TIME_MOUSE)] : []);
}
