// model.mjs - Computes the data for the page's state: the column, the costs after filters, the view, the functions'
// sums.
import { Costs } from "./costs.mjs";
import { foldRecursion, stacksKept } from "./filters.mjs";
import { Latest, sumFunctions } from "./functions.mjs";
import { InvertedView } from "./inverted.mjs";
import { pairOf, readValues, snapshotTitles } from "./profile.mjs";
import { CallView } from "./view.mjs";

/** The values of the state on which the costs depend, and those on which the view depends. */
const OF_COSTS = ["value", "pair", "fold", "focus", "ignore", "widths", "normalize"];
const OF_VIEW = [...OF_COSTS, "thread", "inverted"];

export function wantedColumn({ values, default: fallback }, state) {
  const at = values.findIndex(v => v.name === state.get("value"));
  return at >= 0 ? at : fallback;
}

export class Model {
  /** first: the values of the column to show first, as readValues returns them. */
  constructor(profile, state, search, first) {
    Object.assign(this, { profile, state, search, first, asked: new Latest(), summing: new Latest() });
  }

  get value() {
    return this.profile.header.values[this.column];
  }

  /** What is compared: the names of both profiles, the later one first. */
  get titles() {
    const titles = snapshotTitles(this.profile.header);
    return [titles[this.pair[1]], titles[this.pair[0]]];
  }

  /** The top-level nodes of the threads that are shown. */
  threads() {
    const { profile } = this, { tree } = profile, wanted = this.state.get("thread");
    if (wanted === "" || wanted === "sum") return tree.threads;
    const node = tree.threads.find(t => profile.header.threads[tree.key[t] - profile.frames.count] === wanted);
    return node === undefined ? tree.threads : [node];
  }

  /** Update the data. false: a later request has made this one obsolete. */
  async update(changed) {
    const stale = this.asked.next();
    if (!this.column && this.column !== 0 || changed.has("value") || changed.has("pair")) {
      const { header } = this.profile, column = wantedColumn(header, this.state), pair = pairOf(header, this.state.get("pair"));
      const [self, before] = await (this.first ?? readValues(header, column, pair));
      this.first = null;
      if (stale()) return false;
      if (this.pair && String(this.pair) !== String(pair)) this.calls = null;
      Object.assign(this, { column, pair, self, before });
    }
    const other = this.state.get("normalize") && changed.has("thread"); // the other profile is scaled to the thread's sum
    if (!this.costs || other || OF_COSTS.some(name => changed.has(name))) {
      const masks = await this.findMasks();
      if (stale()) return false;
      this.masks = masks;
      this.costs = this.makeCosts();
      this.view = null;
    }
    if (!this.view || OF_VIEW.some(name => changed.has(name))) this.makeView();
    return true;
  }

  /** The functions that the filters match: { focus, ignore }, masks by key, or null. */
  async findMasks() {
    this.filterProblem = "";
    const mask = async text => {
      if (!text) return null;
      const { mask, problem } = await this.search.find(text);
      if (problem) this.filterProblem = problem;
      return mask ?? null;
    };
    return { focus: await mask(this.state.get("focus")), ignore: await mask(this.state.get("ignore")) };
  }

  makeCosts() {
    const { tree } = this.profile, get = name => this.state.get(name), { focus, ignore } = this.masks;
    if (get("fold")) this.folded ??= foldRecursion(tree);
    return new Costs(tree, this.self, this.before,
                     { keep: stacksKept(tree, focus, ignore), fold: get("fold") ? this.folded : null,
                       normalized: get("normalize") ? this.threads() : null, widths: get("widths") });
  }

  makeView() {
    const options = { threads: this.threads(), merge: this.state.get("thread") === "sum" };
    const Kind = this.state.get("inverted") ? InvertedView : CallView;
    this.view = new Kind(this.profile, this.costs, options);
    this.sums = null;
  }

  /** The total cost of the shown threads. */
  get whole() {
    return this.view.total[0];
  }

  async readCalls() {
    const { header } = this.profile;
    if (header.calls < 0) return null;
    if (header.calls === this.column) return this.self;
    this.calls ??= readValues(header, header.calls, this.pair);
    return (await this.calls)[0];
  }

  /** Sums by function; null if a later request has made this one obsolete. */
  async functions() {
    if (this.sums) return this.sums;
    const stale = this.summing.next(), { costs, view } = this, calls = await this.readCalls();
    if (stale()) return null;
    const sums = await sumFunctions(this.profile, costs, view.options.threads, calls, stale);
    if (!sums || stale() || view !== this.view) return null;
    return this.sums = sums;
  }
}
