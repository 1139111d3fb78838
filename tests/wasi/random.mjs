// random.mjs [SEED] - calls of WASI with random arguments, most of them wrong: each returns an error or 0, nothing is thrown, and
// what is outside of the guest's folder and of its memory stays what it is.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { ALL, ERROR, FOLDERS, scratch, System } from "./system.mjs";

const CALLS = 40_000, PAGE = 65536, MOST_ERROR = ERROR.ENOTCAPABLE;
let state = Number(process.argv[2] ?? 1);
const below = n => (state = (state * 48271) % 2147483647) % n; // Lehmer's generator
const any = (...list) => list[below(list.length)];

// Of each function one letter a parameter: d descriptor, p pointer, s size, i small number, l 64 bits.
const SHAPES = {
  args_get: "pp", args_sizes_get: "pp", environ_get: "pp", environ_sizes_get: "pp", clock_res_get: "ip", clock_time_get: "ilp", random_get: "ps", sched_yield: "",
  fd_advise: "dlli", fd_allocate: "dll", fd_close: "d", fd_datasync: "d", fd_fdstat_get: "dp", fd_fdstat_set_flags: "di", fd_fdstat_set_rights: "dll",
  fd_filestat_get: "dp", fd_filestat_set_size: "dl", fd_filestat_set_times: "dlli", fd_pread: "dpslp", fd_prestat_get: "dp", fd_prestat_dir_name: "dps",
  fd_pwrite: "dpslp", fd_read: "dpsp", fd_readdir: "dpslp", fd_renumber: "dd", fd_seek: "dlip", fd_sync: "d", fd_tell: "dp", fd_write: "dpsp",
  path_create_directory: "dps", path_filestat_get: "dipsp", path_filestat_set_times: "dipslli", path_link: "dipsdps", path_open: "dipsillip",
  path_readlink: "dpspsp", path_remove_directory: "dps", path_rename: "dpsdps", path_symlink: "psdps", path_unlink_file: "dps", proc_raise: "i",
  sock_accept: "dip", sock_recv: "dpsipp", sock_send: "dpsip", sock_shutdown: "di",
};
const names = Object.keys(SHAPES), paths = ["a", "b", "in", "in/a", "../secret", "link", "in/..", ".", "", "a/", "\xff", "a\0b", "/"];

const OTHER = 512; // where another path of that size is
let pathAt = 0, pathSize = 0; // of the path that is in memory

const argument = {
  d: () => any(0, 1, 2, 3, 3, 3, 4, 5, 6, 7, -1, 1 << 30, below(100)),
  p: () => any(pathAt, pathAt, 0, 8, 64, 1024, below(2 * PAGE), 2 * PAGE - 4, 2 * PAGE, -1, -8, 0x7fffffff, 0x80000000 | 0),
  s: () => any(pathSize, pathSize, 0, 1, 2, 3, 4, below(PAGE), -1, 0x7fffffff, 1 << 20),
  i: () => any(0, 1, 2, 3, below(32), -1, 1 << 20),
  l: () => any(0n, 1n, 100n, -1n, FOLDERS, 1n << 53n, (1n << 63n) - 1n, -(1n << 63n), BigInt(below(PAGE))),
};

/** Those with which a call is likely to succeed. */
const likely = { ...argument, d: () => any(3, 3, 4, 5), p: () => any(pathAt, OTHER), s: () => pathSize, i: () => any(0, 1) };

/** Vectors and paths where pointers may point. */
function fillMemory(system) {
  const { view } = system;
  for (let at = 0; at < 64; at += 4) view.setUint32(at, any(0, 8, 1024, below(2 * PAGE), 0xffffffff, below(100)), true);
  const path = any(...paths);
  [pathAt, pathSize] = system.put(path, any(64, 1024));
  system.put(path.replace(/^./, any("c", "d")), OTHER);
}

const outside = scratch(), root = path.join(outside, "root");
const most = 1n << 20n; // files do not become larger

function call(system, name) {
  const kinds = any(argument, likely), given = [...SHAPES[name]].map(shape => kinds[shape]());
  if (name === "fd_allocate" || name === "fd_filestat_set_size") given.forEach((value, i) => { if (typeof value === "bigint" && value > most) given[i] = most; });
  const result = system.calls[name](...given);
  assert(Number.isInteger(result) && result >= 0 && result <= MOST_ERROR, `${name}(${given}) returned ${result}`);
  return result;
}

function run() {
  const counts = new Map();
  let system;
  for (let i = 0; i < CALLS; i++) {
    if (i % 500 === 0) {
      system?.wasi.close();
      fs.rmSync(root, { recursive: true, force: true });
      fs.mkdirSync(path.join(root, "in"), { recursive: true });
      fs.writeFileSync(path.join(root, "a"), "text");
      fs.symlinkSync("../secret", path.join(root, "link"));
      system = new System([["/", root]]);
    }
    if (i % 50 === 0) system.open(3, "a", { how: 1, rights: ALL }); // files to work on, mostly descriptors from 4 on
    fillMemory(system);
    if (i % 97 === 0) system.memory.grow(1);
    const name = names[below(names.length)], good = call(system, name) === 0;
    const [all, successes] = counts.get(name) ?? [0, 0];
    counts.set(name, [all + 1, successes + good]);
  }
  for (const [name, [all]] of counts) assert(all > 300, name);
  assert([...counts.values()].filter(([, good]) => good > 0).length >= 30, "most functions succeed at times");
  return [...counts.values()].reduce((sum, [, good]) => sum + good, 0);
}

/** A poll may wait: its arguments are wrong ones, and events that are there at once. */
function polls(system) {
  const { view, calls } = system;
  for (const [list, out, count] of [[-1, 0, 1], [0, -1, 1], [0, 64, -1], [0, 64, 0], [2 * PAGE - 47, 64, 1], [0, 0, 0x7fffffff]])
    assert([ERROR.EFAULT, ERROR.EINVAL].includes(calls.poll_oneoff(list, out, count, 512)));
  view.setUint8(8, 3);
  assert.equal(calls.poll_oneoff(0, 128, 1, 512), ERROR.EINVAL);
  view.setUint8(8, 1);
  view.setUint32(16, 99, true);
  assert.equal(calls.poll_oneoff(0, 128, 1, 512), 0);
  assert.equal(view.getUint16(128 + 8, true), ERROR.EBADF);
}

fs.writeFileSync(path.join(outside, "secret"), "secret");
try {
  console.log(`${run()} of ${CALLS} calls succeeded`);
  polls(new System([["/", root]]));
  assert.deepEqual(fs.readdirSync(outside).sort(), ["root", "secret"]);
  assert.equal(fs.readFileSync(path.join(outside, "secret"), "utf8"), "secret");
} finally {
  fs.rmSync(outside, { recursive: true });
}
