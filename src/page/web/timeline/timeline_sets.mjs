// timeline_sets.mjs - Sets of calls in the timeline: calls that the filters keep; of these, calls of the selected function and
// calls that the search matches. A set is computed when it is needed, and again after its inputs have changed.
import { CallSet } from "./timeline_calls.mjs";
import { KeptCalls } from "./timeline_kept.mjs";
import { countText, grouped } from "../text.mjs";

export class CallSets {
  /** now(): returns { key, matches }, the selected function, and the mask of the search or null. */
  constructor(profile, lanes, now) {
    Object.assign(this, { profile, lanes, now, kept: null, made: new Map() });
  }

  /** Set the filters: masks by key, or null. */
  filter(masks) {
    this.kept = masks.focus || masks.ignore ? new KeptCalls(this.lanes.all, masks) : null;
    this.made.clear();
  }

  make(name, of, mask) {
    if (this.made.get(name)?.of !== of) this.made.set(name, { of, set: new CallSet(this.lanes.all, mask(), this.kept) });
    return this.made.get(name).set;
  }

  /** All calls that are kept; null if there is no filter. */
  get all() {
    return this.kept && this.make("all", this.kept, () => null);
  }

  /** The calls of the selected function; null if there is none. */
  get same() {
    const { key } = this.now(), { profile } = this;
    if (key < 0 || profile.isThread(key)) return null;
    return this.make("same", key, () => {
      const mask = new Uint8Array(profile.keys);
      mask[key] = 1;
      return mask;
    });
  }

  /** The calls that the search matches; null if there is no search. */
  get found() {
    const { matches } = this.now();
    return matches && this.make("search", matches, () => matches);
  }

  /** A text if the filters omit the call; "" if it is kept. */
  leftOut(call) {
    return this.kept && !this.kept.has(call) ? "left out by the filters" : "";
  }

  /** "call 3 of 17", for a call of the selected function. */
  ordinal(call) {
    const { same } = this, row = call.lane.row(call.depth, 0), out = this.leftOut(call);
    if (out) return out;
    if (!same || row.key(call.i) !== this.now().key || row.code[call.i] & 1) return "";
    return `call ${grouped(same.ordinal(call))} of ${grouped(same.callsOf(call.lane))} on its thread`;
  }

  /** A text about the calls in a range: how many of which kind. */
  facts(axis, from, to) {
    const { same, found, all } = this, set = same ?? found ?? all, kept = all ? " kept by the filters" : "";
    if (!set) return "";
    const count = countText(set.within(this.lanes.shown, axis, from, to), "call");
    if (same) return `${count} of ${this.profile.label(this.now().key)} in view, of ${grouped(same.calls)}${kept}`;
    return found ? `${count} in view matched${kept && `, of those${kept}`}` : `${count} in view${kept}`;
  }
}
