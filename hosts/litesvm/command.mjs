// command.mjs - runs the command `toll` (toll-command.wasm) in this process, on files in memory. The build joins it with the WASI that it
// imports into command.cjs.
import { readFileSync } from "node:fs";
import { Wasi } from "../wasm/wasi.mjs";
import { Content, MemoryFile, MemoryFolder } from "./memory_files.mjs";

let compiled;

/** The end of the command, thrown through it. */
class Exit extends Error {
  constructor(status) {
    super(`exit ${status}`);
    this.status = status;
  }
}

/** Run it; returns its exit status. `files`: its standard input, output and error. `contents`: its files (MemoryFolder). */
function run(args, files, contents) {
  compiled ??= new WebAssembly.Module(readFileSync(new URL("toll-command.wasm", import.meta.url)));
  const exit = status => { throw new Exit(status); };
  const wasi = new Wasi({ args: ["toll", ...args], env: [], files, folders: [["/", new MemoryFolder(contents)]], exit });
  try {
    const { exports } = new WebAssembly.Instance(compiled, { wasi_snapshot_preview1: wasi.imports });
    wasi.use(exports.memory);
    exports._start();
    return 0;
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    return error.status;
  } finally {
    wasi.close();
  }
}

/** Runs `toll ARGS`. `files`: of each path that ARGS name, its bytes or where it is on the disk. Returns { output, messages,
 *  take(path) }; it throws if the command fails. */
export function toll(args, files = {}) {
  const contents = new Map(Object.entries(files).map(([path, file]) => [path, typeof file === "string" ? file : new Content(file)]));
  const [input, output, messages] = [0, 1, 2].map(() => new MemoryFile()), text = ({ content }) => Buffer.from(content.bytes).toString();
  const status = run(args, [input, output, messages], contents), said = text(messages);
  if (status) throw new Error(said.replace(/^toll: warning: .*\n/gm, "").trim() || `toll ${args[0]}: status ${status}`);
  return { output: text(output), messages: said, take: path => contents.get(path)?.bytes?.slice() };
}
