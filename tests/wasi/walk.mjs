// walk.mjs - where paths lead: through folders, links, "." and "..", and never out of the guest's folder.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { ERROR, READS, scratch, System } from "./system.mjs";

const outer = scratch(), root = path.join(outer, "root"), FOLDER = 3, AT = 64, CREATE = 1, WANT_FOLDER = 2, EXCLUSIVE = 4, STAT = 1n << 21n;
const place = name => path.join(root, name), inode = at => fs.lstatSync(at, { bigint: true }).ino;
fs.mkdirSync(place("d/e/g"), { recursive: true });
fs.mkdirSync(path.join(outer, "root2"));
fs.writeFileSync(path.join(outer, "out"), "out");
for (const name of ["a", "d/b", "d/e/f"]) fs.writeFileSync(place(name), name);
const links = {
  to_d: "d", to_e: "to_d/e", to_f: "d/e/f", to_up: "..", to_out: "../out", "d/back": "../a", "d/e/far": "../../to_d/b", none: "missing", one: "two", two: "one",
  in_d: `${root}/d`, in_root: root, in_slash: `${root}/`, beside: `${outer}/root2`, etc: "/etc", d_slash: "d/", a_slash: "a/", dot: ".", l0: "a",
};
for (let i = 1; i <= 41; i++) links[`l${i}`] = `l${i - 1}`;
for (const [name, target] of Object.entries(links)) fs.symlinkSync(target, place(name));

const NAMES = Object.fromEntries(Object.entries(ERROR).map(([name, number]) => [number, name]));
const PLACES = new Map(["a", "d", "d/b", "d/e", "d/e/f", ".", ...Object.keys(links)].map(name => [inode(place(name)), name]));

/** The name of what is found, or of the error. */
const named = (system, error) => (error ? NAMES[error] : PLACES.get(system.view.getBigUint64(AT + 8, true)));
const stat = (system, path, follow) => named(system, system.calls.path_filestat_get(FOLDER, follow, ...system.put(path), AT));

function open(system, path, follow, how = 0) {
  const fd = system.open(FOLDER, path, { follow, how, rights: READS | STAT });
  if (fd < 0) return NAMES[-fd];
  const error = system.calls.fd_filestat_get(fd, AT), name = named(system, error);
  system.calls.fd_close(fd);
  return name;
}

// A path, what is there, where it leads (if this is a link), and what opens without following it. "=" is the link itself.
const PATHS = [
    ["a", "a"], ["./a", "a"], ["d/../a", "a"], ["d/e/../../a", "a"], ["d//b", "d/b"], ["d/./b", "d/b"], ["d/b/", "ENOTDIR"], ["d/", "d"],
    ["d/e//", "d/e"], ["d/.", "d"], ["d/..", "."], [".", "."], ["./", "."], ["..", "ENOTCAPABLE"], ["../out", "ENOTCAPABLE"],
    ["d/../..", "ENOTCAPABLE"], ["d/../../out", "ENOTCAPABLE"], ["a/..", "ENOTDIR"], ["a/b", "ENOTDIR"], ["/a", "ENOTCAPABLE"], ["", "ENOENT"],
    ["to_d", "=", "d"], ["to_d/", "d"], ["to_d/b", "d/b"], ["to_d/../a", "a"], ["to_e/f", "d/e/f"], ["to_e/../b", "d/b"], ["to_f", "=", "d/e/f"],
    ["to_f/", "ENOTDIR"], ["to_up", "=", "ENOTCAPABLE"], ["to_up/", "ENOTCAPABLE"], ["to_up/out", "ENOTCAPABLE"], ["to_out", "=", "ENOTCAPABLE"],
    ["d/back", "=", "a"], ["d/e/far", "=", "d/b"], ["none", "=", "ENOENT"], ["none/", "ENOENT"], ["one", "=", "ELOOP"], ["one/x", "ELOOP"],
    ["in_d", "=", "d"], ["in_d/b", "d/b"], ["in_root", "=", "."], ["in_root/a", "a"], ["in_slash/a", "a"], ["beside", "=", "ENOTCAPABLE"],
    ["etc", "=", "ENOTCAPABLE"], ["etc/passwd", "ENOTCAPABLE"], ["d_slash", "=", "d"], ["a_slash", "=", "ENOTDIR"], ["dot", "=", "."], ["dot/a", "a"],
    ["l39", "=", "a"], ["l40", "=", "ELOOP"], ["l38", "=", "a"], ["missing", "ENOENT"], ["missing/x", "ENOENT"], ["d/e/../e/../e/f", "d/e/f"],
    ["d/e/g/../f", "d/e/f"], ["d//../a", "a"], ["d/./../a", "a"],
];
const isError = name => /^E[A-Z]+$/.test(name), isFolder = name => ["d", "d/e", "."].includes(name);

/** What changes names: a call, its result, and the names that are there then and were not, or were. */
const CHANGES = [
  ["path_create_directory", ["n/"], 0, "+n"], ["path_create_directory", ["to_d/n"], 0, "+d/n"], ["path_create_directory", ["a"], "EEXIST"], ["path_create_directory", ["../n"], "ENOTCAPABLE"],
  ["path_create_directory", ["none/"], "EEXIST"], ["path_remove_directory", ["d/e"], "ENOTEMPTY"], ["path_remove_directory", ["to_d/"], "ENOTDIR"], ["path_remove_directory", ["a"], "ENOTDIR"],
  ["path_remove_directory", ["n/"], 0, "-n"], ["path_unlink_file", ["a/"], "ENOTDIR"], ["path_unlink_file", ["to_up"], 0, "-to_up"], ["path_unlink_file", ["in_d/b"], 0, "-d/b"],
  ["path_unlink_file", ["to_d/"], "ENOTDIR"], ["path_unlink_file", ["to_out/x"], "ENOTCAPABLE"], ["path_rename", ["to_e/f", FOLDER, "d/g"], 0, "-d/e/f", "+d/g"],
  ["path_rename", ["a", FOLDER, "../a"], "ENOTCAPABLE"], ["path_rename", ["d/../../out", FOLDER, "o"], "ENOTCAPABLE"], ["path_rename", ["a", FOLDER, "z/"], "ENOTDIR"],
  ["path_rename", ["d/", FOLDER, "z/"], 0, "-d", "+z"], ["path_symlink", ["../out", "s"], 0, "+s"], ["path_symlink", ["/etc", "s"], "ENOTCAPABLE"], ["path_symlink", ["", "s"], "ENOENT"],
  ["path_symlink", ["x", "a"], "EEXIST"], ["path_symlink", ["x", "a/"], "ENOTDIR"], ["path_symlink", ["x", "z/"], "EEXIST"], ["path_symlink", ["x", "n/"], "ENOENT"],
];

const namesIn = folder => fs.readdirSync(place(folder), { withFileTypes: true }).flatMap(entry => {
  const name = path.join(folder, entry.name);
  return entry.isDirectory() ? [name, ...namesIn(name)] : [name];
});

function changed(work) {
  const list = () => new Set(namesIn(".")), before = list();
  const result = work(), after = list();
  return [result, [...before].filter(name => !after.has(name)).map(name => `-${name}`).filter(name => !name.startsWith("-d/") || after.has("d")),
    [...after].filter(name => !before.has(name)).map(name => `+${name}`).filter(name => !name.startsWith("+z/"))].flat();
}

const tests = {
  "paths"() {
    for (const at of [root, "."]) {
      if (at === ".") process.chdir(root);
      const system = new System([["/", at]]), descriptors = () => fs.readdirSync("/proc/self/fd").length, before = descriptors();
      for (const [path, found, leads = found, opened = found === "=" ? "ELOOP" : leads] of PATHS) {
        assert.deepEqual([path, stat(system, path, 0), stat(system, path, 1), open(system, path, 0), open(system, path, 1)], [path, found === "=" ? path : found, leads, opened, leads]);
        assert.equal(open(system, path, 1, WANT_FOLDER), isError(leads) || isFolder(leads) ? leads : "ENOTDIR", path);
      }
      assert.equal(descriptors(), before, "folders of the way are closed");
    }
  },
  "files that are made"() {
    const system = new System([["/", root]]), make = (path, follow, how) => {
      const fd = system.open(FOLDER, path, { follow, how, rights: READS });
      if (fd >= 0) system.calls.fd_close(fd);
      return fd < 0 ? NAMES[-fd] : 0;
    };
    for (const [path, follow, how, ...wanted] of [
      ["none", 0, CREATE, "ELOOP"], ["none", 1, CREATE | EXCLUSIVE, "EEXIST"], ["none", 1, CREATE, 0, "+missing"], ["new/", 1, CREATE, "EISDIR"], ["none/", 1, CREATE, "EISDIR"],
      ["d/new", 0, CREATE | EXCLUSIVE, 0, "+d/new"], ["d/new", 0, CREATE | EXCLUSIVE, "EEXIST"], ["to_d/newer", 0, CREATE, 0, "+d/newer"], ["to_out", 1, CREATE, "ENOTCAPABLE"],
      ["d", 1, CREATE, "EISDIR"], ["new", 1, CREATE | WANT_FOLDER, "EINVAL"], ["../new", 1, CREATE, "ENOTCAPABLE"],
    ]) assert.deepEqual([path, ...changed(() => make(path, follow, how))], [path, ...wanted]);
    for (const name of ["missing", "d/new", "d/newer"]) fs.rmSync(place(name));
  },
  "names that are changed"() {
    const system = new System([["/", root]]);
    for (const [call, args, ...wanted] of CHANGES) {
      let at = 1024;
      const put = text => typeof text === "number" ? [text] : system.put(text, at += 512);
      const given = call === "path_symlink" ? [...put(args[0]), FOLDER, ...put(args[1])] : [FOLDER, ...args.flatMap(put)];
      const [error, ...names] = changed(() => system.calls[call](...given));
      assert.deepEqual([call, args, error && NAMES[error], ...names], [call, args, ...wanted]);
    }
    const link = (from, to) => system.calls.path_link(FOLDER, 0, ...system.put(from), FOLDER, ...system.put(to, 4096));
    for (const [from, to, error] of [["a", "h", 0], ["a/", "i", ERROR.ENOTDIR], ["a", "h", ERROR.EEXIST], ["none", "k", 0], ["../out", "o", ERROR.ENOTCAPABLE], ["a", "../o", ERROR.ENOTCAPABLE], ["z", "m", ERROR.EPERM]])
      assert.equal(link(from, to), error, `${from} ${to}`);
    assert.deepEqual([inode(place("h")), inode(place("k"))], [inode(place("a")), inode(place("none"))]);
    const read = name => (assert.equal(system.calls.path_readlink(FOLDER, ...system.put(name), 8192, 100, AT), 0), Buffer.from(system.memory.buffer, 8192, system.view.getUint32(AT, true)).toString());
    assert.deepEqual(["to_e", "z/back", "in_root", "s"].map(read), ["to_d/e", "../a", root, "../out"]);
    for (const [name, error] of [["a", "EINVAL"], ["to_e/", "EINVAL"], ["missing", "ENOENT"], ["etc/x", "ENOTCAPABLE"]]) assert.equal(system.calls.path_readlink(FOLDER, ...system.put(name), 8192, 100, AT), ERROR[error], name);
  },
};

try {
  for (const [name, test] of Object.entries(tests)) {
    test();
    console.log(`ok: ${name}`);
  }
} finally {
  process.chdir("/");
  fs.rmSync(outer, { recursive: true });
}
