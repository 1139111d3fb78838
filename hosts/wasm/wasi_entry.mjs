// wasi_entry.mjs - the common part of an open file and an open folder of the disk: WASI's type and flags, times, and
// syncing to the disk.
import fs from "node:fs";
import { FLAG, TYPE } from "./wasi_numbers.mjs";

/** The system's flags for opening; those that it lacks are 0. Node has no name for O_PATH, which opens a folder as a
 *  place in paths, even if it may not be read. */
const { O_APPEND, O_CREAT, O_DIRECTORY = 0, O_DSYNC = 0, O_EXCL, O_NOCTTY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_RDWR, O_SYNC = 0, O_TRUNC, O_WRONLY } = fs.constants;
const O_PATH = process.platform === "linux" ? 0x200000 : 0;

export { O_CREAT, O_DIRECTORY, O_EXCL, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_PATH, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY };

const TYPES = {
  [fs.constants.S_IFBLK]: TYPE.BLOCK_DEVICE, [fs.constants.S_IFCHR]: TYPE.CHARACTER_DEVICE, [fs.constants.S_IFDIR]: TYPE.FOLDER,
  [fs.constants.S_IFREG]: TYPE.REGULAR, [fs.constants.S_IFLNK]: TYPE.LINK, [fs.constants.S_IFIFO]: TYPE.STREAM, [fs.constants.S_IFSOCK]: TYPE.STREAM,
};

/** WASI's type of a file, from Node's description. */
export const typeOf = stats => TYPES[Number(stats.mode) & fs.constants.S_IFMT] ?? TYPE.UNKNOWN;

/** The system's flags for those of WASI. */
export const systemFlags = flags =>
  (flags & FLAG.APPEND ? O_APPEND : 0) | (flags & FLAG.DSYNC ? O_DSYNC : 0) | (flags & (FLAG.SYNC | FLAG.RSYNC) ? O_SYNC : 0);

/** Seconds for Node's functions. These are doubles, so times of today are rounded to about 240 ns. */
const seconds = ns => Number(ns / 1000000000n) + Number(ns % 1000000000n) / 1e9;

/** Call set(accessed, modified) with times in seconds. A time that is undefined does not change. */
export function setTimes({ accessed, modified }, stats, set) {
  set(seconds(accessed ?? stats.atimeNs), seconds(modified ?? stats.mtimeNs));
}

export class DiskEntry {
  /** fd: the system's descriptor. type, flags: those of WASI. */
  constructor(fd, type, flags) {
    this.fd = fd;
    this.type = type;
    this.flags = flags;
  }

  stat() {
    return fs.fstatSync(this.fd, { bigint: true });
  }

  setTimes(times) {
    setTimes(times, this.stat(), (accessed, modified) => fs.futimesSync(this.fd, accessed, modified));
  }

  sync() {
    fs.fsyncSync(this.fd);
  }

  syncData() {
    fs.fdatasyncSync(this.fd);
  }

  close() {
    fs.closeSync(this.fd);
  }
}
