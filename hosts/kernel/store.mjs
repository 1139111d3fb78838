// store.mjs - a kernel's durable store: a tree of keys ("/a/b"), each of which may have a value.
//
// A wrong operation throws a StoreError with the PVM's error number. Copying a tree takes constant time, because copies
// share their nodes until one of them is written to.
import { contentsHash, nodeHash, numberBytes } from "./context_hash.mjs";

export const KEY_TOO_LARGE = -1, INVALID_KEY = -2, NOT_A_VALUE = -3, INVALID_ACCESS = -4, VALUE_TOO_LARGE = -5,
  TOO_LARGE = -7, READONLY = -9, NOT_A_NODE = -10, INVALID_SUBKEY = -12, VALUE_EXISTS = -13;
export const MAX_KEY = 240; // the PVM's 250 without "/durable" and the two bytes that mark a value
export const MAX_IO = 2048; // bytes of a value that are read or written at once
const MAX_VALUE = 2 ** 31 - 1;
const VALUE = "@"; // a node's value counts as a child of this name, and is sorted and listed as one

export class StoreError extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

const refuse = (code, text) => {
  throw new StoreError(code, text);
};

/** The steps of a key; none for the root. */
export function parseKey(text) {
  if (text.length > MAX_KEY) refuse(KEY_TOO_LARGE, `a key of ${text.length} bytes; ${MAX_KEY} are allowed`);
  if (text !== "" && !/^(\/[A-Za-z0-9._-]+)+$/.test(text)) refuse(INVALID_KEY, `${JSON.stringify(text)} is not a key`);
  return text.split("/").slice(1);
}

const CHUNK = 512; // as in the PVM, whose hashes are made of the hashes of chunks

/** A value: bytes in chunks. A chunk that was never written is all zeros, needs no memory, and is in no hash. */
class Value {
  size = 0;
  chunks = new Map();
  version = 0; // how often it was written
  shared = false;

  read(offset, size) {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; ) {
      const from = (offset + at) % CHUNK, count = Math.min(CHUNK - from, size - at);
      const chunk = this.chunks.get(Math.floor((offset + at) / CHUNK));
      if (chunk) bytes.set(chunk.subarray(from, from + count), at);
      at += count;
    }
    return bytes;
  }

  write(offset, bytes) {
    for (let at = 0; at < bytes.length; ) {
      const index = Math.floor((offset + at) / CHUNK), from = (offset + at) % CHUNK;
      if (!this.chunks.has(index)) this.chunks.set(index, new Uint8Array(CHUNK));
      const piece = bytes.subarray(at, at + CHUNK - from);
      this.chunks.get(index).set(piece, from);
      at += piece.length;
    }
    this.size = Math.max(this.size, offset + bytes.length);
    this.version++;
  }

  copy() {
    const copy = new Value();
    copy.size = this.size;
    for (const [index, chunk] of this.chunks) copy.chunks.set(index, chunk.slice());
    return copy;
  }

  /** The hash of the value as a node: its chunks, always whole, by their numbers, and its size. */
  hash() {
    if (this.hashOfVersion !== this.version) {
      const names = [...this.chunks.keys()].map(String).sort();
      const chunks = names.map(name => ({ name, isContents: true, hash: contentsHash(this.chunks.get(Number(name))) }));
      const contents = chunks.length ? [{ name: "contents", hash: nodeHash(chunks) }] : [];
      this.hashed = nodeHash([...contents, { name: "length", isContents: true, hash: contentsHash(numberBytes(this.size)) }]);
      this.hashOfVersion = this.version;
    }
    return this.hashed;
  }
}

/** A node. Invariant: once it is `shared`, it and all nodes below it never change. A write makes a copy first. */
class Node {
  value = null;
  children = new Map();
  shared = false;
  names = null; // of the children, sorted; null: they must be sorted again
  hash = null;

  get count() {
    return this.children.size + (this.value ? 1 : 0);
  }

  copy() {
    const copy = new Node();
    copy.value = this.value;
    if (copy.value) copy.value.shared = true;
    for (const [name, child] of this.children) {
      child.shared = true;
      copy.children.set(name, child);
    }
    return copy;
  }

  changed() {
    this.names = this.hash = null;
    return this;
  }

  sorted() {
    this.names ??= [...this.children.keys(), ...(this.value ? [VALUE] : [])].sort();
    return this.names;
  }
}

export class Store {
  root = new Node();

  find(key) {
    let node = this.root;
    for (const step of parseKey(key)) if (!(node = node.children.get(step))) return null;
    return node;
  }

  /** The node at `steps`, ready to be written to. If there is none: a new one if `make`, else null. */
  writable(steps, make) {
    let node = this.root;
    const path = [node];
    for (const step of steps) {
      let child = node.children.get(step);
      if (!child && !make) return null;
      if (!child) child = new Node();
      else if (child.shared) child = child.copy();
      node.children.set(step, child);
      path.push(node = child);
    }
    path.forEach(each => each.changed());
    return node;
  }

  /** The steps of a key; throws if it may not be written to. The host passes `force`, and may write everywhere. */
  writableKey(key, force) {
    const steps = parseKey(key);
    if (!force && (!steps.length || steps[0] === "readonly")) refuse(READONLY, `${key || "the root"} is read-only`);
    return steps;
  }

  value(key) {
    return this.find(key)?.value ?? null;
  }

  exists(key) {
    const node = this.find(key);
    return Boolean(node && (node.count || !key));
  }

  /** What a key has. 0: nothing, 1: a value, 2: keys below it, 3: both. */
  has(key) {
    const node = this.find(key);
    return node ? (node.value ? 1 : 0) + (node.children.size ? 2 : 0) : 0;
  }

  count(key) {
    return this.find(key)?.count ?? 0;
  }

  /** The name of the nth key below `key`; "" for the key's own value. */
  nth(key, index) {
    const name = (this.find(key) ?? refuse(NOT_A_NODE, `there is nothing at ${key}`)).sorted()[index];
    if (name === undefined) refuse(INVALID_SUBKEY, `there is no key ${index} below ${key}`);
    return name === VALUE ? "" : name;
  }

  size(key) {
    return (this.value(key) ?? refuse(NOT_A_VALUE, `there is no value at ${key}`)).size;
  }

  read(key, offset, most) {
    parseKey(key);
    if (most > MAX_IO) refuse(TOO_LARGE, `${most} bytes to read; ${MAX_IO} are allowed`);
    const value = this.value(key) ?? refuse(NOT_A_VALUE, `there is no value at ${key}`);
    if (offset < 0 || offset >= value.size) refuse(INVALID_ACCESS, `byte ${offset} of ${value.size} at ${key}`);
    return value.read(offset, Math.min(most, value.size - offset));
  }

  /** The whole value of a key; null if there is none. */
  get(key) {
    const value = this.value(key);
    return value && value.read(0, value.size);
  }

  write(key, offset, bytes, force = false) {
    const steps = this.writableKey(key, force), size = this.value(key)?.size ?? 0;
    if (!force && bytes.length > MAX_IO) refuse(TOO_LARGE, `${bytes.length} bytes to write; ${MAX_IO} are allowed`);
    if (offset < 0 || offset > size) refuse(INVALID_ACCESS, `byte ${offset} of ${size} at ${key}`);
    if (offset + bytes.length > MAX_VALUE) refuse(VALUE_TOO_LARGE, `${key} would have ${offset + bytes.length} bytes`);
    const node = this.writable(steps, true);
    if (node.value?.shared) node.value = node.value.copy();
    node.value ??= new Value();
    node.value.write(offset, bytes);
  }

  /** Set the value to these bytes. Only for the host, since it may write to read-only keys. */
  set(key, bytes) {
    this.writable(parseKey(key), true).value = null;
    this.write(key, 0, bytes, true);
  }

  create(key, size) {
    if (size < 0) refuse(VALUE_TOO_LARGE, `a value of ${size >>> 0} bytes`);
    const steps = this.writableKey(key, false);
    if (this.value(key)) refuse(VALUE_EXISTS, `there is a value at ${key}`);
    const value = new Value();
    value.size = size;
    this.writable(steps, true).value = value;
  }

  /** Delete a key and all keys below it. Deleting a key that does not exist is not an error. */
  delete(key, force = false) {
    const steps = this.writableKey(key, force);
    if (!this.find(key)) return;
    this.writable(steps.slice(0, -1), false).children.delete(steps.at(-1));
    this.prune(steps.slice(0, -1));
  }

  deleteValue(key) {
    const steps = this.writableKey(key, false);
    if (!this.value(key)) return;
    this.writable(steps, false).value = null;
    this.prune(steps);
  }

  /** Remove nodes that have neither a value nor children. */
  prune(steps) {
    for (let depth = steps.length; depth; depth--) {
      const above = this.writable(steps.slice(0, depth - 1), false);
      if (above.children.get(steps[depth - 1]).count) return;
      above.children.delete(steps[depth - 1]);
    }
  }

  copy(from, to, force = false) {
    parseKey(from);
    const steps = this.writableKey(to, force);
    this.put(steps, this.find(from) ?? refuse(NOT_A_NODE, `there is nothing at ${from}`));
  }

  move(from, to) {
    parseKey(to);
    this.writableKey(from, false);
    const steps = this.writableKey(to, false);
    const node = this.find(from) ?? refuse(NOT_A_NODE, `there is nothing at ${from}`);
    this.delete(from);
    this.put(steps, node);
  }

  put(steps, node) {
    // The root itself cannot be shared, since this.root is written to in place; so a copy of it is shared.
    if (node === this.root) node = node.copy();
    node.shared = true;
    this.writable(steps.slice(0, -1), true).children.set(steps.at(-1), node);
  }

  /** The PVM's hash of a key: 32 bytes. */
  hash(key) {
    return hashOf(this.find(key) ?? refuse(NOT_A_NODE, `there is nothing at ${key}`));
  }

  /** All values, in order: [key, bytes]. */
  * entries(node = this.root, key = "") {
    for (const name of node.sorted()) {
      if (name === VALUE) yield [key, node.value.read(0, node.value.size)];
      else yield* this.entries(node.children.get(name), `${key}/${name}`);
    }
  }
}

function hashOf(node) {
  const entry = name => ({ name, hash: name === VALUE ? node.value.hash() : hashOf(node.children.get(name)) });
  return node.hash ??= nodeHash(node.sorted().map(entry));
}
