// timeline.mjs - The page's third view: all calls in order of time, with a lane for each thread. This file reads them,
// applies the page's state to the view, and draws; timeline_navigation.mjs handles mouse and keyboard.
import { byId } from "../controls.mjs";
import { Latest } from "../functions.mjs";
import { CallTree } from "./timeline_accessible.mjs";
import { stackOf } from "./timeline_calls.mjs";
import { axisName, callPanel, rangePanel } from "./timeline_facts.mjs";
import { TimeGestures } from "./timeline_gestures.mjs";
import { loadLanes } from "./timeline_load.mjs";
import { LaneNames } from "./timeline_names.mjs";
import { Lane, Lanes } from "./timeline_lanes.mjs";
import { TimeNavigation } from "./timeline_navigation.mjs";
import { RULER, TimePicture } from "./timeline_picture.mjs";
import { neighboursInRange } from "./timeline_neighbours.mjs";
import { sumRange } from "./timeline_range.mjs";
import { CallSets } from "./timeline_sets.mjs";
import { valueText } from "../text.mjs";

const NARROW_LANES = 700; // pixels of width below which names are above the lanes, not beside them
const MOTION = 160, SETTLED = 200; // milliseconds: length of a motion; delay before a range is written to the URL

export class Timeline {
  constructor(page) {
    const { profile, state } = page, info = profile.header.timeline;
    Object.assign(this, { page, profile, state, info, axes: info.axes, axis: 0, from: 0, to: 1, key: page.selectedKey, selected: null, hovered: null, picked: null });
    Object.assign(this, { summing: new Latest(), counted: 0, requested: false });
    this.lanes = new Lanes(info.threads.map((thread, n) => new Lane(thread, n)));
    this.sets = new CallSets(profile, this.lanes, () => ({ key: this.key, matches: page.graph.matches }));
    this.box = byId("timeline");
    this.picture = new TimePicture(byId("calls-canvas"), profile, page.colors);
    this.names = new LaneNames(byId("lanes"), profile, lane => this.fold(lane));
    this.tree = new CallTree(byId("calls"), profile, this.axes);
    this.navigation = new TimeNavigation(this);
    this.gestures = new TimeGestures(this, byId("calls"), this.navigation);
    this.bind();
    this.showLayout();
    this.load();
  }

  bind() {
    byId("time").hidden = false;
    byId("axis").replaceChildren(...this.axes.map((axis, n) => new Option(`${axisName(axis)} (${axis.unit})`, n)));
    byId("axis").onchange = event => this.state.set({ axis: event.target.value === "0" ? "" : event.target.value, time: "", span: "" });
    this.box.onscroll = () => this.request();
    byId("calls").onfocus = () => this.tellFocus();
    new ResizeObserver(() => this.resize()).observe(this.box);
  }

  /** Is this the view that the page shows? */
  get shown() {
    return this.state.get("layout") === "time";
  }

  async load() {
    try {
      const lanes = await (this.page.lanes ?? loadLanes(this.profile.header, this.profile.frames.function));
      this.lanes.all.forEach((lane, n) => { lane.data = lanes[n]; });
      this.ready = true;
      this.whole = this.extent();
      document.documentElement.dataset.events = this.info.threads.reduce((sum, thread) => sum + thread.events, 0);
      this.update(new Set(["layout"]), true);
      this.draw();
      document.documentElement.dataset.timelineReady = "";
    } catch (error) {
      this.say(`The timeline cannot be shown: ${error.message}. Write the page again, or open it with a newer browser.`);
    }
  }

  say(text) {
    byId("timeline-message").textContent = text;
    byId("timeline-message").hidden = !text;
  }

  /** [from, to] of all lanes on the axis. */
  extent() {
    const all = this.lanes.all.map(lane => lane.extent(this.axis)).filter(Boolean);
    if (!all.length) return [0, 1];
    const from = this.axis === 0 ? 0 : Math.min(...all.map(e => e[0])), to = Math.max(...all.map(e => e[1]));
    return [from, Math.max(to, from + 1)];
  }

  /** The state has changed. outside: the user has changed the URL's fragment. */
  update(changed, outside = false) {
    const has = (...names) => outside || names.some(name => changed.has(name));
    if (changed.has("layout") || outside) this.showLayout();
    if (!this.ready) return;
    if (has("axis")) this.setAxis();
    if (has("time") && outside || changed.has("axis")) this.restoreRange();
    if (has("closed", "thread", "layout")) this.place();
    if (has("span", "axis")) this.picked = this.readPair("span");
    if (outside) this.restoreCall();
    if (has("focus", "ignore")) this.sets.filter(this.page.model.masks);
    if (has("span", "axis", "thread", "layout", "focus", "ignore")) this.sum();
    if (changed.has("color")) this.picture.tones.changed();
    if (has("layout", "focus", "ignore")) this.page.drawDetails();
    this.request();
  }

  /** Show the graph or the timeline. */
  showLayout() {
    byId("graph").hidden = this.shown;
    byId("timeline").hidden = !this.shown;
    byId("graph-pane").classList.toggle("timed", this.shown);
    byId("axis-field").hidden = !this.shown || this.axes.length < 2;
    byId("inverted").hidden = this.shown;
    if (!this.ready) this.say("Reading the timeline …");
    else this.say(this.info.threads.some(thread => thread.events) ? "" : "The timeline has no calls.");
  }

  setAxis() {
    const axis = Number(this.state.get("axis"));
    this.axis = this.axes[axis] ? axis : 0;
    byId("axis").value = this.axis;
    this.whole = this.extent();
  }

  /** Two positions from the state; null if it has none, or if they are outside of the timeline. */
  readPair(name) {
    const [from, to] = this.state.get(name).split("_").map(Number), pair = [Math.max(from, this.whole[0]), Math.min(to, this.whole[1])];
    return pair[1] > pair[0] ? pair : null;
  }

  restoreRange() {
    clearTimeout(this.settling); // the previous range is no longer written to the URL
    [this.from, this.to] = this.readPair("time") ?? this.whole;
    this.motion = null;
  }

  restoreCall() {
    const text = this.state.get("call"), [n, depth, i] = /^\d+\.\d+\.\d+$/.test(text) ? text.split(".").map(Number) : [], lane = this.lanes.all[n];
    const known = lane?.data && depth < lane.depth && i < lane.row(depth, 0).count;
    this.selected = known ? { lane, depth, i } : null;
    if (this.selected) this.showCall();
  }

  /** Place the lanes that are shown. */
  place() {
    const { header } = this.profile, wanted = this.state.get("thread"), closed = new Set(this.state.get("closed").split(".").filter(Boolean).map(Number));
    const mine = wanted ? this.lanes.all.filter(lane => header.threads[lane.info.thread] === wanted) : [];
    for (const lane of this.lanes.all) lane.closed = closed.has(lane.index);
    const shown = mine.length ? mine : this.lanes.all, single = shown.length === 1, heads = this.box.clientWidth < NARROW_LANES && !single;
    this.lanes.place(shown, heads);
    this.box.classList.toggle("single", single);
    this.box.classList.toggle("heads", heads);
    byId("timeline-space").style.height = `${Math.max(0, this.lanes.height + RULER - this.box.clientHeight)}px`;
    byId("graph-pane").style.setProperty("--lanes", `${this.lanes.height + RULER + 60}px`);
    this.names.forget();
    this.fitCanvas();
    this.request();
  }

  /** Give the canvas the size that it has on the page. */
  fitCanvas() {
    const { clientWidth: width, clientHeight: height } = byId("calls-canvas"), { picture } = this;
    if (width && (width !== picture.width || height !== picture.height || devicePixelRatio !== picture.ratio)) picture.resize(width, height);
  }

  resize() {
    if (!this.box.clientHeight) return;
    byId("timeline-fixed").style.height = `${this.box.clientHeight}px`;
    if (!this.ready) return;
    this.place();
    this.draw();
  }

  fold(lane) {
    const closed = this.lanes.all.filter(l => l.closed !== (l === lane)).map(l => l.index);
    this.state.set({ closed: closed.join(".") });
  }

  themed() {
    this.picture.tones.changed();
    this.request();
  }

  /** Show from..to; with an animation if `smooth`. */
  zoom(from, to, smooth = false) {
    const [least, most] = this.whole, size = Math.min(Math.max(to - from, Math.min(10, most - least)), most - least);
    const start = Math.max(least, Math.min((from + to) / 2 - size / 2, most - size));
    if (smooth && !matchMedia("(prefers-reduced-motion: reduce)").matches)
      this.motion = { from: this.from, to: this.to, toFrom: start, toTo: start + size, start: performance.now() };
    else {
      this.motion = null;
      [this.from, this.to] = [start, start + size];
    }
    clearTimeout(this.settling);
    const all = size >= most - least, digits = v => Number(v.toPrecision(15));
    this.settling = setTimeout(() => this.state.set({ time: all ? "" : `${digits(start)}_${digits(start + size)}` }), SETTLED);
    this.request();
  }

  move(now) {
    const m = this.motion;
    if (!m) return;
    const t = Math.max(0, Math.min((now - m.start) / MOTION, 1)), ease = 1 - (1 - t) ** 3;
    this.from = m.from + (m.toFrom - m.from) * ease;
    this.to = m.to + (m.toTo - m.to) * ease;
    if (t < 1) this.request();
    else this.motion = null;
  }

  request() {
    if (this.requested || !this.shown) return;
    this.requested = true;
    requestAnimationFrame(now => {
      this.requested = false;
      this.move(now);
      this.draw();
    });
  }

  draw() {
    if (!this.ready || !this.shown) return;
    const { lanes, sets, axis, axes, from, to, key, selected, hovered, picked } = this, scroll = this.box.scrollTop;
    this.picture.draw({ lanes, axis, unit: axes[axis].unit, from, to, scroll, key, selected, hovered, picked,
                        kept: sets.kept, all: sets.all, same: sets.same, found: sets.found });
    this.names.show(lanes, scroll, this.picture.height - RULER);
    if (performance.now() - this.counted > 120) this.tellFacts();
    else this.telling ??= setTimeout(() => this.tellFacts(), 130);
  }

  /** Describe what is in view: the range, and the calls of the selected function. */
  tellFacts() {
    clearTimeout(this.telling);
    this.telling = null;
    this.counted = performance.now();
    if (!this.shown || !this.ready) return;
    const { axes, axis, picked } = this, range = picked && `range: ${valueText(picked[1] - picked[0], axes[axis].unit)}`;
    byId("time-facts").textContent = [range, this.sets.facts(axis, this.from, this.to)].filter(Boolean).join(" · ");
  }

  /** Select a range, or none. */
  pick(range) {
    this.state.set({ span: range ? `${range[0]}_${range[1]}` : "" });
  }

  /** Add up the costs of functions in the selected range, for the table and the lists of functions. */
  async sum() {
    const stale = this.summing.next(), { picked, whole, profile, axis, lanes, sets: { kept } } = this, had = this.listed;
    if (!picked || !this.shown) this.listed = null;
    else {
      const range = { from: picked[0], to: picked[1], last: picked[1] >= whole[1] };
      const sums = await sumRange(lanes.shown, axis, range, kept, profile.frames.count, stale);
      if (!sums || stale()) return;
      const { shown } = lanes, neighbours = (key, late) => neighboursInRange(shown, axis, range, kept, profile.frames.count, key, late);
      this.listed = { sums, unit: this.axes[axis].unit, whole: sums.whole, kept, neighbours, of: ` in the range of time${kept ? ", of calls that are kept" : ""}` };
    }
    if (had || this.listed) this.page.ranged();
  }

  /** A function was selected, here or elsewhere. */
  marked(key) {
    const { selected } = this;
    this.key = key;
    if (selected && selected.lane.row(selected.depth, 0).key(selected.i) !== key) {
      this.selected = null;
      this.state.set({ call: "" });
    }
    this.request();
  }

  /** Select a call, and with it its function and, in the graph, its stack. */
  select(call) {
    this.selected = call;
    this.state.set({ call: `${call.lane.index}.${call.depth}.${call.i}` });
    this.showCall();
  }

  showCall() {
    const { selected: call, page, profile } = this, keys = stackOf(call).map(at => at.lane.row(at.depth, 0).key(at.i)), { view } = page.model;
    const path = this.state.get("inverted") ? keys : [...view.byThread ? [profile.frames.count + call.lane.info.thread] : [], ...keys.toReversed()];
    const frame = view.find(path);
    page.mark(frame > 0 && view.key[frame] === keys[0] ? frame : -1, keys[0]);
    this.tellFocus();
  }

  tellFocus() {
    if (this.ready) this.tree.show(this.selected, this.axis, call => this.sets.leftOut(call));
  }

  /** The panel's parts about the selected call and range. */
  showPanel(box) {
    if (!this.shown || !this.ready) return;
    const { selected: call, navigation, picked, listed } = this;
    if (picked) box.append(...rangePanel(this.axes[this.axis].unit, picked, listed, () => this.zoom(...picked, true), () => this.pick(null)));
    if (!call) return;
    const parts = callPanel(this.profile, this.axes, this.info.cut, call, this.axis, this.sets.ordinal(call),
                            { zoom: at => navigation.zoomTo(at), select: at => navigation.select(at), pick: at => navigation.pickCall(at) });
    box.querySelector("h2")?.after(...parts);
  }
}
