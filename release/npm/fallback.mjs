// fallback.mjs - runs the command `toll` as WebAssembly, in this process: it sees all files that this process sees. It is
// joined with what it imports into fallback.cjs (release/kinds/npm), which toll.cjs loads.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { DiskFile } from "../../hosts/wasm/wasi_file.mjs";
import { ERROR, FILE_RIGHTS, TYPE } from "../../hosts/wasm/wasi_numbers.mjs";
import { Wasi } from "../../hosts/wasm/wasi.mjs";
import { PlainFolder } from "./plain_folder.mjs";

const INPUT = 3; // the descriptor from which the process reads what follows its arguments

/** What the stack of another process may be, in kilobytes: half of what this process has, as toll run has it; undefined: as
 *  the engine has it. */
function stackSize() {
  try {
    const bytes = Number(/^Max stack size +(\d+)/m.exec(fs.readFileSync("/proc/self/limits", "latin1"))[1]);
    return bytes >= 4 << 20 ? Math.min(bytes, 64 << 20) >> 11 : undefined;
  } catch {
    return undefined; // no Linux, or no limit
  }
}

/** The descriptor by which the command has a process started: see src/cli/run_asked.c. */
class Starter {
  constructor() {
    Object.assign(this, { type: TYPE.STREAM, flags: 0, rights: FILE_RIGHTS, inheriting: 0, pieces: [], signal: undefined });
  }

  write(bytes, at, size) {
    this.pieces.push(Buffer.from(bytes.slice(at, at + size)));
    return size;
  }

  writePieces(pieces) {
    return this.write(pieces[0], 0, pieces[0].length);
  }

  read(bytes, at) {
    const answer = Buffer.from(String(this.start()));
    bytes.set(answer, at);
    return answer.length;
  }

  /** The texts that were written, each with a NUL at its end, and what follows them. */
  asked() {
    const all = Buffer.concat(this.pieces.splice(0));
    let at = 0;
    const next = () => {
      const end = all.indexOf(0, at), text = all.toString("utf8", at, end);
      at = end + 1;
      return text;
    };
    const count = Number(next()), labels = next(), line = Array.from({ length: count }, next);
    return { labels, line, input: all.subarray(at) };
  }

  start() {
    const { labels, line: [program, ...rest], input } = this.asked(), size = stackSize();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toll-")), file = path.join(folder, "input");
    fs.writeFileSync(file, input);
    const fd = fs.openSync(file, "r");
    fs.rmSync(folder, { recursive: true });
    const env = labels ? { ...process.env, TOLL_LABELS: labels } : process.env, stdio = ["inherit", "inherit", "inherit"];
    stdio[INPUT] = fd;
    const { status, signal, error } = spawnSync(program, size ? [`--stack-size=${size}`, ...rest] : rest, { env, stdio });
    fs.closeSync(fd);
    if (error) throw error;
    this.signal = signal;
    return status ?? 128 + os.constants.signals[signal];
  }

  stat() {
    throw ERROR.ENOTSUP;
  }

  close() {}
}

const isWindows = process.platform === "win32";

/** Run `toll ARGS`, and end this process as it ends. */
export function command(args) {
  const starter = new Starter();
  const exit = status => {
    if (starter.signal) process.kill(process.pid, starter.signal);
    process.exit(status);
  };
  const env = { ...process.env, PWD: `${isWindows ? "/" : ""}${process.cwd()}`, TOLL_ASK: "4" }; // after the three files and the folder
  const wasi = new Wasi({
    args: ["toll", ...args], env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    files: [0, 1, 2].map(fd => DiskFile.inherited(fd)), folders: [["/", new PlainFolder("/")]], exit,
  });
  wasi.table.add(starter);
  if (args[0] === "run") process.on("SIGINT", () => {}); // its process gets it, too, and ends
  const module = new WebAssembly.Module(fs.readFileSync(new URL("toll-whole.wasm", import.meta.url)));
  const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.imports });
  wasi.use(exports.memory);
  exports._start();
  exit(0);
}
