// search.mjs MODULES - results of searches, and messages about wrong patterns. Searches take turns, in time slices, and
// an obsolete one does no work. It works without workers.
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";

const { Search } = await import(pathToFileURL(path.resolve(process.argv[2], "search.mjs")));

globalThis.Worker = undefined; // as good as forbidden

const names = ["f", "Жук", "g"];
const profileOf = count => ({
  frames: { count }, keys: count + 1,
  name: f => f < 3 ? names[f] : `${"ab".repeat(10)}${f}`, file: f => f === 2 ? "f.c" : "", line: () => 7,
});
const search = new Search(profileOf(3)), found = async text => [...(await search.find(text)).mask];
assert.deepEqual(await found("f"), [1, 0, 1, 0], "by name, and by file");
assert.deepEqual(await found("^f"), [1, 0, 1, 0]);
assert.deepEqual(await found("f.c:7"), [0, 0, 1, 0]);
assert.deepEqual(await found("^\\p{L}{3}$"), [0, 1, 0, 0]);
assert.equal(await search.find("f"), await search.find("f"), "it is known");

assert.deepEqual(await search.find("("), { problem: "'(' is never closed; write \\( for the character (character 1)" });
assert.deepEqual(await search.find("(f)\\1"), { problem: "'\\1' is a back reference, which patterns do not have (character 4)" });
assert.match((await search.find("((((f{1,200}){1,200}){1,200}){1,200})")).problem, /more than 50000 parts/);

// The clock stands still but for what the test adds; a slice ends when a timer is asked for.
let now = 0, slices = 0;
performance.now = () => now += 5;
const { setTimeout: later } = globalThis;
globalThis.setTimeout = done => later(done, 0, slices++);

const many = new Search(profileOf(20000));
const order = [], note = name => result => (order.push(name), result);
let isStale = false;
const [slow, stopped, last] = await Promise.all([
  many.find("[ab]*a[ab]{3}1").then(note("slow")),
  many.find("b1", () => isStale).then(note("stopped")),
  many.find("a.*99$").then(note("last")),
  new Promise(done => later(done)).then(() => { isStale = true; }),
]);
assert.deepEqual(order, ["slow", "stopped", "last"], "one after the other");
assert.ok(slices > 10, `${slices} slices`);
assert.deepEqual(stopped, {});
assert.equal(slow.mask.reduce((n, m) => n + m), Array.from({ length: 19997 }, (_, i) => String(i + 3)).filter(text => text.startsWith("1")).length);
assert.equal(last.mask.reduce((n, m) => n + m), 200);
assert.equal((await many.find("b1", () => false)).mask.length, 20001, "what was stopped is not taken for an answer");

const hostile = new Search({ ...profileOf(3), name: () => Array.from({ length: 300000 }, (_, i) => "ab"[Math.imul(i * i, 2654435761) >>> 31]).join("") });
assert.match((await hostile.find("[ab]*a[ab]{500}c")).problem, /takes too many steps/);
