// inbox.mjs LIB - the forms of inbox files, and the messages about wrong ones.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
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

const ZERO = "00".repeat(20), KT1 = "KT18amZmM5W7qDWVt2pH6uj7sCEd3kbzLrHT", TZ1 = "tz1Ke2h7sDdakHJQh8WX4Z372du1KChsksyU";
const SR1 = "sr163Lv22CdE8QagCwf48PWDTquk6isQwv57"; // the zero addresses, as Octez prints them

test("transfers are as contracts send them: a payload in Micheline, sender, source and destination", () => {
  const message = rest => hex(parseInbox(JSON.stringify([[{ payload: "Pair 1 \"a\"", ...rest }]]), "in.json", new Uint8Array(20).fill(9)))[0][0];
  const payload = "0000" + "0707" + "0001" + "010000000161", mine = "09".repeat(20);
  assert.equal(message({}), `${payload}${ZERO}00${ZERO}${mine}`, "Octez' defaults, and the rollup's own address");
  assert.equal(message({ sender: KT1, source: TZ1, destination: SR1 }), `${payload}${ZERO}00${ZERO}${ZERO}`);
  assert.deepEqual(hex(parseInbox('[[{ "payload": "42", "sender": "' + KT1 + '" }]]')), [[`0000002a${ZERO}00${ZERO}${ZERO}`]], "a number, not a byte");
});

test("addresses of each kind", () => {
  const letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", sha256 = bytes => createHash("sha256").update(bytes).digest();
  const encode = (prefix, bytes) => {
    const body = Buffer.from([...prefix, ...bytes]), all = Buffer.concat([body, sha256(sha256(body)).subarray(0, 4)]);
    let text = "";
    for (let value = BigInt(`0x${all.toString("hex")}`); value; value /= 58n) text = letters[Number(value % 58n)] + text;
    return text;
  };
  const bytes = Array.from({ length: 20 }, (_, i) => (7 * i + 250) % 256), own = Buffer.from(bytes).toString("hex");
  const tail = fields => hex(parseInbox(JSON.stringify([[{ payload: "0", ...fields }]])))[0][0].slice(-122);
  for (const [field, name, prefix, wanted] of [
    ["sender", "KT1", [2, 90, 121], `${own}00${ZERO}${ZERO}`], ["destination", "sr1", [6, 124, 117], `${ZERO}00${ZERO}${own}`],
    ["source", "tz1", [6, 161, 159], `${ZERO}00${own}${ZERO}`], ["source", "tz2", [6, 161, 161], `${ZERO}01${own}${ZERO}`],
    ["source", "tz3", [6, 161, 164], `${ZERO}02${own}${ZERO}`], ["source", "tz4", [6, 161, 166], `${ZERO}03${own}${ZERO}`],
  ]) {
    const address = encode(prefix, bytes);
    assert.equal(address.slice(0, 3), name);
    assert.equal(tail({ [field]: address }), wanted, name);
    for (const wrong of [address.slice(0, -1), `${address}1`, address.replace(/.$/, last => (last === "a" ? "b" : "a"))]) assert.throws(() => tail({ [field]: wrong }), /its checksum is wrong/);
  }
});

test("Michelson values", () => {
  // By the rules of Micheline's binary form: a tag, the number of the primitive, lengths of 4 bytes.
  const values = {
    Unit: "030b", "Pair 1 2": "070700010002", "Pair 1 2 3": "09070000000600010002000300000000", "(Pair (Some -64) { Elt 1 True })": "0707" +
      "050900c001" + "0200000006" + "07040001030a", "-1": "0041", 63: "003f", 128: "008002", '"h\\"i\\n"': "010000000468226" + "90a", "0xCAFE": "0a00000002cafe",
    "{}": "0200000000", "{ 1 ; 2; } # end": "020000000400010002", "Pair %a /* ; */ 1 (Left Unit)": "080700010505030b000000022561", "Ticket ": "039d", SUB_MUTEZ: "0393",
  };
  for (const [text, bytes] of Object.entries(values))
    assert.equal(hex(parseInbox(`[[{"payload": ${JSON.stringify(text)}, "sender": "${KT1}"}]]`))[0][0].slice(4, -122), bytes, text);
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
    ['[[{"payload": "0", "sender": "KT1"}]]', /message 0: "sender" "KT1" is not a contract's address \(KT1\): its checksum is wrong/],
    [`[[{"payload": "0", "source": "${KT1}"}]]`, /"source" .* is not an account's address \(tz1, tz2, tz3, tz4\)/],
    [`[[{"payload": "0", "destination": "${SR1.slice(0, -1)}8"}]]`, /"destination" .* is not a smart rollup's address \(sr1\): its checksum/],
    [`[[{"payload": "Pear 1", "sender": "${KT1}"}]]`, /"payload" is not a Michelson value: there is no primitive Pear/],
    [`[[{"payload": "Pair 1 ${"9".repeat(20_000)}"}]]`, /is not a Michelson value: a number has 20000 digits/],
    ['[[{"payload": "Pair 1 (2"}]]', /is not a Michelson value: the end in the place of \)/],
    ['[[{"payload": "{ 1 2 }"}]]', /is not a Michelson value: 2 in the place of ;/],
    [`[[{"payload": ${JSON.stringify("(".repeat(5000))}}]]`, /deeper than 1000/],
    ['[[{"sender": "KT1"}]]', /has "sender" in it; give/],
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
