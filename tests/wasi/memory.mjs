// memory.mjs - files in memory, as the command of toll-litesvm has them: what WASI's functions do with them, and their errors.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { Content, MemoryFolder } from "../../hosts/litesvm/memory_files.mjs";
import { ALL, ERROR, READS, scratch, System } from "./system.mjs";

const ROOT = 3, AT = 64, CREATE = 1, WANT_FOLDER = 2, EXCLUSIVE = 4, TRUNCATE = 8, APPEND = 1, TYPE_OF_FOLDER = 3, TYPE_OF_FILE = 4;
const folder = scratch(), onDisk = path.join(folder, "disk");
fs.writeFileSync(onDisk, "on the disk");

function fresh() {
  const contents = new Map(Object.entries({ "/a": new Content(Buffer.from("0123456789")), "/in/b": new Content(Buffer.from("b")), "/in/deep/c": onDisk }));
  return { contents, system: new System([["/", new MemoryFolder(contents)]]) };
}

/** [type, size] of what is at a path, or an error. */
function statOf(system, name) {
  const error = system.calls.path_filestat_get(ROOT, 0, ...system.put(name), AT);
  return error ? -error : [system.view.getUint8(AT + 16), Number(system.view.getBigUint64(AT + 32, true))];
}

/** The names in a folder, with `size` bytes of room for each call. */
function list(system, fd, size) {
  const names = [];
  for (let next = 0n; ;) {
    assert.equal(system.calls.fd_readdir(fd, 8192, size, next, AT), 0);
    const used = system.view.getUint32(AT, true);
    for (let at = 8192; at + 24 <= 8192 + used;) {
      const length = system.view.getUint32(at + 16, true), end = at + 24 + length;
      if (end > 8192 + used) break;
      next = system.view.getBigUint64(at, true);
      names.push(`${Buffer.from(system.memory.buffer, at + 24, length)} ${system.view.getUint8(at + 20)}`);
      at = end;
    }
    if (used < size) return names.sort();
  }
}

const tests = {
  "files of memory and of the disk are read"() {
    const { system } = fresh();
    assert.equal(system.readFile(ROOT, "a"), "0123456789");
    assert.equal(system.readFile(ROOT, "./in/../in//b"), "b");
    assert.equal(system.readFile(ROOT, "in/deep/c"), "on the disk");
    assert.deepEqual([statOf(system, "a"), statOf(system, "in/deep/c"), statOf(system, "in/deep")], [[TYPE_OF_FILE, 10], [TYPE_OF_FILE, 11], [TYPE_OF_FOLDER, 0]]);
    const disk = system.open(ROOT, "in/deep/c");
    assert.equal(system.write(disk, "x"), -ERROR.EBADF);
    assert.equal(fs.readFileSync(onDisk, "utf8"), "on the disk");
  },
  "a file that is made, and replaced by another one's name"() {
    const { system, contents } = fresh(), fd = system.open(ROOT, "new", { how: CREATE | EXCLUSIVE });
    for (let i = 0; i < 3000; i++) assert.equal(system.write(fd, "abc"), 3);
    assert.deepEqual(statOf(system, "new"), [TYPE_OF_FILE, 9000]);
    assert.equal(system.calls.path_rename(ROOT, ...system.put("new"), ROOT, ...system.put("a", 2048)), 0);
    assert.equal(Buffer.from(contents.get("/a").bytes).toString(), "abc".repeat(3000));
    assert.equal(statOf(system, "new"), -ERROR.ENOENT);
    assert.equal(system.calls.path_unlink_file(ROOT, ...system.put("a")), 0);
    assert.ok(!contents.has("/a"));
  },
  "positions: seeking, appending, beyond the end, larger and smaller"() {
    const { system, contents } = fresh(), fd = system.open(ROOT, "a"), text = () => Buffer.from(contents.get("/a").bytes).toString("latin1");
    for (const [offset, from, result] of [[4n, 0, 4n], [3n, 1, 7n], [-2n, 2, 8n]]) {
      assert.equal(system.calls.fd_seek(fd, offset, from, AT), 0);
      assert.equal(system.view.getBigUint64(AT, true), result);
    }
    for (const [offset, from] of [[-1n, 0], [0n, 3]]) assert.equal(system.calls.fd_seek(fd, offset, from, AT), ERROR.EINVAL);
    assert.equal(system.read(fd), "89");
    assert.equal(system.read(fd), "");
    assert.equal(system.calls.fd_seek(fd, 12n, 0, AT), 0);
    system.write(fd, "x");
    assert.equal(text(), "0123456789\0\0x");
    assert.equal(system.calls.fd_filestat_set_size(fd, 3n), 0);
    assert.equal(system.calls.fd_filestat_set_size(fd, 5n), 0);
    assert.equal(text(), "012\0\0");
    const end = system.open(ROOT, "a", { flags: APPEND });
    system.write(end, "yz");
    assert.equal(text(), "012\0\0yz");
    assert.equal(system.transfer("fd_read", fd, 9), 0, "its position is behind the end");
    assert.equal(system.open(ROOT, "a", { how: TRUNCATE }) > 0, true);
    assert.equal(text(), "");
  },
  "reading and writing elsewhere, in pieces"() {
    const { system, contents } = fresh(), fd = system.open(ROOT, "a"), large = 40000;
    new Uint8Array(system.memory.buffer).fill(65, 20000, 20000 + large).fill(66, 70000, 70000 + large);
    [20000, large, 70000, large].forEach((word, i) => system.view.setUint32(8 + 4 * i, word, true));
    assert.equal(system.calls.fd_pwrite(fd, 8, 2, 10n, AT), 0);
    assert.equal(system.view.getUint32(AT, true), 2 * large);
    assert.equal(contents.get("/a").size, 10 + 2 * large);
    new Uint8Array(system.memory.buffer).fill(0, 20000, 120000);
    assert.equal(system.calls.fd_pread(fd, 8, 2, 10n, AT), 0);
    assert.deepEqual([20000, 20000 + large - 1, 70000, 70000 + large - 1].map(at => system.view.getUint8(at)), [65, 65, 66, 66]);
    assert.equal(system.calls.fd_pread(fd, 8, 1, -1n, AT), ERROR.EINVAL);
    assert.equal(system.calls.fd_pwrite(fd, 8, 1, 1n << 52n, AT), ERROR.ENOSPC);
  },
  "folders and the names in them"() {
    const { system } = fresh(), inner = system.open(ROOT, "in", { how: WANT_FOLDER });
    for (const size of [60, 4096]) {
      assert.deepEqual(list(system, ROOT, size), [". 3", ".. 3", "a 4", "in 3"]);
      assert.deepEqual(list(system, inner, size), [". 3", ".. 3", "b 4", "deep 3"]);
    }
    assert.equal(system.readFile(inner, "deep/c"), "on the disk");
  },
  "errors"() {
    const { system } = fresh(), inner = system.open(ROOT, "in");
    for (const [fd, name, options, error] of [
      [ROOT, "none", {}, ERROR.ENOENT], [ROOT, "none", { how: WANT_FOLDER }, ERROR.ENOENT], [ROOT, "a", { how: WANT_FOLDER }, ERROR.ENOTDIR],
      [ROOT, "a", { how: CREATE | EXCLUSIVE }, ERROR.EEXIST], [ROOT, "/a", {}, ERROR.ENOTCAPABLE], [inner, "../a", {}, ERROR.ENOTCAPABLE],
    ]) assert.equal(system.open(fd, name, { rights: READS, ...options }), -error, name);
    assert.equal(statOf(system, "none"), -ERROR.ENOENT);
    assert.equal(system.read(inner), -ERROR.EISDIR);
    assert.equal(system.calls.path_unlink_file(ROOT, ...system.put("none")), ERROR.ENOENT);
    assert.equal(system.calls.path_unlink_file(ROOT, ...system.put("in")), ERROR.EISDIR);
    assert.equal(system.calls.path_rename(ROOT, ...system.put("none"), ROOT, ...system.put("x", 2048)), ERROR.ENOENT);
    assert.equal(system.calls.path_create_directory(ROOT, ...system.put("x")), ERROR.ENOTSUP);
    assert.equal(system.calls.path_symlink(...system.put("a"), ROOT, ...system.put("x", 2048)), ERROR.ENOTSUP);
    assert.equal(system.open(ROOT, "a", { rights: ALL }) > ROOT, true);
  },
};

try {
  for (const [name, test] of Object.entries(tests)) {
    test();
    console.log(`ok: ${name}`);
  }
} finally {
  fs.rmSync(folder, { recursive: true });
}
