// memory_files.mjs - files in memory, for a guest of WASI: what DiskFile and DiskFolder of hosts/wasm are for files of the disk. All are
// in one map by their whole paths. A folder is there as long as a path leads through it.
import { constants, openSync, statSync } from "node:fs";
import { O_RDONLY } from "../wasm/wasi_entry.mjs";
import { DiskFile } from "../wasm/wasi_file.mjs";
import { ERROR, FILE_RIGHTS, FLAG, OPENING, TYPE } from "../wasm/wasi_numbers.mjs";

const SMALLEST = 4096; // bytes of memory of a file that grows
const UNCHANGED = { dev: 0n, ino: 0n, nlink: 1n, atimeNs: 0n, mtimeNs: 0n, ctimeNs: 0n }; // no file has a number or a time
const FOLDER_STATS = { ...UNCHANGED, mode: constants.S_IFDIR, size: 0n };
const fileStats = size => ({ ...UNCHANGED, mode: constants.S_IFREG, size: BigInt(size) });

function roomFor(size) {
  try {
    return new Uint8Array(size);
  } catch {
    throw ERROR.ENOSPC;
  }
}

/** The bytes of a file, which several descriptors may have open. */
export class Content {
  constructor(data = new Uint8Array(0)) {
    this.data = data;
    this.size = data.length;
  }

  get bytes() {
    return this.data.subarray(0, this.size);
  }

  setSize(size) {
    if (size > this.data.length) {
      const larger = roomFor(Math.max(2 * this.data.length, size, SMALLEST));
      larger.set(this.bytes);
      this.data = larger;
    }
    this.data.fill(0, Math.min(size, this.size), this.size);
    this.size = size;
  }
}

function within(position) {
  if (position < 0) throw ERROR.EINVAL;
  return position;
}

/** An open file. */
export class MemoryFile {
  constructor(content = new Content(), flags = 0) {
    Object.assign(this, { content, flags, type: TYPE.REGULAR, isStream: false, position: 0, rights: FILE_RIGHTS, inheriting: 0 });
  }

  read(bytes, at, size) {
    const done = this.readAt(bytes, at, size, this.position);
    this.position += done;
    return done;
  }

  write(bytes, at, size) {
    if (this.flags & FLAG.APPEND) this.position = this.content.size;
    const done = this.writeAt(bytes, at, size, this.position);
    this.position += done;
    return done;
  }

  readAt(bytes, at, size, position) {
    const part = this.content.bytes.subarray(within(position), position + size);
    bytes.set(part, at);
    return part.length;
  }

  writeAt(bytes, at, size, position) {
    const { content } = this;
    content.setSize(Math.max(content.size, within(position) + size));
    content.data.set(bytes.subarray(at, at + size), position);
    return size;
  }

  readPieces(pieces) {
    return pieces.reduce((sum, piece) => sum + this.read(piece, 0, piece.length), 0);
  }

  writePieces(pieces) {
    return pieces.reduce((sum, piece) => sum + this.write(piece, 0, piece.length), 0);
  }

  readPiecesAt(pieces, position) {
    return pieces.reduce((sum, piece) => sum + this.readAt(piece, 0, piece.length, position + sum), 0);
  }

  writePiecesAt(pieces, position) {
    return pieces.reduce((sum, piece) => sum + this.writeAt(piece, 0, piece.length, position + sum), 0);
  }

  readable() {
    return Math.max(this.content.size - this.position, 0);
  }

  tell() {
    return this.position;
  }

  /** from: 0 the start, 1 the position, 2 the end. Returns the new position. */
  seek(offset, from) {
    const position = offset + [0, this.position, this.content.size][from];
    if (!(position >= 0)) throw ERROR.EINVAL;
    return this.position = position;
  }

  stat() {
    return fileStats(this.content.size);
  }

  setFlags(flags) {
    this.flags = flags;
  }

  setSize(size) {
    this.content.setSize(within(size));
  }

  allocate(offset, size) {
    this.content.setSize(Math.max(this.content.size, within(offset + size)));
  }

  setTimes() {}

  sync() {}

  syncData() {}

  close() {}
}

/** The folder at `path`, which is "" or begins with "/", in `contents`: of each path a Content, or the path of a file of
 *  the disk, which is only read. There are no links, and no folders without files. */
export class MemoryFolder {
  constructor(contents, path = "") {
    Object.assign(this, { contents, path, type: TYPE.FOLDER, flags: 0 });
  }

  /** The whole path of what `path` leads to from here. */
  whole(path) {
    if (path.startsWith("/")) throw ERROR.ENOTCAPABLE;
    const parts = [];
    for (const part of path.split("/"))
      if (part === ".." && parts.pop() === undefined) throw ERROR.ENOTCAPABLE;
      else if (![".", "..", ""].includes(part)) parts.push(part);
    return [this.path, ...parts].join("/");
  }

  isFolder(path) {
    if (path === "") return true;
    for (const known of this.contents.keys()) if (known.startsWith(`${path}/`)) return true;
    return false;
  }

  openAt(path, follows, how, flags) {
    const whole = this.whole(path), content = this.contents.get(whole);
    if (content === undefined && this.isFolder(whole)) return new MemoryFolder(this.contents, whole);
    if (how & OPENING.FOLDER) throw content === undefined ? ERROR.ENOENT : ERROR.ENOTDIR;
    if (content === undefined && !(how & OPENING.CREATE)) throw ERROR.ENOENT;
    if (content !== undefined && how & OPENING.EXCLUSIVE) throw ERROR.EEXIST;
    if (content === undefined || how & OPENING.TRUNCATE) this.contents.set(whole, new Content());
    else if (typeof content === "string") return new DiskFile(openSync(content, O_RDONLY), TYPE.REGULAR, { position: 0, access: O_RDONLY });
    return new MemoryFile(this.contents.get(whole), flags);
  }

  statAt(path) {
    const whole = this.whole(path), content = this.contents.get(whole);
    if (content instanceof Content) return fileStats(content.size);
    if (content !== undefined) return fileStats(statSync(content).size);
    if (this.isFolder(whole)) return FOLDER_STATS;
    throw ERROR.ENOENT;
  }

  rename(path, folder, newPath) {
    const from = this.whole(path), content = this.contents.get(from);
    if (content === undefined) throw this.isFolder(from) ? ERROR.ENOTSUP : ERROR.ENOENT;
    this.contents.delete(from);
    folder.contents.set(folder.whole(newPath), content);
  }

  unlink(path) {
    const whole = this.whole(path);
    if (!this.contents.delete(whole)) throw this.isFolder(whole) ? ERROR.EISDIR : ERROR.ENOENT;
  }

  /** The names in the folder, as bytes. */
  names() {
    const below = [...this.contents.keys()].filter(path => path.startsWith(`${this.path}/`));
    return [...new Set(below.map(path => path.slice(this.path.length + 1).split("/")[0]))].map(name => Buffer.from(name));
  }

  /** What is known of one of these names; undefined if it has gone. */
  statName(name) {
    try {
      return this.statAt(name.toString());
    } catch {
      return undefined;
    }
  }

  stat() {
    return FOLDER_STATS;
  }

  setFlags() {}

  setTimes() {}

  sync() {}

  syncData() {}

  close() {}
}

/** What the command never does: each is refused. */
for (const name of ["setTimesAt", "makeFolder", "removeFolder", "link", "symlink", "readLink"])
  MemoryFolder.prototype[name] = () => {
    throw ERROR.ENOTSUP;
  };
