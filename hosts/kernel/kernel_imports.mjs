// kernel_imports.mjs - the functions of smart_rollup_core, which a smart rollup's kernel imports.
//
// A wrong call returns the PVM's error number. Addresses and sizes are unsigned. Every range is checked against the
// kernel's memory before anything changes.
import { INVALID_ACCESS, KEY_TOO_LARGE, MAX_KEY, StoreError, TOO_LARGE, VALUE_TOO_LARGE } from "./store.mjs";

const INVALID_MEMORY = -6, FULL_OUTBOX = -11;
const MAX_MESSAGE = 4096, MAX_OUTPUTS = 100; // of a level
// The first byte of a request to reveal. A page's is followed by a level (4 bytes), a slot (1) and a page (2).
const REVEAL_PREIMAGE = 0, REVEAL_METADATA = 1, REVEAL_PAGE = 2, PAGE_REQUEST = 8;

/** Only the user can supply what is missing. This ends the run, even if the kernel catches it. */
export class HostError extends Error {}

class Memory {
  constructor(get) {
    this.get = get;
  }

  bytes(at, size) {
    const memory = this.get();
    if (!memory)
      throw new HostError("the kernel calls its host without a memory; export the memory, and call nothing in the start function");
    const start = at >>> 0, count = size >>> 0;
    if (start + count > memory.buffer.byteLength)
      throw new StoreError(INVALID_MEMORY, `${count} bytes at ${start} are outside of the memory`);
    return new Uint8Array(memory.buffer, start, count);
  }

  key(at, size) {
    if (size >>> 0 > MAX_KEY) throw new StoreError(KEY_TOO_LARGE, `a key of ${size >>> 0} bytes`);
    return Buffer.from(this.bytes(at, size)).toString("latin1");
  }

  /** Write as many of `bytes` as there is room for. Returns their number. */
  put(at, room, bytes) {
    const piece = bytes.subarray(0, room >>> 0);
    this.bytes(at, piece.length).set(piece);
    return piece.length;
  }

  /** Check that `size` bytes can be written. As in the PVM, a message needs one byte more. */
  checkInput(at, size) {
    this.bytes(at, size + 1);
  }
}

const latin1 = bytes => Buffer.from(bytes).toString("latin1");

function inputs(kernel, memory) {
  return {
    read_input(info, to, most) {
      if (most < 0) throw new StoreError(INVALID_MEMORY, `room for ${most >>> 0} bytes`);
      memory.checkInput(info, 8);
      memory.checkInput(to, Math.min(most, MAX_MESSAGE));
      const message = kernel.nextMessage();
      if (!message) return 0;
      const size = memory.put(to, Math.min(most, MAX_MESSAGE), message.bytes), header = memory.bytes(info, 8);
      const view = new DataView(header.buffer, header.byteOffset);
      view.setInt32(0, message.level, true);
      view.setInt32(4, message.id, true);
      return size;
    },
    write_output(from, size) {
      if (size > MAX_MESSAGE) throw new StoreError(TOO_LARGE, `an output of ${size} bytes`);
      const bytes = memory.bytes(from, size).slice();
      if (kernel.outputsOfLevel >= MAX_OUTPUTS) throw new StoreError(FULL_OUTBOX, "the level's outbox is full");
      kernel.write(bytes);
      return 0;
    },
    write_debug(from, size) {
      let bytes;
      try {
        bytes = memory.bytes(from, size).slice();
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        return kernel.debug(`(write_debug: ${error.message})\n`); // which the PVM ignores
      }
      debug(kernel, bytes);
    },
  };
}

/** A mark, anywhere in a debug text. Its data ends before the last parenthesis. */
const MARK = /__wasm_debugger__::(\w*)\(([^]*)\)/;

/** Handle a debug text: begin or end a section if a mark is in it, else print it. */
function debug(kernel, bytes) {
  const [, what, data] = MARK.exec(latin1(bytes)) ?? [];
  if (what === "start_section") kernel.startSection(Buffer.from(data, "latin1"));
  else if (what === "end_section") kernel.endSection(Buffer.from(data, "latin1"));
  else kernel.debug(new TextDecoder().decode(bytes));
}

function values(kernel, memory) {
  const { store } = kernel;
  return {
    store_has: (key, size) => store.has(memory.key(key, size)),
    store_exists: (key, size) => Number(store.exists(memory.key(key, size))),
    store_value_size: (key, size) => store.size(memory.key(key, size)),
    store_read(key, keySize, offset, to, most) {
      const bytes = store.read(memory.key(key, keySize), offset, most >>> 0);
      return memory.put(to, most, bytes);
    },
    store_write(key, keySize, offset, from, size) {
      const name = memory.key(key, keySize);
      if (size < 0) throw new StoreError(VALUE_TOO_LARGE, `${size >>> 0} bytes to write`);
      if (offset < 0) throw new StoreError(INVALID_ACCESS, `an offset of ${offset}`);
      store.write(name, offset, memory.bytes(from, size));
      return 0;
    },
    store_create(key, keySize, size) {
      store.create(memory.key(key, keySize), size);
      return 0;
    },
  };
}

function trees(kernel, memory) {
  const { store } = kernel;
  const done = change => (...args) => (change(...args), 0);
  return {
    store_list_size: (key, size) => BigInt(store.count(memory.key(key, size))),
    store_get_nth_key(key, size, index, to, most) {
      const name = store.nth(memory.key(key, size), Number(index));
      return memory.put(to, most, Buffer.from(name));
    },
    store_delete: done((key, size) => store.delete(memory.key(key, size))),
    store_delete_value: done((key, size) => store.deleteValue(memory.key(key, size))),
    store_copy: done((from, fromSize, to, toSize) => store.copy(memory.key(from, fromSize), memory.key(to, toSize))),
    store_move: done((from, fromSize, to, toSize) => store.move(memory.key(from, fromSize), memory.key(to, toSize))),
    __internal_store_get_hash: (key, size, to, most) => memory.put(to, most, store.hash(memory.key(key, size))),
  };
}

function reveals(kernel, memory) {
  const preimage = (at, size) => {
    if (size >>> 0 > MAX_MESSAGE) throw new StoreError(TOO_LARGE, `a hash of ${size >>> 0} bytes`);
    return kernel.preimage(memory.bytes(at, size).slice());
  };
  const page = (at, size) => {
    const request = memory.bytes(at, size), view = new DataView(request.buffer, request.byteOffset, size);
    return size === PAGE_REQUEST ? kernel.dalPageOf(view.getInt32(1), view.getUint8(5), view.getInt16(6)) : new Uint8Array(0);
  };
  return {
    reveal_preimage: (hash, size, to, most) => memory.put(to, most, preimage(hash, size)),
    reveal_metadata: (to, most) => memory.put(to, most, kernel.metadata),
    reveal(request, size, to, most) {
      const kind = memory.bytes(request, size)[0];
      if (kind === REVEAL_PREIMAGE) return memory.put(to, most, preimage(request + 1, size - 1));
      if (kind === REVEAL_METADATA && size === 1) return memory.put(to, most, kernel.metadata);
      if (kind === REVEAL_PAGE) return memory.put(to, most, page(request, size));
      if (kind === REVEAL_METADATA || kind === undefined) return 0; // no request: the PVM reveals an empty preimage
      throw new HostError(`the kernel asks to reveal data of kind ${kind}; only 0 (a preimage), 1 (metadata) and 2 (a page of the data availability layer) are supported`);
    },
  };
}

/** Returns a function that calls `call`, and returns the PVM's error number if that throws a StoreError. */
function answering(name, call, kernel) {
  return (...args) => {
    try {
      return call(...args);
    } catch (error) {
      if (error instanceof StoreError) return name === "store_list_size" ? BigInt(error.code) : error.code;
      // Keep the error, since a kernel may catch it. A RangeError is a stack overflow of the kernel itself.
      if (!(error instanceof RangeError)) kernel.failure ??= error;
      throw error;
    }
  };
}

export function smartRollupCore(kernel, getMemory) {
  const memory = new Memory(getMemory);
  const calls = { ...inputs(kernel, memory), ...values(kernel, memory), ...trees(kernel, memory), ...reveals(kernel, memory) };
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, answering(name, call, kernel)]));
}
