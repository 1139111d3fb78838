// reveal_sources.mjs - where the data comes from that a kernel reveals: preimages in a folder, or fetched into it, and
// pages of the data availability layer in a folder.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { blake2b } from "./blake2b.mjs";
import { HostError } from "./kernel_imports.mjs";

const MAX_PREIMAGE = 4096, FETCH_MS = 30_000;

const hex = bytes => Buffer.from(bytes).toString("hex");

/** The hash of a preimage: the kind of hash, 00, and its BLAKE2b. */
const hashOf = bytes => `00${hex(blake2b(bytes))}`;

/** Check that a preimage has the hash `name`, in hex. */
export function checkPreimage(bytes, name) {
  if (bytes.length > MAX_PREIMAGE)
    throw new HostError(`the preimage of ${name} has ${bytes.length} bytes; ${MAX_PREIMAGE} are allowed; reveal it in pages`);
  const its = hashOf(bytes);
  if (its !== name) throw new HostError(`the preimage of ${name} has the hash ${its}; give the one whose hash is the name`);
}

// Run by another Node, since a kernel waits for what it reveals. Writes one byte more than a preimage can have at most.
const FETCH = `fetch(process.argv[1], { signal: AbortSignal.timeout(${FETCH_MS}) }).then(async answer => {
  if (!answer.ok) throw new Error("status " + answer.status);
  let left = ${MAX_PREIMAGE + 1};
  for await (const bytes of answer.body ?? []) {
    process.stdout.write(bytes.subarray(0, left));
    if ((left -= bytes.length) <= 0) break; // the answer may have no end
  }
}).catch(error => { console.error(error.cause?.code ?? error.message); process.exitCode = 1; });`;

function fetched(url) {
  try {
    return execFileSync(process.execPath, ["-e", FETCH, url], { stdio: ["ignore", "pipe", "pipe"], timeout: FETCH_MS + 5000 });
  } catch (error) {
    throw new HostError(`${url}: cannot be fetched (${String(error.stderr ?? error.message).trim()}), and the kernel reveals it`);
  }
}

/** Keep a preimage in the folder: under another name until it is whole. */
function keep(file, bytes) {
  const beside = `${file}.${process.pid}.tmp`;
  fs.writeFileSync(beside, bytes, { flag: "wx" });
  fs.renameSync(beside, file);
}

function read(file, otherwise) {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    return otherwise(error);
  }
}

/** Preimages in a folder, in files named by their hash in hex. Those that are missing are fetched from ENDPOINT/HASH, and
 *  kept in the folder, if there is one.
 */
export function preimagesIn(folder, endpoint) {
  const fetchInto = (name, file) => {
    const bytes = fetched(`${endpoint.replace(/\/$/, "")}/${name}`);
    checkPreimage(bytes, name);
    if (file) keep(file, bytes);
    return bytes;
  };
  return hash => {
    const name = hex(hash);
    if (folder === undefined && endpoint !== undefined) return fetchInto(name);
    if (folder === undefined)
      throw new HostError(`the kernel reveals the preimage of ${name}; give the folder that has it: --preimages FOLDER`);
    const file = path.join(folder, name);
    return read(file, error => {
      if (error.code === "ENOENT" && endpoint !== undefined) return fetchInto(name, file);
      throw new HostError(`${file}: cannot be read (${error.code}), and the kernel reveals it; write the preimage there`);
    });
  };
}

/** Pages in a folder, in files named LEVEL-SLOT-PAGE. An empty file is a page that was not attested. */
export function dalPagesIn(folder) {
  return (level, slot, page) => {
    const name = `${level}-${slot}-${page}`;
    if (folder === undefined)
      throw new HostError(`the kernel reveals the page ${name} (level, slot, page) of the data availability layer; ` +
                          "give the folder that has it: --dal-pages-dir FOLDER");
    const file = path.join(folder, name);
    return read(file, error => {
      throw new HostError(`${file}: cannot be read (${error.code}), and the kernel reveals this page; write it there, ` +
                          "or an empty file if it was not attested");
    });
  };
}
