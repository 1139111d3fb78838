// disk.cjs - files that are written whole, or not at all, and what is said if they are not.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

/** What could not be written, why, and what to do. */
function cannotWrite(name, error) {
  const why = error.message.replace(/, \w+( '.*')?$/s, ""); // without the system call and its paths
  const todo = ["ENOSPC", "EDQUOT"].includes(error.code) ? "free some space there" : "see that it can be written";
  return new Error(`toll-litesvm: cannot write ${name}: ${why}; ${todo}, and run the tests again`);
}

function makeFolder(folder) {
  try {
    fs.mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw cannotWrite(folder, error);
  }
}

/** Write files, of each path its content or { from }, another path; and remove what else is in `folder`. If one cannot be
 * written all stay as they were. */
function writeAll(contents, folder) {
  const written = new Map(); // where the content is before it has its name
  let name;
  try {
    for ([name] of contents) {
      const at = `${name}.${process.pid}`;
      fs.mkdirSync(path.dirname(name), { recursive: true });
      written.set(at, name);
      const content = contents.get(name);
      if (content.from) fs.copyFileSync(content.from, at);
      else fs.writeFileSync(at, content);
    }
    for (const other of folder && fs.existsSync(folder) ? fs.readdirSync(folder) : [])
      if (!written.has(name = path.join(folder, other))) fs.rmSync(name, { recursive: true });
    for (const [at, to] of written) fs.renameSync(at, name = to);
  } catch (error) {
    for (const at of written.keys()) fs.rmSync(at, { force: true });
    throw cannotWrite(name, error);
  }
}

/** Copy files into another folder, where a file of the same name has the same content. Returns why that is not possible. */
function copyAll(names, from, to) {
  const absent = names.filter(name => !fs.existsSync(path.join(to, name)));
  try {
    writeAll(new Map(absent.map(name => [path.join(to, name), { from: path.join(from, name) }])));
  } catch (error) {
    return error.message.replace("toll-litesvm: ", "");
  }
}

module.exports = { cannotWrite, copyAll, makeFolder, writeAll };
