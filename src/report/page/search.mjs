// search.mjs - Which functions a pattern matches: by name, or by "FILE:LINE". Names are matched in a worker, which is
// stopped if the pattern takes too long.
import { placeText } from "./text.mjs";

const PATIENCE = 2000; // milliseconds

/** Runs in the worker, by its text alone: nothing outside of it can be used. */
function searchWorker() {
  let texts = [];
  onmessage = ({ data }) => {
    if (data.texts) texts = data.texts;
    if (data.pattern === undefined) return;
    const pattern = new RegExp(data.pattern, data.flags), mask = new Uint8Array(texts.length);
    for (let i = 0; i < texts.length; i++) mask[i] = pattern.test(texts[i]) ? 1 : 0;
    postMessage({ mask });
  };
}

/** Upper case in a pattern makes the case matter. */
function compile(pattern) {
  const flags = /\p{Lu}/u.test(pattern.replace(/\\./g, "")) ? "" : "i";
  try {
    return { pattern: new RegExp(pattern, flags).source, flags };
  } catch (error) {
    return { problem: error.message.replace(/^Invalid regular expression: /, "") };
  }
}

export class Search {
  constructor(profile) {
    this.profile = profile;
    this.known = new Map(); // by pattern
    this.turn = Promise.resolve(); // the end of the last search that was asked for
  }

  texts() {
    const { profile } = this, { count } = profile.frames, texts = [];
    for (let f = 0; f < count; f++) texts.push(profile.name(f));
    for (let f = 0; f < count; f++) texts.push(placeText(profile.file(f), profile.line(f)));
    return texts;
  }

  start() {
    const url = URL.createObjectURL(new Blob([`(${searchWorker})()`], { type: "text/javascript" }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.postMessage({ texts: this.texts() });
  }

  /** { mask } by key, or { problem }: a text; {} if it was stale when its turn came. Threads are not searched. */
  async find(text, stale = () => false) {
    if (this.known.has(text)) return this.known.get(text);
    const compiled = compile(text);
    if (compiled.problem) return compiled;
    const found = await (this.turn = this.turn.then(() => stale() ? undefined : this.match(compiled)));
    if (found === undefined) return {};
    const result = found ? { mask: this.byKey(found) } : { problem: "this pattern takes too long on these names" };
    if (this.known.size > 8) this.known.clear();
    this.known.set(text, result);
    return result;
  }

  /** The mask; null if this takes too long. One pattern is matched at a time: each has all of its time. */
  match(compiled) {
    if (!this.worker) this.start();
    const { worker } = this;
    return new Promise(done => {
      const timer = setTimeout(() => {
        worker.terminate();
        this.worker = null;
        done(null);
      }, PATIENCE);
      worker.onmessage = ({ data }) => {
        clearTimeout(timer);
        done(data.mask);
      };
      worker.postMessage(compiled);
    });
  }

  byKey(found) {
    const { count } = this.profile.frames, mask = new Uint8Array(this.profile.keys);
    for (let f = 0; f < count; f++) mask[f] = found[f] | found[count + f];
    return mask;
  }
}
