// run_component.mjs - runs a component of WASI 0.2 and records its core modules as one program (linked.mjs).
//
// Node has no components: jco makes core modules and JavaScript of one. It is a package that the user installs, since it
// is as large as Toll; it is found where Node finds packages.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { LinkedModules } from "./linked.mjs";
import { say } from "./outcome.mjs";
import { printable } from "./printable.mjs";
import { serveRequests } from "./serve_component.mjs";

const JCO = "@bytecodealliance/jco", TRANSPILER = "@bytecodealliance/jco-transpile", WASI = "@bytecodealliance/preview2-shim";
const ERROR_RESULT = 1; // the status of a program whose result is an error
const RUN = /^wasi:cli\/run@.*#run$/, HANDLE = /^wasi:http\/incoming-handler@.*#handle$/;

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

/** Folders of packages that are installed for all (npm install -g). */
const sharedFolders = () => [path.resolve(process.execPath, "../../lib/node_modules"), "/usr/local/lib/node_modules", "/opt/homebrew/lib/node_modules",
  ...(process.env.APPDATA ? [path.join(process.env.APPDATA, "npm/node_modules")] : [])];

/** [transpiler, WASI]: the files of jco's packages. They are searched in the working folder and above it, and among the
 *  packages for all; not beside the component, which may be of somebody who is not trusted. */
function findJco() {
  for (const from of [process.cwd(), ...sharedFolders()].map(folder => path.join(folder, "any.js"))) {
    const jco = found(JCO, from), transpiler = found(TRANSPILER, from) ?? (jco && found(TRANSPILER, jco));
    const wasi = transpiler && (found(`${WASI}/instantiation`, transpiler) ?? found(`${WASI}/instantiation`, from));
    if (wasi) return [transpiler, wasi].map(file => pathToFileURL(file).href);
  }
  throw new Error(`is a component, for which Node needs the package ${TRANSPILER}: npm install ${TRANSPILER}`);
}

/** jco's server of HTTP, a file of the same package as its WASI. */
const httpOf = wasi => pathToFileURL(createRequire(wasi).resolve(`${WASI}/http`)).href;

/** Import the text of a module. It has a file meanwhile, whose name is short in stacks of errors. */
async function imported(script) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toll-"));
  try {
    fs.writeFileSync(path.join(folder, "component.mjs"), script);
    return await import(pathToFileURL(path.join(folder, "component.mjs")).href);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The component as core modules and JavaScript: { instantiate, modules } of jco. */
async function transpiled(transpiler, bytes, name) {
  const { transpileBytes } = await import(transpiler);
  const options = { name, instantiation: "sync", asyncMode: "sync", wasiShim: false, emitTypescriptDeclarations: false };
  const { files } = await transpileBytes(bytes, options).catch(error => {
    throw new Error(String(error.message ?? error).replace(/\s*Caused by:\s*/g, ": ").replace(/\s*\n\s*/g, "; "));
  });
  const { instantiate } = await imported(files[`${name}.js`]);
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

/** An argument of --invoke: JSON, of which integers of more than 53 bits (or with n at their end) are BigInts; or else a
 *  text. */
function argument(text) {
  const [, digits, n] = /^(-?\d+)(n?)$/.exec(text) ?? [];
  if (digits !== undefined) return n || !Number.isSafeInteger(Number(digits)) ? BigInt(digits) : Number(digits);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A value of WIT, as a text. */
function asText(value, inner = false) {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return `[${Array.from(value, each => asText(each, true)).join(", ")}]`;
  if (value !== null && typeof value === "object")
    return `{${Object.entries(value).map(([name, each]) => `${name}: ${asText(each, true)}`).join(", ")}}`;
  return inner && typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** All functions that a component exports, by name: those of an interface are "interface#function". */
function functionsOf(exports) {
  return new Map(Object.entries(exports).flatMap(([name, value]) => typeof value === "function" ? [[name, value]]
    : Object.entries(value ?? {}).filter(([, f]) => typeof f === "function").map(([f, call]) => [`${name}#${f}`, call])));
}

/** A function's name in WIT, my-function, as it is in JavaScript: myFunction. */
const inJavaScript = name => name.replace(/[^#]*$/, last => last.replace(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase()));

/** What to call: [function, arguments]. */
function entryOf(exports, args, { invoke, serve }) {
  const all = functionsOf(exports), names = [...all.keys()], name = invoke ?? names.find(each => (serve === undefined ? RUN : HANDLE).test(each));
  const call = all.get(name) ?? all.get(inJavaScript(name ?? ""));
  if (call && invoke !== undefined && call.length !== args.length)
    throw new Error(`--invoke: ${name} takes ${call.length} arguments, and ${args.length} are given`);
  if (call) return [call, invoke === undefined ? [] : args.map(argument)];
  const has = `it exports ${names.join(", ") || "nothing"}`;
  if (invoke !== undefined) throw new Error(`--invoke: the component exports no ${invoke}; ${has}`);
  if (serve !== undefined) throw new Error(`--serve: the component exports no wasi:http/incoming-handler; ${has}`);
  throw new Error(`the component has no wasi:cli/run: it is no program. Say ${names.some(each => HANDLE.test(each)) ? "--serve PORT" : "--invoke NAME"}; ${has}`);
}

/** Run the component. `make()` returns the recording; guest: { args, env, folders }; runner: { toll, outcome, invoke, serve, untilInterrupted }.
 *  Returns the exit status. */
export async function startComponent(bytes, file, make, guest, { toll, outcome, invoke, serve, untilInterrupted }) {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {}); // closed or full: as for a module, the program goes on
  const [transpiler, wasi] = findJco(), name = path.basename(file, ".wasm").replace(/[^\w.-]/g, "_") || "component";
  const [{ instantiate, modules }, { WASIShim }] = await Promise.all([transpiled(transpiler, bytes, name), import(wasi)]);
  const server = serve === undefined ? undefined : await import(httpOf(wasi));
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
    const [call, args] = entryOf(exports, guest.args.slice(1), { invoke, serve }), guarded = recording.guard(call);
    return serve === undefined ? ended(guarded, args, invoke !== undefined) : serveRequests(server, guarded, { recording, outcome, address: serve });
  });
}

/** Call the program, or the function, whose result is printed. A result that is an error, which is a value of WIT, is
 *  thrown as it is, or as the payload of an Error: that is the status ERROR_RESULT, and no trap. */
function ended(call, args, prints) {
  try {
    const result = call(...args);
    if (prints && result !== undefined) say(1, `${asText(result)}\n`);
    return 0;
  } catch (error) {
    const isTrap = error instanceof Error ? !("payload" in error) : WebAssembly.Exception && error instanceof WebAssembly.Exception;
    if (isTrap) throw error;
    const payload = error instanceof Error ? error.payload : error;
    if (payload !== undefined) say(2, `toll: the result is an error: ${printable(asText(payload))}\n`);
    return ERROR_RESULT;
  }
}
