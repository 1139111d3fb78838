// wasi_memory.mjs - the guest's memory for WASI's functions. No address or size is trusted: each is checked before it
// is used, and one outside of the memory is EFAULT. When the memory grows, its old bytes are detached and have length 0
// (or, if it is shared, are too few). So after a failed check the memory is read again, and the check repeated.
import { ERROR } from "./wasi_numbers.mjs";

const MOST_VECTORS = 1024; // as in Linux
const MOST_JOINED = 65536; // so many bytes of several vectors are copied to or from one piece, which is faster

export class GuestMemory {
  constructor() {
    this.bytes = new Uint8Array(0);
    this.view = new DataView(this.bytes.buffer);
    this.joined = undefined;
  }

  /** Set the memory. Until then every call that needs it throws an error, which the guest does not get as a number. */
  use(memory) {
    this.memory = memory;
    this.refresh();
  }

  refresh() {
    if (!this.memory) throw new Error("the module calls WASI before it has started, or exports no memory");
    const { buffer } = this.memory;
    this.bytes = new Uint8Array(buffer);
    this.view = new DataView(buffer);
  }

  /** An address as an unsigned number, after checking that `size` bytes (also unsigned) are there. */
  at(address, size) {
    address >>>= 0;
    if (address + size > this.bytes.length) this.look(address, size);
    return address;
  }

  look(address, size) {
    this.refresh();
    if (address + size > this.bytes.length) throw ERROR.EFAULT;
  }

  setU32(address, value) {
    address = this.at(address, 4);
    this.view.setUint32(address, value, true);
  }

  /** value: a BigInt. */
  setU64(address, value) {
    address = this.at(address, 8);
    this.view.setBigUint64(address, value, true);
  }

  /** A whole number below 2^53. */
  setNumber(address, value) {
    address = this.at(address, 8);
    this.view.setUint32(address, value % 4294967296, true);
    this.view.setUint32(address + 4, value / 4294967296, true);
  }

  set(address, bytes) {
    address = this.at(address, bytes.length);
    this.bytes.set(bytes, address);
  }

  /** A path or the target of a link: UTF-8 without NUL, of at most 4096 bytes. */
  text(address, size) {
    size >>>= 0;
    if (size > 4096) throw ERROR.ENAMETOOLONG;
    address = this.at(address, size);
    const bytes = Buffer.from(this.memory.buffer, address, size), text = bytes.toString();
    if (text.includes("\0")) throw ERROR.EILSEQ;
    if (text.includes("\ufffd")) checkUtf8(bytes);
    return text;
  }

  /** The pieces of memory that `count` vectors describe, as [address, size, ...] without empty ones. All are checked.
   */
  vectors(list, count) {
    count = Math.min(count >>> 0, MOST_VECTORS);
    list = this.at(list, 8 * count);
    const pieces = [];
    for (let end = list + 8 * count; list < end; list += 8) {
      const size = this.view.getUint32(list + 4, true);
      if (size) pieces.push(this.at(this.view.getUint32(list, true), size), size);
    }
    return pieces;
  }

  /** Call read(bytes, at, size), which returns how many bytes it has read, for all pieces at once. Returns the sum. */
  scatter(pieces, read, readPieces) {
    if (pieces.length === 0) return 0;
    if (pieces.length === 2) return read(this.bytes, pieces[0], pieces[1]);
    const size = sizeOf(pieces);
    if (size > MOST_JOINED) return readPieces(this.views(pieces));
    const joined = (this.joined ??= new Uint8Array(MOST_JOINED)), done = read(joined, 0, size);
    for (let i = 0, from = 0; from < done; i += 2) {
      const part = Math.min(pieces[i + 1], done - from);
      this.bytes.set(joined.subarray(from, from + part), pieces[i]);
      from += part;
    }
    return done;
  }

  /** Call write(bytes, at, size), which returns how many bytes it has written, for all pieces at once. Returns the sum. */
  gather(pieces, write, writePieces) {
    if (pieces.length === 0) return 0;
    if (pieces.length === 2) return write(this.bytes, pieces[0], pieces[1]);
    const size = sizeOf(pieces);
    if (size > MOST_JOINED) return writePieces(this.views(pieces));
    const joined = (this.joined ??= new Uint8Array(MOST_JOINED));
    for (let i = 0, to = 0; i < pieces.length; to += pieces[i + 1], i += 2)
      joined.set(this.bytes.subarray(pieces[i], pieces[i] + pieces[i + 1]), to);
    return write(joined, 0, size);
  }

  views(pieces) {
    const views = [];
    for (let i = 0; i < pieces.length; i += 2) views.push(this.bytes.subarray(pieces[i], pieces[i] + pieces[i + 1]));
    return views;
  }
}

function sizeOf(pieces) {
  let size = 0;
  for (let i = 1; i < pieces.length; i += 2) size += pieces[i];
  return size;
}

function checkUtf8(bytes) {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes)); // a copy: shared memory is not decoded
  } catch {
    throw ERROR.EILSEQ;
  }
}
