// page.mjs - Connects the parts of the page: a change in one updates the others. See docs/page.md for the content of a page.
import { AccessibleTree } from "./accessible.mjs";
import { Colors } from "./colors.mjs";
import { bindSplitter, bindTabs, byId, Controls } from "./controls.mjs";
import { largestChange, largestOfRoots } from "./compare.mjs";
import { showDetails, showNeighbours } from "./details.mjs";
import { Latest, sumMatches, sumNeighbours } from "./functions.mjs";
import { Gestures } from "./gestures.mjs";
import { Heap } from "./heap.mjs";
import { Graph, ROW } from "./graph.mjs";
import { fillHelp, listenToKeys, listenToTimeKeys } from "./keys.mjs";
import { isRounded, originText, showLegend, showNotes } from "./legend.mjs";
import { Listing } from "./listing.mjs";
import { Model, wantedColumn } from "./model.mjs";
import { Navigation } from "./navigation.mjs";
import { pairOf, readHeader, readProfile, readValues } from "./profile.mjs";
import { Search } from "./search.mjs";
import { Snapshots } from "./snapshots.mjs";
import { Source } from "./source.mjs";
import { pathKeys, pathText, State } from "./state.mjs";
import { ROWS_MOST } from "./table.mjs";
import { serve } from "./worker.mjs";
import { changeText, countText, shareText, valueText } from "./text.mjs";
import { Timeline } from "./timeline/timeline.mjs";
import { loadLanes } from "./timeline/timeline_load.mjs";
import { element, Tooltip } from "./tooltip.mjs";

/** The pixels that the deepest stack needs, with rows for its thread and the root, and an empty one. */
const rowsOf = profile => (profile.tree.deepest + 3) * ROW;

/** The text about a search: the cost of all stacks with a match. */
/** What the texts of a column depend on. */
const kindOf = ({ unit, sampled }) => ({ unit, sampled });

function matchText({ total, before }, { costs, whole, value: { unit } }, functions, of) {
  const found = `${shareText(total, whole)}${of} matched: ${valueText(Math.round(total), unit)} in ${countText(functions, "function")}`;
  return costs.before ? `${found}, before ${valueText(Math.round(before), unit)} (${changeText(Math.round(total - before), unit)})` : found;
}

class Page {
  constructor(profile, state, values) {
    Object.assign(this, { profile, state, selectedKey: -1, selectedFrame: -1, neighbours: new Latest(), finding: new Latest() });
    this.search = new Search(profile);
    this.model = new Model(profile, state, this.search, values);
    this.colors = new Colors(profile);
    this.colors.by(state.get("color"));
    this.graph = new Graph(byId("canvas"), profile, this.colors);
    this.heap = this.graph.heap = new Heap(profile);
    this.graph.resize();
  }

  /** Make everything that the first picture does not need. */
  complete() {
    const { profile, state, graph, model } = this;
    this.controls = new Controls(profile, this.colors, state);
    this.tooltip = new Tooltip(byId("tooltip"), profile, this.heap);
    this.accessible = new AccessibleTree(byId("graph"), profile);
    this.source = new Source(byId("source"), profile);
    this.listing = new Listing(byId("functions"), profile, state,
                               () => this.listed, key => this.selectFunction(key));
    if (profile.header.between) this.snapshots = new Snapshots(byId("snapshots"), profile, key => this.selectFunction(key), pair => state.set({ pair }, true));
    else for (const id of ["tab-snapshots", "snapshots"]) byId(id).remove();
    if (profile.header.series) byId("tab-snapshots").textContent = profile.header.series;
    this.navigation = new Navigation(this);
    this.gestures = new Gestures(graph, byId("graph"), this.navigation);
    this.navigation.gestures = this.gestures;
    listenToKeys(byId("graph"), this.navigation);
    fillHelp(byId("help-keys"), !!profile.header.timeline);
    this.showTab = bindTabs(state);
    bindSplitter(byId("graph-pane"), byId("splitter"), rowsOf(profile), () => graph.resize());
    new ResizeObserver(() => graph.resize()).observe(byId("graph"));
    byId("reset").onclick = () => (this.timeline?.shown ? this.timeline : this).navigation.zoomAll();
    byId("show-help").onclick = () => byId("help").showModal();
    byId("graph").onfocus = () => this.tellFocus();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.theme());
    this.tellProblem();
    showNotes(byId("notes"), profile);
    document.body.classList.toggle("compares", profile.comparison);
    state.onChange((changed, outside) => this.update(changed, outside));
    this.heading();
    this.legend();
    this.restore();
    if (profile.header.timeline) {
      this.timeline = new Timeline(this);
      listenToTimeKeys(byId("calls"), this.timeline.navigation);
    }
    this.afterView(new Set(["search", "tab"]));
  }

  theme() {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = this.state.get("theme") || (dark ? "dark" : "light");
    if (!this.colors) return;
    this.colors.themed();
    this.colors.by(this.state.get("color"));
    this.legend();
    this.graph.request();
    this.timeline?.themed();
  }

  heading() {
    const { header } = this.profile, { model } = this, { value } = model;
    byId("title").textContent = this.profile.comparison ? model.titles.join(" against ") : header.title;
    const of = model.masks.focus || model.masks.ignore ? " of the stacks that are kept" : "";
    const run = this.timeline?.listed ? " in the whole run" : ""; // if the table covers only a range of time
    const parts = [`${value.name}: ${valueText(Math.round(model.whole), value.unit)}${run}${of}`];
    if (this.profile.comparison) parts.push(`before ${valueText(Math.round(model.view.before[0]), value.unit)}`);
    if (originText(header, value)) parts.push(originText(header, value));
    if (isRounded(value.sum)) parts.push("rounded in the sixteenth digit");
    if (model.costs.negative) parts.push("some values are negative: widths show sizes");
    byId("summary").textContent = parts.join(" · ");
    if (!header.notes.length) return;
    const notes = element("button", "link", countText(header.notes.length, "note"));
    notes.type = "button";
    notes.onclick = () => this.state.set({ tab: "notes" });
    byId("summary").append(" · ", notes);
  }

  /** Show why a filter is not applied. */
  tellProblem() {
    byId("filter-problem").textContent = this.model.filterProblem;
    byId("filter-problem").classList.toggle("bad", !!this.model.filterProblem);
  }

  legend() {
    showLegend(byId("legend"), this.profile, this.colors,
               { searching: this.graph.matches !== null, sums: this.model.sums, heap: this.heap });
  }

  /** Show the model's view in the graph. */
  showView() {
    const { graph, model, state } = this;
    graph.flame = state.get("layout") === "flame";
    graph.change = this.profile.comparison ? this.changeMode() : null;
    graph.show(model.view, model.value);
    document.documentElement.dataset.frames = this.profile.header.nodes;
  }

  /** How the change is measured. In the inverted tree it is always by total, since a frame's total there is its
   *  function's self value. */
  changeMode() {
    const { model, state } = this, inverted = !!state.get("inverted"), by = inverted ? "total" : state.get("change");
    return { by, measure: state.get("measure"), largest: inverted ? largestOfRoots(model.view) : largestChange(model.costs, by) };
  }

  /** Show the part of the graph, and select the frame, that the URL's fragment names. */
  restore() {
    const { graph, model, state } = this, [from, to] = state.get("range").split("_").map(Number);
    if (to > from) graph.zoom(from * graph.whole, to * graph.whole, false);
    else graph.zoom(0, graph.whole, false);
    const path = pathKeys(state.get("frame")), frame = path.length ? model.view.find(path) : -1;
    this.mark(path.length && frame > 0 ? frame : -1, frame > 0 ? model.view.key[frame] : this.selectedKey);
  }

  /** Update the page. also: what has changed now. If a later update begins while this one waits, that one also does
   *  this one's work, and this one ends. */
  async update(also, fromOutside) {
    const { state, model, graph, left } = this, changed = new Set([...left?.changed ?? [], ...also]), outside = fromOutside || !!left?.outside;
    const has = (...names) => names.some(name => changed.has(name)), own = this.left = { changed, outside };
    this.controls.show();
    if (has("theme")) this.theme();
    const last = model.view;
    if (!await model.update(changed)) return;
    if (this.left === own) this.left = null;
    this.tellProblem();
    if (has("color")) this.colors.by(state.get("color"));
    this.timeline?.update(changed, outside);
    if (has("change", "measure")) graph.change = this.changeMode();
    if (model.view !== last) {
      this.showView();
      this.heading();
      if (!outside) this.keepSelection();
    }
    if (outside) this.restore();
    if (has("layout")) {
      graph.flame = state.get("layout") === "flame";
      graph.scroll = 0;
    }
    graph.request();
    this.afterView(changed, model.view !== last);
  }

  /** In a new view: select the same frame, if it exists there, and show the whole range. */
  keepSelection() {
    const path = pathKeys(this.state.get("frame")), { view } = this.model;
    const frame = path.length ? view.find(path) : -1, there = frame > 0 && view.depth[frame] === path.length;
    this.mark(there ? frame : -1, this.selectedKey);
    this.state.set({ range: "", frame: there ? this.state.get("frame") : "" });
  }

  /** Update what follows the picture: search, table, the open tab. */
  async afterView(changed, fresh = true) {
    byId("reset").disabled = !this.state.get(this.timeline?.shown ? "time" : "range");
    if (fresh) {
      await this.heap.show(this.model);
      this.graph.request();
    }
    if (fresh || changed.has("search")) await this.find();
    if (changed.has("color")) this.legend();
    if (fresh && await this.model.functions()) this.drawList();
    else if (changed.has("sort") || changed.has("filter")) this.drawList();
    this.drawTab();
  }

  /** A range of time was selected or cleared: update the parts of the page that depend on it. */
  ranged() {
    this.heading();
    this.tellMatches();
    this.drawList();
    this.drawTab();
  }

  async find() {
    const text = this.state.get("search"), stale = this.finding.next(), out = byId("matched");
    const { mask, problem } = text ? await this.search.find(text, stale) : {};
    if (stale()) return;
    const { model, graph } = this, had = graph.matches !== null;
    graph.matches = mask ?? null;
    out.classList.toggle("bad", !!problem);
    if (mask) this.tellMatches();
    else out.textContent = problem ?? "";
    out.title = out.textContent;
    if (had !== (graph.matches !== null)) this.legend();
    graph.request();
    this.timeline?.request();
    if (model.sums) this.drawList();
  }

  /** Show the cost of all stacks with a match. */
  tellMatches() {
    const { profile, model, graph: { matches } } = this;
    if (!matches) return;
    const sum = sumMatches(profile, model.costs, model.view.options.threads, matches), ofAll = this.timeline?.listed ? " of the whole run" : "";
    byId("matched").textContent = byId("matched").title = matchText(sum, model, matches.reduce((n, m) => n + m, 0), ofAll);
  }

  /** Draw the table: the functions that match both the search and the table's own field. */
  drawList() {
    const { model, graph } = this, text = this.state.get("filter").toLowerCase();
    if (!model.sums) return;
    let mask = graph.matches;
    if (text) {
      mask = mask ? mask.slice() : new Uint8Array(this.profile.keys).fill(1);
      for (const f of model.sums.keys)
        if (!this.profile.name(f).toLowerCase().includes(text) && !this.profile.file(f).toLowerCase().includes(text)) mask[f] = 0;
    }
    if (this.listed?.sums !== model.sums) this.legend();
    const range = this.timeline?.listed;
    this.listed = { ...range ?? { sums: model.sums, ...kindOf(model.value), whole: model.whole }, range: !!range, heap: this.heap };
    const count = this.listing.draw(mask, this.selectedKey);
    const all = (mask ? ` of ${this.listed.sums.keys.length}` : "") + (range?.of ?? ""), cut = count > ROWS_MOST ? `; shown: the first ${countText(ROWS_MOST, "row")}` : "";
    byId("listed").textContent = countText(count, "function") + all + cut;
    this.drawDetails();
  }

  /** Select a frame of the view (or none), and a function. */
  mark(frame, key) {
    const other = key !== this.selectedKey;
    Object.assign(this, { selectedFrame: frame, selectedKey: key });
    this.graph.selected = frame;
    this.graph.request();
    this.timeline?.marked(key);
    if (!this.listing) return;
    this.listing.table.select(key, true);
    this.drawDetails();
    if (other) this.drawTab();
    this.tellFocus();
  }

  tellFocus() {
    this.accessible.show(this.model.view, Math.max(this.selectedFrame, 0), this.model.value);
  }

  /** A function was chosen in a list: select its widest frame. */
  selectFunction(key) {
    const { view } = this.model, path = view.widest(key), best = path ? view.find(path) : -1;
    this.mark(best, key);
    this.state.set({ frame: path ? pathText(path) : "" });
  }

  drawDetails() {
    const { model } = this;
    showDetails(byId("details"), this.profile,
                { view: model.view, frame: this.timeline?.shown ? -1 : this.selectedFrame, key: this.selectedKey, value: model.value, listed: model.sums && this.listed,
                  whole: model.whole, heap: this.heap },
                id => this.navigation.zoomTo(id));
    this.timeline?.showPanel(byId("details"));
  }

  async drawTab() {
    const tab = this.showTab(), { profile, model, selectedKey: key } = this, { value, view } = model;
    const known = key >= 0 && !profile.isThread(key);
    if (tab === "snapshots") this.snapshots.show(model, this.heap, key);
    else if (tab === "callers") {
      if (!known) return showDetails(byId("callers"), profile, { frame: -1, key: -1 });
      const stale = this.neighbours.next(), range = this.timeline?.listed;
      const sums = await (range ? range.neighbours(key, stale) : sumNeighbours(profile, model.costs, view.options.threads, key, stale));
      const facts = range ?? { ...kindOf(value), whole: model.whole };
      if (sums) showNeighbours(byId("callers"), profile, sums, key, { ...facts, compared: profile.comparison, range: !!range }, k => this.selectFunction(k));
    } else if (tab === "source") {
      this.source.ranged = !!this.timeline?.listed;
      if (known) this.source.show(key, model.costs, view.options.threads, value, model.whole);
      else this.source.say("Select a function to see what its lines cost.");
    }
  }
}

/** What a page shows first. */
function defaultsOf(header) {
  return { ...header.timeline && header.layout && { layout: header.layout }, ...header.between && { tab: "snapshots" } };
}

async function start() {
  try {
    const header = readHeader(), state = new State(defaultsOf(header));
    byId("still")?.remove();
    Page.prototype.theme.call({ state });
    byId("title").textContent = header.title;
    const lanes = header.timeline && state.get("layout") === "time" ? loadLanes(header, null) : null; // load them now if the timeline is shown
    lanes?.catch(() => {}); // the timeline reports the error
    const [profile, values] = await Promise.all([readProfile(header), readValues(header, wantedColumn(header, state), pairOf(header, state.get("pair")))]);
    const page = new Page(profile, state, values);
    page.lanes = lanes;
    await page.model.update(new Set());
    page.showView();
    page.graph.draw();
    document.documentElement.dataset.ready = "";
    requestAnimationFrame(() => setTimeout(() => page.complete()));
  } catch (error) {
    byId("problem").textContent = `This page cannot be shown: ${error.message}. Write it again, or open it with a newer browser.`;
    byId("problem").hidden = false;
  }
}

if (globalThis.document) start();
else serve();
