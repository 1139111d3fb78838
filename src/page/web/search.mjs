// search.mjs - Finds the functions that a pattern matches, by name or by "FILE:LINE". Names are matched in time slices,
// between which the page handles events.
import { Pattern } from "./pattern.mjs";
import { placeText } from "./text.mjs";

const TURN_MOST = 16, LOOK = 256; // milliseconds of a time slice; the clock is read after so many names

export class Search {
  constructor(profile) {
    this.profile = profile;
    this.known = new Map(); // pattern -> result
    this.turn = Promise.resolve(); // fulfilled when the last requested search has ended
  }

  get texts() {
    const { profile } = this, { count } = profile.frames, texts = [];
    for (let f = 0; f < count; f++) texts.push(profile.name(f));
    for (let f = 0; f < count; f++) texts.push(placeText(profile.file(f), profile.line(f)));
    Object.defineProperty(this, "texts", { value: texts });
    return texts;
  }

  /** Returns { mask }, by key, or { problem }, a text; {} if the request is stale. Threads are not searched. */
  async find(text, stale = () => false) {
    if (this.known.has(text)) return this.known.get(text);
    const found = await (this.turn = this.turn.then(() => this.match(text, stale)));
    if (found.mask || found.problem) {
      if (this.known.size > 8) this.known.clear();
      this.known.set(text, found);
    }
    return found;
  }

  async match(text, stale) {
    if (stale()) return {};
    let pattern;
    try {
      pattern = new Pattern(text);
    } catch (error) {
      return { problem: error.message };
    }
    const { texts } = this, mask = new Uint8Array(texts.length);
    for (let i = 0, since = performance.now(); i < texts.length; i++) {
      mask[i] = pattern.matches(texts[i]) ? 1 : 0;
      if (pattern.exhausted) return { problem: "this pattern takes too many steps on these names; repeat less in it" };
      if (i % LOOK || performance.now() - since < TURN_MOST) continue;
      await new Promise(done => setTimeout(done));
      if (stale()) return {};
      since = performance.now();
    }
    return { mask: this.byKey(mask) };
  }

  byKey(found) {
    const { count } = this.profile.frames, mask = new Uint8Array(this.profile.keys);
    for (let f = 0; f < count; f++) mask[f] = found[f] | found[count + f];
    return mask;
  }
}
