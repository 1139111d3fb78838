// wasi_folder.mjs - a folder of the disk for a WASI guest: no path leads the guest out of it. Node has no openat(), but
// Linux has a path for each open descriptor, /proc/self/fd/N, which always means that folder, even if it is renamed. So
// a path is walked one component at a time: each folder is opened relative to the previous one, never through a link,
// and stays open until the end. Links are read and walked by this code; ".." goes back to the folder that is still
// open. So no link, ".." or rename leads out, even if another process changes the folders at the same time.
//
// Without /proc (not Linux, or a root without it) folders are used by their paths. Then the check and the use are two
// steps, and another process can lead out by a link that it creates in between.
import fs from "node:fs";
import {
  DiskEntry, O_CREAT, O_DIRECTORY, O_EXCL, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_PATH, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY, setTimes, systemFlags, typeOf,
} from "./wasi_entry.mjs";
import { DiskFile } from "./wasi_file.mjs";
import { ERROR, FLAG, OPENING, RIGHT, TYPE } from "./wasi_numbers.mjs";

const MOST_LINKS = 40; // as in Linux
const STAT = { bigint: true, throwIfNoEntry: false };

const hasDescriptorPaths = fs.existsSync("/proc/self/fd");

/** The prefix for paths below a folder with descriptor `fd` and path `path`. */
const baseOf = (fd, path) => (hasDescriptorPaths ? `/proc/self/fd/${fd}/` : `${path}/`);

const isLinkError = ({ code }) => code === "ELOOP" || code === "ENOTDIR" || code === "EMLINK";

/** Walks to the last component of a path. `name` is that component, `place` its path. */
class Walk {
  constructor(root, path) {
    if (path === "") throw ERROR.ENOENT;
    if (path.startsWith("/")) throw ERROR.ENOTCAPABLE;
    this.root = root;
    this.held = []; // the open folders on the way
    this.base = root.base;
    this.links = 0;
    this.parts = []; // the components that remain, the last one first
    this.push(path);
    this.advance();
  }

  push(path) {
    const parts = path.split("/");
    while (parts.at(-1) === "") parts.pop();
    this.slash ||= path.endsWith("/") && this.parts.length === 0; // the last component must be a folder
    while (parts.length) this.parts.push(parts.pop());
  }

  /** Walk to the folder of the last component. */
  advance() {
    this.name = ".";
    while (this.parts.length) {
      const part = this.parts.pop();
      if (part === "" || part === ".") continue;
      if (part === "..") this.back();
      else if (this.parts.length) this.enter(part);
      else this.name = part;
    }
  }

  get place() {
    return this.base + this.name;
  }

  /** The same, with the slash at its end, for calls in which the system does not follow links. */
  get exactPlace() {
    return this.slash ? `${this.place}/` : this.place;
  }

  back() {
    if (this.held.length === 0) throw ERROR.ENOTCAPABLE;
    fs.closeSync(this.held.pop().fd);
    this.base = this.held.length ? this.held.at(-1).base : this.root.base;
  }

  enter(part) {
    const path = this.base + part;
    try {
      const fd = fs.openSync(path, O_PATH | O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      this.base = baseOf(fd, path);
      this.held.push({ fd, base: this.base });
    } catch (error) {
      if (!isLinkError(error) || !this.expand(path)) throw error;
    }
  }

  /** If `path` is a link, its target will be walked next. Returns whether it is a link. */
  expand(path) {
    let target;
    try {
      target = fs.readlinkSync(path);
    } catch {
      return false;
    }
    if (++this.links > MOST_LINKS) throw ERROR.ELOOP;
    this.push(target.startsWith("/") ? this.inside(target) : target);
    return true;
  }

  /** If an absolute target is inside the root: the path to it from the root, which is walked like any other. */
  inside(target) {
    const root = hasDescriptorPaths ? fs.readlinkSync(`/proc/self/fd/${this.root.fd}`) : fs.realpathSync(this.root.base);
    const start = root === "/" ? root : `${root}/`;
    if (target !== root && !target.startsWith(start)) throw ERROR.ENOTCAPABLE;
    this.close();
    this.base = this.root.base;
    return `./${target.slice(start.length)}`;
  }

  /** The last component is a link: go to where it leads. */
  follow() {
    if (!this.expand(this.place)) throw ERROR.ENOENT; // the link was removed
    this.advance();
  }

  close() {
    while (this.held.length) fs.closeSync(this.held.pop().fd);
  }
}

/** The system's access mode for rights. A file that the guest only writes is opened write-only, since it may not be
 *  readable. */
export function accessOf(rights) {
  const writes = rights & (RIGHT.FD_WRITE | RIGHT.FD_ALLOCATE | RIGHT.FD_SET_SIZE);
  return !writes ? O_RDONLY : rights & RIGHT.FD_READ ? O_RDWR : O_WRONLY;
}

export class DiskFolder extends DiskEntry {
  constructor(fd, base) {
    super(fd, TYPE.FOLDER, 0);
    this.base = base;
  }

  /** A folder that the guest has from the start. If it is the current folder of this process, its paths are short, and
   *  so faster. */
  static preopened(path) {
    const fd = fs.openSync(path, O_RDONLY | O_DIRECTORY), { dev, ino } = fs.fstatSync(fd, STAT), here = fs.statSync(".", STAT);
    return new DiskFolder(fd, here && here.dev === dev && here.ino === ino ? "./" : baseOf(fd, fs.realpathSync(path)));
  }

  /** Call work(walk) at the last component of a path. */
  reach(path, work) {
    const walk = new Walk(this, path);
    try {
      return work(walk);
    } finally {
      walk.close();
    }
  }

  /** Call work(place, stats) with the target of a path. `place` is a link only if links must not be followed. */
  find(path, follows, work) {
    return this.reach(path, walk => {
      for (;;) {
        const stats = fs.lstatSync(walk.place, STAT);
        if (!stats) throw ERROR.ENOENT;
        if (stats.isSymbolicLink() && (follows || walk.slash)) walk.follow();
        else if (walk.slash && !stats.isDirectory()) throw ERROR.ENOTDIR;
        else return work(walk.place, stats);
      }
    });
  }

  statAt(path, follows) {
    return this.find(path, follows, (place, stats) => stats);
  }

  setTimesAt(path, follows, times) {
    this.find(path, follows, (place, stats) => setTimes(times, stats, (accessed, modified) => fs.lutimesSync(place, accessed, modified)));
  }

  /** Open the target of a path, or create it. Returns a DiskFile or a DiskFolder. */
  openAt(path, follows, how, flags, rights) {
    if (how & OPENING.CREATE && how & OPENING.FOLDER) throw ERROR.EINVAL;
    const access = accessOf(rights);
    const system = access | systemFlags(flags) | O_NOFOLLOW | O_NOCTTY | (flags & FLAG.NONBLOCK ? O_NONBLOCK : 0) | (how & OPENING.CREATE ? O_CREAT : 0) |
      (how & OPENING.EXCLUSIVE ? O_EXCL : 0) | (how & OPENING.TRUNCATE ? O_TRUNC : 0) | (how & OPENING.FOLDER ? O_DIRECTORY : 0);
    const fd = this.reach(path, walk => this.openLast(walk, follows, system));
    try {
      const stats = fs.fstatSync(fd);
      return stats.isDirectory() ? new DiskFolder(fd, baseOf(fd, this.base + path)) : new DiskFile(fd, typeOf(stats), { position: 0, access, flags });
    } catch (error) {
      fs.closeSync(fd);
      throw error;
    }
  }

  openLast(walk, follows, system) {
    for (;;) {
      if (walk.slash && system & O_CREAT) throw ERROR.EISDIR;
      try {
        return fs.openSync(walk.place, walk.slash ? system | O_DIRECTORY : system, 0o666);
      } catch (error) {
        if (!isLinkError(error) || !(follows || walk.slash) || !walk.expand(walk.place)) throw error;
        walk.advance();
      }
    }
  }

  makeFolder(path) {
    this.reach(path, walk => fs.mkdirSync(walk.exactPlace, 0o777));
  }

  removeFolder(path) {
    this.reach(path, walk => fs.rmdirSync(walk.exactPlace));
  }

  unlink(path) {
    this.reach(path, walk => fs.unlinkSync(walk.exactPlace));
  }

  rename(path, folder, newPath) {
    this.reach(path, from => folder.reach(newPath, to => fs.renameSync(from.exactPlace, to.exactPlace)));
  }

  link(path, folder, newPath) {
    this.reach(path, from => {
      if (from.slash) throw ERROR.ENOTDIR; // the system would follow it
      folder.reach(newPath, to => fs.linkSync(from.place, to.exactPlace));
    });
  }

  /** Make a link. An absolute target is refused, since other programs would follow it out of the folder. */
  symlink(target, path) {
    if (target.startsWith("/")) throw ERROR.ENOTCAPABLE;
    if (target === "") throw ERROR.ENOENT;
    this.reach(path, walk => {
      const there = walk.slash && fs.lstatSync(walk.place, STAT);
      if (there && !there.isDirectory()) throw ERROR.ENOTDIR;
      fs.symlinkSync(target, walk.exactPlace);
    });
  }

  readLink(path) {
    return this.reach(path, walk => {
      if (walk.slash) throw ERROR.EINVAL; // the system would follow it
      return fs.readlinkSync(walk.place, "buffer");
    });
  }

  /** The names in the folder, as bytes. */
  names() {
    return fs.readdirSync(`${this.base}.`, "buffer");
  }

  /** Node's description of one of these names; undefined if it was removed. */
  statName(name) {
    return fs.lstatSync(Buffer.concat([Buffer.from(this.base), name]), STAT);
  }

  setFlags(flags) {
    this.flags = flags;
  }
}
