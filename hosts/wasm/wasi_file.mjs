// wasi_file.mjs - an open file of the disk, a pipe or a terminal, for a WASI guest. Node can neither read nor set the
// system's position in a file. So the position of a regular file is kept here, and passed with each transfer. Errors
// are thrown: Node's, or numbers of WASI.
import fs from "node:fs";
import { createRequire } from "node:module";
import { DiskEntry, O_NOCTTY, O_NONBLOCK, O_RDONLY, systemFlags, typeOf } from "./wasi_entry.mjs";
import { ERROR, FILE_RIGHTS, FLAG, RIGHT, TYPE } from "./wasi_numbers.mjs";

const MOST_BYTES = 0x7ffff000; // of one transfer, as in Linux
const LOOK_BYTES = 65536; // read at most so many to find out whether there are any: a pipe holds as many
const LARGE_READ = 16384, FIRST_AHEAD = 4096, MOST_AHEAD = 65536; // reads of this size are not read ahead; sizes of read-ahead
const WAIT_MS = 2; // before a full or an empty pipe is tried again

const sleeping = new Int32Array(new SharedArrayBuffer(4));

/** Sleep for so many milliseconds; Ctrl-C ends it. */
export const sleep = ms => Atomics.wait(sleeping, 0, 0, ms);

/** The system's position and flags of a descriptor of this process: { pos, flags }. */
function descriptor(fd) {
  try {
    const text = fs.readFileSync(`/proc/self/fdinfo/${fd}`, "latin1");
    return { pos: Number(/^pos:\s*(\d+)/m.exec(text)[1]), flags: parseInt(/^flags:\s*(\d+)/m.exec(text)[1], 8) };
  } catch {
    throw ERROR.ENOTSUP; // not Linux, or no /proc
  }
}

/** A descriptor for reading the same pipe or terminal without waiting; null: there is none. A socket cannot have a
 *  second descriptor, so its own one is set not to wait. */
function withoutWaiting(fd) {
  try {
    return fs.openSync(`/proc/self/fd/${fd}`, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  } catch (error) {
    if (error.code !== "ENXIO") return null;
    const { Socket } = createRequire(import.meta.url)("node:net");
    new Socket({ fd, manualStart: true }).unref();
    return fd;
  }
}

/** Whether it is a terminal. Devices like /dev/null, with Linux's major number 1, are not. They are tested first, since
 *  loading node:tty takes milliseconds. */
const isTerminal = (fd, stats) => typeOf(stats) === TYPE.CHARACTER_DEVICE && stats.rdev >> 8 !== 1 && createRequire(import.meta.url)("node:tty").isatty(fd);

let moment = 0;

/** The guest has made a call other than reading a file or the clock, so bytes that were read ahead may be out of date.
 */
export function endMoment() {
  moment++;
}

/** Serves many small reads in a row, without other calls in between, from one large read. The guest cannot notice the
 *  difference. At the file's end, and after any other call, the file itself is read again. */
class ReadAhead {
  constructor() {
    this.bytes = undefined;
    this.start = this.end = 0; // where in the file they are
    this.moment = -1;
    this.size = FIRST_AHEAD;
  }

  read(file, bytes, at, size) {
    const isAhead = file.position >= this.start && file.position < this.end, continues = file.position === this.end;
    if (this.moment !== moment || !(isAhead || continues)) return this.begin(file, bytes, at, size);
    let done = this.take(file, bytes, at, size); // all requested bytes, except at the file's end
    while (done < size && this.fill(file)) done += this.take(file, bytes, at + done, size - done);
    return done;
  }

  take(file, bytes, at, size) {
    const first = file.position - this.start, done = Math.min(size, this.end - file.position);
    if (done < 32) for (let i = 0; i < done; i++) bytes[at + i] = this.bytes[first + i];
    else bytes.set(this.bytes.subarray(first, first + done), at);
    file.position += done;
    return done;
  }

  /** The first read, or the only one: read only the requested bytes. */
  begin(file, bytes, at, size) {
    const done = fs.readSync(file.fd, bytes, at, size, file.position);
    file.position += done;
    this.start = this.end = file.position;
    this.moment = done < size ? -1 : moment;
    this.size = FIRST_AHEAD;
    return done;
  }

  fill(file) {
    this.bytes ??= new Uint8Array(MOST_AHEAD);
    const done = fs.readSync(file.fd, this.bytes, 0, this.size, file.position);
    this.start = file.position;
    this.end = this.start + done;
    this.size = Math.min(2 * this.size, MOST_AHEAD);
    return done;
  }
}

export class DiskFile extends DiskEntry {
  /** fd: the system's descriptor. position: null if the system keeps it, as for files that this process has inherited.
   *  access: O_RDONLY, ...; undefined: not known. */
  constructor(fd, type, { position = null, access, flags = 0, rights = FILE_RIGHTS }) {
    super(fd, type, flags);
    this.isStream = type !== TYPE.REGULAR && type !== TYPE.BLOCK_DEVICE;
    this.position = this.isStream ? null : position;
    this.access = access;
    this.rights = rights;
    this.inheriting = 0;
    this.isInherited = position === null;
    this.ahead = new ReadAhead();
    this.seen = undefined; // bytes of a stream that were read to find out whether there are any
    this.looks = undefined; // the descriptor for such reads
  }

  /** Standard input, output or error of this process. */
  static inherited(fd) {
    const stats = fs.fstatSync(fd), file = new this(fd, typeOf(stats), {});
    if (isTerminal(fd, stats)) file.rights &= ~(RIGHT.FD_SEEK | RIGHT.FD_TELL); // programs recognise a terminal by this
    return file;
  }

  read(bytes, at, size) {
    if (this.isStream && (this.seen || this.flags & FLAG.NONBLOCK)) return this.readSeen(bytes, at, size);
    if (size < LARGE_READ && !this.isInherited && this.position !== null) return this.ahead.read(this, bytes, at, size);
    endMoment();
    for (;;)
      try {
        const done = fs.readSync(this.fd, bytes, at, size < MOST_BYTES ? size : MOST_BYTES, this.position);
        if (this.position !== null) this.position += done;
        return done;
      } catch (error) {
        this.wait(error);
      }
  }

  readPieces(pieces) {
    if (this.isStream) return this.read(pieces[0], 0, pieces[0].length);
    const done = fs.readvSync(this.fd, pieces, this.position);
    if (this.position !== null) this.position += done;
    return done;
  }

  write(bytes, at, size) {
    if (this.position !== null && this.flags & FLAG.APPEND) this.position = null; // the system appends
    for (;;)
      try {
        const done = fs.writeSync(this.fd, bytes, at, size < MOST_BYTES ? size : MOST_BYTES, this.position);
        if (this.position !== null) this.position += done;
        return done;
      } catch (error) {
        this.wait(error);
      }
  }

  writePieces(pieces) {
    if (this.isStream) return this.write(pieces[0], 0, pieces[0].length);
    if (this.flags & FLAG.APPEND) this.position = null;
    const done = fs.writevSync(this.fd, pieces, this.position);
    if (this.position !== null) this.position += done;
    return done;
  }

  /** Wait before a transfer is tried again. Throws the error if the guest does not want to wait. */
  wait(error) {
    if (error.code !== "EAGAIN" || this.flags & FLAG.NONBLOCK) throw error;
    sleep(WAIT_MS);
  }

  readAt(bytes, at, size, position) {
    return fs.readSync(this.fd, bytes, at, Math.min(size, MOST_BYTES), this.within(position));
  }

  writeAt(bytes, at, size, position) {
    return fs.writeSync(this.fd, bytes, at, Math.min(size, MOST_BYTES), this.within(position));
  }

  readPiecesAt(pieces, position) {
    return fs.readvSync(this.fd, pieces, this.within(position));
  }

  writePiecesAt(pieces, position) {
    return fs.writevSync(this.fd, pieces, this.within(position));
  }

  within(position) {
    if (this.isStream) throw ERROR.ESPIPE;
    if (position < 0) throw ERROR.EINVAL;
    if (position > Number.MAX_SAFE_INTEGER) throw ERROR.EFBIG;
    return position;
  }

  /** How many bytes can be read without waiting. undefined: none yet; 0: there will be no more. */
  readable() {
    if (!this.isStream) return Math.max(Number(fs.fstatSync(this.fd).size) - this.tell(), 0);
    if (!this.seen && !this.look()) return undefined;
    return this.seen ? this.seen.length : 1;
  }

  /** Read the available bytes, to find out whether there are any. If that is not possible, assume that there are. */
  look() {
    endMoment();
    if (this.looks === undefined) this.looks = withoutWaiting(this.fd);
    if (this.looks === null) return true;
    try {
      const bytes = Buffer.alloc(LOOK_BYTES);
      this.seen = bytes.subarray(0, fs.readSync(this.looks, bytes));
      return true;
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      return false;
    }
  }

  readSeen(bytes, at, size) {
    endMoment();
    if (!this.seen && !this.look()) throw ERROR.EAGAIN;
    if (!this.seen) return fs.readSync(this.fd, bytes, at, Math.min(size, MOST_BYTES));
    const part = this.seen.subarray(0, size);
    bytes.set(part, at);
    this.seen = part.length < this.seen.length ? this.seen.subarray(part.length) : undefined;
    return part.length;
  }

  tell() {
    if (this.isStream) throw ERROR.ESPIPE;
    return this.position ?? descriptor(this.fd).pos;
  }

  /** from: 0 the start, 1 the position, 2 the end. Returns the new position. */
  seek(offset, from) {
    const start = [0, () => this.tell(), () => fs.fstatSync(this.fd).size][from];
    if (this.isStream) throw ERROR.ESPIPE;
    if (start === undefined) throw ERROR.EINVAL;
    const position = offset + (start && start());
    if (position < 0 || position > Number.MAX_SAFE_INTEGER) throw ERROR.EINVAL;
    if (offset || from !== 1) this.position = position;
    return position;
  }

  /** Node cannot change flags, so the file is opened again. It is the same file, even if its name has changed. */
  setFlags(flags) {
    const changed = systemFlags(flags) !== systemFlags(this.flags);
    if (changed && !this.isStream) {
      const position = this.tell(), access = this.access ?? descriptor(this.fd).flags & 3;
      const again = fs.openSync(`/proc/self/fd/${this.fd}`, access | systemFlags(flags));
      this.close();
      Object.assign(this, { fd: again, position, access, isInherited: false });
    }
    this.flags = flags;
  }

  setSize(size) {
    fs.ftruncateSync(this.fd, this.within(size));
  }

  /** Node cannot reserve space on the disk, so the file gets the requested length. */
  allocate(offset, size) {
    const end = this.within(offset + size);
    if (end > fs.fstatSync(this.fd).size) fs.ftruncateSync(this.fd, end);
  }

  /** Close the file. A file that this process has inherited stays open, since the process itself uses it. */
  close() {
    if (this.looks && this.looks !== this.fd) fs.closeSync(this.looks);
    this.looks = undefined;
    if (!this.isInherited) super.close();
  }
}
