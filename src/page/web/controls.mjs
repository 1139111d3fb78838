// controls.mjs - Selects, buttons and fields of the page, each bound to a value of the state.

export const byId = id => document.getElementById(id);

const TYPED = ["search", "focus", "ignore", "filter"];

function options(select, list) {
  select.replaceChildren(...list.map(([value, text]) => new Option(text, value)));
}

export class Controls {
  constructor(profile, colors, state) {
    Object.assign(this, { profile, colors, state });
    const { header } = profile, wanted = header.values[header.default].name;
    options(byId("value"), header.values.map(v => [v.name, `${v.name} (${v.unit})`]));
    options(byId("color"), colors.modes.map(mode => [mode, `by ${mode}`]));
    options(byId("thread"), [["", "all, side by side"], ["sum", "all, added up"], ...header.threads.map(t => [t, t || "main"])]);
    byId("thread-field").hidden = header.threads.length < 2;
    byId("comparison").hidden = !profile.comparison;
    this.fallbacks = { value: wanted, color: colors.modes[0] };
    for (const name of ["value", "color", "thread", "change", "measure", "widths"])
      byId(name).onchange = event => this.choose(name, event.target.value);
    for (const name of ["fold", "normalize"])
      byId(name).onchange = event => state.set({ [name]: event.target.checked ? "1" : "" });
    for (const name of TYPED) this.typed(name);
    for (const name of ["icicle", "flame", "time"]) byId(name).onclick = () => state.set({ layout: name });
    byId("inverted").onclick = () => this.toggle("inverted");
    byId("show-filters").onclick = () => this.openFilters(byId("filters").hidden);
    byId("show-theme").onclick = () => state.set({ theme: document.documentElement.dataset.theme === "dark" ? "light" : "dark" });
    this.openFilters(["focus", "ignore", "fold"].some(name => state.isSet(name)));
    this.show();
  }

  choose(name, value) {
    this.state.set({ [name]: value === this.fallbacks[name] ? "" : value });
  }

  /** A text field. Its text is used a moment after the last key, or when the field loses the focus. */
  typed(name) {
    const field = byId(name);
    let timer = 0;
    const take = () => {
      clearTimeout(timer);
      timer = 0;
      this.state.set({ [name]: field.value });
    };
    field.onchange = take;
    field.onblur = () => timer && take(); // use the last text: a browser reports no change if it equals the first one
    field.oninput = () => {
      clearTimeout(timer);
      timer = setTimeout(take, 120);
    };
    field.onkeydown = event => {
      if (event.key === "Enter") take();
      if (event.key !== "Escape") return;
      field.value = "";
      take();
    };
  }

  toggle(name) {
    if (name === "time") this.state.set({ layout: this.state.get("layout") === "time" ? "icicle" : "time" });
    else if (name === "layout") this.state.set({ layout: this.state.get("layout") === "flame" ? "icicle" : "flame" });
    else this.state.set({ [name]: this.state.get(name) ? "" : "1" });
  }

  openFilters(open) {
    byId("filters").hidden = !open;
    byId("show-filters").setAttribute("aria-expanded", open);
  }

  /** Show the state in the controls. */
  show() {
    const get = name => this.state.get(name);
    for (const name of ["value", "color", "thread", "change", "measure", "widths"])
      byId(name).value = get(name) || this.fallbacks[name] || "";
    for (const name of TYPED)
      if (document.activeElement !== byId(name)) byId(name).value = get(name);
    for (const name of ["fold", "normalize"]) byId(name).checked = !!get(name);
    byId("inverted").setAttribute("aria-pressed", !!get("inverted"));
    byId("change").disabled = !!get("inverted"); // in the inverted tree a frame's total is its function's self value
    for (const name of ["icicle", "flame", "time"]) byId(name).setAttribute("aria-pressed", get("layout") === name);
  }
}

/** Bind the tabs: one panel is shown, and arrow keys go from tab to tab. */
export function bindTabs(state) {
  const tabs = [...document.querySelectorAll('[role="tab"]')], name = tab => tab.id.slice(4);
  for (const tab of tabs) {
    tab.onclick = () => state.set({ tab: name(tab) });
    tab.onkeydown = event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
    };
  }
  return () => {
    const wanted = tabs.find(tab => name(tab) === state.get("tab")) ?? tabs[0];
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", tab === wanted);
      tab.tabIndex = tab === wanted ? 0 : -1;
      byId(name(tab)).hidden = tab !== wanted;
    }
    document.querySelector(".filter").hidden = byId("listed").hidden = name(wanted) !== "functions";
    return name(wanted);
  };
}

/** Bind the splitter, which sets the height of the graph, by dragging or arrow keys. rows: the height of all frames in
 *  pixels. */
export function bindSplitter(pane, splitter, rows, resized) {
  let percent = 58;
  pane.style.setProperty("--rows", `${rows + 60}px`); // no more than the deepest stack needs
  const set = value => {
    percent = Math.max(15, Math.min(85, value));
    pane.style.setProperty("--part", `${percent}%`);
    pane.style.setProperty("--rows", "100%");
    splitter.setAttribute("aria-valuenow", Math.round(percent));
    resized();
  };
  splitter.onpointerdown = event => splitter.setPointerCapture(event.pointerId);
  splitter.onpointermove = event => {
    if (!splitter.hasPointerCapture(event.pointerId)) return;
    const box = pane.parentElement.getBoundingClientRect();
    set((event.clientY - box.top) / box.height * 100);
  };
  splitter.onkeydown = event => {
    const step = { ArrowUp: -4, ArrowDown: 4 }[event.key];
    if (step) {
      set(percent + step);
      event.preventDefault();
    }
  };
}
