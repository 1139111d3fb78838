// wasi_file_calls.mjs - the functions fd_* of WASI. They throw errors, which wasi.mjs turns into numbers; those that
// must be fast return numbers themselves.
import { timeOf } from "./wasi_clock.mjs";
import { typeOf } from "./wasi_entry.mjs";
import { endMoment } from "./wasi_file.mjs";
import { ERROR, errorNumber, FLAG, RIGHT, TIME_FLAG, TYPE } from "./wasi_numbers.mjs";

const MOST_FLAGS = FLAG.APPEND | FLAG.DSYNC | FLAG.NONBLOCK | FLAG.RSYNC | FLAG.SYNC;
const MOST_ADVICE = 5;
const ENTRY_SIZE = 24; // of an entry of a folder, without its name
const MASK = 2 ** 30 - 1; // all existing rights

/** Rights as a number, from a BigInt. */
export const rightsOf = value => Number(BigInt.asUintN(32, value)) & MASK;

/** An unsigned number of 64 bits. It is not exact above 2^53, but no file is so large. */
export const unsigned = value => Number(BigInt.asUintN(64, value));

/** Write a struct filestat. */
export function writeStat({ memory, isUnstable }, at, stats, type = typeOf(stats)) {
  at = memory.at(at, isUnstable ? 56 : 64);
  const { view } = memory, words = [stats.size, stats.atimeNs, stats.mtimeNs, stats.ctimeNs];
  view.setBigUint64(at, stats.dev, true);
  view.setBigUint64(at + 8, stats.ino, true);
  view.setBigUint64(at + 16, BigInt(type), true);
  if (isUnstable) view.setUint32(at + 20, Number(stats.nlink), true);
  else view.setBigUint64(at + 24, stats.nlink, true);
  words.forEach((word, i) => view.setBigUint64(at + (isUnstable ? 24 : 32) + 8 * i, word, true));
}

/** The times to set: { accessed, modified }, in nanoseconds; undefined: unchanged. */
export function timesOf(accessed, modified, flags) {
  const both = pair => (flags & pair) === pair;
  if (flags & ~15 || both(TIME_FLAG.ACCESS | TIME_FLAG.ACCESS_NOW) || both(TIME_FLAG.MODIFIED | TIME_FLAG.MODIFIED_NOW)) throw ERROR.EINVAL;
  const time = (value, given, now) => (flags & given ? BigInt.asUintN(64, value) : flags & now ? timeOf(0) : undefined);
  return { accessed: time(accessed, TIME_FLAG.ACCESS, TIME_FLAG.ACCESS_NOW), modified: time(modified, TIME_FLAG.MODIFIED, TIME_FLAG.MODIFIED_NOW) };
}

/** One name of a folder as bytes. */
function entryOf(number, name, stats) {
  const entry = Buffer.alloc(ENTRY_SIZE + name.length);
  entry.writeBigUInt64LE(BigInt(number));
  entry.writeBigUInt64LE(stats?.ino ?? 0n, 8);
  entry.writeUInt32LE(name.length, 16);
  entry.writeUInt8(stats ? typeOf(stats) : TYPE.UNKNOWN, 20);
  name.copy(entry, ENTRY_SIZE);
  return entry;
}

/** Write names, from number `from` on, to `size` bytes of memory; the last one may be cut off. Returns how many bytes
 *  are used. */
function writeNames(memory, folder, at, size, from) {
  if (from === 0 || !folder.listed) folder.listed = [Buffer.from("."), Buffer.from(".."), ...folder.names()]; // the same list until it is read anew
  let used = 0;
  for (let i = from; i < folder.listed.length && used < size; i++) {
    const name = folder.listed[i], stats = i < 2 ? folder.stat() : folder.statName(name);
    const part = entryOf(i + 1, name, stats).subarray(0, size - used);
    memory.bytes.set(part, at + used);
    used += part.length;
  }
  return used;
}

/** fd_read and fd_write, the most frequent calls. They return numbers themselves, and create no object in the usual
 *  case of a single piece of memory. */
export function streamCalls({ memory, table }) {
  const several = {
    read: (file, list, count) => memory.scatter(memory.vectors(list, count), (bytes, at, size) => file.read(bytes, at, size), views => file.readPieces(views)),
    write: (file, list, count) => memory.gather(memory.vectors(list, count), (bytes, at, size) => file.write(bytes, at, size), views => file.writePieces(views)),
  };
  return {
    fd_read(fd, list, count, done) {
      try {
        const file = table.file(fd, RIGHT.FD_READ), to = memory.at(done, 4);
        if (count !== 1) memory.view.setUint32(to, several.read(file, list, count), true);
        else {
          const vector = memory.at(list, 8), size = memory.view.getUint32(vector + 4, true), at = memory.at(memory.view.getUint32(vector, true), size);
          memory.view.setUint32(to, size === 0 ? 0 : file.read(memory.bytes, at, size), true);
        }
        return ERROR.ESUCCESS;
      } catch (error) {
        return errorNumber(error);
      }
    },
    fd_write(fd, list, count, done) {
      try {
        endMoment();
        const file = table.file(fd, RIGHT.FD_WRITE), to = memory.at(done, 4);
        if (count !== 1) memory.view.setUint32(to, several.write(file, list, count), true);
        else {
          const vector = memory.at(list, 8), size = memory.view.getUint32(vector + 4, true), at = memory.at(memory.view.getUint32(vector, true), size);
          memory.view.setUint32(to, size === 0 ? 0 : file.write(memory.bytes, at, size), true);
        }
        return ERROR.ESUCCESS;
      } catch (error) {
        return errorNumber(error);
      }
    },
  };
}

/** Reading and writing at other positions. */
export function placeCalls({ memory, table, isUnstable }) {
  const readAt = (file, position) => [
    (bytes, at, size) => file.readAt(bytes, at, size, position),
    pieces => file.readPiecesAt(pieces, position)];
  const writeAt = (file, position) => [
    (bytes, at, size) => file.writeAt(bytes, at, size, position),
    pieces => file.writePiecesAt(pieces, position)];
  return {
    fd_pread(fd, list, count, offset, done) {
      const file = table.file(fd, RIGHT.FD_READ | RIGHT.FD_SEEK), pieces = memory.vectors(list, count);
      done = memory.at(done, 4);
      memory.view.setUint32(done, memory.scatter(pieces, ...readAt(file, Number(offset))), true);
    },
    fd_pwrite(fd, list, count, offset, done) {
      const file = table.file(fd, RIGHT.FD_WRITE | RIGHT.FD_SEEK), pieces = memory.vectors(list, count);
      done = memory.at(done, 4);
      memory.view.setUint32(done, memory.gather(pieces, ...writeAt(file, Number(offset))), true);
    },
    fd_seek(fd, offset, from, at) {
      if (isUnstable) from = [1, 2, 0][from]; // wasi_unstable has other numbers
      const file = table.file(fd, from === 1 && offset === 0n ? RIGHT.FD_TELL : RIGHT.FD_SEEK | RIGHT.FD_TELL);
      at = memory.at(at, 8);
      memory.setNumber(at, file.seek(Number(offset), from));
    },
    fd_tell(fd, at) {
      const file = table.file(fd, RIGHT.FD_TELL);
      at = memory.at(at, 8);
      memory.setNumber(at, file.tell());
    },
    fd_readdir(fd, at, size, from, used) {
      const folder = table.folder(fd, RIGHT.READDIR);
      size >>>= 0;
      at = memory.at(at, size);
      used = memory.at(used, 4);
      memory.view.setUint32(used, writeNames(memory, folder, at, size, unsigned(from)), true);
    },
  };
}

/** The type and the rights of a descriptor. */
export function stateCalls(wasi) {
  const { memory, table } = wasi;
  return {
    fd_fdstat_get(fd, at) {
      const file = table.get(fd, 0);
      at = memory.at(at, 24);
      const { view } = memory;
      view.setBigUint64(at, BigInt(file.type), true);
      view.setUint16(at + 2, file.flags, true);
      view.setBigUint64(at + 8, BigInt(file.rights), true);
      view.setBigUint64(at + 16, BigInt(file.inheriting), true);
    },
    fd_fdstat_set_flags(fd, flags) {
      if (flags & ~MOST_FLAGS) throw ERROR.EINVAL;
      table.get(fd, RIGHT.FD_SET_FLAGS).setFlags(flags);
    },
    fd_fdstat_set_rights(fd, base, inheriting) {
      const file = table.get(fd, 0), rights = rightsOf(base), later = rightsOf(inheriting);
      if (rights & ~file.rights || later & ~file.inheriting) throw ERROR.ENOTCAPABLE;
      file.rights = rights;
      file.inheriting = later;
    },
    fd_prestat_get(fd, at) {
      const { givenName } = table.get(fd, 0);
      if (givenName === undefined) throw ERROR.EBADF;
      at = memory.at(at, 8);
      memory.view.setUint32(at, 0, true); // a folder
      memory.view.setUint32(at + 4, givenName.length, true);
    },
    fd_prestat_dir_name(fd, at, size) {
      const { givenName } = table.get(fd, 0);
      if (givenName === undefined) throw ERROR.EBADF;
      if (size >>> 0 < givenName.length) throw ERROR.ENAMETOOLONG;
      memory.set(at, givenName);
    },
    fd_filestat_get(fd, at) {
      const file = table.get(fd, RIGHT.FD_STAT);
      writeStat(wasi, at, file.stat(), file.type);
    },
    fd_close: fd => table.close(fd),
    fd_renumber: (from, to) => table.renumber(from, to),
  };
}

/** Changes of a file as a whole. */
export function changeCalls({ table }) {
  return {
    fd_advise(fd, offset, size, advice) {
      const file = table.file(fd, RIGHT.FD_ADVISE);
      if (advice >>> 0 > MOST_ADVICE || offset < 0n || size < 0n) throw ERROR.EINVAL;
      if (file.isStream) throw ERROR.ESPIPE;
    },
    fd_allocate(fd, offset, size) {
      const file = table.file(fd, RIGHT.FD_ALLOCATE);
      if (offset < 0n || size <= 0n) throw ERROR.EINVAL;
      file.allocate(Number(offset), Number(size));
    },
    fd_filestat_set_size: (fd, size) => table.file(fd, RIGHT.FD_SET_SIZE).setSize(Number(size)),
    fd_filestat_set_times(fd, accessed, modified, flags) {
      const file = table.get(fd, RIGHT.FD_SET_TIMES);
      file.setTimes(timesOf(accessed, modified, flags));
    },
    fd_sync: fd => table.get(fd, RIGHT.FD_SYNC).sync(),
    fd_datasync: fd => table.get(fd, RIGHT.FD_DATASYNC).syncData(),
  };
}
