// run_component.mjs - runs a component of WASI 0.2 and records its core modules as one program (linked.mjs).
//
// Node has no components: jco makes core modules and JavaScript of one. It is a package that the user installs, since it
// is as large as Toll; it is found where Node finds packages.
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { LinkedModules } from "./linked.mjs";
import { say } from "./outcome.mjs";

const JCO = "@bytecodealliance/jco", TRANSPILER = "@bytecodealliance/jco-transpile", WASI = "@bytecodealliance/preview2-shim";
const ERROR_RESULT = 1; // the status of a program whose result is an error
const RUN = /^wasi:cli\/run@/;

/** Is it a component? Both begin with \0asm; then a module has the version 1 and a component the layer 1. */
export const isComponent = bytes => bytes.length >= 8 && bytes.readUInt32LE(0) === 0x6d736100 && bytes[6] === 1 && bytes[7] === 0;

/** Where a package is, as seen from a file or folder; undefined: it is not there. */
function found(name, from) {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return undefined;
  }
}

/** [transpiler, WASI]: the files of jco's packages. They are searched beside the component, here, and among the packages
 *  that are installed for all (npm install -g). */
function findJco(component) {
  const here = path.join(process.cwd(), "any.js"), beside = path.resolve(component);
  const shared = [path.resolve(process.execPath, "../../lib/node_modules/any.js"), "/usr/local/lib/node_modules/any.js"];
  for (const from of [beside, here, ...shared]) {
    const jco = found(JCO, from), transpiler = found(TRANSPILER, from) ?? (jco && found(TRANSPILER, jco));
    const wasi = transpiler && (found(`${WASI}/instantiation`, transpiler) ?? found(`${WASI}/instantiation`, from));
    if (wasi) return [transpiler, wasi].map(file => pathToFileURL(file).href);
  }
  throw new Error(`is a component, for which Node needs the package ${TRANSPILER}: npm install ${TRANSPILER}`);
}

/** The component as core modules and JavaScript: { instantiate, modules } of jco. */
async function transpiled(transpiler, bytes, name) {
  const { transpileBytes } = await import(transpiler);
  const options = { name, instantiation: "sync", asyncMode: "sync", wasiShim: false, emitTypescriptDeclarations: false };
  const { files } = await transpileBytes(bytes, options).catch(error => {
    throw new Error(String(error.message ?? error).replace(/\s*Caused by:\s*/g, ": ").replace(/\s*\n\s*/g, "; "));
  });
  const script = Buffer.from(files[`${name}.js`]).toString("base64");
  const { instantiate } = await import(`data:text/javascript;base64,${script}`);
  return { instantiate, modules: Object.entries(files).filter(([file]) => file.endsWith(".wasm")) };
}

/** The imports of a program. They throw an error that says what is missing when the component takes another one. */
function importsOf(WASIShim, guest, exit) {
  const { args, env, folders } = guest;
  const sandbox = { args, env, preopens: folders, enableNetwork: false };
  const known = new WASIShim({ sandbox }).getImportObject();
  known["wasi:cli/exit"] = { exit: ({ tag }) => exit(tag === "err" ? ERROR_RESULT : 0), exitWithCode: exit };
  return new Proxy(known, {
    get(all, name) {
      if (name in all || typeof name === "symbol") return all[name];
      throw new Error(`the component imports ${name}, which is not of WASI 0.2: profile it in its own program, with preload.mjs`);
    },
  });
}

/** An argument of --invoke: JSON, a number with n at its end for 64 bits, or else a text. */
function argument(text) {
  if (/^-?\d+n$/.test(text)) return BigInt(text.slice(0, -1));
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const asText = value => ["string", "bigint"].includes(typeof value) ? String(value)
  : JSON.stringify(value, (_, v) => typeof v === "bigint" ? String(v) : v) ?? String(value);

/** All functions that a component exports, by name: those of an interface are "interface#function". */
function functionsOf(exports) {
  return new Map(Object.entries(exports).flatMap(([name, value]) => typeof value === "function" ? [[name, value]]
    : Object.entries(value ?? {}).filter(([, f]) => typeof f === "function").map(([f, call]) => [`${name}#${f}`, call])));
}

/** What to call: [function, arguments]. */
function entryOf(exports, invoke, args) {
  const all = functionsOf(exports), names = [...all.keys()];
  const name = invoke ?? names.find(each => RUN.test(each) && each.endsWith("#run"));
  const call = all.get(name);
  if (call && invoke !== undefined && call.length !== args.length)
    throw new Error(`--invoke: ${name} takes ${call.length} arguments, and ${args.length} are given`);
  if (call) return [call, invoke === undefined ? [] : args.map(argument)];
  throw new Error(invoke === undefined
    ? `the component has no wasi:cli/run: it is no program. Say --invoke NAME; it exports ${names.join(", ") || "nothing"}`
    : `--invoke: the component exports no ${invoke}; it exports ${names.join(", ") || "nothing"}`);
}

/** Run the component. `make()` returns the recording; guest: { args, env, folders }; runner: { toll, outcome, invoke, untilInterrupted }.
 *  Returns the exit status. */
export async function startComponent(bytes, file, make, guest, { toll, outcome, invoke, untilInterrupted }) {
  const [transpiler, wasi] = findJco(file), name = path.basename(file, ".wasm").replace(/[^\w.-]/g, "_") || "component";
  const [{ instantiate, modules }, { WASIShim }] = await Promise.all([transpiled(transpiler, bytes, name), import(wasi)]);
  const exit = status => { // from within the guest
    outcome.write();
    process.exit(outcome.status(status));
  };
  return untilInterrupted(() => {
    const recording = make(), linked = new LinkedModules(toll, recording);
    const compiled = new Map(modules.map(([each, core]) => [each, linked.compile(core, each)]));
    outcome.hasNames = [...compiled.values()].some(core => WebAssembly.Module.customSections(core, "name").length > 0);
    outcome.follow(recording); // from here on there is a profile to write
    const exports = instantiate(each => compiled.get(each), importsOf(WASIShim, guest, exit), (module, imports) => linked.instantiate(module, imports));
    const [call, args] = entryOf(exports, invoke, guest.args.slice(1));
    return ended(recording.guard(call), args, invoke !== undefined);
  });
}

/** Call the program, or the function, whose result is printed. A result that is an error is one of WIT's types, which jco
 *  throws: that is the status ERROR_RESULT, and no trap. */
function ended(call, args, prints) {
  try {
    const result = call(...args);
    if (prints && result !== undefined) say(1, `${asText(result)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof Error) || !("payload" in error)) throw error;
    if (error.payload !== undefined) say(2, `toll: the result is an error: ${asText(error.payload)}\n`);
    return ERROR_RESULT;
  }
}
