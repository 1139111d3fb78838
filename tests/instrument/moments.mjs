// moments.mjs LIB - profiles of a part of a run: between moments, of some seconds, since a reset, and served by HTTP. Parts that
// follow one another add up to the whole, in each column and for each stack.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [lib] = process.argv.slice(2), load = name => import(pathToFileURL(path.join(lib, name)));
const { Toll } = await load("toll.mjs"), { fetchHandler, handler } = await load("handler.mjs");
const toll = await Toll.load(), bytes = fs.readFileSync("calls.wasm"), imports = { env: { host: n => n } };
const text = made => new TextDecoder().decode(made);
const folded = (profile, value) => new Map(text(profile.write("folded", value)).split("\n").filter(line => line && !line.startsWith("#"))
  .map(line => [line.slice(0, line.lastIndexOf(" ")), BigInt(line.slice(line.lastIndexOf(" ") + 1))]));

/** The sum of tables of stacks. */
function added(tables) {
  const sum = new Map();
  for (const table of tables) for (const [stack, value] of table) sum.set(stack, (sum.get(stack) ?? 0n) + value);
  return sum;
}

// --- parts are the whole ---------------------------------------------------------------------------------------

for (const options of [{}, { time: true }, { callLines: true }, { ticks: false }, { foldRecursion: true }]) {
  const t = await toll.instantiate(bytes, imports, options), moments = [t.moment()];
  for (const n of [3, 0, 5, 1, 3]) {
    t.exports.run(n);
    moments.push(t.moment());
  }
  const parts = moments.slice(1).map((to, i) => t.part(moments[i], to));
  for (const { type } of t.summary().columns) {
    const whole = folded(t.part(moments[0], moments.at(-1)), type);
    assert.deepEqual(added(parts.map(part => folded(part, type))), whole, `${JSON.stringify(options)}, ${type}`);
    if (type !== "time") assert.deepEqual(whole, folded(t, type)); // the clock goes on while a profile is written
    assert.ok(whole.size > 5 || type !== "calls");
  }
  const both = toll.sum(); // a part is a profile like any other
  for (const part of parts) both.add(part.write("pprof"));
  assert.deepEqual(folded(both, "calls"), folded(t, "calls"));
}

// --- a reset, with a function that is open -----------------------------------------------------------------------

let inside = () => {};
const t = await toll.instantiate(bytes, { env: { host: n => (inside(), n) } }), calls = () => folded(t, "calls");
t.exports.run(3);
const once = calls();
t.reset();
assert.equal(calls().size, 0);
assert.equal(t.summary().functions.length, 0);
t.exports.run(3);
assert.deepEqual(calls(), once);
assert.match(t.top({ rows: 3 }), /\b64 calls\b/);
assert.deepEqual(text(await t.profile("folded", "calls")), text(t.write("folded", "calls")));
let resets = 0;
inside = () => resets++ || t.reset();
t.exports.run(3);
assert.ok(resets > 0);
assert.equal(calls().get("run"), undefined, "it was called before");
assert.ok(folded(t, "ticks").get("run") > 0n, "and works since");
assert.ok([...calls().keys()].every(stack => stack.startsWith("run;")));
inside = () => {};
const ordered = await toll.instantiate(bytes, imports, { timeline: true });
ordered.exports.run(3);
ordered.reset();
assert.throws(() => ordered.write("speedscope", "", true), /order of calls is kept from the beginning/);
await assert.rejects(t.profile({ seconds: 1, inOrder: true }), /order of calls is kept from the beginning/);

// --- labels, limits and warnings -----------------------------------------------------------------------------------

const labelled = await toll.instantiate(bytes, imports);
labelled.label("request=1");
labelled.exports.run(3);
const second = labelled.moment();
labelled.label("request=2");
labelled.exports.run(0);
for (let i = 0; i < 10; i++) for (const label of ["request=2", "zone=a,host=b"]) labelled.label(label);
assert.equal(labelled.labels.length, 2);
const threads = labelled.part(second).summary({ value: "calls" }).threads;
assert.equal(threads.length, 1);
const titles = JSON.parse(text(labelled.part(second).write("speedscope"))).profiles.map(profile => profile.name);
assert.ok(titles.length > 0 && titles.every(title => title.includes("{host=b, request=2, zone=a}")), titles.join());
assert.equal(labelled.part(second).keepsAll, false);
const warnings = [];
labelled.onWarning(warning => warnings.push(warning));
await labelled.profile({ since: second, format: "folded" });
assert.match(warnings.join(""), /value types/);

// The profiler's own work is not charged, also in the middle of a call.
let whole = 0; // milliseconds
const timed = await toll.instantiate(bytes, { env: { host: n => {
  for (let i = 0; !whole && i < 20; i++) timed.part(first, first).write("folded");
  whole = performance.now() - begin;
  return n;
} } }, { time: true }), first = timed.moment(), begin = performance.now();
timed.exports.run(3);
const charged = [...folded(timed.part(first), "time")].reduce((sum, [stack, ns]) => sum + (stack.startsWith("run") ? ns : 0n), 0n);
assert.ok(whole > 0 && Number(charged) < 1e6 * whole / 2, `${charged} ns of ${whole} ms`);

// --- some seconds ------------------------------------------------------------------------------------------------

t.exports.run(3);
let waiting = t.profile({ seconds: 0.2, format: "folded", value: "calls" });
t.exports.run(3);
t.exports.run(3);
assert.equal(text(await waiting), [...once].map(([stack, n]) => `${stack} ${2n * n}\n`).join(""));
await assert.rejects(t.profile({ seconds: 1000, value: "none", format: "folded" }), /no value type is called 'none'/); // at once
await assert.rejects(t.profile({ seconds: 1, since: t.moment() }), /exclude one another/);
for (const seconds of [0, -1, NaN, "x", 86_401]) await assert.rejects(t.profile({ seconds }), RangeError);
await assert.rejects(t.profile({ seconds: 1000, format: "none" }), /no format is called 'none'/); // at once
const stop = new AbortController();
waiting = t.profile({ seconds: 1000, signal: stop.signal });
stop.abort(new Error("enough"));
await assert.rejects(waiting, /enough/);
await assert.rejects(t.profile({ seconds: 1000, signal: stop.signal }), /enough/);

// --- HTTP --------------------------------------------------------------------------------------------------------

const server = http.createServer(handler(t)).listen(0, "127.0.0.1");
await new Promise(resolve => server.once("listening", resolve));
const address = `http://127.0.0.1:${server.address().port}`;
const get = async (where, options) => {
  const response = await fetch(address + where, options);
  return [response.status, text(new Uint8Array(await response.arrayBuffer())), response.headers];
};
assert.equal((await get("/debug/pprof/profile?format=folded&value=calls"))[1], text(t.write("folded", "calls")));
const [status, , headers] = await get("/profile");
assert.equal(status, 200);
assert.match(headers.get("content-disposition"), /filename="profile.pb.gz"/);
assert.match((await get("/debug/pprof/"))[1], /profile\?seconds=30/);
for (const [target, expected] of [["//", 400], ["/\\", 400], ["http://[", 400], ["/profile?format=folded%00", 400], ["/profile?format=folded&value=calls%00", 400]]) {
  const got = await new Promise((resolve, reject) => { // fetch would not send the first ones
    const request = http.request({ host: "127.0.0.1", port: server.address().port, path: "/" }, response => resolve(response.resume().statusCode));
    request.path = target;
    request.on("error", reject).end();
  });
  assert.equal(got, expected, target);
}
for (const [where, expected, why] of [["/x", 404, /there are profile/], ["/profile?format=none", 400, /no format is called/],
  ["/profile?seconds=0", 400, /more than 0/], ["/profile?seconds=x", 400, /NaN/], ["/profile?value=x&format=folded", 400, /no value type/]]) {
  const [got, said] = await get(where);
  assert.equal(got, expected, where);
  assert.match(said, why);
}
assert.equal((await get("/profile", { method: "POST" }))[0], 405);
assert.deepEqual((await get("/profile", { method: "HEAD" })).slice(0, 2), [200, ""]);
const leaving = new AbortController(), left = [1, 2, 3, 4].map(() => get("/profile?seconds=1000", { signal: leaving.signal }));
await new Promise(resolve => setTimeout(resolve, 100));
assert.equal((await get("/profile"))[0], 503);
leaving.abort(); // the clients go: their places are free again
for (const one of left) await assert.rejects(one);
for (let tries = 0; (await get("/profile"))[0] !== 200; tries++) assert.ok(tries < 100);
server.close();
server.closeAllConnections();
const answer = await fetchHandler(t)(new Request("http://host/profile?format=folded&value=calls"));
assert.equal(await answer.text(), text(t.write("folded", "calls")));

// --- all modules of a program ------------------------------------------------------------------------------------

const hook = toll.hook();
waiting = hook.profile({ seconds: 0.2, format: "folded", value: "calls" }); // there is none yet
const two = await Promise.all([1, 2].map(() => WebAssembly.instantiate(bytes, imports)));
for (const { instance } of two) instance.exports.run(3);
assert.equal(text(await waiting), [...once].map(([stack, n]) => `${stack} ${2n * n}\n`).join(""));
const since = hook.moment();
two[1].instance.exports.run(3);
assert.equal(text(await hook.profile({ since, format: "folded", value: "calls" })), [...once].map(([stack, n]) => `${stack} ${n}\n`).join(""));
const beforeReset = hook.moment();
hook.recordings[0].reset();
assert.equal(text(await hook.profile({ since: beforeReset, format: "folded", value: "calls" })), "# no stacks\n");
console.log("parts of a run add up to the whole, also by HTTP");
