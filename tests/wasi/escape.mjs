// escape.mjs - a guest cannot leave its folder by "..", links or renames, even while another process changes them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { ERROR, FOLDERS, scratch, System } from "./system.mjs";

const outside = scratch(), root = path.join(outside, "root"), FOLDER = 3, CREATE = 1, TRUNCATE = 8;
for (const folder of ["root", "root/in", "root/in/deep", "moved"]) fs.mkdirSync(path.join(outside, folder));
fs.writeFileSync(path.join(outside, "secret"), "secret");
fs.writeFileSync(path.join(root, "open"), "open");
fs.writeFileSync(path.join(root, "in/inner"), "inner");
const links = {
  up: "../secret", absolute: path.join(outside, "secret"), folder: "..", "in/far": "../../secret", chain: "in/far", "etc": "/etc", good: "in/inner",
  "in/back": "../open", here: path.join(root, "in"), loop: "loop", "new": "../made", self: ".",
};
for (const [name, target] of Object.entries(links)) fs.symlinkSync(target, path.join(root, name));

const bad = [ // paths that would lead out
  "../secret", "..", "in/../../secret", "in/deep/../../../secret", "/etc/passwd", path.join(outside, "secret"), "up", "absolute", "folder/secret", "in/far",
  "chain", "etc/passwd", "here/../../secret", "self/../secret", "in/./..//../secret", "etc/", "folder/",
];
const refused = [ERROR.ENOTCAPABLE, ERROR.ENOTDIR];

function holds(system) {
  for (const name of bad) {
    assert(refused.includes(-system.open(FOLDER, name)), name);
    assert(refused.includes(-system.open(FOLDER, name, { how: CREATE | TRUNCATE })) || name.endsWith("/"), name);
    assert(refused.includes(system.calls.path_filestat_get(FOLDER, 1, ...system.put(name), 64)), name);
    assert(refused.includes(system.calls.path_filestat_set_times(FOLDER, 1, ...system.put(name), 1n, 1n, 5)), name);
  }
  assert.equal(system.open(FOLDER, "new", { how: CREATE }), -ERROR.ENOTCAPABLE);
  assert.equal(system.open(FOLDER, "loop"), -ERROR.ELOOP);
  for (const [name, text] of Object.entries({ good: "inner", "in/back": "open", "here/inner": "inner", "in/../open": "open", "self/self/open": "open" }))
    assert.equal(system.readFile(FOLDER, name), text, name);
  for (const name of ["../x", "folder/x", "etc/x"]) {
    const put = system.put(name);
    for (const call of ["path_create_directory", "path_remove_directory", "path_unlink_file"]) assert.equal(system.calls[call](FOLDER, ...put), ERROR.ENOTCAPABLE);
    const from = system.put("open", 2048);
    assert.equal(system.calls.path_rename(FOLDER, ...from, FOLDER, ...put), ERROR.ENOTCAPABLE);
    assert.equal(system.calls.path_link(FOLDER, 0, ...from, FOLDER, ...put), ERROR.ENOTCAPABLE);
    assert.equal(system.calls.path_symlink(...from, FOLDER, ...put), ERROR.ENOTCAPABLE);
  }
  assert.equal(system.calls.path_symlink(...system.put("/etc", 2048), FOLDER, ...system.put("planted")), ERROR.ENOTCAPABLE);
}

/** A folder that the guest has open is moved out by somebody else: it stays the guest's, and ".." does not lead from it. */
function moved(system) {
  const deep = system.open(FOLDER, "in/deep", { rights: FOLDERS });
  fs.renameSync(path.join(root, "in/deep"), path.join(outside, "moved/deep"));
  assert.equal(system.open(deep, "../../secret"), -ERROR.ENOTCAPABLE);
  assert.equal(system.open(FOLDER, "in/deep/../../secret"), -ERROR.ENOENT);
  fs.renameSync(path.join(outside, "moved/deep"), path.join(root, "in/deep"));
}

/** Another process puts a link to the outside in the place of a folder, and of a file, as fast as it can. */
async function raced(system) {
  fs.writeFileSync(path.join(root, "in/secret"), "inside");
  const swaps = `const fs = require("fs"); process.chdir(${JSON.stringify(root)}); fs.symlinkSync("..", "out"); fs.symlinkSync("../../secret", "in/out");
    process.stdout.write("x");
    for (;;) { fs.renameSync("in", "kept"); fs.renameSync("out", "in"); fs.renameSync("in", "out"); fs.renameSync("kept", "in");
      fs.renameSync("in/secret", "in/kept"); fs.renameSync("in/out", "in/secret"); fs.renameSync("in/secret", "in/out"); fs.renameSync("in/kept", "in/secret"); }`;
  const child = spawn(process.execPath, ["-e", swaps], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise(resolve => child.stdout.once("data", resolve));
  const seen = new Map();
  try {
    for (let i = 0; i < 20000; i++) {
      const text = system.readFile(FOLDER, "in/secret");
      seen.set(text, (seen.get(text) ?? 0) + 1);
    }
  } finally {
    child.kill("SIGKILL");
  }
  console.log("raced:", Object.fromEntries(seen));
  assert(!seen.has("secret"));
  assert(seen.get("inside") > 100 && seen.size > 1, "there was no race");
}

try {
  holds(new System([["/", root]]));
  process.chdir(root); // where paths are shorter
  holds(new System([[".", "."]]));
  process.chdir("/");
  moved(new System([["/", root]]));
  await raced(new System([["/", root]]));
  assert.deepEqual(fs.readdirSync(outside).sort(), ["moved", "root", "secret"]);
  assert.equal(fs.readFileSync(path.join(outside, "secret"), "utf8"), "secret");
} finally {
  fs.rmSync(outside, { recursive: true });
}
