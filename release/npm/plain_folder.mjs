// plain_folder.mjs - a folder for a program of WASI that may use all that this process may: paths lead where the system says.
import fs from "node:fs";
import { O_CREAT, O_DIRECTORY, O_EXCL, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_TRUNC, systemFlags, typeOf } from "../../hosts/wasm/wasi_entry.mjs";
import { DiskFile } from "../../hosts/wasm/wasi_file.mjs";
import { accessOf, DiskFolder } from "../../hosts/wasm/wasi_folder.mjs";
import { ERROR, FLAG, OPENING } from "../../hosts/wasm/wasi_numbers.mjs";

const BIGINTS = { bigint: true };

/** A path of Windows with its drive begins anew, wherever it is: /C:/work/D:\p.pb is D:\p.pb. */
const withDrive = path => /.*([A-Za-z]:[\\/].*)$/s.exec(path)?.[1] ?? path;

export class PlainFolder extends DiskFolder {
  constructor(path) {
    super(undefined, path.endsWith("/") ? path : `${path}/`);
  }

  placeOf(path) {
    if (path === "") throw ERROR.ENOENT;
    return process.platform === "win32" ? withDrive(this.base + path) : this.base + path;
  }

  reach(path, work) {
    const place = this.placeOf(path);
    return work({ place, exactPlace: place, slash: false });
  }

  find(path, follows, work) {
    const place = this.placeOf(path);
    return work(place, follows ? fs.statSync(place, BIGINTS) : fs.lstatSync(place, BIGINTS));
  }

  openAt(path, follows, how, flags, rights) {
    const place = this.placeOf(path), access = accessOf(rights);
    const system = access | systemFlags(flags) | O_NOCTTY | (follows ? 0 : O_NOFOLLOW) | (flags & FLAG.NONBLOCK ? O_NONBLOCK : 0) |
      (how & OPENING.CREATE ? O_CREAT : 0) | (how & OPENING.EXCLUSIVE ? O_EXCL : 0) | (how & OPENING.TRUNCATE ? O_TRUNC : 0) |
      (how & OPENING.FOLDER ? O_DIRECTORY : 0);
    if (fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() && !(how & (OPENING.CREATE | OPENING.TRUNCATE))) return new PlainFolder(place);
    const fd = fs.openSync(place, system, 0o666);
    return new DiskFile(fd, typeOf(fs.fstatSync(fd)), { position: 0, access, flags });
  }

  stat() {
    return fs.statSync(this.base, BIGINTS);
  }

  close() {}
}
