// store.mjs LIB - the durable store: what it keeps and refuses, and that copies stay independent.
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const { Store } = await import(pathToFileURL(path.join(process.argv[2], "kernel", "store.mjs")));
const bytes = text => Buffer.from(text);
const code = number => error => error.code === number;

function filled(...keys) {
  const store = new Store();
  keys.forEach(key => store.write(key, 0, bytes(`at ${key}`)));
  return store;
}
const all = store => [...store.entries()].map(([key, value]) => `${key}=${Buffer.from(value)}`);

test("keys: what is one, how long, which are read-only", () => {
  const store = filled("/a");
  for (const key of ["a", "/", "/a/", "//a", "/a b", "/a@", "/é", "/a\n"]) assert.throws(() => store.has(key), code(-2), key);
  const longest = `/${"k".repeat(239)}`;
  store.write(longest, 0, bytes("x"));
  assert.throws(() => store.has(`${longest}k`), code(-1));
  for (const change of [key => store.write(key, 0, bytes("")), key => store.delete(key), key => store.deleteValue(key),
    key => store.create(key, 1), key => store.copy("/a", key), key => store.move("/a", key), key => store.move(key, "/b")])
    for (const key of ["/readonly", "/readonly/a", ""]) assert.throws(() => change(key), code(-9));
  store.write("/readonlyish", 0, bytes("x"));
  assert.equal(store.has("/readonlyish"), 1);
});

test("has, exists, count and nth tell values from what is below", () => {
  const store = filled("/a", "/a/z", "/a/B", "/a/1", "/b/c");
  assert.deepEqual(["/a", "/a/z", "/b", "/c"].map(key => store.has(key)), [3, 1, 2, 0]);
  assert.deepEqual(["/a", "/b", "/b/x", ""].map(key => store.exists(key)), [true, true, false, true]);
  // The value itself is one of them, and sorts as @ does.
  assert.deepEqual([store.count("/a"), store.count("/b"), store.count("/c")], [4, 1, 0]);
  assert.deepEqual([0, 1, 2, 3].map(i => store.nth("/a", i)), ["1", "", "B", "z"]);
  assert.throws(() => store.nth("/a", 4), code(-12));
  assert.throws(() => store.nth("/a", -1), code(-12));
  assert.throws(() => store.nth("/c", 0), code(-10));
  store.write("/a/A", 0, bytes("later"));
  assert.equal(store.nth("/a", 2), "A", "a list that was sorted is sorted anew");
});

test("values grow at their end, in pieces of 2048 bytes", () => {
  const store = new Store(), piece = Buffer.alloc(2048, 7);
  for (let at = 0; at < 5 * 2048; at += 2048) store.write("/v", at, piece);
  assert.equal(store.size("/v"), 10240);
  store.write("/v", 4090, bytes("over a border"));
  assert.equal(Buffer.from(store.read("/v", 4089, 15)).toString(), "\x07over a border\x07");
  assert.deepEqual([store.read("/v", 10239, 2048).length, store.read("/v", 0, 0).length], [1, 0]);
  assert.throws(() => store.read("/v", 10240, 1), code(-4));
  assert.throws(() => store.read("/v", 0, 2049), code(-7));
  assert.throws(() => store.write("/v", 0, Buffer.alloc(2049)), code(-7));
  assert.throws(() => store.write("/v", 10241, bytes("x")), code(-4));
  assert.throws(() => store.read("/w", 0, 1), code(-3));
  assert.throws(() => store.size("/w"), code(-3));
  store.write("/empty", 0, bytes(""));
  assert.equal(store.size("/empty"), 0);
  assert.throws(() => store.read("/empty", 0, 1), code(-4));
});

test("a value that is created has zeros, and no memory for them", () => {
  const store = new Store(), size = 2 ** 31 - 1;
  store.create("/big", size);
  assert.equal(store.size("/big"), size);
  store.write("/big", size - 1, bytes("x"));
  assert.deepEqual([...store.read("/big", size - 3, 9)], [0, 0, 120]);
  assert.throws(() => store.write("/big", size, bytes("x")), code(-5));
  assert.throws(() => store.create("/big", 1), code(-13));
  assert.throws(() => store.create("/bigger", -1), code(-5));
  assert.equal(store.has("/bigger"), 0);
});

test("deleting takes what is below, or the value only; an empty key is gone", () => {
  const store = filled("/a", "/a/b", "/c/d/e");
  store.deleteValue("/a");
  assert.deepEqual([store.has("/a"), store.has("/a/b")], [2, 1]);
  store.deleteValue("/a/b");
  assert.equal(store.exists("/a"), false, "no value, no keys: not there");
  store.delete("/c/d");
  assert.equal(store.exists("/c"), false);
  store.delete("/never/was");
  store.deleteValue("/never/was");
  assert.deepEqual(all(store), []);
});

test("copies and moves take whole trees and put them in the place of others", () => {
  const store = filled("/a/x", "/a/y", "/b/z");
  store.copy("/a", "/b");
  assert.deepEqual(all(store), ["/a/x=at /a/x", "/a/y=at /a/y", "/b/x=at /a/x", "/b/y=at /a/y"]);
  store.write("/b/x", 0, bytes("AT"));
  store.write("/a/y", 0, bytes("TO"));
  store.delete("/b/y");
  assert.deepEqual(all(store), ["/a/x=at /a/x", "/a/y=TO /a/y", "/b/x=AT /a/x"], "neither sees what is done to the other");
  store.move("/a", "/c/d");
  assert.deepEqual(all(store), ["/b/x=AT /a/x", "/c/d/x=at /a/x", "/c/d/y=TO /a/y"]);
  store.copy("/c", "/c/d/again");
  store.move("/c/d", "/c/d/inside");
  assert.deepEqual([...store.entries()].map(([key]) => key),
    ["/b/x", "/c/d/inside/again/d/x", "/c/d/inside/again/d/y", "/c/d/inside/x", "/c/d/inside/y"]);
  store.copy("", "/all");
  assert.equal(store.has("/all/all"), 0, "the root as it was before");
  assert.equal(store.has("/all/b/x"), 1);
  for (const change of ["copy", "move"]) assert.throws(() => store[change]("/nothing", "/b"), code(-10));
  assert.equal(store.has("/b/x"), 1, "what fails changes nothing");
});

test("copies of copies cost nothing, and cannot fill the memory", () => {
  const store = filled("/a/x");
  for (let i = 0; i < 200; i++) {
    store.copy("/a", "/b/l");
    store.copy("/a", "/b/r");
    store.move("/b", "/a"); // a tree of 2^200 leaves
  }
  assert.equal(store.hash("/a/l").equals(store.hash("/a/r")), true);
  store.write("/a/l/l/r/y", 0, bytes("one of them"));
  assert.equal(store.hash("/a/l").equals(store.hash("/a/r")), false);
});

test("the hash tells trees apart by what is in them", () => {
  const one = filled("/a/x", "/a/y"), other = filled("/b", "/a/y", "/a/x");
  assert.deepEqual(one.hash("/a"), other.hash("/a"));
  other.write("/a/y", 0, bytes("A"));
  assert.notDeepEqual(one.hash("/a"), other.hash("/a"));
  assert.throws(() => one.hash("/b"), code(-10));
  const split = filled("/s/ab"), joined = filled("/s/a", "/s/b");
  assert.notDeepEqual(split.hash("/s"), joined.hash("/s"));
});

test("a random history leaves what a plain map of keys holds", () => {
  const store = new Store(), map = new Map();
  let seed = 1;
  const random = n => (seed = seed * 48271 % 2147483647) % n;
  const key = () => Array.from({ length: 1 + random(3) }, () => `/${"abc"[random(3)]}`).join("");
  const under = (k, top) => k === top || k.startsWith(`${top}/`);
  for (let i = 0; i < 5000; i++) {
    const k = key(), to = key(), below = [...map].filter(([each]) => under(each, k));
    const take = top => [...map.keys()].filter(each => under(each, top)).forEach(each => map.delete(each));
    switch (random(5)) {
    case 0: case 1:
      store.deleteValue(k);
      store.write(k, 0, bytes(`${i}`));
      map.set(k, `${i}`);
      break;
    case 2: store.delete(k); take(k); break;
    case 3: store.deleteValue(k); map.delete(k); break;
    case 4: {
      const change = random(2) ? "copy" : "move";
      if (!below.length) {
        assert.throws(() => store[change](k, to), code(-10));
        break;
      }
      store[change](k, to);
      if (change === "move") take(k);
      take(to);
      below.forEach(([each, value]) => map.set(to + each.slice(k.length), value));
    }
    }
    assert.equal(store.has(k) & 1, map.has(k) ? 1 : 0);
  }
  assert.deepEqual(all(store).sort(), [...map].map(([k, v]) => `${k}=${v}`).sort());
});
