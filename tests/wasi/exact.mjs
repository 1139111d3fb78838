// exact.mjs - each of WASI's functions: the bytes that it writes, the addresses that it refuses, the rights that it needs.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { MemoryFolder } from "../../hosts/litesvm/memory_files.mjs";
import { DiskFile } from "../../hosts/wasm/wasi_file.mjs";
import { Table } from "../../hosts/wasm/wasi_table.mjs";
import { ALL, ERROR, FOLDERS, READS, scratch, System } from "./system.mjs";

const folder = scratch(), FOLDER = 3, AT = 64, MS = 1_000_000n, END = 2 * 65536, FILL = 0xee;
const file = name => path.join(folder, name);
const ARGS = ["guest", "-x"], ENV = ["A=1", "BC=23", "D="];
const fresh = options => new System([["/data", folder]], { args: ARGS, env: ENV, ...options });
const RIGHT = Object.fromEntries(("DATASYNC READ SEEK SET_FLAGS SYNC TELL WRITE ADVISE ALLOCATE CREATE_FOLDER CREATE_FILE LINK_SOURCE LINK_TARGET OPEN READDIR READLINK " +
  "RENAME_SOURCE RENAME_TARGET PATH_STAT PATH_SET_SIZE PATH_SET_TIMES STAT SET_SIZE SET_TIMES SYMLINK REMOVE_FOLDER UNLINK POLL").split(" ").map((name, bit) => [name, 1n << BigInt(bit)]));

fs.writeFileSync(file("old"), "0123456789");
fs.utimesSync(file("old"), 1000, 2000);
fs.mkdirSync(file("sub"));
fs.writeFileSync(file("sub/first"), "1");
fs.symlinkSync("old", file("link"));

/** A file that is open for all that the guest may do with it. */
const openAll = (system, name = "old", options = {}) => system.open(FOLDER, name, { rights: ALL, ...options });

/** The bytes from `at` on that a call writes, as hexadecimal digits, without those behind it. */
function written(system, at, work) {
  const bytes = new Uint8Array(system.memory.buffer, at, 4096).fill(FILL);
  assert.equal(work(), 0);
  return Buffer.from(bytes).toString("hex").replace(/(ee)+$/, "");
}

const hex = (...fields) => fields.map(([value, size]) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes.toString("hex", 0, size);
}).join("");

const words = (system, at, ...values) => values.forEach((value, i) => system.view.setUint32(at + 4 * i, value, true));

const statOf = (name, isUnstable) => {
  const { dev, ino, nlink, size, atimeNs, mtimeNs, ctimeNs } = fs.statSync(file(name), { bigint: true });
  const times = [[size, 8], [atimeNs, 8], [mtimeNs, 8], [ctimeNs, 8]];
  return hex([dev, 8], [ino, 8], ...(isUnstable ? [[4, 4], [nlink, 4]] : [[4, 8], [nlink, 8]]), ...times);
};

const tests = {
  "lists of texts"() {
    const system = fresh(), { calls } = system;
    assert.equal(written(system, AT, () => calls.args_sizes_get(AT, AT + 8)), hex([2, 4], ["0xeeeeeeee", 4], [9, 4]));
    assert.equal(written(system, AT, () => calls.environ_sizes_get(AT, AT + 4)), hex([3, 4], [13, 4]));
    const texts = list => Buffer.from(list.map(text => `${text}\0`).join("")).toString("hex");
    assert.equal(written(system, AT, () => calls.args_get(AT, AT + 8)), hex([AT + 8, 4], [AT + 14, 4]) + texts(ARGS));
    assert.equal(written(system, AT, () => calls.environ_get(AT, AT + 12)), hex([AT + 12, 4], [AT + 16, 4], [AT + 22, 4]) + texts(ENV));
  },
  "what is known of a descriptor"() {
    const system = fresh(), { calls } = system, base = READS | RIGHT.SET_FLAGS | RIGHT.POLL, fd = system.open(FOLDER, "old", { rights: base, flags: 1 });
    const all = 0x3fffffffn, ofFolder = all & ~(1n << 1n | 1n << 2n | 1n << 5n | 1n << 6n | 1n << 8n | 1n << 22n | 1n << 28n | 1n << 29n);
    assert.equal(written(system, AT, () => calls.fd_fdstat_get(fd, AT)), hex([4, 2], [1, 6], [base, 8], [0, 8]));
    assert.equal(calls.fd_fdstat_set_flags(fd, 4), 0);
    assert.equal(written(system, AT, () => calls.fd_fdstat_get(fd, AT)), hex([4, 2], [4, 6], [base, 8], [0, 8]));
    for (const flags of [1, 2, 4, 8, 16, 31]) assert.notEqual(calls.fd_fdstat_set_flags(fd, flags), ERROR.EINVAL);
    assert.equal(calls.fd_fdstat_set_flags(fd, 32), ERROR.EINVAL);
    assert.equal(written(system, AT, () => calls.fd_fdstat_get(FOLDER, AT)), hex([3, 8], [ofFolder, 8], [all & ~(1n << 28n | 1n << 29n), 8]));
    const inner = system.open(FOLDER, "sub", { rights: ALL, how: 2 });
    assert(inner < 0, "a folder is not opened for writing");
    const sub = system.open(FOLDER, "sub", { rights: FOLDERS, how: 2 });
    assert.equal(written(system, AT, () => calls.fd_fdstat_get(sub, AT)), hex([3, 8], [ofFolder, 8], [ALL & all & ~(1n << 28n | 1n << 29n), 8]));
    assert.equal(calls.fd_fdstat_set_rights(sub, RIGHT.OPEN, RIGHT.READ), 0);
    assert.equal(written(system, AT, () => calls.fd_fdstat_get(sub, AT)), hex([3, 8], [RIGHT.OPEN, 8], [RIGHT.READ, 8]));
    for (const [base, inheriting] of [[RIGHT.OPEN | RIGHT.READDIR, 0n], [0n, RIGHT.READ | RIGHT.TELL]]) assert.equal(calls.fd_fdstat_set_rights(sub, base, inheriting), ERROR.ENOTCAPABLE);
    assert.equal(written(system, AT, () => calls.fd_prestat_get(FOLDER, AT)), hex([0, 4], [5, 4]));
    assert.equal(written(system, AT, () => calls.fd_prestat_dir_name(FOLDER, AT, 5)), Buffer.from("/data").toString("hex"));
    assert.equal(calls.fd_prestat_dir_name(FOLDER, AT, 4), ERROR.ENAMETOOLONG);
    for (const call of ["fd_prestat_get", "fd_prestat_dir_name"]) assert.equal(calls[call](fd, AT, 99), ERROR.EBADF);
    for (const flags of [32, 64, -1]) assert.equal(calls.fd_fdstat_set_flags(fd, flags), ERROR.EINVAL);
  },
  "structs of files"() {
    for (const isUnstable of [false, true]) {
      const system = fresh({ isUnstable }), { calls } = system, fd = openAll(system);
      assert.equal(written(system, AT, () => calls.fd_filestat_get(fd, AT)), statOf("old", isUnstable));
      const put = system.put("old", 8192);
      assert.equal(written(system, AT, () => calls.path_filestat_get(FOLDER, 0, ...put, AT)), statOf("old", isUnstable));
      const link = system.put("link", 8192);
      assert.equal(written(system, AT, () => calls.path_filestat_get(FOLDER, 1, ...link, AT)), statOf("old", isUnstable));
      assert.equal(written(system, AT, () => calls.path_filestat_get(FOLDER, 0, ...link, AT)).slice(32, 34), "07");
      assert.equal(written(system, AT, () => calls.path_readlink(FOLDER, ...link, AT, 9, 8200)), Buffer.from("old").toString("hex"));
      assert.equal(system.view.getUint32(8200, true), 3);
      assert.equal(written(system, AT, () => calls.path_readlink(FOLDER, ...link, AT, 2, 8200)), Buffer.from("ol").toString("hex"));
      assert.equal(system.view.getUint32(8200, true), 2);
    }
  },
  "names in a folder"() {
    const system = fresh(), { calls } = system, fd = system.open(FOLDER, "sub", { rights: FOLDERS, how: 2 });
    const entry = (next, name, type, at) => hex([next, 8], [fs.statSync(at, { bigint: true }).ino, 8], [name.length, 4], [type, 4]) + Buffer.from(name).toString("hex");
    const all = [entry(1, ".", 3, file("sub")), entry(2, "..", 3, file("sub")), entry(3, "first", 4, file("sub/first"))];
    const list = (size, from) => {
      const bytes = written(system, AT, () => calls.fd_readdir(fd, AT, size, from, 8192));
      assert.equal(bytes.length / 2, system.view.getUint32(8192, true));
      return bytes;
    };
    assert.equal(list(4000, 0n), all.join(""));
    assert.equal(list(4000, 2n), all[2]);
    assert.equal(list(4000, 3n), "");
    assert.equal(list(0, 0n), "");
    for (const size of [1, 24, 25, 26, 51, 79]) assert.equal(list(size, 0n), all.join("").slice(0, 2 * size));
    for (const from of [-(1n << 63n), -1n, 1n << 40n]) assert.equal(list(4000, from), "");
    fs.writeFileSync(file("sub/second"), ""); // the names are those of the beginning until they are read anew
    assert.equal(list(4000, 3n), "");
    assert.equal(list(4000, 1n), all.slice(1).join(""));
    assert(list(4000, 0n).includes(Buffer.from("second").toString("hex")));
    fs.rmSync(file("sub/second"));
    assert(list(4000, 3n).length > 0, "one that is gone has no type");
    assert.equal(list(4000, 0n), all.join(""));
  },
  "addresses at the end of the memory"() {
    for (const isUnstable of [false, true]) {
      const system = fresh({ isUnstable }), { calls } = system, fd = openAll(system), sub = system.open(FOLDER, "sub", { rights: FOLDERS, how: 2 });
      const old = system.put("old", 1024), link = system.put("link", 1040), stat = isUnstable ? 56 : 64, poll = isUnstable ? 56 : 48;
      const from = isUnstable ? 0 : 1; // the position
      const vector = (count = 1) => (words(system, 128, ...Array(2 * count).fill(0)), 128);
      system.view.setUint8(256 + 8, 2); // for writing: at once
      words(system, 256 + 16, fd);
      // name, arguments, which of them is an address, of how many bytes
      const cases = [
        ["args_sizes_get", [AT, 80], 0, 4], ["args_sizes_get", [AT, 80], 1, 4], ["args_get", [AT, 80], 0, 8], ["args_get", [AT, 80], 1, 9],
        ["environ_sizes_get", [AT, 80], 0, 4], ["environ_sizes_get", [AT, 80], 1, 4], ["environ_get", [AT, 80], 0, 12], ["environ_get", [AT, 80], 1, 13],
        ["clock_time_get", [0, 0n, AT], 2, 8], ["clock_res_get", [0, AT], 1, 8], ["random_get", [AT, 5], 0, 5], ["random_get", [AT, 300], 0, 300],
        ["fd_read", [fd, vector(), 1, AT], 1, 8], ["fd_read", [fd, vector(), 1, AT], 3, 4], ["fd_read", [fd, vector(2), 2, AT], 1, 16],
        ["fd_write", [fd, vector(), 1, AT], 1, 8], ["fd_write", [fd, vector(), 1, AT], 3, 4], ["fd_write", [fd, vector(2), 2, AT], 1, 16],
        ["fd_pread", [fd, vector(), 1, 0n, AT], 1, 8], ["fd_pread", [fd, vector(), 1, 0n, AT], 4, 4],
        ["fd_pwrite", [fd, vector(), 1, 0n, AT], 1, 8], ["fd_pwrite", [fd, vector(), 1, 0n, AT], 4, 4],
        ["fd_seek", [fd, 0n, from, AT], 3, 8], ["fd_tell", [fd, AT], 1, 8],
        ["fd_readdir", [sub, AT, 90, 0n, 48], 1, 90], ["fd_readdir", [sub, AT, 90, 0n, 48], 4, 4],
        ["fd_fdstat_get", [fd, AT], 1, 24], ["fd_prestat_get", [FOLDER, AT], 1, 8], ["fd_prestat_dir_name", [FOLDER, AT, 5], 1, 5],
        ["fd_filestat_get", [fd, AT], 1, stat], ["path_filestat_get", [FOLDER, 0, ...old, AT], 4, stat], ["path_open", [FOLDER, 0, ...old, 0, READS, 0n, 0, AT], 8, 4],
        ["path_readlink", [FOLDER, ...link, AT, 9, 48], 3, 9], ["path_readlink", [FOLDER, ...link, AT, 9, 48], 5, 4],
        ["poll_oneoff", [256, 512, 1, AT], 0, poll], ["poll_oneoff", [256, 512, 1, AT], 1, 32], ["poll_oneoff", [256, 512, 1, AT], 3, 4],
      ];
      for (const [name, given, index, size] of cases) {
        for (const beyond of [0, 1]) {
          const args = [...given], at = END - size + beyond;
          args[index] = at;
          new Uint8Array(system.memory.buffer).fill(0, END - 400);
          if (name === "poll_oneoff" && index === 0 && !beyond) new Uint8Array(system.memory.buffer).copyWithin(at, 256, 256 + size);
          assert.equal(calls[name](...args), beyond ? ERROR.EFAULT : 0, `${name}: argument ${index}, ${size} bytes, ${beyond} beyond the end`);
        }
        const [low, high] = [...given].map((value, i) => (i === index ? [0xfffffff8 | 0, 0x7ffffff8] : [value, value])).reduce(([a, b], [x, y]) => [[...a, x], [...b, y]], [[], []]);
        for (const args of [low, high]) assert.equal(calls[name](...args), ERROR.EFAULT, `${name}: argument ${index} far away`);
      }
    }
  },
  "paths at the end of the memory"() {
    const system = fresh(), { calls } = system, missing = "missing", size = missing.length, other = system.put("other/x", 2048);
    const cases = {
      path_create_directory: at => [FOLDER, at, size], path_remove_directory: at => [FOLDER, at, size], path_unlink_file: at => [FOLDER, at, size],
      path_rename: at => [FOLDER, at, size, FOLDER, ...other], path_link: at => [FOLDER, 0, at, size, FOLDER, ...other], path_symlink: at => [...other, FOLDER, at, size],
      path_open: at => [FOLDER, 0, at, size, 0, READS, 0n, 0, AT], path_filestat_get: at => [FOLDER, 0, at, size, AT],
      path_filestat_set_times: at => [FOLDER, 0, at, size, 0n, 0n, 0], path_readlink: at => [FOLDER, at, size, AT, 9, 48],
    };
    for (const [name, args] of Object.entries(cases)) {
      system.put(missing, END - size);
      assert.equal(calls[name](...args(END - size)), name === "path_create_directory" || name === "path_symlink" ? 0 : ERROR.ENOENT, name);
      assert.equal(calls[name](...args(END - size + 1)), ERROR.EFAULT, name);
      fs.rmSync(file(missing), { recursive: true, force: true });
    }
    for (const [length, error] of [[4096, "ENAMETOOLONG"], [4097, "ENAMETOOLONG"]]) assert.equal(calls.path_unlink_file(FOLDER, 4096, length), ERROR[length > 4096 ? error : "EILSEQ"]);
    assert.equal(calls.path_unlink_file(FOLDER, ...system.put("\ufffd")), ERROR.ENOENT); // a character like others
  },
  "the rights that each function needs"() {
    const vector = system => (words(system, 128, 8192, 1), 128), none = system => system.put("none");
    const files = {
      fd_read: [RIGHT.READ, s => [vector(s), 1, AT]], fd_write: [RIGHT.WRITE, s => [vector(s), 1, AT]],
      fd_pread: [RIGHT.READ | RIGHT.SEEK, s => [vector(s), 1, 0n, AT]], fd_pwrite: [RIGHT.WRITE | RIGHT.SEEK, s => [vector(s), 1, 0n, AT]],
      fd_seek: [RIGHT.SEEK | RIGHT.TELL, () => [1n, 1, AT]], fd_tell: [RIGHT.TELL, () => [AT]], fd_filestat_get: [RIGHT.STAT, () => [AT]],
      fd_advise: [RIGHT.ADVISE, () => [0n, 0n, 0]], fd_allocate: [RIGHT.ALLOCATE, () => [0n, 1n]], fd_filestat_set_size: [RIGHT.SET_SIZE, () => [10n]],
      fd_filestat_set_times: [RIGHT.SET_TIMES, () => [0n, 0n, 0]], fd_sync: [RIGHT.SYNC, () => []], fd_datasync: [RIGHT.DATASYNC, () => []],
      fd_fdstat_set_flags: [RIGHT.SET_FLAGS, () => [0]],
    };
    const folders = {
      fd_readdir: [RIGHT.READDIR, () => [8192, 100, 0n, AT]], path_create_directory: [RIGHT.CREATE_FOLDER, s => s.put("first/x"), ERROR.ENOTDIR],
      path_remove_directory: [RIGHT.REMOVE_FOLDER, none, ERROR.ENOENT], path_unlink_file: [RIGHT.UNLINK, none, ERROR.ENOENT],
      path_filestat_get: [RIGHT.PATH_STAT, s => [0, ...none(s), AT], ERROR.ENOENT], path_filestat_set_times: [RIGHT.PATH_SET_TIMES, s => [0, ...none(s), 0n, 0n, 0], ERROR.ENOENT],
      path_readlink: [RIGHT.READLINK, s => [...none(s), 8192, 9, AT], ERROR.ENOENT], path_open: [RIGHT.OPEN, s => [0, ...none(s), 0, 0n, 0n, 0, AT], ERROR.ENOENT],
    };
    const opens = [[0, RIGHT.OPEN], [1, RIGHT.OPEN | RIGHT.CREATE_FILE], [8, RIGHT.OPEN | RIGHT.PATH_SET_SIZE], [9, RIGHT.OPEN | RIGHT.CREATE_FILE | RIGHT.PATH_SET_SIZE]];
    const without = (system, open, call, needed, args, result = 0) => {
      for (let bit = 1n; bit <= needed; bit <<= 1n) {
        if (!(needed & bit)) continue;
        const fd = open(system);
        assert.equal(system.calls.fd_fdstat_set_rights(fd, system.rightsOf(fd) & ~bit, 0n), 0);
        assert.equal(system.calls[call](fd, ...args(system)), ERROR.ENOTCAPABLE, `${call} without ${bit}`);
      }
      const fd = open(system);
      assert.equal(system.calls.fd_fdstat_set_rights(fd, needed, 0n), 0);
      assert.equal(system.calls[call](fd, ...args(system)), result, `${call} with ${needed} alone`);
    };
    const system = fresh();
    system.rightsOf = fd => (system.calls.fd_fdstat_get(fd, AT), system.view.getBigUint64(AT + 8, true));
    const openSub = s => s.open(FOLDER, "sub", { rights: FOLDERS, how: 2 });
    for (const [call, [needed, args]] of Object.entries(files)) without(system, s => openAll(s, "work", { how: 1 }), call, needed, args);
    without(system, s => openAll(s, "work", { how: 1 }), "fd_seek", RIGHT.TELL, () => [0n, 1, AT]); // where it is
    for (const [from, offset] of [[0, 0n], [2, 0n]]) without(system, s => openAll(s, "work"), "fd_seek", RIGHT.SEEK | RIGHT.TELL, () => [offset, from, AT]);
    for (const [call, [needed, args, result]] of Object.entries(folders)) without(system, openSub, call, needed, args, result);
    for (const [how, needed] of opens) without(system, openSub, "path_open", needed, s => [0, ...s.put("first/x"), how, 0n, 0n, 0, AT], ERROR.ENOTDIR);
    for (const [needed, args] of [[RIGHT.RENAME_SOURCE, s => [...none(s), FOLDER, ...none(s)]]]) without(system, openSub, "path_rename", needed, args, ERROR.ENOENT);
    without(system, openSub, "path_link", RIGHT.LINK_SOURCE, s => [0, ...none(s), FOLDER, ...none(s)], ERROR.ENOENT);
    fs.rmSync(file("work"));
    for (const call of ["fd_read", "fd_write", "fd_pread", "fd_pwrite", "fd_seek", "fd_tell", "fd_advise", "fd_allocate", "fd_filestat_set_size"])
      assert.equal(system.calls[call](FOLDER, ...files[call][1](system)), ERROR.EISDIR, call);
    const plain = openAll(system);
    for (const call of Object.keys(folders)) assert.equal(system.calls[call](plain, ...folders[call][1](system)), ERROR.ENOTDIR, call);
  },
  "numbers that are refused"() {
    const system = fresh(), { calls } = system, fd = openAll(system, "numbers", { how: 1 }), old = system.put("numbers");
    for (const [offset, size, advice, error] of [[0n, 0n, 0, 0], [0n, 1n, 5, 0], [0n, 0n, 6, ERROR.EINVAL], [0n, 0n, -1, ERROR.EINVAL], [-1n, 0n, 0, ERROR.EINVAL], [0n, -1n, 0, ERROR.EINVAL]])
      assert.equal(calls.fd_advise(fd, offset, size, advice), error);
    for (const [offset, size, error, length] of [[0n, 0n, ERROR.EINVAL, 0], [-1n, 5n, ERROR.EINVAL, 0], [0n, -1n, ERROR.EINVAL, 0], [0n, 1n, 0, 1], [3n, 4n, 0, 7], [2n, 5n, 0, 7], [2n, 4n, 0, 7], [0n, 8n, 0, 8]]) {
      assert.equal(calls.fd_allocate(fd, offset, size), error);
      assert.equal(fs.statSync(file("numbers")).size, length);
    }
    for (const [size, error] of [[-1n, ERROR.EINVAL], [1n << 53n, ERROR.EFBIG], [0n, 0]]) assert.equal(calls.fd_filestat_set_size(fd, size), error);
    for (const [offset, error] of [[-1n, ERROR.EINVAL], [1n << 53n, ERROR.EFBIG]])
      for (const call of ["fd_pread", "fd_pwrite"]) assert.equal(calls[call](fd, (words(system, 128, 256, 1), 128), 1, offset, AT), error);
    for (const how of [16, 32, -1]) assert.equal(system.open(FOLDER, "numbers", { how, rights: READS }), -ERROR.EINVAL);
    for (const flags of [32, 64, -1]) assert.equal(system.open(FOLDER, "numbers", { flags, rights: READS }), -ERROR.EINVAL);
    for (const clock of [-1, 4, 5]) for (const call of [() => calls.clock_res_get(clock, AT), () => calls.clock_time_get(clock, 0n, AT)]) assert.equal(call(), ERROR.EINVAL);
    for (const [clock, ns] of [[0, 1], [1, 1], [2, 1000], [3, 1]]) assert.equal(written(system, AT, () => calls.clock_res_get(clock, AT)), hex([ns, 8]));
    assert.equal(calls.path_link(FOLDER, 1, ...old, FOLDER, ...old), ERROR.EINVAL);
    assert.equal(calls.proc_raise(1), ERROR.ENOTSUP);
    assert.equal(calls.sched_yield(), 0);
    for (const call of ["sock_accept", "sock_recv", "sock_send", "sock_shutdown"]) assert.deepEqual([calls[call](fd), calls[call](99)], [ERROR.ENOTSOCK, ERROR.EBADF]);
    fs.rmSync(file("numbers"));
  },
  "positions"() {
    for (const isUnstable of [false, true]) {
      const system = fresh({ isUnstable }), fd = openAll(system), [start, here, end] = isUnstable ? [2, 0, 1] : [0, 1, 2];
      for (const [offset, from, result] of [[3n, start, 3], [2n, here, 5], [-4n, here, 1], [-3n, end, 7], [2n, end, 12], [1n, start, 1], [0n, here, 1], [-2n, here], [-11n, end], [0n, 3], [0xffffffffn, start, 0xffffffff],
        [1n, here, 2 ** 32], [(1n << 53n) - 1n, start, 2 ** 53 - 1], [1n << 53n, start], [1n, here], [0n, start, 0]]) {
        assert.equal(system.calls.fd_seek(fd, offset, from, AT), result === undefined ? ERROR.EINVAL : 0, `${offset} from ${from}`);
        if (result !== undefined) assert.equal(system.view.getBigUint64(AT, true), BigInt(result));
      }
      for (const size of [0, 1, 2, 31, 32, 33]) { // reads that go on, and are read ahead
        assert.equal(system.read(fd, size), "0123456789".slice(0, size));
        assert.equal(system.read(fd, 2), "0123456789".slice(size, size + 2));
        assert.equal(system.read(fd, 1), "0123456789".slice(size + 2, size + 3));
        assert.equal(system.calls.fd_seek(fd, 0n, start, AT), 0);
      }
      for (const [from, text] of [[1n, "12"], [5n, "56"], [3n, "34"], [2n, "23"], [9n, "9"], [0n, "01"], [10n, ""]]) {
        assert.equal(system.calls.fd_seek(fd, from, start, AT), 0);
        assert.equal(system.read(fd, 2), text);
      }
    }
  },
  "reads of all kinds in a row"() {
    const system = fresh(), { calls, view } = system, text = Buffer.from(Array.from({ length: 400000 }, (_, i) => i % 253)), bytes = Buffer.from(system.memory.buffer);
    fs.writeFileSync(file("long"), text);
    for (const flags of [0, 4]) {
      const fd = openAll(system, "long", { flags });
      let position = 0;
      for (const sizes of [[10], [10], [4097], [40000, 30000], [10], [31], [16383], [16384], [16385], [10], [1, 2], [10], [50000, 50000], [100], [5, 70000], [3]]) {
        sizes.reduce((at, size, i) => (words(system, 128 + 8 * i, at, size), at + size), 4096);
        assert.equal(calls.fd_read(fd, 128, sizes.length, AT), 0);
        const done = sizes.reduce((sum, size) => sum + size);
        assert.equal(view.getUint32(AT, true), done);
        assert(bytes.subarray(4096, 4096 + done).equals(text.subarray(position, position + done)), `${sizes} at ${position}`);
        position += done;
      }
      assert.equal(calls.fd_tell(fd, AT), 0);
      assert.equal(view.getUint32(AT, true), position);
    }
    fs.rmSync(file("long"));
  },
  "a file that is written and read in turns"() {
    const system = fresh(), fd = openAll(system, "turns", { how: 1 }), append = openAll(system, "turns", { flags: 1 });
    const put = (fd, text) => assert.equal(system.write(fd, text), text.length), at = fd => (assert.equal(system.calls.fd_tell(fd, AT), 0), Number(system.view.getBigUint64(AT, true)));
    put(fd, "abc");
    put(append, "def");
    assert.deepEqual([at(fd), at(append)], [3, 6]);
    assert.equal(system.read(fd, 2), "de");
    put(fd, "X");
    assert.equal(system.read(fd, 2), "");
    assert.equal(system.calls.fd_seek(append, 1n, 0, AT), 0);
    assert.equal(system.read(append, 2), "bc");
    put(append, "gh");
    assert.equal(at(append), 8);
    assert.equal(system.calls.fd_fdstat_set_flags(append, 0), 0);
    assert.equal(system.calls.fd_seek(append, 0n, 0, AT), 0);
    put(append, "A");
    assert.equal(fs.readFileSync(file("turns"), "utf8"), "AbcdeXgh");
    assert.equal(at(append), 1);
    assert.equal(system.read(append, 20000), "bcdeXgh");
    fs.rmSync(file("turns"));
  },
  "files that this process had open"() {
    for (const [mode, written] of [["r+", 1], ["r", -ERROR.EBADF]]) {
      fs.writeFileSync(file("own"), "0123456789");
      const own = fs.openSync(file("own"), mode), system = fresh(), fd = system.wasi.table.add(DiskFile.inherited(own)), { calls, view } = system;
      const at = () => (assert.equal(calls.fd_tell(fd, AT), 0), view.getUint32(AT, true)), here = () => fs.readSync(own, Buffer.alloc(1));
      assert.equal(system.read(fd, 3), "012");
      assert.equal(at(), 3);
      here();
      assert.deepEqual([at(), system.read(fd, 1), at()], [4, "4", 5]);
      assert.equal(calls.fd_seek(fd, 0n, 1, AT), 0);
      here();
      assert.equal(at(), 6); // it still has the system's position
      assert.equal(calls.fd_seek(fd, 2n, 0, AT), 0);
      here();
      assert.deepEqual([at(), system.read(fd, 2), system.read(fd, 1), at()], [2, "23", "4", 5]);
      assert.equal(system.write(fd, "x"), written);
      assert.equal(at(), written > 0 ? 6 : 5);
      assert.equal(calls.fd_fdstat_set_flags(fd, 1), 0);
      assert.equal(system.read(fd, 1), written > 0 ? "6" : "5");
      assert.equal(system.write(fd, "y"), written);
      assert.equal(fs.readFileSync(file("own"), "utf8"), written > 0 ? "01234x6789y" : "0123456789");
      assert.equal(calls.fd_close(fd), 0);
    }
    fs.rmSync(file("own"));
  },
  "pipes"() {
    assert.equal(spawnSync("mkfifo", [file("pipe")]).status, 0);
    const { O_NONBLOCK, O_RDWR } = fs.constants, own = fs.openSync(file("pipe"), O_RDWR | O_NONBLOCK), pipe = DiskFile.inherited(own);
    const system = new System([["/data", folder]]), fd = system.wasi.table.add(pipe), { calls, view } = system;
    words(system, 128, 9000, 1);
    for (const call of [() => calls.fd_seek(fd, 0n, 1, AT), () => calls.fd_tell(fd, AT), () => calls.fd_pread(fd, 128, 1, 0n, AT), () => calls.fd_pwrite(fd, 128, 1, 0n, AT), () => calls.fd_advise(fd, 0n, 0n, 0)])
      assert.equal(call(), ERROR.ESPIPE);
    assert.equal(written(system, AT, () => calls.fd_fdstat_get(fd, AT)).slice(0, 8), "06000000");
    const isReady = () => {
      view.setBigUint64(1024, 3n, true);
      view.setUint8(1024 + 8, 1);
      view.setUint32(1024 + 16, fd, true);
      view.setUint8(1072 + 8, 0);
      words(system, 1072 + 16, 1, 0, 1, 0);
      assert.equal(calls.poll_oneoff(1024, 8192, 2, AT), 0);
      return view.getUint8(8192 + 10) === 1 ? [Number(view.getBigUint64(8192 + 16, true)), view.getUint16(8192 + 24, true)] : undefined;
    };
    assert.equal(isReady(), undefined);
    assert.equal(calls.fd_fdstat_set_flags(fd, 4), 0);
    assert.equal(system.read(fd, 5), -ERROR.EAGAIN);
    assert.equal(system.write(fd, "abcdef"), 6);
    assert.deepEqual(isReady(), [6, 0]);
    assert.equal(system.read(fd, 2), "ab");
    assert.deepEqual(isReady(), [4, 0]);
    assert.equal(system.write(fd, "gh"), 2);
    assert.equal(system.read(fd, 9), "cdef"); // what was seen first
    assert.equal(system.read(fd, 1), "g");
    assert.equal(calls.fd_fdstat_set_flags(fd, 0), 0);
    assert.equal(system.read(fd, 9), "h");
    words(system, 128, 9000, 3, 9100, 4);
    system.put("xyz1234", 9000);
    assert.equal(calls.fd_write(fd, 128, 2, AT), 0);
    assert.equal(view.getUint32(AT, true), 7);
    assert.equal(calls.fd_read(fd, 128, 2, AT), 0);
    assert.equal(view.getUint32(AT, true), 7);
    words(system, 128, 9000, 3, 20000, 65536); // of several that are too much for one transfer the first
    assert.equal(calls.fd_write(fd, 128, 2, AT), 0);
    assert.equal(view.getUint32(AT, true), 3);
    assert.equal(system.read(fd, 9), "xyz");
    fs.closeSync(own);
    const ends = fs.openSync(file("pipe"), O_RDWR | O_NONBLOCK), reads = fs.openSync(file("pipe"), fs.constants.O_RDONLY | O_NONBLOCK), last = system.wasi.table.add(DiskFile.inherited(reads));
    fs.closeSync(ends);
    view.setUint32(1024 + 16, last, true);
    assert.equal(calls.poll_oneoff(1024, 8192, 1, AT), 0);
    assert.deepEqual([view.getBigUint64(8192 + 16, true), view.getUint16(8192 + 24, true)], [0n, 1]); // its writers are gone
    fs.closeSync(reads);
    fs.rmSync(file("pipe"));
  },
  "times"() {
    const system = fresh(), { calls } = system, fd = openAll(system, "times", { how: 1 }), name = system.put("times");
    const set = { fd: flags => calls.fd_filestat_set_times(fd, 5000n * 1000n * MS, 7000n * 1000n * MS, flags), path: flags => calls.path_filestat_set_times(FOLDER, 0, ...name, 5000n * 1000n * MS, 7000n * 1000n * MS, flags) };
    for (const how of Object.values(set))
      for (let flags = 0; flags < 32; flags++) {
        fs.utimesSync(file("times"), 1000, 2000);
        const before = Date.now() - 1000, isWrong = flags > 15 || (flags & 3) === 3 || (flags & 12) === 12;
        assert.equal(how(flags), isWrong ? ERROR.EINVAL : 0, `flags ${flags}`);
        const { atimeMs, mtimeMs } = fs.statSync(file("times")), now = ms => (ms >= before && ms < before + 60_000 ? "now" : ms / 1000);
        assert.deepEqual([now(atimeMs), now(mtimeMs)], isWrong ? [1000, 2000] : [flags & 1 ? 5000 : flags & 2 ? "now" : 1000, flags & 4 ? 7000 : flags & 8 ? "now" : 2000], `flags ${flags}`);
      }
    fs.rmSync(file("times"));
  },
  async "the date follows the system's, at most each 10 ms, if they are more than 3 ms apart"() {
    const { hrtime } = process, { now } = Date, { performance } = globalThis;
    let monotonic = 7n * MS, date = 0;
    try {
      process.hrtime = { bigint: () => monotonic };
      Date.now = () => date;
      Object.defineProperty(globalThis, "performance", { value: { timeOrigin: 1000, now: () => 5.5 }, configurable: true, writable: true });
      const { timeOf } = await import("../../hosts/wasm/wasi_clock.mjs?with=another-clock");
      assert.equal(timeOf(0), 1005_500_000n);
      assert.equal(timeOf(1), 7_000_000n);
      // How much later, the system's date in ms, and what the clock says then.
      for (const [passed, system, expected] of [
        [9_999_999n, 5000, 1015_499_999n], // no look yet
        [1n, 1018, 1015_500_000n], [10_000_000n, 1023, 1025_500_000n], // less than 3 ms apart
        [9_999_999n, 5000, 1035_499_999n], [500_001n, 1039, 1036_000_000n], // 3 ms
        [9_999_999n, 1043, 1045_999_999n], [1n, 1043, 1046_000_000n], [9_999_999n, 0, 1055_999_999n],
        [1n, 1059, 1056_000_000n], [10_000_001n, 1063, 1066_000_001n - 3_000_001n], // more: it is the system's now
        [10_000_000n, 1076, 1073_000_000n], [9_999_999n, 1087, 1082_999_999n], [1n, 1087, 1087_000_000n], [1n, 0, 1087_000_001n],
      ]) {
        monotonic += passed;
        date = system;
        assert.equal(timeOf(0), expected, `${passed} later, ${system}`);
      }
    } finally {
      process.hrtime = hrtime;
      Date.now = now;
      Object.defineProperty(globalThis, "performance", { value: performance, configurable: true, writable: true });
    }
  },
  "pieces of any sizes"() {
    const system = fresh(), { calls } = system, fd = openAll(system, "pieces", { how: 1 }), LIST = 1024, DATA = 20000, DONE = 400;
    const text = Buffer.from(Array.from({ length: 90000 }, (_, i) => (i * 7) % 251)), memory = Buffer.from(system.memory.buffer);
    for (const sizes of [[], [0], [5], [0, 0], [3, 4], [1, 0, 2, 0, 3], [31, 32, 33], [4096, 1, 16384], [9000, 9000, 9000], [65535, 1], [65535, 2], [3, 70000], [32767, 1, 32768], Array(1024).fill(2), Array(1026).fill(2)]) {
      const place = gap => sizes.reduce((at, size, i) => (words(system, LIST + 8 * i, at, size), at + size + gap), DATA), taken = sizes.slice(0, 1024);
      const total = taken.reduce((sum, size) => sum + size, 0), spread = Buffer.concat(sizes.map((size, i) => {
        const from = sizes.slice(0, i).reduce((sum, size) => sum + size, 0);
        return Buffer.concat([i < 1024 ? text.subarray(from, from + size) : Buffer.alloc(size, FILL), Buffer.alloc(3, FILL)]);
      }));
      for (const [write, read, ...position] of [["fd_write", "fd_read"], ["fd_pwrite", "fd_pread", 0n]]) {
        assert.deepEqual([calls.fd_filestat_set_size(fd, 0n), calls.fd_seek(fd, 0n, 0, AT)], [0, 0]);
        place(0);
        memory.set(text, DATA);
        assert.equal(calls[write](fd, LIST, sizes.length, ...position, DONE), 0);
        assert.equal(memory.readUInt32LE(DONE), total);
        assert(fs.readFileSync(file("pieces")).equals(text.subarray(0, total)), `${write}: ${sizes}`);
        assert.equal(calls.fd_tell(fd, AT), 0);
        assert.equal(memory.readUInt32LE(AT), position.length ? 0 : total);
        place(3);
        memory.fill(FILL, DATA);
        assert.equal(calls.fd_seek(fd, 0n, 0, AT), 0);
        assert.equal(calls[read](fd, LIST, sizes.length, ...position, DONE), 0);
        assert.equal(memory.readUInt32LE(DONE), total);
        assert(memory.subarray(DATA, DATA + spread.length).equals(spread), `${read}: ${sizes}`);
      }
    }
    fs.rmSync(file("pieces"));
  },
  "random bytes"() {
    const system = fresh(), { calls } = system, seen = new Set();
    for (const size of [0, 1, 255, 256, 257, 4000, 4096, ...Array(40).fill(200)]) {
      const bytes = Buffer.from(system.memory.buffer, 0, 5000).fill(FILL);
      assert.equal(calls.random_get(AT, size), 0);
      assert(bytes.subarray(0, AT).every(byte => byte === FILL) && bytes.subarray(AT + size).every(byte => byte === FILL));
      for (let at = AT; at + 16 <= AT + size; at += 16) {
        const part = bytes.toString("hex", at, at + 16);
        assert(!seen.has(part) && !part.includes("eeeeeeeeee") && !part.includes("0000000000"), part);
        seen.add(part);
      }
    }
  },
  "descriptors"() {
    const closed = [], one = name => ({ rights: 0, close: () => closed.push(name) }), table = new Table(Array(65535).fill(one("many")));
    assert.equal(table.add(one("last")), 65535);
    assert.throws(() => table.add(one("more")), error => error === ERROR.EMFILE);
    table.close(7);
    assert.throws(() => table.close(7), error => error === ERROR.EBADF);
    assert.equal(table.add(one("again")), 7);
    table.renumber(7, 7);
    table.renumber(7, 9);
    assert.throws(() => table.get(7, 0), error => error === ERROR.EBADF);
    assert.equal(table.add(one("free")), 7);
    assert.throws(() => table.renumber(7, 65536), error => error === ERROR.EBADF);
    table.close(9);
    assert.deepEqual(closed, ["many", "many", "again"]);
    table.closeAll();
    assert.equal(closed.length, 3 + 65535);
    const two = new Table([one("first"), one("second")]);
    two.close(0);
    assert.equal(two.add(one("third")), 0);
    const system = new System([["/", new MemoryFolder(new Map())]]), fd = system.open(FOLDER, "x", { how: 1 });
    assert.equal(system.calls.fd_renumber(fd, FOLDER), 0);
    assert.deepEqual([system.calls.fd_close(fd), system.calls.fd_close(FOLDER), system.calls.fd_close(FOLDER)], [ERROR.EBADF, 0, ERROR.EBADF]);
  },
  "events of a poll"() {
    const NEVER = 600_000n * MS;
    for (const isUnstable of [false, true]) {
      const system = fresh({ isUnstable }), { calls, view } = system, fd = openAll(system), size = isUnstable ? 56 : 48, LIST = 1024, OUT = 8192, clock = isUnstable ? 24 : 16;
      const subscribe = (i, user, type, ...fields) => {
        const at = LIST + size * i;
        Buffer.from(system.memory.buffer, at, size).fill(0);
        view.setBigUint64(at, user, true);
        view.setUint8(at + 8, type);
        if (type === 0) {
          view.setUint32(at + clock, fields[0], true);
          view.setBigUint64(at + clock + 8, fields[1], true);
          view.setBigUint64(at + clock + 16, NEVER, true); // the precision, which nothing depends on
          view.setUint16(at + clock + 24, fields[2] ?? 0, true);
        }
        else view.setUint32(at + 16, fields[0], true);
      };
      const event = (user, error, type, ready = 0n) => hex([user, 8], [error, 2], [type, 1]) + "ee".repeat(5) + hex([ready, 8], [0, 2]) + "ee".repeat(6);
      const poll = count => written(system, OUT, () => calls.poll_oneoff(LIST, OUT, count, AT));
      const expect = (count, ...events) => {
        assert.equal(poll(count), events.join("").replace(/(ee)+$/, ""));
        assert.equal(view.getUint32(AT, true), events.length);
      };
      assert.equal(calls.fd_seek(fd, 4n, 0, AT), 0); // from the start; in wasi_unstable from where it is, which is the same
      subscribe(0, 0x1122334455667788n, 1, fd);
      subscribe(1, 5n, 2, fd);
      subscribe(2, 6n, 0, 1, NEVER);
      subscribe(3, 7n, 1, 99);
      subscribe(4, 8n, 0, 1, 1n, 1); // a date that has passed
      subscribe(5, 9n, 0, 0, BigInt(Date.now() - 1000) * MS, 1); // the program's date may be behind by some ms
      expect(1, event(0x1122334455667788n, 0, 1, 6n));
      expect(6, event(0x1122334455667788n, 0, 1, 6n), event(5n, 0, 2, 65536n), event(7n, ERROR.EBADF, 1), event(8n, 0, 0), event(9n, 0, 0));
      calls.fd_seek(fd, 99n, isUnstable ? 2 : 0, AT);
      expect(1, event(0x1122334455667788n, 0, 1, 0n));
      for (const [right, type] of [[RIGHT.POLL, 1], [RIGHT.READ, 1], [RIGHT.POLL, 2], [RIGHT.WRITE, 2]]) {
        const less = openAll(system);
        assert.equal(calls.fd_fdstat_get(less, AT), 0);
        assert.equal(calls.fd_fdstat_set_rights(less, view.getBigUint64(AT + 8, true) & ~right, 0n), 0);
        subscribe(0, 1n, type, less);
        expect(1, event(1n, ERROR.ENOTCAPABLE, type));
      }
      for (const count of [0, 65537, -1]) assert.equal(calls.poll_oneoff(LIST, OUT, count, AT), ERROR.EINVAL);
      subscribe(0, 1n, 3, fd);
      assert.equal(calls.poll_oneoff(LIST, OUT, 1, AT), ERROR.EINVAL);
      subscribe(0, 1n, 0, 2, 0n);
      assert.equal(calls.poll_oneoff(LIST, OUT, 1, AT), ERROR.EINVAL);
      subscribe(0, 1n, 1, FOLDER);
      expect(1, event(1n, ERROR.EISDIR, 1));
    }
  },
};

try {
  for (const [name, test] of Object.entries(tests)) {
    await test();
    console.log(`ok: ${name}`);
  }
} finally {
  fs.rmSync(folder, { recursive: true });
}
