// search.mjs MODULES - patterns that take too long do not stop those that were asked for meanwhile. The worker is one
// that answers when it is told to, and so is the clock.
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";

const { Search } = await import(pathToFileURL(path.resolve(process.argv[2], "search.mjs")));

const timers = [];
globalThis.setTimeout = action => timers.push(action) - 1;
globalThis.clearTimeout = at => { timers[at] = null; };

/** Never comes to an end with a pattern in which there is a "+", nor to those behind it. */
globalThis.Worker = class {
  postMessage({ id, pattern }) {
    if (pattern === undefined) return;
    this.stuck ||= pattern.includes("+");
    if (!this.stuck) queueMicrotask(() => this.onmessage({ data: { id, mask: Uint8Array.of(1, 0) } }));
  }
  terminate() { this.ended = true; }
};

const profile = { frames: { count: 1 }, keys: 2, name: () => "f", file: () => "", line: () => 0 };
const search = new Search(profile);
assert.deepEqual(await search.find("f"), { mask: Uint8Array.of(1, 0) });
const first = search.worker, slow = search.find("(f+)+!"), behind = search.find("f!"), last = search.find("f?");
timers.find(timer => timer)();
assert.ok(first.ended);
assert.match((await slow).problem, /takes too long/);
assert.deepEqual(await behind, { mask: Uint8Array.of(1, 0) });
assert.deepEqual(await last, { mask: Uint8Array.of(1, 0) });
assert.deepEqual(await search.find("f!"), { mask: Uint8Array.of(1, 0) });
assert.ok(timers.every(timer => !timer));
