// convert.cjs - profiles of transactions, as bytes of an uncompressed pprof file.
"use strict";
const path = require("node:path");
const { readFileSync } = require("node:fs");
const { gzipSync } = require("node:zlib");
const { toll } = require("./command.cjs");
const programs = require("./programs.cjs");
const { real, room } = require("./traces.cjs");

const OUT = "/profile.pb";
const refused = new Map(); // hash of a program, name of an IDL -> why its file does not have its names; a variable -> why it is left out
let given; // options for the labels of the environment

/** { id, hash } of the programs in a folder of traces. */
function traced({ folder, names }) {
  const read = name => (names.includes(name) ? readFileSync(path.join(folder, name), "utf8").trim() : undefined);
  const found = new Map();
  for (const name of names.filter(name => name.endsWith(".program_id")))
    found.set(read(name), read(name.replace(/program_id$/, "exec.sha256")));
  return [...found].map(([id, hash]) => ({ id, hash }));
}

const asOptions = labels => labels.flatMap(label => ["--label", label]);

/** Options for the labels of TOLL_LABELS. Of what is no list of labels a note is kept, and it is left out. */
function ofEnvironment() {
  const own = real.env.TOLL_LABELS ?? "";
  const options = asOptions(own.split(own.includes("\n") ? "\n" : ",").map(label => label.trim()).filter(Boolean));
  try {
    toll(["convert", "--from", "folded", ...options, "-o", OUT, "/any.folded"], { "/any.folded": Buffer.from("any 1\n") });
    return options;
  } catch (error) {
    refused.set("TOLL_LABELS", `TOLL_LABELS is left out: ${error.message.replace(/^toll: /, "")}`);
    return [];
  }
}

const runs = new Map(); // a test and a signature -> how often; each run of a transaction is one of its own

/** A name for this run of the transaction: its signature, or with a number if it was simulated before, say. */
function nameOf({ test, signature }) {
  const key = JSON.stringify([test, signature]), count = (runs.get(key) ?? 0) + 1;
  runs.set(key, count);
  return count > 1 ? `${signature}#${count}` : signature;
}

/** Options for the labels of a transaction that TOLL_BY names: test, transaction. */
function ofTransaction(transaction) {
  const { test } = transaction, known = { test, transaction: nameOf(transaction) }, by = (real.env.TOLL_BY ?? "").split(",").map(key => key.trim()).filter(Boolean);
  for (const key of by.filter(key => !Object.hasOwn(known, key)))
    refused.set("TOLL_BY", `TOLL_BY: '${key}' is not known here; there are ${Object.keys(known).join(" and ")}`);
  return asOptions(by.filter(key => Object.hasOwn(known, key) && known[key]).map(key => `${key}=${known[key].replaceAll("\n", " ")}`));
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

/** What a transaction cost: { profile, untraced }, why it is without functions although there are traces. */
function profile(transaction) {
  const { traces, rpc } = transaction, files = { "/transaction.json": Buffer.from(JSON.stringify(rpc)) };
  given ??= ofEnvironment();
  const labels = [...given, ...ofTransaction(transaction)];
  const byLog = untraced => ({ profile: withIdls([...labels, "/transaction.json"], files).take(OUT), untraced });
  if (!traces.names.length) return byLog();
  try {
    return { profile: byTraces(traces, { ...files }, labels) };
  } catch (error) {
    return byLog(`${error.message.replace(/^toll: (\/traces\/)?/, "")}; ${room()}`);
  }
}

function byTraces(traces, files, labels) {
  for (const name of traces.names) files[`/traces/${name}`] = path.join(traces.folder, name);
  const options = [], named = [];
  for (const { id, hash } of traced(traces)) {
    const found = programs.files(hash);
    if (!found) continue;
    for (const [name, content] of Object.entries(found.files)) files[`/${id}/${name}`] = content;
    options.push("--elf", `${id}=/${id}/${found.deployed}`);
    named.push({ id, hash, folder: found.folder, isOfMachine: found.isOfMachine });
  }
  const run = elfs => withIdls([...labels, "--logs", "/transaction.json", ...elfs, "/traces"], files);
  try {
    const done = run(options);
    for (const program of named.filter(program => !program.isOfMachine)) keepNote(done.messages, program);
    return done.take(OUT);
  } catch (error) {
    if (!named.length) throw error;
    const unnamed = run([]).take(OUT);
    for (const { hash } of named.filter(program => !program.isOfMachine)) refused.set(hash, `functions have no names: ${error.message.replace(/^toll: /, "")}`);
    return unnamed;
  }
}

/** What toll says of the file of a program, by the paths that it has on the disk. */
function keepNote(messages, { id, hash, folder }) {
  const said = messages.split("\n").find(line => line.startsWith(`toll: warning: /${id}/`));
  if (said) refused.set(hash, `functions have no names: ${said.replace("toll: warning: ", "").replaceAll(`/${id}/`, folder)}`);
}

/** Profiles added up. */
function merge(profiles) {
  const files = Object.fromEntries(profiles.map((bytes, i) => [`/${i}.pb`, bytes]));
  return toll(["merge", "-q", "-o", OUT, ...Object.keys(files)], files).take(OUT);
}

/** A profile in the format that a file's name says. Toll as WebAssembly does not compress. */
function as(name, bytes) {
  const out = `/named-${path.basename(name, ".gz")}`;
  const written = toll(["convert", "-q", "-o", out, OUT], { [OUT]: bytes }).take(out);
  return name.endsWith(".gz") ? gzipSync(written) : written;
}

/** The functions that cost most, as text. */
function table(bytes, rows) {
  return toll(["report", "--rows", String(rows), OUT], { [OUT]: bytes }).output;
}

module.exports = { as, merge, profile, refused: () => [...refused.values()], table, traced };
