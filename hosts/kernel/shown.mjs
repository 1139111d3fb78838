// shown.mjs - what toll run --kernel --show prints at the end of a level, as JSON: the inbox, the outbox, the store or a
// key of it. Bytes are hex, or what `key KEY as KIND` says.
import { parseKey } from "./store.mjs";

const MOST = 2048; // bytes of a value, in the whole store: the kernel itself is there, too

const hex = bytes => `0x${Buffer.from(bytes).toString("hex")}`;

const messages = { inbox: kernel => kernel.inbox, outbox: kernel => kernel.outputs.filter(({ level }) => level === kernel.level).map(o => o.bytes) };

// The kinds of values, as in Octez' debugger: each name of a number, and its bytes. All numbers are unsigned, and begin
// with the lowest byte.
const SIZES = { u16: 2, uint16: 2, i32: 4, int32: 4, i64: 8, int64: 8, u128: 16, uint128: 16, u256: 32, uint256: 32 };
const KINDS = ["hex", "string", ...Object.keys(SIZES)];

/** A number in decimal; JSON has no numbers that large. */
function numberOf(bytes, kind) {
  if (bytes.length !== SIZES[kind]) throw new Error(`${kind} has ${SIZES[kind]} bytes, and the value has ${bytes.length}`);
  return BigInt(hex(Uint8Array.from(bytes).reverse())).toString();
}

function textOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error("the value is not UTF-8");
  }
}

/** The value's bytes as that kind: { value }, or { value: null, error } if it is not of that kind. */
function valueAs(bytes, kind) {
  try {
    return { value: kind === "hex" ? hex(bytes) : kind === "string" ? textOf(bytes) : numberOf(bytes, kind) };
  } catch (error) {
    return { value: null, error: error.message };
  }
}

/** The parts of `/a/b`, `key /a/b` and `key /a/b as KIND`: [key, kind]. */
function partsOf(what) {
  const [, key, kind] = /^key\s+(\S+)(?:\s+as\s+(\S+))?$/.exec(what) ?? [undefined, what];
  return [key, kind];
}

/** Check that `what` can be shown. */
export function checkShown(what) {
  if (Object.hasOwn(messages, what) || what === "store") return;
  const [key, kind] = partsOf(what);
  if (!key.startsWith("/")) throw new Error(`${JSON.stringify(what)} is not inbox, outbox, store or a key such as /a/b, or "key /a/b as KIND"`);
  parseKey(key);
  if (kind !== undefined && !KINDS.includes(kind)) throw new Error(`no kind of value is called ${JSON.stringify(kind)}; there are ${KINDS.join(", ")}`);
}

function storeOf({ store }) {
  const all = [...store.entries()].map(([key, bytes]) => [key, bytes.length > MOST ? { size: bytes.length } : hex(bytes)]);
  return { store: Object.fromEntries(all) };
}

/** A key: its value (null: it has none), and the names of the keys below it. */
function keyOf({ store }, key, kind) {
  const bytes = store.get(key), count = store.count(key);
  const names = Array.from({ length: count }, (_, i) => store.nth(key, i)).filter(name => name);
  return { key, ...(kind && { as: kind }), ...(bytes ? valueAs(bytes, kind ?? "hex") : { value: null }), below: names };
}

/** What there is at the end of the kernel's current level. */
export function shown(kernel, what) {
  if (Object.hasOwn(messages, what)) return { [what]: messages[what](kernel).map(hex) };
  return what === "store" ? storeOf(kernel) : keyOf(kernel, ...partsOf(what));
}
