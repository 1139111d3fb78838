// profile.mjs - What the page holds: the header, the frames' facts, and the tree.
import { Columns, readBlock, readJsonBlock } from "./decode.mjs";
import { readTree } from "./tree.mjs";

/** In the order of toll_frame_kind. The sign stands before the name wherever a frame is shown. */
export const KINDS = [
  { name: "function", sign: "", text: "a function of the program" },
  { name: "native", sign: "", text: "a function of the host, or of a library" },
  { name: "section", sign: "§ ", text: "a named part of the run" },
  { name: "phase", sign: "▸ ", text: "a step of the machine itself" },
  { name: "inlined", sign: "↳ ", text: "a function whose code the compiler put into its caller's" },
  { name: "program", sign: "■ ", text: "a program that the machine runs by its name" },
];
const THREAD_KIND = KINDS.length;

export function readHeader() {
  const element = document.getElementById("toll-header");
  if (!element) throw new Error("this page holds no profile");
  const header = JSON.parse(element.textContent);
  if (header.version !== 1) throw new Error(`this page has data of version ${header.version}, not 1`);
  return header;
}

function readFrames(header, bytes) {
  const columns = new Columns(bytes), count = header.frames;
  const frames = { count };
  for (const name of ["name", "file", "line", "kind", "module", "at", "function"])
    frames[name] = columns.unsigned(new Int32Array(count));
  frames.places = frames.function.some((f, i) => f !== i);
  return frames;
}

/** Everything but values. */
export async function readProfile(header) {
  const [strings, frameBytes] = await Promise.all([readJsonBlock(header, "strings"), readBlock(header, "frames", true)]);
  const frames = readFrames(header, frameBytes);
  const tree = await readTree(header, frames);
  return new Profile(header, strings, frames, tree);
}

/** Facts by key: a key is a function's frame, or frames.count + a thread's index, or -1 for the root. */
class Profile {
  constructor(header, strings, frames, tree) {
    Object.assign(this, { header, strings, frames, tree });
    this.keys = frames.count + header.threads.length;
    this.comparison = header.before !== undefined;
  }

  isThread(key) {
    return key >= this.frames.count;
  }

  name(key) {
    if (key < 0) return "all threads";
    if (this.isThread(key)) return this.header.threads[key - this.frames.count] || "main";
    return this.strings[this.frames.name[key]];
  }

  kind(key) {
    return key < 0 || this.isThread(key) ? THREAD_KIND : Math.min(this.frames.kind[key], KINDS.length - 1);
  }

  kindName(key) {
    const kind = this.kind(key);
    return kind === THREAD_KIND ? "thread" : KINDS[kind].name;
  }

  /** The name with the sign of its kind before it. */
  label(key) {
    const kind = this.kind(key);
    return kind === THREAD_KIND ? this.name(key) : KINDS[kind].sign + this.name(key);
  }

  file(key) {
    return key < 0 || this.isThread(key) ? "" : this.strings[this.frames.file[key]];
  }

  line(key) {
    return key < 0 || this.isThread(key) ? 0 : this.frames.line[key];
  }

  module(key) {
    return key < 0 || this.isThread(key) ? "" : this.strings[this.frames.module[key]];
  }

  /** Keys of the functions that are on some stack, as a mask. */
  functions() {
    if (!this.onStack) {
      this.onStack = new Uint8Array(this.frames.count);
      for (const key of this.tree.key)
        if (key < this.frames.count) this.onStack[key] = 1;
    }
    return this.onStack;
  }
}
