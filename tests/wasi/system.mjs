// system.mjs - a WASI whose guest is a test: a memory, and functions that put arguments there and call.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Wasi } from "../../hosts/wasm/wasi.mjs";
import { DiskFile } from "../../hosts/wasm/wasi_file.mjs";
import { DiskFolder } from "../../hosts/wasm/wasi_folder.mjs";
import { ERROR } from "../../hosts/wasm/wasi_numbers.mjs";

export { ERROR };
export const ALL = 0x1fffffffn; // rights
export const FOLDERS = ALL & ~(1n << 6n | 1n << 8n | 1n << 22n); // without those that folders are never opened with
export const READS = 1n << 1n | 1n << 2n | 1n << 5n; // read, seek, tell
const PATH = 1024, VECTOR = 8, RESULT = 64, BYTES = 8192;

export const scratch = () => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toll-wasi-")));

/** `folders`: [name, path on the disk, or a folder]. */
export class System {
  constructor(folders, { args = ["guest"], env = [], isUnstable = false } = {}) {
    const none = fs.openSync("/dev/null", "r+");
    this.memory = new WebAssembly.Memory({ initial: 2 });
    this.wasi = new Wasi({
      args, env, isUnstable, files: [0, 1, 2].map(() => DiskFile.inherited(none)), exit: () => {},
      folders: folders.map(([name, at]) => [name, typeof at === "string" ? DiskFolder.preopened(at) : at]),
    });
    this.wasi.use(this.memory);
    this.calls = this.wasi.imports;
  }

  get view() {
    return new DataView(this.memory.buffer);
  }

  put(text, at = PATH) {
    const bytes = Buffer.from(text);
    new Uint8Array(this.memory.buffer).set(bytes, at);
    return [at, bytes.length];
  }

  /** Returns a descriptor, or the error as a number below 0. */
  open(fd, path, { follow = 1, how = 0, rights = ALL, flags = 0 } = {}) {
    const error = this.calls.path_open(fd, follow, ...this.put(path), how, rights, ALL, flags, RESULT);
    return error ? -error : this.view.getUint32(RESULT, true);
  }

  transfer(call, fd, size) {
    this.view.setUint32(VECTOR, BYTES, true);
    this.view.setUint32(VECTOR + 4, size, true);
    const error = this.calls[call](fd, VECTOR, 1, RESULT);
    return error ? -error : this.view.getUint32(RESULT, true);
  }

  /** Returns the text that was read, or an error. */
  read(fd, size = 4096) {
    const done = this.transfer("fd_read", fd, size);
    return done < 0 ? done : Buffer.from(this.memory.buffer, BYTES, done).toString();
  }

  write(fd, text) {
    this.put(text, BYTES);
    return this.transfer("fd_write", fd, Buffer.byteLength(text));
  }

  /** The text of a file, or an error. */
  readFile(fd, path, options) {
    const file = this.open(fd, path, { rights: READS, ...options });
    if (file < 0) return file;
    const text = this.read(file);
    this.calls.fd_close(file);
    return text;
  }
}
