// wasi_path_calls.mjs - the functions path_* of WASI. They throw errors, which wasi.mjs turns into numbers.
import { rightsOf, timesOf, writeStat } from "./wasi_file_calls.mjs";
import { ERROR, FILE_RIGHTS, FOLDER_RIGHTS, FOLLOW, OPENING, RIGHT, TYPE } from "./wasi_numbers.mjs";

/** The rights of the folder that opening a path needs. */
const neededFor = how => RIGHT.OPEN | (how & OPENING.CREATE ? RIGHT.CREATE_FILE : 0) | (how & OPENING.TRUNCATE ? RIGHT.PATH_SET_SIZE : 0);

function open({ memory, table }, fd, lookup, path, size, how, base, inheriting, flags, at) {
  const folder = table.folder(fd, neededFor(how)), wanted = rightsOf(base) & folder.inheriting;
  if (how & ~15 || flags & ~31) throw ERROR.EINVAL;
  path = memory.text(path, size);
  at = memory.at(at, 4);
  const opened = folder.openAt(path, lookup & FOLLOW, how, flags, wanted), isFolder = opened.type === TYPE.FOLDER;
  opened.rights = wanted & (isFolder ? FOLDER_RIGHTS : FILE_RIGHTS);
  opened.inheriting = isFolder ? rightsOf(inheriting) & folder.inheriting : 0;
  try {
    memory.view.setUint32(at, table.add(opened), true);
  } catch (error) {
    opened.close();
    throw error;
  }
}

/** Functions that create, remove and move names. */
export function nameCalls({ memory, table }) {
  return {
    path_create_directory: (fd, path, size) => table.folder(fd, RIGHT.CREATE_FOLDER).makeFolder(memory.text(path, size)),
    path_remove_directory: (fd, path, size) => table.folder(fd, RIGHT.REMOVE_FOLDER).removeFolder(memory.text(path, size)),
    path_unlink_file: (fd, path, size) => table.folder(fd, RIGHT.UNLINK).unlink(memory.text(path, size)),
    path_rename(fd, path, size, toFd, toPath, toSize) {
      const from = table.folder(fd, RIGHT.RENAME_SOURCE), to = table.folder(toFd, RIGHT.RENAME_TARGET);
      from.rename(memory.text(path, size), to, memory.text(toPath, toSize));
    },
    path_link(fd, lookup, path, size, toFd, toPath, toSize) {
      const from = table.folder(fd, RIGHT.LINK_SOURCE), to = table.folder(toFd, RIGHT.LINK_TARGET);
      if (lookup & FOLLOW) throw ERROR.EINVAL;
      from.link(memory.text(path, size), to, memory.text(toPath, toSize));
    },
    path_symlink(target, targetSize, fd, path, size) {
      table.folder(fd, RIGHT.SYMLINK).symlink(memory.text(target, targetSize), memory.text(path, size));
    },
  };
}

/** Functions about the target of a name. */
export function lookCalls(wasi) {
  const { memory, table } = wasi;
  return {
    path_open: (...all) => open(wasi, ...all),
    path_filestat_get(fd, lookup, path, size, at) {
      const folder = table.folder(fd, RIGHT.PATH_STAT);
      writeStat(wasi, at, folder.statAt(memory.text(path, size), lookup & FOLLOW));
    },
    path_filestat_set_times(fd, lookup, path, size, accessed, modified, flags) {
      const folder = table.folder(fd, RIGHT.PATH_SET_TIMES);
      folder.setTimesAt(memory.text(path, size), lookup & FOLLOW, timesOf(accessed, modified, flags));
    },
    path_readlink(fd, path, size, at, room, used) {
      const folder = table.folder(fd, RIGHT.READLINK);
      room >>>= 0;
      at = memory.at(at, room);
      used = memory.at(used, 4);
      const target = folder.readLink(memory.text(path, size)).subarray(0, room);
      memory.bytes.set(target, at);
      memory.view.setUint32(used, target.length, true);
    },
  };
}
