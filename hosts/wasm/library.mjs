// library.mjs - calls toll.wasm, the library, from JavaScript.
//
// Each instance has a memory of its own.
import { TOLL } from "./embedder.mjs";

const FAILED = 29, NONE = 52; // error numbers of WASI
const REASONS = { ENOSPC: 51, EDQUOT: 19, EFBIG: 22 }; // why a write failed, in WASI's numbers; else FAILED
const STANDARD_ERROR = 2; // the library writes a whole warning with each call: see onWarning

/** Do `work` on a file. Returns WASI's error number; 0: it did not fail. */
function reason(work) {
  try {
    work();
    return 0;
  } catch (error) {
    return REASONS[error.code] ?? FAILED;
  }
}

/** A text for C, which it ends at the first NUL. */
export function cString(text) {
  if (String(text).includes("\0")) throw new RangeError(`toll: a NUL in ${JSON.stringify(String(text))}`);
  return new TextEncoder().encode(`${text}\0`);
}

/** The bytes of a buffer or a view, not copied. */
export const viewOf = source => new Uint8Array(source.buffer ?? source, source.byteOffset ?? 0, source.byteLength);

/** An instance of toll.wasm: the library with a memory of its own. */
export class Library {
  constructor(module, now) {
    const imports = { wasi_snapshot_preview1: this.system(module), toll_host: { now } };
    this.c = new WebAssembly.Instance(module, imports).exports;
    this.c._initialize();
    const version = this.c.interface();
    if (version !== TOLL.EMBEDDER_VERSION) throw new Error(`toll: toll.wasm has interface ${version}, not ${TOLL.EMBEDDER_VERSION}`);
  }

  /** The WASI functions that toll.wasm calls, for writing and for a timeline's file. */
  system(module) {
    const wasi = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module))
      if (from === "wasi_snapshot_preview1") wasi[name] = () => NONE;
    wasi.fd_write = (fd, vectors, count, written) => {
      const warn = bytes => this.onWarning?.(new TextDecoder().decode(bytes.slice())); // memory may be shared
      return this.take(vectors, count, written, fd === STANDARD_ERROR ? warn : this.sink);
    };
    wasi.fd_pwrite = (fd, vectors, count, at, written) => this.transfer(vectors, count, written, (bytes, done) => {
      this.file.write(bytes, Number(at) + done);
      return bytes.length;
    });
    wasi.fd_pread = (fd, vectors, count, at, read) => this.transfer(vectors, count, read, (bytes, done) =>
      this.file.read(bytes, Number(at) + done));
    wasi.fd_filestat_set_size = (fd, size) => reason(() => this.file.setSize(Number(size)));
    return wasi;
  }

  take(vectors, count, written, sink) {
    const view = new DataView(this.c.memory.buffer);
    let sum = 0;
    for (let at = vectors; at < vectors + 8 * count; at += 8) {
      const size = view.getUint32(at + 4, true);
      try {
        sink(new Uint8Array(view.buffer, view.getUint32(at, true), size));
      } catch (error) {
        this.sinkError = error;
        return FAILED;
      }
      sum += size;
    }
    view.setUint32(written, sum, true);
    return 0;
  }

  /** Read or write a file. `work` is called with each piece of memory, and returns how many bytes it has handled. */
  transfer(vectors, count, done, work) {
    const view = new DataView(this.c.memory.buffer);
    let sum = 0;
    const failed = reason(() => {
      for (let at = vectors; at < vectors + 8 * count; at += 8)
        sum += work(new Uint8Array(view.buffer, view.getUint32(at, true), view.getUint32(at + 4, true)), sum);
    });
    view.setUint32(done, sum, true);
    return failed;
  }

  /** Call `work` with pointers to copies of byte arrays in toll.wasm's memory. They are valid until it returns. */
  with(blocks, work) {
    const pointers = blocks.map(bytes => {
      const at = this.c.alloc(bytes.length);
      if (!at) throw new Error("toll: no memory");
      new Uint8Array(this.c.memory.buffer).set(bytes, at);
      return at;
    });
    try {
      return work(...pointers);
    } finally {
      pointers.forEach(at => this.c.release(at));
    }
  }

  check(status) {
    if (!status) return;
    if (this.sinkError) throw this.sinkError;
    const text = new Uint8Array(this.c.memory.buffer, this.c.error_text(), this.c.error_size()).slice();
    throw Object.assign(new Error(`toll: ${new TextDecoder().decode(text)}`), { status });
  }

  /** The bytes that `work` writes, of which there are about `size`: in a larger buffer, whose rest takes no memory. */
  gathered(size, work) {
    let all = new Uint8Array(size), at = 0;
    this.written(work, piece => {
      if (at + piece.length > all.length) all = concatenate([all.subarray(0, at), new Uint8Array(at + 2 * piece.length)]);
      all.set(piece, at);
      at += piece.length;
    });
    return all.subarray(0, at);
  }

  result() {
    return new Uint8Array(this.c.memory.buffer, this.c.result(), this.c.result_size()).slice();
  }

  /** Returns what `work` writes, or calls `sink` with each piece of it, which must not keep the piece. */
  written(work, sink) {
    const chunks = [];
    this.sink = sink ?? (bytes => chunks.push(bytes.slice()));
    try {
      this.check(work());
    } finally {
      this.sinkError = null;
    }
    return sink ? undefined : concatenate(chunks);
  }
}

function concatenate(chunks) {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  chunks.reduce((at, chunk) => (all.set(chunk, at), at + chunk.length), 0);
  return all;
}
