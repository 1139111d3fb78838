// host.mjs - for tests of kernels: runs a kernel in Node without Toll.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const lib = name => import(pathToFileURL(path.join(process.argv[2], "kernel", name)));
export const { Kernel, memoryOf } = await lib("kernel.mjs");
export const { blake2b } = await lib("blake2b.mjs");
const { parseInbox } = await lib("inbox.mjs");

export const hex = bytes => Buffer.from(bytes).toString("hex");

/** What happened: { kernel, sum, runs, debug (texts), sections (begun and ended, in order) }. */
export async function runKernel(code, levels, options = {}) {
  const debug = [], sections = [], runs = [];
  const kernel = new Kernel({
    debug: text => debug.push(text),
    section: {
      start: data => sections.push(`+${data}`), end: data => sections.push(`-${data}`),
      leftOpen: data => sections.push(`?${data}`), unmatched: data => sections.push(`!${data}`),
    },
    ...options,
  });
  const modules = new Map();
  const instantiate = step => {
    const bytes = step.code ?? code;
    if (!modules.has(bytes)) modules.set(bytes, new WebAssembly.Module(bytes));
    let memory = null;
    const imports = { ...kernel.imports(() => memory), ...options.imports };
    const { exports } = new WebAssembly.Instance(modules.get(bytes), imports);
    memory = memoryOf(exports);
    options.onInstance?.(exports);
    return exports;
  };
  if (options.install) kernel.install(code);
  kernel.load(parseInbox(JSON.stringify(levels)));
  const sum = await kernel.run({ instantiate, onRun: run => (runs.push(run), options.onRun?.(run)) });
  return { kernel, sum, runs, debug, sections };
}

export const load = name => fs.readFileSync(`${name}.wasm`);
