// shown.mjs - what toll run --kernel --show prints at the end of a level, as JSON: the inbox, the outbox, the store or a
// key of it. Bytes are hex.
import { parseKey } from "./store.mjs";

const MOST = 2048; // bytes of a value, in the whole store: the kernel itself is there, too

const hex = bytes => `0x${Buffer.from(bytes).toString("hex")}`;

const messages = { inbox: kernel => kernel.inbox, outbox: kernel => kernel.outputs.filter(({ level }) => level === kernel.level).map(o => o.bytes) };

/** Check that `what` can be shown. */
export function checkShown(what) {
  if (Object.hasOwn(messages, what) || what === "store") return;
  if (!what.startsWith("/")) throw new Error(`${JSON.stringify(what)} is not inbox, outbox, store or a key such as /a/b`);
  parseKey(what);
}

function storeOf({ store }) {
  const all = [...store.entries()].map(([key, bytes]) => [key, bytes.length > MOST ? { size: bytes.length } : hex(bytes)]);
  return { store: Object.fromEntries(all) };
}

/** A key: its value (null: it has none), and the names of the keys below it. */
function keyOf({ store }, key) {
  const value = store.get(key), count = store.count(key);
  const names = Array.from({ length: count }, (_, i) => store.nth(key, i)).filter(name => name);
  return { key, value: value && hex(value), below: names };
}

/** What there is at the end of the kernel's current level. */
export function shown(kernel, what) {
  if (Object.hasOwn(messages, what)) return { [what]: messages[what](kernel).map(hex) };
  return what === "store" ? storeOf(kernel) : keyOf(kernel, what);
}
