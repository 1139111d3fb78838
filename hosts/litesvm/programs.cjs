// programs.cjs - the files that have the names of functions: the unstripped build of a program. cargo build-sbf leaves it
// beside the stripped one that is deployed: target/sbpf-solana-solana/release/NAME.so beside target/deploy/NAME.so. And
// those that have the names of instructions: target/idl/NAME.json.
"use strict";
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

const given = new Map(); // hash of a program -> its path, or its bytes, or { elf }, its bytes as the machine has them
const searched = new Set(); // folders named "target"
const idls = new Map(); // name of an IDL -> its path; those of inner folders count

const hash = bytes => createHash("sha256").update(bytes).digest("hex");

function add(source) {
  const bytes = typeof source === "string" ? fs.readFileSync(source) : source, key = hash(bytes);
  if (typeof source === "string" || !given.has(key)) given.set(key, typeof source === "string" ? path.resolve(source) : bytes.slice());
}

const ELF = Buffer.from("\x7fELF", "latin1"), HEADS = [0, 45, 48]; // of the accounts of loaders 1 and 2, of 3, of 4

/** The ELF file in an account. */
function elfIn(data) {
  const bytes = Buffer.from(data ?? []), head = HEADS.find(head => bytes.subarray(head, head + ELF.length).equals(ELF));
  return head === undefined ? undefined : bytes.subarray(head);
}

/** Keep the code of a program that the machine brings along, for the names of functions of libraries. That of an upgradeable
 * program is in an account of its own, whose address is in the program's. */
function addOfMachine(svm, id, key, base58) {
  search();
  if (!key || given.has(key)) return;
  const data = address => {
    try {
      return svm.getAccount(address)?.data;
    } catch {
      return undefined; // a version of LiteSVM that wants an object
    }
  };
  const program = data(id), elf = elfIn(program) ?? (program?.length >= 36 ? elfIn(data(base58(program.slice(4, 36)))) : undefined);
  if (elf && hash(elf) === key) given.set(key, { elf: new Uint8Array(elf) }); // else it was replaced meanwhile
}

const entries = folder => (fs.existsSync(folder) ? fs.readdirSync(folder) : []);

/** target/deploy and target/idl of this folder and of those around it. */
function search() {
  for (let at = process.cwd(), up; ; at = up) {
    const target = path.join(at, "target");
    if (!searched.has(target)) {
      searched.add(target);
      for (const name of entries(path.join(target, "deploy")).filter(name => name.endsWith(".so")))
        add(path.join(target, "deploy", name));
      for (const name of entries(path.join(target, "idl")).filter(name => name.endsWith(".json") && !idls.has(name)))
        idls.set(name, path.join(target, "idl", name));
    }
    up = path.dirname(at);
    if (up === at) return;
  }
}

/** Of the program with that hash, { folder, deployed, files }: the files of `folder` that toll needs for its names, and
 * which of them was deployed. Beside a file of target/deploy these are the unstripped builds of that name. */
function files(key) {
  search();
  const source = given.get(key);
  if (source === undefined) return undefined;
  if (source.elf) return { folder: "", deployed: "program.so", isOfMachine: true, files: { "program.so": source.elf } };
  if (typeof source !== "string") return { folder: "", deployed: "program.so", files: { "program.so": source } };
  const name = path.basename(source), folder = path.dirname(source), target = path.dirname(folder);
  const deployed = `${path.basename(folder)}/${name}`;
  const twins = entries(target).filter(folder => /^sbp?f.*-solana-solana$/.test(folder))
    .map(folder => `${folder}/release/${name}`).filter(twin => fs.existsSync(path.join(target, twin)));
  return { folder: `${path.relative("", target) || "."}/`, deployed,
    files: Object.fromEntries([[deployed, source], ...twins.map(twin => [twin, path.join(target, twin)])]) };
}

/** The IDLs that anchor build leaves, by name. */
function foundIdls() {
  search();
  return Object.fromEntries(idls);
}

module.exports = { add, addOfMachine, files, foundIdls };
