// wasi_table.mjs - the guest's table of descriptors: the file or folder of each number, and its rights.
import { ERROR, TYPE } from "./wasi_numbers.mjs";

const MOST_OPEN = 65536; // a guest that never closes files gets an error before this process runs out of memory

export class Table {
  /** files: the files of the first descriptors. */
  constructor(files) {
    this.files = files;
  }

  /** The file or folder of a descriptor. Throws an error unless it has all of `rights`. */
  get(fd, rights) {
    const file = this.files[fd];
    if (file === undefined) throw ERROR.EBADF;
    if ((file.rights & rights) !== rights) throw ERROR.ENOTCAPABLE;
    return file;
  }

  /** Like get, but a folder is an error. */
  file(fd, rights) {
    const file = this.get(fd, 0);
    if (file.type === TYPE.FOLDER) throw ERROR.EISDIR;
    if ((file.rights & rights) !== rights) throw ERROR.ENOTCAPABLE;
    return file;
  }

  /** Like get, but only a folder is allowed. */
  folder(fd, rights) {
    const file = this.get(fd, 0);
    if (file.type !== TYPE.FOLDER) throw ERROR.ENOTDIR;
    if ((file.rights & rights) !== rights) throw ERROR.ENOTCAPABLE;
    return file;
  }

  /** The lowest free number, for a new file. */
  add(file) {
    let fd = this.files.indexOf(undefined);
    if (fd < 0) fd = this.files.length;
    if (fd >= MOST_OPEN) throw ERROR.EMFILE;
    this.files[fd] = file;
    return fd;
  }

  close(fd) {
    const file = this.get(fd, 0);
    this.files[fd] = undefined;
    file.close();
  }

  /** Give `from` the number `to`, whose file is closed. */
  renumber(from, to) {
    const file = this.get(from, 0);
    this.get(to, 0);
    if (from === to) return;
    this.close(to);
    this.files[from] = undefined;
    this.files[to] = file;
  }

  closeAll() {
    for (const file of this.files) file?.close();
    this.files = [];
  }
}
