// inbox.mjs LIB - the forms of inbox files, and the messages about wrong ones.
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const { parseInbox, wholeLevel } = await import(pathToFileURL(path.join(process.argv[2], "kernel", "inbox.mjs")));
const hex = levels => levels.map(level => level.map(bytes => Buffer.from(bytes).toString("hex")));

test("every form of a message", () => {
  const file = [["01cafe", "0x01CAFE", { payload: "0001" }, { serialized: "0x00" }, { external: "" }, { external: "0xbe" }], []];
  assert.deepEqual(hex(parseInbox(JSON.stringify(file))), [["01cafe", "01cafe", "0001", "00", "01", "01be"], []]);
  assert.deepEqual(parseInbox("[]"), []);
  assert.equal(parseInbox(`[["${"ab".repeat(4096)}"]]`)[0][0].length, 4096);
});

test("what is wrong is told with its place", () => {
  const wrong = [
    ["[[", /^in.json: is no JSON: /],
    ["{}", /^in.json: is no array of levels; write/],
    ['[[], "01"]', /^in.json: level 1: is no array of messages; write/],
    ['[["01", "0g"]]', /^in.json: level 0, message 1: "g" is no hex digit; give hex/],
    ['[["01 02"]]', /message 0: " " is no hex digit/],
    ['[["012"]]', /3 hex digits make no whole bytes/],
    ['[["0x"]]', /is empty; a message has a byte/],
    ["[[7]]", /is no message; give hex/],
    ["[[null]]", /is no message/],
    ["[[[]]]", /is no message/],
    ["[[{}]]", /has nothing in it; give/],
    ['[[{"payload": 7}]]', /"payload" is no text/],
    ['[[{"extrenal": "00"}]]', /has "extrenal" in it; give/],
    ['[[{"external": "00", "payload": "00"}]]', /has "external", "payload" in it/],
    ['[[{"payload": "0", "sender": "KT1"}]]', /messages of contracts \("sender"\) are not put together here; .*serialized/],
    [`[["${"00".repeat(4097)}"]]`, /has 4097 bytes, of 4096/],
    [`[[{"external": "${"00".repeat(4096)}"}]]`, /has 4097 bytes/],
    ['[[{"toString": "00"}]]', /has "toString" in it/],
  ];
  for (const [text, message] of wrong)
    assert.throws(() => parseInbox(text, "in.json"), error => message.test(error.message), `${text} is told as ${message}`);
});

test("the protocol's own messages stand around a level's, but once", () => {
  const [level] = hex([wholeLevel([Uint8Array.of(1, 2)], 3)]);
  assert.deepEqual([level.length, level[0], level[2], level[3]], [4, "0001", "0102", "0002"]);
  assert.match(level[1], /^0003000000000000002d(00){28}00000003$/);
  const own = [Uint8Array.of(0, 1), Uint8Array.of(1)];
  assert.equal(wholeLevel(own, 0), own);
  assert.equal(wholeLevel([], 0).length, 3);
});
