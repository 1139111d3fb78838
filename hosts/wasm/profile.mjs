// profile.mjs - profiles to which others can be added, and which are written: whole, or what was recorded since a moment.
import { TOLL } from "./embedder.mjs";
import { cString, Library } from "./library.mjs";

export const OUTPUT = 3; // the file descriptor of profiles and reports
const MOST_SECONDS = 86_400;
const HAS_ORDER = "toll: the order of calls is kept from the beginning, not since a moment";

/** Join the pieces of a file, each an array of bytes; compress them if `isPacked`. A piece is released as soon as it is
 *  read, since all together may have hundreds of megabytes. */
async function joined(pieces, isPacked) {
  let at = 0;
  const pull = controller => {
    if (at === pieces.length) return controller.close();
    controller.enqueue(pieces[at]);
    pieces[at++] = undefined;
  };
  const stream = new ReadableStream({ pull }), packed = isPacked ? stream.pipeThrough(new CompressionStream("gzip")) : stream;
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** Resolves after that time; rejects as soon as `signal`, an AbortSignal, is aborted. */
function passed(seconds, signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

const keyOf = text => /^([^=,\n]+)=[^,\n]*$/.exec(text)?.[1]; // of one label alone

/** The texts of labels with one more, without those that it replaces: a label for each request does not add up. */
function withLabels(texts, text) {
  const key = keyOf(text);
  return [...texts.filter(old => old !== text && (key === undefined || keyOf(old) !== key)), text];
}

/** What a profile was at a moment: see Profile.moment. */
class Moment {
  constructor(bytes) {
    this.bytes = bytes; // in the format pprof, without labels: these may be others at the next moment
  }
}

/** Profile.profile of a source: { moment(), part(from), whole(), sampled(), isEmpty }; isEmpty: it has no value types yet. */
export async function makeProfile(source, format = "pb.gz", value = "", options = {}) {
  if (typeof format === "object") return makeProfile(source, format.format, format.value, format);
  const { inOrder = false, seconds, signal, since } = options, isPacked = format === "pb.gz", plain = isPacked ? "pprof" : format;
  if (inOrder && (since || seconds !== undefined)) throw new Error(HAS_ORDER);
  if (since && seconds !== undefined) throw new RangeError("toll: since and seconds exclude one another");
  if (seconds !== undefined && !(seconds > 0 && seconds <= MOST_SECONDS))
    throw new RangeError(`toll: seconds: ${seconds} is not more than 0 and up to ${MOST_SECONDS}`);
  const late = source.sampled();
  if (late) await late; // else the moment is now
  let from = since;
  if (seconds !== undefined) {
    from = source.moment();
    source.part(from, from).write(plain, source.isEmpty ? "" : value); // a wrong format or value is refused now
    await passed(seconds, signal);
    await source.sampled();
  }
  const pieces = [], whole = source.whole();
  whole.aside(() => (from ? source.part(from) : whole).write(plain, value, inOrder, bytes => pieces.push(bytes.slice())));
  return joined(pieces, isPacked);
}

/** A profile to which others can be added. Its subclass Recording records one. */
export class Profile {
  constructor(module, now = () => 0) {
    this.module = module; // toll.wasm
    this.library = new Library(module, now);
    this.keepsAll = false;
    this.labels = []; // as they were set
  }

  /** Do work of the profiler itself. A Recording does not charge it. */
  aside(work) {
    return work();
  }

  whole() {
    return this;
  }

  /** In a page that gets samples late, a promise that resolves when those so far are in the recording: await it before what
   *  is made without a promise, such as top(). profile() does. */
  sampled() {}

  /** Add a profile: its bytes in any format except for pb.gz. */
  add(bytes) {
    const { library } = this;
    library.with([bytes], at => library.check(library.c.add(at, bytes.length)));
  }

  /** The profile so far, as bytes in the format "pb.gz", "pprof", "folded", "speedscope", "perfview" or "callgrind".
   *  `value` chooses the column for formats that keep only one: ticks, time or calls. With a `timeline`, `inOrder`
   *  writes the order of calls in "speedscope", "folded" and "chrome". With `since` (of moment()), only what was recorded
   *  since then. With `seconds`, what is recorded in that time from now on; `signal`, an AbortSignal, ends the wait.
   *  All of this may be one object: profile({ format, value, seconds }). */
  profile(...how) {
    return makeProfile(this, ...how);
  }

  /** The same, uncompressed and without a promise. A `sink` is called with each piece. */
  write(format, value = "", inOrder = false, sink = undefined) {
    if (!this.beginning) return this.writeAll(format, value, inOrder, sink);
    if (inOrder) throw new Error(HAS_ORDER);
    return this.part(this.beginning).writeAll(format, value, false, sink);
  }

  writeAll(format, value, inOrder, sink) {
    const { library } = this;
    return library.with([cString(format), cString(value)], (f, v) =>
      library.written(() => library.c.profile(OUTPUT, f, v, inOrder), sink));
  }

  /** This moment of the recording, for `part` and `profile`. It takes as long as writing a profile. */
  moment() {
    const { library } = this;
    return new Moment(library.written(() => library.c.moment(OUTPUT)));
  }

  /** What was recorded between two moments, as a profile of its own. Functions that were called before `from` and were
   *  open have no call in it. It has the labels that are set now. */
  part(from, to = this.moment()) {
    const both = new Profile(this.module), part = new Profile(this.module), { library } = both;
    both.keepAll();
    both.add(to.bytes);
    library.with([from.bytes, cString("pprof"), cString("")], (at, format, value) => {
      library.check(library.c.mark_profile(at, from.bytes.length));
      part.add(library.written(() => library.c.since(OUTPUT, format, value)));
    });
    part.keepAll(this.keepsAll);
    for (const labels of this.labels) part.label(labels);
    if (this.library.onWarning) part.onWarning(this.library.onWarning);
    return part;
  }

  /** Leave out all that was recorded until now from everything that is written from now on, except from timelines, and
   *  from parts since an earlier moment. */
  reset() {
    this.beginning = this.moment();
  }

  /** Write all stacks also in formats that contain each stack in full (pprof, folded, perfview). By default these get
   *  at most a million, and the smallest ones are charged to their callers. */
  keepAll(keepsAll = true) {
    this.keepsAll = keepsAll;
    this.library.c.keeps_all(keepsAll);
  }

  /** Set labels for everything that is written, such as "commit=3f2a,host=a", or one on each line. A label replaces one
   *  of the same key. Labels of a timeline's file must be set before the first call. */
  label(labels) {
    const { library } = this;
    library.with([cString(labels)], at => library.check(library.c.labels(at)));
    this.labels = withLabels(this.labels, String(labels));
  }

  /** Call `show` with each warning about files: what a format omits, how large a file will be. */
  onWarning(show) {
    this.library.onWarning = show;
    this.library.c.warns(true);
  }

  report(form, { value = "", rows = 0 } = {}) {
    return this.beginning ? this.part(this.beginning).reportAll(form, value, rows) : this.reportAll(form, value, rows);
  }

  reportAll(form, value, rows) {
    const { library } = this;
    return new TextDecoder().decode(library.with([cString(value)], v =>
      library.written(() => library.c.report(OUTPUT, v, rows, form))));
  }

  /** A report as text: top() has the functions with the highest cost, tree() the tree of calls. */
  top(options) {
    return this.report(TOLL.REPORT_TOP, options);
  }

  tree(options) {
    return this.report(TOLL.REPORT_TREE, options);
  }

  /** { columns, functions, threads, notes }, as toll report --json prints them. */
  summary(options) {
    return JSON.parse(this.report(TOLL.REPORT_JSON, options));
  }
}
