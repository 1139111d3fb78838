// wasi_entry.mjs - what an open file and an open folder of the disk have in common: WASI's type and flags of it, its times, and writing it
// to the disk.
import fs from "node:fs";
import { FLAG, TYPE } from "./wasi_numbers.mjs";

/** The system's flags for opening; those that it lacks are 0. O_PATH, which Node does not name: a folder as a place, whether or not it may be read. */
const { O_APPEND, O_CREAT, O_DIRECTORY = 0, O_DSYNC = 0, O_EXCL, O_NOCTTY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_RDWR, O_SYNC = 0, O_TRUNC, O_WRONLY } = fs.constants;
const O_PATH = process.platform === "linux" ? 0x200000 : 0;

export { O_CREAT, O_DIRECTORY, O_EXCL, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_PATH, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY };

const TYPES = {
  [fs.constants.S_IFBLK]: TYPE.BLOCK_DEVICE, [fs.constants.S_IFCHR]: TYPE.CHARACTER_DEVICE, [fs.constants.S_IFDIR]: TYPE.FOLDER,
  [fs.constants.S_IFREG]: TYPE.REGULAR, [fs.constants.S_IFLNK]: TYPE.LINK, [fs.constants.S_IFIFO]: TYPE.STREAM, [fs.constants.S_IFSOCK]: TYPE.STREAM,
};

/** WASI's type of what Node describes. */
export const typeOf = stats => TYPES[Number(stats.mode) & fs.constants.S_IFMT] ?? TYPE.UNKNOWN;

/** The system's flags for those of WASI. */
export const systemFlags = flags =>
  (flags & FLAG.APPEND ? O_APPEND : 0) | (flags & FLAG.DSYNC ? O_DSYNC : 0) | (flags & (FLAG.SYNC | FLAG.RSYNC) ? O_SYNC : 0);

/** Seconds as Node's functions want them. They are doubles: of a time of today some 240 ns are lost. */
const seconds = ns => Number(ns / 1000000000n) + Number(ns % 1000000000n) / 1e9;

/** Call set(accessed, modified) with times in seconds; one that is undefined stays what it is. */
export function setTimes({ accessed, modified }, stats, set) {
  set(seconds(accessed ?? stats.atimeNs), seconds(modified ?? stats.mtimeNs));
}

export class DiskEntry {
  /** fd: the system's. type, flags: WASI's. */
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
