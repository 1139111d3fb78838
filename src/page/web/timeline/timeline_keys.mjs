// timeline_keys.mjs - Defines keys and mouse actions of the timeline, for the page and for its help.

/** Keys of the timeline. The actions are methods of TimeNavigation. */
export const TIME_KEYS = [
  { keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"], show: "← → ↑ ↓", text: "to the call beside, the caller, a callee",
    run: (actions, key) => actions.step(key) },
  { keys: ["Enter"], show: "Enter", text: "zoom to the selected call", run: actions => actions.zoomSelected() },
  { keys: ["n"], show: "N", text: "next call of the function", run: actions => actions.beside(1) },
  { keys: ["N", "p"], show: "Shift + N", text: "previous one", run: actions => actions.beside(-1) },
  { keys: ["m"], show: "M", text: "select the call's range of time", run: actions => actions.pickCall() },
  { keys: ["Escape"], show: "Esc", text: "no range; no call", run: actions => actions.clear() },
  { keys: ["0", "Home"], show: "0", text: "show everything", run: actions => actions.zoomAll() },
  { keys: ["w", "W", "+", "="], show: "W +", text: "zoom in", run: actions => actions.zoomBy(0.6) },
  { keys: ["s", "S", "-"], show: "S −", text: "zoom out", run: actions => actions.zoomBy(1 / 0.6) },
  { keys: ["a", "A"], show: "A", text: "move left", run: actions => actions.pan(-0.2) },
  { keys: ["d", "D"], show: "D", text: "move right", run: actions => actions.pan(0.2) },
  { keys: ["PageDown"], show: "PgDn", text: "lanes below", run: actions => actions.scroll(1) },
  { keys: ["PageUp"], show: "PgUp", text: "lanes above", run: actions => actions.scroll(-1) },
];

export const TIME_MOUSE = [
  ["click", "select a call"], ["double click", "zoom to it"], ["drag", "move"], ["drag the ruler", "select a range of time"],
  ["Shift + drag", "the same"], ["wheel", "zoom about the pointer"], ["Shift + wheel", "move left and right"],
];
