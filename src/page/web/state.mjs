// state.mjs - Keeps the state of the page in the fragment of its URL, so that a link contains it and the browser's
// "back" undoes changes.

const DEFAULTS = {
  value: "", pair: "", thread: "", layout: "icicle", inverted: "", fold: "", focus: "", ignore: "", search: "", color: "",
  range: "", frame: "", tab: "functions", sort: "", filter: "", change: "total", measure: "absolute", widths: "both", normalize: "",
  theme: "", axis: "", time: "", span: "", call: "", closed: "",
};

/** The state, its listeners, and the fragment. Values are texts. A value that is not in the fragment has its default.
 */
export class State {
  /** own: other defaults for this page. */
  constructor(own) {
    this.listeners = [];
    this.defaults = { ...DEFAULTS, ...own };
    this.read();
    addEventListener("hashchange", () => {
      if (location.hash === this.written) return;
      const before = { ...this.values };
      this.read();
      this.tell(before, true);
    });
  }

  read() {
    const given = new URLSearchParams(location.hash.slice(1));
    this.values = { ...this.defaults };
    for (const name of Object.keys(this.defaults))
      if (given.has(name)) this.values[name] = given.get(name);
    this.written = location.hash;
  }

  get(name) {
    return this.values[name];
  }

  isSet(name) {
    return this.values[name] !== this.defaults[name];
  }

  /** Change some values. `step`: the browser's "back" undoes this change by itself. */
  set(changes, step = false) {
    const before = { ...this.values };
    Object.assign(this.values, changes);
    if (Object.keys(changes).every(name => before[name] === this.values[name])) return;
    this.write(step);
    this.tell(before);
  }

  write(step) {
    clearTimeout(this.timer);
    if (step) this.writeNow(true);
    else this.timer = setTimeout(() => this.writeNow(false), 150); // browsers limit how often the URL may change
  }

  writeNow(step) {
    const changed = new URLSearchParams();
    for (const [name, value] of Object.entries(this.values))
      if (value !== this.defaults[name]) changed.set(name, value);
    this.written = changed.size ? `#${changed}` : "";
    if (this.written === location.hash) return;
    // The whole URL: in a frame with srcdoc a fragment alone would be one of the page around it.
    const url = location.href.split("#", 1)[0] + (this.written || "#");
    if (step) location.href = url;
    else location.replace(url);
    this.written = location.hash;
  }

  /** Call `listener(changed, outside)` after each change. changed: a set of names; outside: the user has changed the
   *  fragment. */
  onChange(listener) {
    this.listeners.push(listener);
  }

  tell(before, outside = false) {
    const changed = new Set(Object.keys(this.defaults).filter(name => before[name] !== this.values[name]));
    if (changed.size) for (const listener of this.listeners) listener(changed, outside);
  }
}

/** Paths of frames in the fragment: keys in base 36. */
export const pathText = keys => keys.map(key => key.toString(36)).join(".");
export const pathKeys = text => text ? text.split(".").map(part => parseInt(part, 36)) : [];
