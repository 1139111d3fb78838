// search.mjs MODULES - patterns that take too long do not stop those that were asked for meanwhile, nor take of their
// time. The worker is one that answers when it is told to, and so is the clock.
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";

const { Search } = await import(pathToFileURL(path.resolve(process.argv[2], "search.mjs")));

const timers = [];
globalThis.setTimeout = action => timers.push(action) - 1;
globalThis.clearTimeout = at => { timers[at] = null; };
const timeIsUp = () => timers.splice(timers.findIndex(timer => timer), 1, null)[0]();

const asked = [];

/** Never comes to an end with a pattern in which there is a "+", nor to those behind it. */
globalThis.Worker = class {
  postMessage({ pattern }) {
    if (pattern === undefined) return;
    asked.push(pattern);
    this.stuck ||= pattern.includes("+");
    if (!this.stuck) queueMicrotask(() => this.onmessage({ data: { mask: Uint8Array.of(1, 0) } }));
  }
  terminate() { this.ended = true; }
};

const profile = { frames: { count: 1 }, keys: 2, name: () => "f", file: () => "", line: () => 0 };
const search = new Search(profile);
assert.deepEqual(await search.find("f"), { mask: Uint8Array.of(1, 0) });
const first = search.worker, running = () => timers.filter(timer => timer).length;
const slow = search.find("(f+)+!"), behind = search.find("f!"), slower = search.find("f+?f"), last = search.find("f?");
const stale = search.find("f.", () => true);
await Promise.resolve();
assert.equal(running(), 1, "who waits has all of its time");
timeIsUp();
assert.ok(first.ended);
assert.match((await slow).problem, /takes too long/);
assert.deepEqual(await behind, { mask: Uint8Array.of(1, 0) });
await Promise.resolve();
assert.equal(running(), 1);
timeIsUp();
assert.match((await slower).problem, /takes too long/);
assert.deepEqual(await last, { mask: Uint8Array.of(1, 0) });
assert.deepEqual(await search.find("f!"), { mask: Uint8Array.of(1, 0) });
assert.deepEqual(await stale, {});
assert.deepEqual(asked, ["f", "(f+)+!", "f!", "f+?f", "f?"], "what nobody waits for any more is not matched");
assert.equal(running(), 0);
