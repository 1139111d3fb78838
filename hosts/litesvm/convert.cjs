// convert.cjs - profiles of transactions, as bytes of an uncompressed pprof file.
"use strict";
const path = require("node:path");
const { readFileSync } = require("node:fs");
const { toll } = require("./command.cjs");
const programs = require("./programs.cjs");

const OUT = "/profile.pb";
const chosen = new Map(); // hash of a program -> the file that has its names, or null
const refused = new Map(); // hash of a program, name of an IDL -> why the likeliest file does not have its names

/** { id, hash } of the programs in a folder of traces. */
function traced({ folder, names }) {
  const read = name => (names.includes(name) ? readFileSync(path.join(folder, name), "utf8").trim() : undefined);
  const found = new Map();
  for (const name of names.filter(name => name.endsWith(".program_id")))
    found.set(read(name), read(name.replace(/program_id$/, "exec.sha256")));
  return [...found].map(([id, hash]) => ({ id, hash }));
}

/** Runs toll on the input with the IDLs that fit; of one that toll refuses a note is kept, and it is left out. */
function withIdls(args, files) {
  for (;;) {
    const idls = Object.entries(programs.foundIdls()).filter(([name]) => !refused.has(name));
    const seen = { ...files, ...Object.fromEntries(idls.map(([name, file]) => [`/idl/${name}`, file])) };
    try {
      return toll(["convert", ...idls.flatMap(([name]) => ["--idl", `/idl/${name}`]), "-o", OUT, ...args], seen);
    } catch (error) {
      const [bad] = idls.find(([name]) => error.message.includes(`/idl/${name}:`)) ?? [];
      if (!bad) throw error;
      refused.set(bad, `instructions have no names: ${error.message.replace(/^toll: \/idl/, "target/idl")}`);
    }
  }
}

/** What a transaction cost. */
function profile({ traces, rpc }) {
  const files = { "/transaction.json": Buffer.from(JSON.stringify(rpc)) };
  if (!traces.names.length) return withIdls(["/transaction.json"], files).take(OUT);
  for (const name of traces.names) files[`/traces/${name}`] = path.join(traces.folder, name);
  const run = elfs => {
    const options = elfs.flatMap(({ id }) => ["--elf", `${id}=/${id}.so`]);
    return withIdls(["--logs", "/transaction.json", ...options, "/traces"],
      { ...files, ...Object.fromEntries(elfs.map(({ id, elf }) => [`/${id}.so`, elf])) });
  };
  const named = [];
  for (const { id, hash } of traced(traces)) {
    if (hash && !chosen.has(hash)) chosen.set(hash, programs.candidates(hash).find(elf => fits(run, { id, elf }, hash)) ?? null);
    if (chosen.get(hash)) named.push({ id, elf: chosen.get(hash) });
  }
  return run(named).take(OUT);
}

/** Is the file that of the program that ran? A stripped one is, too, but names next to nothing. */
function fits(run, { id, elf }, hash) {
  const file = typeof elf === "string" ? path.relative("", elf) : "the program that was added";
  const refuse = why => refused.has(hash) || refused.set(hash, `functions have no names: ${file}: ${why}`);
  try {
    const [, stripped] = /^toll: warning: \S+: (is stripped, [^;\n]*)/m.exec(run([{ id, elf }]).messages) ?? [];
    if (stripped) refuse(stripped);
    else refused.delete(hash);
    return true;
  } catch (error) {
    refuse(error.message.replace(/^toll: (\S+: )?/, ""));
    return false;
  }
}

/** Profiles added up. */
function merge(profiles) {
  const files = Object.fromEntries(profiles.map((bytes, i) => [`/${i}.pb`, bytes]));
  return toll(["merge", "-q", "-o", OUT, ...Object.keys(files)], files).take(OUT);
}

/** The functions that cost most, as text. */
function table(bytes, rows) {
  return toll(["report", "--rows", String(rows), OUT], { [OUT]: bytes }).output;
}

module.exports = { merge, profile, refused: () => [...refused.values()], table };
