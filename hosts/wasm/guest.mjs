// guest.mjs - runs a WASI program, or an export of a module: its imports, arguments and start.
import fs from "node:fs";
import { say } from "./outcome.mjs";
import { Wasi } from "./wasi.mjs";
import { DiskFile } from "./wasi_file.mjs";
import { DiskFolder } from "./wasi_folder.mjs";

const I32 = 0x7f, I64 = 0x7e, F32 = 0x7d, F64 = 0x7c;
const NAMES = { [I32]: "i32", [I64]: "i64", [F32]: "f32", [F64]: "f64" };

/** The text before the first `mark`, and behind it if there is one. */
function halves(text, mark) {
  const [before, ...rest] = text.split(mark);
  return rest.length ? [before, rest.join(mark)] : [before];
}

/** [GUEST, FOLDER] for each FOLDER or FOLDER::GUEST, the form that other runners have. */
export function folders(list) {
  return list.map(dir => {
    const [host, guest = host] = halves(dir, "::");
    if (!fs.existsSync(host) || !fs.statSync(host).isDirectory()) throw new Error(`--dir: there is no folder '${host}'`);
    return [guest, host];
  });
}

/** [NAME, VALUE] of a list of NAME=VALUE, or NAME for a variable of this process. */
export function variables(list) {
  return [...new Map(list.map(text => { // the last one wins if several have one name
    const [name, value = process.env[name] ?? ""] = halves(text, "=");
    return [name, value];
  }))];
}

function number(text, type) {
  const integer = type === I32 || type === I64;
  const value = !(type in NAMES) ? undefined : integer && /^[-+]?(0x[0-9a-f]+|[0-9]+)$/i.test(text)
    ? BigInt(text.replace(/^[-+]/, "")) * (text.startsWith("-") ? -1n : 1n)
    : !integer && text.trim() !== "" && (text === "NaN" || !Number.isNaN(Number(text))) ? Number(text) : undefined;
  const bits = type === I32 ? 32n : 64n;
  if (value === undefined || (integer && (value < -(1n << (bits - 1n)) || value >= 1n << bits)))
    throw new Error(`--invoke: the argument '${text}' is no ${NAMES[type] ?? "reference or vector, which cannot be given here"}`);
  return type === I32 ? Number(value) : value; // the call wraps it
}

/** An import that WASI does not have. The program may never call a function, so a function fails only when it is
 *  called. */
function missing(from, name, kind) {
  const what = `${from}.${name}, which is not of WASI: profile it in its own program, with toll.mjs`;
  if (kind !== "function") throw new Error(`the module imports ${what}`);
  return () => {
    throw new Error(`the module called ${what}`);
  };
}

export class Guest {
  /** args: the program's name comes first. options: dir, env. `exit` is called with the status when the program asks to
   *  end. It must neither return nor throw, since the program could catch an exception. files: those of the descriptors
   *  0, 1, 2. */
  constructor(args, { dir = [], env = [] }, exit, files) {
    this.args = args;
    this.options = { args, env: variables(env).map(([name, value]) => `${name}=${value}`), exit,
                     folders: folders(dir).map(([guest, folder]) => [guest, DiskFolder.preopened(folder)]),
                     files: files ?? [0, 1, 2].map(fd => DiskFile.inherited(fd)) };
  }

  /** The imports of the module. */
  imports(module) {
    const wanted = WebAssembly.Module.imports(module).filter(i => i.module !== "toll");
    this.wasi = new Wasi({ isUnstable: wanted.some(i => i.module === "wasi_unstable"), ...this.options });
    const known = this.wasi.imports;
    const modules = { wasi_snapshot_preview1: known, wasi_unstable: known };
    for (const { module: from, name, kind } of wanted)
      if (modules[from]?.[name] === undefined) (modules[from] ??= {})[name] = missing(from, name, kind);
    return modules;
  }

  /** Throw an error that names the exports if the module is not a program. */
  check(bytes) {
    const names = WebAssembly.Module.exports(new WebAssembly.Module(bytes)).filter(e => e.kind === "function").map(e => e.name);
    if (!names.includes("_start"))
      throw new Error(`the module has no _start: it is no program. Say --invoke NAME; it exports ${names.join(", ") || "nothing"}`);
  }

  print(text) {
    say(1, text);
  }

  start({ memory, _start }) {
    if (memory instanceof WebAssembly.Memory) this.wasi.use(memory);
    _start();
    return 0;
  }

  /** Returns a function that calls an export with the numbers of the command line, and prints the result. */
  call(name, types) {
    const given = this.args.slice(1);
    if (given.length !== types.length)
      throw new Error(`--invoke: ${name} takes ${types.length} arguments, and ${given.length} are given`);
    const args = given.map((text, i) => number(text, types[i]));
    return exports => {
      const { memory, _initialize } = exports;
      if (memory instanceof WebAssembly.Memory) this.wasi.use(memory);
      _initialize?.();
      const result = exports[name](...args);
      for (const value of Array.isArray(result) ? result : result === undefined ? [] : [result])
        this.print(`${value}\n`);
      return 0;
    };
  }
}
