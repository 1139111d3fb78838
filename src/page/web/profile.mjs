// profile.mjs - Loads the content of the page: the header, the frames, and the tree.
import { Columns, FRAME_COLUMNS, readBlock, readJsonBlock, takeBlock } from "./decode.mjs";
import { printable } from "../../../hosts/wasm/printable.mjs";
import { Sums } from "./sums.mjs";
import { makeTree } from "./tree.mjs";
import { offThread } from "./worker.mjs";

/** Kinds of frames, in the order of toll_frame_kind. The sign precedes the name wherever a frame is shown. */
export const KINDS = [
  { name: "function", sign: "", text: "a function of the program" },
  { name: "native", sign: "", text: "a function of the host, or of a library" },
  { name: "section", sign: "§ ", text: "a named part of the run" },
  { name: "phase", sign: "▸ ", text: "a step of the machine itself" },
  { name: "inlined", sign: "↳ ", text: "a function whose code the compiler put into its caller's" },
  { name: "program", sign: "■ ", text: "a program that the machine runs by its name" },
];
const THREAD_KIND = KINDS.length;

/* Texts from files are escaped where they are read, so that no part of the page shows them unescaped. */
const printableText = (_, value) => typeof value === "string" ? printable(value) : value;

export function readHeader() {
  const element = document.getElementById("toll-header");
  if (!element) throw new Error("this page holds no profile");
  const header = JSON.parse(element.textContent, printableText);
  if (header.version !== 2) throw new Error(`this page has data of version ${header.version}, not 2`);
  return header;
}

function readFrames(header, bytes) {
  const columns = new Columns(bytes), count = header.frames;
  const frames = { count };
  for (const name of FRAME_COLUMNS)
    frames[name] = columns.unsigned(new Int32Array(count));
  frames.placeFile = frames.atFile.map((file, f) => file || frames.file[f]);
  frames.places = frames.function.some((f, i) => f !== i);
  return frames;
}

/** Read everything except for values. */
export async function readProfile(header) {
  const keys = header.frames + header.threads.length;
  const blocks = ["callees", "up", "callee"].map(name => takeBlock(header, name, true));
  const [parts, strings, frameBytes] = await Promise.all([
    offThread("tree", { blocks, count: header.nodes, keys }), readJsonBlock(header, "strings"), readBlock(header, "frames", true)]);
  const frames = readFrames(header, frameBytes);
  const tree = makeTree(parts, keys, frames.places ? frames.function : null);
  return new Profile(header, strings.map(printable), frames, tree);
}

/** Read columns of values by the names of their blocks; null for a block that the page does not have. */
function readSums(header, names) {
  const blocks = names.map(name => takeBlock(header, name, false));
  return Promise.all(blocks.map(async block => block && Sums.from(await offThread("sums", { block, count: header.nodes }))));
}

/** The names of the blocks with the values of a column in each snapshot, in the order of time. */
const snapshotBlocks = (header, column) =>
  [`before-${column}`, ...(header.between ?? []).map((_, i) => `between-${i}-${column}`), `value-${column}`];

/** The names of the snapshots, in the order of time. */
export const snapshotTitles = header => [header.before, ...header.between ?? [], header.title];

/** Which snapshots are compared, by their numbers from 0: "2-3"; the first and the last one if `text` is not that. */
export function pairOf(header, text) {
  const last = snapshotTitles(header).length - 1, found = /^(\d+)-(\d+)$/.exec(text)?.slice(1).map(Number);
  return found?.every(i => i <= last) ? found : [0, last];
}

/** Read the values of a column; in a comparison, those of both profiles. pair: of which snapshots. */
export async function readValues(header, column, pair = pairOf(header, "")) {
  const blocks = snapshotBlocks(header, column);
  return readSums(header, [blocks[pair[1]], blocks[pair[0]]]);
}

/** Read the values of a column in each snapshot, in the order of time. */
export const readSnapshots = (header, column) => readSums(header, snapshotBlocks(header, column));

/** The profile, by key. A key is a function's frame, frames.count + a thread's index, or -1 for the root. */
class Profile {
  constructor(header, strings, frames, tree) {
    if (header.threads.length > 1) { // name a thread without a name; in a timeline it is the main thread
      const nameless = header.timeline ? "main" : "(none)";
      header.threads = header.threads.map(title => title || nameless);
    }
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

  /** The name for tables and pictures: short for C++ and Rust. */
  shortName(key) {
    return key >= 0 && !this.isThread(key) && this.strings[this.frames.short[key]] || this.name(key);
  }

  /** The whole name if it differs from the short one; else "". */
  wholeName(key) {
    return this.shortName(key) === this.name(key) ? "" : this.name(key);
  }

  kind(key) {
    return key < 0 || this.isThread(key) ? THREAD_KIND : Math.min(this.frames.kind[key], KINDS.length - 1);
  }

  kindName(key) {
    const kind = this.kind(key);
    return kind === THREAD_KIND ? "thread" : KINDS[kind].name;
  }

  /** The short name with the sign of its kind before it. */
  label(key) {
    const kind = this.kind(key);
    return kind === THREAD_KIND ? this.name(key) : KINDS[kind].sign + this.shortName(key);
  }

  file(key) {
    return key < 0 || this.isThread(key) ? "" : this.strings[this.frames.file[key]];
  }

  /** The file without the folders that all paths have in common, for places with little room. */
  shortFile(key) {
    if (this.folders === undefined) {
      const paths = [...new Set(this.frames.file)].map(id => this.strings[id]).filter(path => path.includes("/"));
      let common = paths.length ? paths[0].slice(0, paths[0].lastIndexOf("/") + 1) : "";
      while (common && !paths.every(path => path.startsWith(common))) common = common.slice(0, common.lastIndexOf("/", common.length - 2) + 1);
      this.folders = common === "/" ? "" : common;
    }
    const file = this.file(key);
    return file.startsWith(this.folders) ? file.slice(this.folders.length) : file;
  }

  line(key) {
    return key < 0 || this.isThread(key) ? 0 : this.frames.line[key];
  }

  module(key) {
    return key < 0 || this.isThread(key) ? "" : this.strings[this.frames.module[key]];
  }

  /** A mask, by key, of the functions that are on some stack. */
  functions() {
    if (!this.onStack) {
      this.onStack = new Uint8Array(this.frames.count);
      const { key, count } = this.tree;
      for (let i = 0; i < count; i++)
        if (key[i] < this.frames.count) this.onStack[key[i]] = 1;
    }
    return this.onStack;
  }
}
