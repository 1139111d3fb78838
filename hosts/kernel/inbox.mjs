// inbox.mjs - reads the inbox file of toll run --kernel (--inbox): levels of messages.
//
//     [ [ "01cafe", { "external": "cafe" } ],      level 0
//       [ ] ]                                      level 1
//
// A message is hex, with or without 0x. A string, "payload" and "serialized" contain all bytes that the kernel reads.
// "external" contains what a user has sent; the kernel reads a byte 01 before it. A transfer of a contract has a
// Michelson value as its "payload", and may have "sender", "source" and "destination", which are addresses.
import { ACCOUNT, CONTRACT, parseAddress, ROLLUP, ZERO } from "./address.mjs";
import { michelsonBytes } from "./michelson.mjs";

const MAX_MESSAGE = 4096;
const INTERNAL = 0, TRANSFER = 0;
const FORMS = { payload: [], serialized: [], external: [1] }; // form -> the bytes to put before the message
const HOW = 'give hex, or {"external": HEX}, {"serialized": HEX}, {"payload": HEX} or {"payload": MICHELSON, "sender": "KT1..."}';
const PARTIES = { sender: CONTRACT, source: ACCOUNT, destination: ROLLUP }; // of a transfer

export class InboxError extends Error {}

const fail = (where, text) => {
  throw new InboxError(`${where}: ${text}`);
};

function fromHex(text, where) {
  const digits = text.replace(/^0x/i, "");
  const wrong = digits.search(/[^0-9A-Fa-f]/);
  if (wrong >= 0) fail(where, `${JSON.stringify(digits[wrong])} is no hex digit; ${HOW}`);
  if (digits.length % 2) fail(where, `${digits.length} hex digits make no whole bytes; one is missing`);
  return Uint8Array.from(digits.match(/../g) ?? [], pair => parseInt(pair, 16));
}

function form(message, where) {
  if (typeof message === "string") return { payload: message };
  if (message === null || typeof message !== "object" || Array.isArray(message)) fail(where, `is no message; ${HOW}`);
  return message;
}

const isTransfer = ({ payload, ...rest }) => typeof payload === "string" &&
  (Object.keys(rest).length ? Object.keys(rest).every(name => Object.hasOwn(PARTIES, name)) : !/^(0x)?[0-9A-Fa-f]*$/i.test(payload));

/** The bytes of a transfer to the rollup. */
function transferBytes(message, rollup, where) {
  const parse = (what, work) => {
    try {
      return work();
    } catch (error) {
      return fail(where, `"${what}" ${error.message}`);
    }
  };
  const party = name => {
    if (message[name] === undefined) return { bytes: name === "destination" ? rollup : ZERO, tag: 0 };
    return parse(name, () => parseAddress(String(message[name]), PARTIES[name]));
  };
  const payload = parse("payload", () => michelsonBytes(message.payload)), source = party("source");
  return Uint8Array.of(INTERNAL, TRANSFER, ...payload, ...party("sender").bytes, source.tag, ...source.bytes, ...party("destination").bytes);
}

/** The bytes of a message in one of the forms of hex. */
function hexBytes(message, where) {
  const names = Object.keys(message);
  if (names.length !== 1 || !Object.hasOwn(FORMS, names[0]))
    fail(where, `has ${names.length ? names.map(name => `"${name}"`).join(", ") : "nothing"} in it; ${HOW}`);
  if (typeof message[names[0]] !== "string") fail(where, `"${names[0]}" is no text; ${HOW}`);
  return Uint8Array.of(...FORMS[names[0]], ...fromHex(message[names[0]], where));
}

function parseMessage(given, rollup, where) {
  const message = form(given, where), isPut = given === message && isTransfer(message);
  const bytes = isPut ? transferBytes(message, rollup, where) : hexBytes(message, where);
  if (!bytes.length) fail(where, "is empty; a message has a byte at least, which tells its kind");
  if (bytes.length > MAX_MESSAGE)
    fail(where, `has ${bytes.length} bytes, of ${MAX_MESSAGE} a message may have; make several of it`);
  return bytes;
}

/** Parse an inbox file. Returns levels, each an array of messages as a kernel reads them. `rollup`: the address to which
 *  transfers go, of 20 bytes.
 */
export function parseInbox(text, name = "inbox", rollup = ZERO) {
  let levels;
  try {
    levels = JSON.parse(text);
  } catch (error) {
    fail(name, `is no JSON: ${error.message}`);
  }
  if (!Array.isArray(levels)) fail(name, "is no array of levels; write [[MESSAGE, ...], ...]");
  return levels.map((level, i) => {
    if (!Array.isArray(level)) fail(`${name}: level ${i}`, "is no array of messages; write [MESSAGE, ...]");
    return level.map((message, j) => parseMessage(message, rollup, `${name}: level ${i}, message ${j}`));
  });
}

const START_OF_LEVEL = 1, END_OF_LEVEL = 2, INFO_PER_LEVEL = 3;
const SECONDS_A_LEVEL = 15n;

/** The message with the time (seconds, 8 bytes, big-endian) and the hash (32 bytes) of the previous block. The
 *  values are fixed, since the same run must give the same profile.
 */
function levelInfo(level) {
  const bytes = new Uint8Array(2 + 8 + 32), view = new DataView(bytes.buffer);
  bytes.set([INTERNAL, INFO_PER_LEVEL]);
  view.setBigInt64(2, BigInt(level) * SECONDS_A_LEVEL);
  view.setUint32(bytes.length - 4, level);
  return bytes;
}

/** The inbox of a level, with the messages that the protocol adds if they are missing. */
export function wholeLevel(messages, level) {
  if (messages[0]?.length === 2 && messages[0][0] === INTERNAL && messages[0][1] === START_OF_LEVEL) return messages;
  return [Uint8Array.of(INTERNAL, START_OF_LEVEL), levelInfo(level), ...messages, Uint8Array.of(INTERNAL, END_OF_LEVEL)];
}
