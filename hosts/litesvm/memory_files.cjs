// memory_files.cjs - the files that the command sees: WASI's system calls on files in memory, and on those of the
// disk that are named. Only what toll-command.wasm imports; all paths are absolute.
"use strict";
const fs = require("node:fs");

const OK = 0, BAD_FILE = 8, NOT_FOUND = 44, NO_FOLDER = 54, NOT_SUPPORTED = 58; // errno of WASI
const FOLDER = 3, REGULAR = 4; // types of files
const CREATE = 1, WANT_FOLDER = 2, EXISTS_NOT = 4, EMPTY = 8, EXISTS = 20; // flags of path_open; errno of EXISTS_NOT
const ROOT = 3; // the descriptor of "/"
const MOST = 0xffffffffffffffffn;

/** The end of the command, thrown through it. */
class Exit extends Error {
  constructor(status) {
    super(`exit ${status}`);
    this.status = status;
  }
}

/** A file: bytes in memory, or a path on the disk, which is only read. */
class File {
  constructor(content) {
    this.disk = typeof content === "string" ? fs.openSync(content, "r") : null;
    this.data = content;
    this.size = this.disk === null ? content.length : fs.fstatSync(this.disk).size;
  }

  read(target, at) {
    if (this.disk !== null) return fs.readSync(this.disk, target, 0, target.length, at);
    const part = this.data.subarray(Math.min(at, this.size), Math.min(at + target.length, this.size));
    target.set(part);
    return part.length;
  }

  write(source, at) {
    if (this.disk !== null) return 0;
    if (at + source.length > this.data.length) {
      const larger = new Uint8Array(Math.max(2 * this.data.length, at + source.length, 4096));
      larger.set(this.data.subarray(0, this.size));
      this.data = larger;
    }
    this.data.set(source, at);
    this.size = Math.max(this.size, at + source.length);
    return source.length;
  }

  bytes() {
    return this.disk === null ? this.data.subarray(0, this.size) : fs.readFileSync(this.disk);
  }

  close() {
    if (this.disk !== null) fs.closeSync(this.disk);
    this.disk = null;
  }
}

/** `contents`: of each path its bytes, or the path of a file on the disk. */
class Files {
  constructor(contents) {
    this.contents = new Map(Object.entries(contents));
    this.output = { 1: [], 2: [] }; // what is written to standard output and to standard error
    this.open = new Map([[ROOT, { folder: "" }]]);
    this.next = ROOT + 1;
  }

  /** The bytes of a file that the command has written. */
  take(path) {
    const content = this.contents.get(path);
    return content instanceof File ? content.bytes().slice() : undefined;
  }

  text(fd) {
    return Buffer.concat(this.output[fd]).toString();
  }

  close() {
    for (const { file } of this.open.values()) file?.close();
  }

  isFolder(path) {
    return path === "" || [...this.contents.keys()].some(known => known.startsWith(`${path}/`));
  }

  /** The names in a folder. */
  names(folder) {
    const names = new Map();
    for (const path of this.contents.keys())
      if (path.startsWith(`${folder}/`)) {
        const [name, ...rest] = path.slice(folder.length + 1).split("/");
        names.set(name, rest.length ? FOLDER : REGULAR);
      }
    return [...names];
  }

  /** The imports of a module whose memory `memory()` returns. */
  imports(args, memory) {
    const view = () => new DataView(memory().buffer);
    const bytes = (at, size) => new Uint8Array(memory().buffer, at, size);
    const path = (fd, at, size) => {
      const parts = Buffer.from(bytes(at, size)).toString().split("/").filter(part => part && part !== ".");
      return [this.open.get(fd)?.folder ?? "", ...parts].join("/");
    };
    const list = (texts, pointers, buffer) => {
      for (const text of texts) {
        view().setUint32(pointers, buffer, true);
        bytes(buffer, text.length).set(text);
        [pointers, buffer] = [pointers + 4, buffer + text.length];
      }
      return OK;
    };
    const sizes = (texts, count, size) => {
      view().setUint32(count, texts.length, true);
      view().setUint32(size, texts.reduce((sum, text) => sum + text.length, 0), true);
      return OK;
    };
    /** Each piece of memory of a vector goes through `work`, which returns how many bytes it has done. */
    const each = (vectors, count, done, work) => {
      let sum = 0;
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(vectors + 8 * i, true), size = view().getUint32(vectors + 8 * i + 4, true);
        const step = size ? work(bytes(at, size)) : 0;
        sum += step;
        if (step < size) break;
      }
      view().setUint32(done, sum, true);
      return OK;
    };
    const describe = (at, type, size) => {
      bytes(at, 64).fill(0);
      view().setUint8(at + 16, type);
      view().setBigUint64(at + 24, 1n, true);
      view().setBigUint64(at + 32, BigInt(size), true);
      return OK;
    };
    const texts = args.map(arg => Buffer.from(`${arg}\0`));
    const file = fd => this.open.get(fd)?.file;

    const known = {
      args_sizes_get: (count, size) => sizes(texts, count, size),
      args_get: (pointers, buffer) => list(texts, pointers, buffer),
      environ_sizes_get: (count, size) => sizes([], count, size),
      environ_get: () => OK,
      proc_exit: status => { throw new Exit(status); },
      fd_prestat_get: (fd, at) => {
        if (fd !== ROOT) return BAD_FILE;
        view().setUint32(at, 0, true);
        view().setUint32(at + 4, 1, true);
        return OK;
      },
      fd_prestat_dir_name: (fd, at) => (bytes(at, 1).set([0x2f]), OK), // "/"
      fd_fdstat_get: (fd, at) => {
        bytes(at, 24).fill(0);
        view().setUint8(at, this.open.get(fd)?.folder !== undefined ? FOLDER : REGULAR);
        view().setBigUint64(at + 8, MOST, true);
        view().setBigUint64(at + 16, MOST, true);
        return OK;
      },
      fd_filestat_get: (fd, at) => (file(fd) ? describe(at, REGULAR, file(fd).size) : describe(at, FOLDER, 0)),
      fd_close: fd => {
        const { content } = this.open.get(fd) ?? {};
        if (typeof content === "string") file(fd).close();
        return this.open.delete(fd) ? OK : BAD_FILE;
      },
      fd_seek: (fd, offset, from, at) => {
        const open = this.open.get(fd);
        if (!open?.file) return BAD_FILE;
        open.at = Number(offset) + [0, open.at, open.file.size][from];
        view().setBigUint64(at, BigInt(open.at), true);
        return OK;
      },
      fd_read: (fd, vectors, count, done) => {
        const open = this.open.get(fd);
        return each(vectors, count, done, target => {
          const size = open?.file?.read(target, open.at) ?? 0;
          if (size) open.at += size;
          return size;
        });
      },
      fd_pread: (fd, vectors, count, offset, done) => {
        let at = Number(offset);
        return each(vectors, count, done, target => {
          const size = file(fd)?.read(target, at) ?? 0;
          at += size;
          return size;
        });
      },
      fd_write: (fd, vectors, count, done) => {
        const open = this.open.get(fd);
        return each(vectors, count, done, source => {
          if (this.output[fd]) this.output[fd].push(Buffer.from(source));
          else open.at += open.file.write(source, open.at);
          return source.length;
        });
      },
      fd_pwrite: (fd, vectors, count, offset, done) => {
        let at = Number(offset);
        return each(vectors, count, done, source => (at += file(fd).write(source, at), source.length));
      },
      fd_readdir: (fd, at, size, cookie, used) => {
        const end = at + size;
        let to = at, number = Number(cookie);
        for (const [name, type] of this.names(this.open.get(fd).folder).slice(number)) {
          const text = Buffer.from(name), entry = Buffer.alloc(24 + text.length);
          entry.writeBigUInt64LE(BigInt(++number));
          entry.writeUInt32LE(text.length, 16);
          entry.writeUInt8(type, 20);
          text.copy(entry, 24);
          const part = entry.subarray(0, end - to);
          bytes(to, part.length).set(part);
          to += part.length;
          if (to === end) break;
        }
        view().setUint32(used, to - at, true);
        return OK;
      },
      path_filestat_get: (fd, flags, name, size, at) => {
        const where = path(fd, name, size), content = this.contents.get(where);
        if (content === undefined) return this.isFolder(where) ? describe(at, FOLDER, 0) : NOT_FOUND;
        return describe(at, REGULAR, typeof content === "string" ? fs.statSync(content).size : content.size ?? content.length);
      },
      path_open: (fd, lookup, name, size, flags, rights, inherited, mode, at) => {
        const where = path(fd, name, size), content = this.contents.get(where), number = this.next++;
        if (content === undefined && this.isFolder(where)) this.open.set(number, { folder: where });
        else if (flags & WANT_FOLDER) return content === undefined ? NOT_FOUND : NO_FOLDER;
        else if (content === undefined && !(flags & CREATE)) return NOT_FOUND;
        else if (content !== undefined && flags & EXISTS_NOT) return EXISTS;
        else if (content === undefined || flags & EMPTY) {
          const file = new File(new Uint8Array(0));
          this.contents.set(where, file);
          this.open.set(number, { file, at: 0 });
        } else this.open.set(number, { file: content instanceof File ? content : new File(content), at: 0, content });
        view().setUint32(at, number, true);
        return OK;
      },
      path_rename: (fd, old, oldSize, target, name, size) => {
        const from = path(fd, old, oldSize), content = this.contents.get(from);
        if (content === undefined) return NOT_FOUND;
        this.contents.delete(from);
        this.contents.set(path(target, name, size), content);
        return OK;
      },
      path_unlink_file: (fd, name, size) => (this.contents.delete(path(fd, name, size)) ? OK : NOT_FOUND),
    };
    return new Proxy(known, { get: (from, name) => from[name] ?? (() => NOT_SUPPORTED) });
  }
}

module.exports = { Exit, Files };
