// calls.mjs - what WASI's functions do, and their errors.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { ALL, ERROR, FOLDERS, READS, scratch, System } from "./system.mjs";

const folder = scratch(), FOLDER = 3, AT = 64, MS = 1_000_000n, PAGE = 65536;
const file = name => path.join(folder, name);
const fresh = options => new System([["/data", folder]], options);

const tests = {
  "small reads are those of the file, whatever their sizes"() {
    const text = Array.from({ length: 30000 }, (_, i) => i.toString(36)).join(" ");
    fs.writeFileSync(file("long"), text);
    const system = fresh(), fd = system.open(FOLDER, "long", { rights: READS });
    let all = "", state = 1;
    for (let part = "x"; part !== ""; all += part) {
      const size = 1 + (state = (state * 48271) % 2147483647) % 5000;
      part = system.read(fd, size);
      assert(part.length === size || all.length + part.length === text.length, "less than was asked for, in the middle");
    }
    assert.equal(all, text);
  },
  "what others write is seen after any other call, and at the end of the file"() {
    fs.writeFileSync(file("shared"), "abcdefghij".repeat(10));
    const system = fresh(), fd = system.open(FOLDER, "shared", { rights: READS | 1n << 6n }), other = system.open(FOLDER, "shared", { rights: READS | 1n << 6n });
    for (let i = 0; i < 3; i++) system.read(fd, 2); // the third one reads ahead
    fs.writeFileSync(file("shared"), "ABCDEFGHIJ".repeat(10));
    system.calls.fd_tell(other, AT);
    assert.equal(system.read(fd, 2), "GH");
    for (let i = 0; i < 3; i++) system.read(fd, 2);
    system.calls.fd_seek(other, 14n, 0, AT);
    system.write(other, "xy");
    assert.equal(system.read(fd, 4), "xyGH");
    while (system.read(fd, 7) !== "");
    fs.appendFileSync(file("shared"), "more");
    assert.equal(system.read(fd, 9), "more");
  },
  "positions: seeking, telling, appending, both ways to count"() {
    fs.writeFileSync(file("seek"), "0123456789");
    const system = fresh(), fd = system.open(FOLDER, "seek", { rights: FOLDERS | 1n << 6n }), at = () => system.view.getBigUint64(AT, true);
    for (const [offset, from, result, position] of [[4n, 0, 0, 4n], [3n, 1, 0, 7n], [-2n, 2, 0, 8n], [-9n, 1, ERROR.EINVAL], [1n << 40n, 0, 0, 1n << 40n], [(1n << 62n), 0, ERROR.EINVAL], [0n, 3, ERROR.EINVAL], [8n, 0, 0, 8n]]) {
      assert.equal(system.calls.fd_seek(fd, offset, from, AT), result);
      if (position !== undefined) assert.equal(at(), position);
    }
    assert.equal(system.read(fd), "89");
    assert.equal(system.calls.fd_fdstat_set_flags(fd, 1), 0);
    assert.equal(system.calls.fd_seek(fd, 0n, 0, AT), 0);
    assert.equal(system.write(fd, "ab"), 2);
    assert.equal(system.calls.fd_tell(fd, AT), 0);
    assert.equal(at(), 12n);
    assert.equal(fs.readFileSync(file("seek"), "utf8"), "0123456789ab");
    const old = fresh({ isUnstable: true }), same = old.open(FOLDER, "seek", { rights: READS });
    assert.equal(old.calls.fd_seek(same, 0n, 1, AT), 0); // there 1 is the end
    assert.equal(old.view.getBigUint64(AT, true), 12n);
  },
  "a file larger than 4 GiB"() {
    const fd = fs.openSync(file("large"), "w");
    fs.writeSync(fd, "far", 2 ** 32 + 3);
    fs.closeSync(fd);
    const system = fresh(), guest = system.open(FOLDER, "large", { rights: READS });
    assert.equal(system.calls.fd_seek(guest, -3n, 2, AT), 0);
    assert.equal(system.view.getBigUint64(AT, true), (1n << 32n) + 3n);
    assert.equal(system.read(guest), "far");
    assert.equal(system.calls.path_filestat_get(FOLDER, 0, ...system.put("large"), AT), 0);
    assert.equal(system.view.getBigUint64(AT + 32, true), (1n << 32n) + 6n);
    fs.rmSync(file("large"));
  },
  "memory that has grown is used, and nothing beyond it"() {
    const system = fresh(), end = 2 * PAGE;
    assert.equal(system.calls.clock_time_get(1, 0n, end - 7), ERROR.EFAULT);
    assert.equal(system.calls.clock_time_get(1, 0n, end - 8), 0);
    system.memory.grow(1);
    assert.equal(system.calls.clock_time_get(1, 0n, end - 7), 0);
    assert.equal(system.calls.random_get(end, PAGE), 0);
    assert.equal(system.calls.random_get(end, PAGE + 1), ERROR.EFAULT);
    assert.equal(system.calls.random_get(-1, 1), ERROR.EFAULT);
    system.memory.grow(1);
    assert.equal(system.calls.random_get(end + PAGE, PAGE), 0);
    assert.equal(system.calls.args_sizes_get(0xfffffffc | 0, 0), ERROR.EFAULT);
  },
  "clocks"() {
    const system = fresh(), time = clock => (assert.equal(system.calls.clock_time_get(clock, 0n, AT), 0), system.view.getBigUint64(AT, true));
    // The clock may be steered, and this process may be stopped, between two readings: a second is allowed.
    const before = BigInt(Date.now()), now = time(0) / MS, after = BigInt(Date.now());
    assert(before - 1000n < now && now < after + 1000n, `${before} ${now} ${after} ms`);
    for (const clock of [1, 2, 3]) {
      const begin = performance.now(), first = time(clock);
      while (time(clock) - first < MS);
      const passed = time(clock) - first, most = BigInt(Math.ceil(performance.now() - begin) + 1000) * MS;
      assert(passed < most, `clock ${clock}: ${passed} of ${most} ns`);
    }
    const ran = () => BigInt(fs.readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[0]);
    const ranBefore = ran(), ranNow = time(3), ranAfter = ran();
    assert(ranBefore <= ranNow && ranNow <= ranAfter, `the thread ran for ${ranBefore}, ${ranNow}, ${ranAfter} ns`);
    assert.equal(system.calls.clock_time_get(4, 0n, AT), ERROR.EINVAL);
    assert.equal(system.calls.clock_time_get(-1, 0n, AT), ERROR.EINVAL);
  },
  "a poll waits until the first deadline, and not for a file"() {
    const system = fresh(), { view } = system, start = performance.now();
    const clock = (at, user, ms) => {
      view.setBigUint64(at, user, true);
      view.setUint32(at + 16, 1, true);
      view.setBigUint64(at + 24, ms * MS, true);
    };
    clock(1024, 7n, 600_000n);
    clock(1072, 9n, 40n);
    assert.equal(system.calls.poll_oneoff(1024, 4096, 2, AT), 0);
    const took = performance.now() - start;
    assert(took >= 40 && took < 600_000, `${took} ms`);
    assert.deepEqual([view.getUint32(AT, true), view.getBigUint64(4096, true)], [1, 9n]);
    fs.writeFileSync(file("ready"), "123");
    view.setBigUint64(1072, 5n, true);
    view.setUint8(1072 + 8, 1);
    view.setUint32(1072 + 16, system.open(FOLDER, "ready", { rights: READS | 1n << 27n }), true);
    assert.equal(system.calls.poll_oneoff(1024, 4096, 2, AT), 0);
    assert.deepEqual([view.getUint32(AT, true), view.getBigUint64(4096, true), view.getBigUint64(4096 + 16, true)], [1, 5n, 3n]);
  },
  "wasi_unstable: a smaller struct of a file, other numbers to seek, clocks with a name"() {
    fs.writeFileSync(file("old"), "0123456789");
    fs.utimesSync(file("old"), 1000, 2000);
    const system = fresh({ isUnstable: true }), { view } = system, fd = system.open(FOLDER, "old", { rights: FOLDERS | 1n << 6n });
    const stats = fs.statSync(file("old"), { bigint: true });
    view.setBigUint64(AT + 56, 77n, true); // behind the struct
    assert.equal(system.calls.fd_filestat_get(fd, AT), 0);
    assert.deepEqual([0, 8, 24, 32, 40, 48, 56].map(at => view.getBigUint64(AT + at, true)),
                     [stats.dev, stats.ino, 10n, 1000n * 1000n * MS, 2000n * 1000n * MS, stats.ctimeNs, 77n]);
    assert.deepEqual([view.getUint8(AT + 16), view.getUint32(AT + 20, true)], [4, 1]);
    for (const [offset, from, position] of [[4n, 2, 4n], [3n, 0, 7n], [-1n, 1, 9n]]) {
      assert.equal(system.calls.fd_seek(fd, offset, from, AT), 0);
      assert.equal(view.getBigUint64(AT, true), position);
    }
    view.setBigUint64(1024, 5n, true); // a clock's event: its name is passed over
    view.setBigUint64(1024 + 16, ~0n & 0xffffffffffffffffn, true);
    view.setUint32(1024 + 24, 1, true);
    view.setBigUint64(1024 + 32, MS, true);
    assert.equal(system.calls.poll_oneoff(1024, 4096, 1, AT), 0);
    assert.deepEqual([view.getUint32(AT, true), view.getBigUint64(4096, true), view.getUint16(4096 + 8, true)], [1, 5n, 0]);
  },
  "names in a folder, in pieces of any size"() {
    fs.mkdirSync(file("names"));
    const wanted = [".", ".."];
    for (let i = 0; i < 50; i++) {
      wanted.push(`n${"x".repeat(i)}`);
      fs.writeFileSync(file(`names/n${"x".repeat(i)}`), "");
    }
    const system = fresh(), fd = system.open(FOLDER, "names", { how: 2, rights: FOLDERS }), found = [], room = 200;
    for (let next = 0n, used = room; used === room;) {
      assert.equal(system.calls.fd_readdir(fd, 4096, room, next, AT), 0);
      used = system.view.getUint32(AT, true);
      for (let at = 4096; at + 24 <= 4096 + used;) {
        const size = system.view.getUint32(at + 16, true);
        if (at + 24 + size > 4096 + used) break;
        found.push(Buffer.from(system.memory.buffer, at + 24, size).toString());
        next = system.view.getBigUint64(at, true);
        at += 24 + size;
      }
    }
    assert.deepEqual(found.sort(), wanted.sort());
  },
  "rights can be given up, and not be had back"() {
    fs.writeFileSync(file("rights"), "text");
    const system = fresh(), fd = system.open(FOLDER, "rights", { rights: READS });
    assert.equal(system.write(fd, "x"), -ERROR.ENOTCAPABLE);
    assert.equal(system.calls.fd_fdstat_set_rights(fd, 1n << 2n, 0n), 0);
    assert.equal(system.read(fd), -ERROR.ENOTCAPABLE);
    assert.equal(system.calls.fd_fdstat_set_rights(fd, READS, 0n), ERROR.ENOTCAPABLE);
  },
  "errors are those of the system"() {
    fs.writeFileSync(file("plain"), "");
    const system = fresh(), put = name => system.put(name);
    for (const [name, options, error] of [["none", {}, "ENOENT"], ["plain/x", {}, "ENOTDIR"], ["plain/", {}, "ENOTDIR"], ["plain", { how: 5 }, "EEXIST"], ["plain", { how: 2 }, "ENOTDIR"],
      [".", { rights: ALL }, "EISDIR"], ["x".repeat(300), {}, "ENAMETOOLONG"], ["x/".repeat(3000), {}, "ENAMETOOLONG"], ["", {}, "ENOENT"], ["a\0b", {}, "EILSEQ"], ["new", { how: 3 }, "EINVAL"]])
      assert.equal(system.open(FOLDER, name, { rights: READS, ...options }), -ERROR[error], name);
    system.put(Buffer.from([0xff, 0xfe]), 1024);
    assert.equal(system.calls.path_unlink_file(FOLDER, 1024, 2), ERROR.EILSEQ);
    assert.equal(system.calls.path_unlink_file(FOLDER, ...put("names")), ERROR.EISDIR);
    assert.equal(system.calls.path_remove_directory(FOLDER, ...put("names")), ERROR.ENOTEMPTY);
    assert.equal(system.calls.path_unlink_file(0, ...put("plain")), ERROR.ENOTDIR);
    assert.equal(system.calls.fd_read(99, 0, 0, AT), ERROR.EBADF);
    assert.equal(system.calls.fd_seek(0, 0n, 0, AT), ERROR.ESPIPE);
    assert.equal(system.calls.sock_send(0, 0, 0, 0, AT), ERROR.ENOTSOCK);
  },
  "several vectors, also large ones"() {
    const system = fresh(), fd = system.open(FOLDER, "vectors", { how: 9, rights: FOLDERS | 1n << 6n });
    system.memory.grow(8);
    const bytes = new Uint8Array(system.memory.buffer), { view } = system;
    for (let i = 0; i < 200000; i++) bytes[PAGE + i] = i % 251;
    const vectors = [[PAGE, 3], [0, 0], [PAGE + 3, 100000], [PAGE + 100003, 99997]];
    for (const size of [2, 4]) {
      vectors.slice(0, size).forEach(([at, length], i) => (view.setUint32(8 * i, at, true), view.setUint32(8 * i + 4, length, true)));
      assert.equal(system.calls.fd_seek(fd, 0n, 0, AT), 0);
      assert.equal(system.calls.fd_write(fd, 0, size, AT), 0);
      assert.equal(view.getUint32(AT, true), size === 2 ? 3 : 200000);
    }
    assert(fs.readFileSync(file("vectors")).equals(bytes.subarray(PAGE, PAGE + 200000)));
    const copy = bytes.slice(PAGE, PAGE + 200000);
    bytes.fill(0, PAGE, PAGE + 200000);
    assert.equal(system.calls.fd_pread(fd, 0, 4, 0n, AT), 0);
    assert.deepEqual(bytes.slice(PAGE, PAGE + 200000), copy);
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
