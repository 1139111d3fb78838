// wasi_table.mjs - the guest's descriptors: which file or folder has which number, and what may be done with it.
import { ERROR, TYPE } from "./wasi_numbers.mjs";

const MOST_OPEN = 65536; // a guest that never closes gets an error before this process has no memory

export class Table {
  /** files: those of the first descriptors. */
  constructor(files) {
    this.files = files;
  }

  /** The file or folder of a descriptor, with which all of `rights` is allowed. */
  get(fd, rights) {
    const file = this.files[fd];
    if (file === undefined) throw ERROR.EBADF;
    if ((file.rights & rights) !== rights) throw ERROR.ENOTCAPABLE;
    return file;
  }

  /** As get, but only what is no folder. */
  file(fd, rights) {
    const file = this.get(fd, 0);
    if (file.type === TYPE.FOLDER) throw ERROR.EISDIR;
    if ((file.rights & rights) !== rights) throw ERROR.ENOTCAPABLE;
    return file;
  }

  /** As get, but only folders. */
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

  /** `from` gets the number `to`, whose file is closed. */
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
