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
    postMessage({ id: data.id, mask });
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
    this.waiting = new Map();
    this.worker.onmessage = ({ data }) => this.waiting.get(data.id)?.finish(data.mask);
  }

  /** { mask } by key, or { problem }: a text. Threads are not searched. */
  async find(text) {
    if (this.known.has(text)) return this.known.get(text);
    const compiled = compile(text);
    if (compiled.problem) return compiled;
    if (!this.worker) this.start();
    const found = await this.ask(compiled);
    const result = found ? { mask: this.byKey(found) } : { problem: "this pattern takes too long on these names" };
    if (this.known.size > 8) this.known.clear();
    this.known.set(text, result);
    return result;
  }

  /** The mask; null if this takes too long. The worker is stopped then, and a new one is asked for what waited. */
  ask(compiled) {
    const id = this.asked = (this.asked ?? 0) + 1, { worker, waiting } = this;
    return new Promise(done => {
      const finish = answer => {
        clearTimeout(timer);
        waiting.delete(id);
        done(answer);
      };
      const timer = setTimeout(() => {
        worker.terminate();
        if (this.worker === worker) this.worker = null;
        finish(null);
        for (const other of [...waiting.values()]) other.askAgain();
      }, PATIENCE);
      const askAgain = () => {
        if (!this.worker) this.start();
        finish(this.ask(compiled));
      };
      waiting.set(id, { finish, askAgain });
      worker.postMessage({ id, ...compiled });
    });
  }

  byKey(found) {
    const { count } = this.profile.frames, mask = new Uint8Array(this.profile.keys);
    for (let f = 0; f < count; f++) mask[f] = found[f] | found[count + f];
    return mask;
  }
}
