// toll-heap.mjs - saves the blocks and bytes that a program of Emscripten has in use, by call stack, to files.
// Ctrl+Shift+H downloads one for speedscope. docs/emscripten.md is the manual.
//
//     <script type="module" src="toll-heap.mjs"></script>        beside toll-heap-file.mjs, library.mjs,
//                                                                 embedder.mjs and toll.wasm
//     tollHeap.downloadSnapshot("perfview")                      in the console
//
// Files are made by toll-heap-file.mjs, while the page runs.
//
// The source of the counts is toll-heap.c, if the program was linked with it, or else Emscripten's own profiler (emcc
// --memoryprofiler). Both have the same fields; those of Toll alone begin with "toll". In a program without either nothing
// happens.
import { inSlices, makeFile } from "./toll-heap-file.mjs";

const FORMATS = { speedscope: ".speedscope.json", perfview: ".PerfView.json", pprof: ".pb.gz", sites: ".sites.json" };
const TOGETHER = 64; // sites that are passed on at once
const FIREFOX_LIMIT = 128; // frames of a stack; the other engines have Error.stackTraceLimit
const SPARE = 1024; // bytes of an allocator's own
const MESSAGE = 2000; // milliseconds that a message is shown
const SHARED = "other threads may use this heap: blocks may be missing, or stand here though freed";

const NAME = "emscriptenMemoryProfiler";
const profilers = []; // of the page's programs, in the order in which they began

/** The profiler of the program that was chosen, or else that began last; of "all" the last. Undefined: there is none. */
const theProfiler = () => chosenProfilers().at(-1);

/** options.program: the name of a program (its Module.tollHeapName), its place among them from 0, or "all". */
function chosenProfilers() {
  const { program } = options;
  if (program === undefined) return profilers.slice(-1);
  if (program === "all") return profilers;
  const found = profilers.findLast((profiler, i) => i === program || profiler.tollName === program);
  if (!found && profilers.length)
    throw new Error(`toll: there is no program ${JSON.stringify(program)}; there are ${profilers.map((p, i) => p.tollName ? JSON.stringify(p.tollName) : i).join(", ")}, "all"`);
  return found ? [found] : [];
}
const isPage = () => typeof document !== "undefined";

const warned = new Set(); // notes that were printed to the console, without their counts
let options = {};

// --- reading the profiler -------------------------------------------------------------------------

/** Everything that a program's profiler has now, though the program runs while it is read. `sites` is an iterator of
 *  [stack, count, bytes, ages], which must be closed by return().
 */
function freeze(profiler) {
  const { tollReused: reused = 0, tollUnknown: unknown = 0, tollLost: lost = 0, tollStackLimit: limit } = profiler;
  const growth = profiler.tollGrowth?.() ?? sumGrowth(profiler.sbrkSources ?? []), all = { growth, isShared: isShared(profiler), limit };
  if (profiler.tollSites) return { ...all, sites: profiler.tollSites(), noted: [reused, unknown, lost] };
  const sites = Object.entries(profiler.allocationsAtLoc ?? {}).map(([stack, [count, bytes]]) => [stack, count, bytes, []]);
  return { ...all, sites: sites.values(), noted: [reused, unknown, lost, ...difference(profiler, sites)] };
}

/** Emscripten's own profiler held against the allocator: [bytes that the sites have more, bytes that they have less].
 *  What the allocator has in use is known by mallinfo, if the program exports it (uordblks), or else is at most what is
 *  between the heap's base and its end. A block takes from 4 to 32 bytes more than was asked for.
 */
function difference(profiler, sites) {
  const { heapSize, heapBase = 0, sbrkValue = profiler.sbrkValue ?? heapSize, allocatorBytes } = (profiler.tollNumbers ?? numbersOfGlobals)();
  const sum = i => sites.reduce((all, site) => all + site[i], 0), blocks = sum(1), bytes = sum(2);
  const excess = bytes + 4 * blocks - (allocatorBytes ?? sbrkValue - heapBase), missing = allocatorBytes - (bytes + 32 * blocks + SPARE);
  return [excess, missing].map(number => (number > 0 ? number : 0)); // 0 also if nothing is known
}

/** The same of the chosen programs, at one moment; `noted` has how many others the page has, too. */
async function take() {
  const chosen = chosenProfilers();
  const waits = chosen.map(profiler => profiler.tollSettled?.()).filter(wait => wait); // for the events of other threads
  if (waits.length) await Promise.all(waits); // without threads it is the moment of the call
  const taken = chosen.map(freeze);
  for (const profiler of profilers) profiler.tollEndSnapshot?.(); // all count alike, so that ages are of one page
  const noted = Array.from({ length: 5 }, (_, what) => taken.reduce((sum, one) => sum + (one.noted[what] ?? 0), 0));
  noted.splice(3, 0, profilers.length - chosen.length);
  const limits = taken.map(one => one.limit).filter(limit => limit !== undefined);
  return { sites: taken.map(one => one.sites), growth: taken.flatMap(one => one.growth), noted, isShared: taken.some(one => one.isShared),
           limit: limits.length ? Math.min(...limits) : stackLimit(), time: new Date() };
}

/** Growths of the heap by stack: [stack, count, bytes]. */
function sumGrowth(sources) {
  const sums = new Map();
  for (const { stack, begin, end } of sources) {
    const sum = sums.get(stack) ?? [stack, 0, 0];
    sum[1]++;
    sum[2] += end - begin;
    sums.set(stack, sum);
  }
  return [...sums.values()];
}

/** Whether other threads may use the heap. toll-heap-pre.js sees them start. Without it, this is whether the program's
 *  memory is shared; if that memory cannot be reached, whether this page may have shared memory at all.
 */
function isShared(profiler) {
  const { HEAP8, crossOriginIsolated } = globalThis;
  return profiler.tollIsShared ?? (HEAP8 ? !(HEAP8.buffer instanceof ArrayBuffer) : crossOriginIsolated === true);
}

/** The profiler's counters and the program's addresses; null: unknown. */
function counters(profiler) {
  const n = { ...(profiler.tollNumbers ?? numbersOfGlobals)() };
  const minus = (a, b) => (a === undefined || b === undefined ? undefined : a - b);
  const told = {
    totalMemoryAllocated: profiler.totalMemoryAllocated,
    totalTimesMallocCalled: profiler.totalTimesMallocCalled,
    totalTimesFreeCalled: profiler.totalTimesFreeCalled,
    totalStaticMemory: profiler.totalStaticMemory ?? staticBytes(n),
    freeMemory: profiler.freeMemory ?? minus(minus(n.heapSize, n.heapBase), profiler.totalMemoryAllocated),
    heapSize: n.heapSize,
    sbrkValue: profiler.sbrkValue ?? n.sbrkValue,
    stackBase: profiler.stackBase ?? n.stackBase,
    stackTop: profiler.stackTop ?? n.stackTop,
    stackMax: profiler.stackMax ?? n.stackMax,
    stackTopWatermark: Number.isFinite(profiler.stackTopWatermark) ? profiler.stackTopWatermark : undefined,
    pagePreRunIsFinished: profiler.pagePreRunIsFinished,
    allocationSiteCount: profiler.tollSiteCount ?? Object.keys(profiler.allocationsAtLoc ?? {}).length,
    heapGrowthEventCount: profiler.tollGrowths ?? (profiler.sbrkSources ?? []).length,
    isShared: isShared(profiler),
  };
  return Object.fromEntries(Object.entries(told).map(([name, value]) => [name, value ?? null]));
}

/** Static data is from 1024 to the stack's end, or between the stack and the heap. */
function staticBytes({ stackMax, stackBase, heapBase }) {
  if (stackMax === undefined || heapBase === undefined) return undefined;
  return stackMax > 1024 ? stackMax - 1024 : heapBase - stackBase;
}

/** The addresses of a program without toll-heap-pre.js: its functions are global, unless it was built as a
 *  function (-sMODULARIZE). */
function numbersOfGlobals() {
  const { HEAP8, Module, runtimeInitialized, runtimeExited } = globalThis;
  if (!runtimeInitialized || runtimeExited) return { heapSize: HEAP8?.length };
  const call = name => globalThis[name]?.();
  return {
    heapSize: HEAP8?.length,
    heapBase: globalThis.___heap_base ?? Module?.___heap_base, // of new and of old versions of Emscripten
    sbrkValue: sbrkOfGlobals(),
    stackBase: call("_emscripten_stack_get_base"),
    stackTop: call("_emscripten_stack_get_current"),
    stackMax: call("_emscripten_stack_get_end"),
  };
}

function sbrkOfGlobals() {
  try {
    return globalThis._sbrk?.(0);
  } catch { // -sMEMORY64: it takes a BigInt
    return Number(globalThis._sbrk(0n));
  }
}

// --- files ----------------------------------------------------------------------------------------

function stackLimit() {
  const limit = Error.stackTraceLimit ?? FIREFOX_LIMIT;
  return Number.isFinite(limit) ? limit : 0;
}

/** Pass all items of an iterator to `add`, some at a time, in slices. */
async function passOn(items, add) {
  await inSlices(() => {
    const some = [];
    for (let item; some.length < TOGETHER && !(item = items.next()).done;) some.push(item.value);
    if (some.length) add(some);
    return some.length === TOGETHER;
  });
}

/** Write what was taken in a format: { blob, told }. */
async function write({ sites, growth, ...facts }, format) {
  const file = await makeFile(options.worker !== false);
  try {
    await file.begin({ ...facts, allocators: options.allocators ?? [], wasm: options.wasm });
    for (const each of sites) await passOn(each, some => file.add(some));
    await passOn(growth.values(), some => file.grow(some));
    return await file.finish(format);
  } finally {
    file.end();
  }
}

/** The notes about a snapshot, with advice. */
function notesOf(told, { isShared, noted, limit }) {
  const kinds = [[0, "sites that were freed, left out"], [1, "sites with figures that cannot be, left out"],
                [2, `stacks of ${limit} frames, where they are cut: outer functions may be missing; set tollHeapOptions = { stackLimit: N } ` +
                    "before the program starts (with Emscripten's profiler link with --pre-js toll-heap-pre.js)"],
                [3, "lines of stacks that tell no frame, left out"], [7, "sites without a name of any function; link with --profiling-funcs"]];
  const texts = ["blocks allocated where one was in use, which counts as freed", "frees of blocks that the profiler does not know",
                 "events of other threads that did not come (a worker was ended): blocks may be missing, or stand here though freed",
                 'other programs of the page, which are not in this file; choose by tollHeap.attach({ program: 0 }) or "all"',
                 "bytes more than the allocator has in use: freed blocks stand here",
                 "bytes that the allocator has in use are not here: blocks are missing"];
  const notes = [...kinds.map(([i, what]) => [told[i], what]), ...texts.map((what, i) => [noted[i], what])]
    .filter(([count]) => count).map(n => n.join(" "));
  return isShared ? [SHARED, ...notes] : notes;
}

// --- what pages call ------------------------------------------------------------------------------

/** Take a snapshot: { name, blob, time, sites, objects, bytes, notes } in a format; null: there is no profiler. */
export async function takeSnapshot(format = "speedscope") {
  const extension = FORMATS[format];
  if (!extension)
    throw new Error(`toll: there is no format "${format}"; there are ${Object.keys(FORMATS).join(", ")}`);
  if (!theProfiler()) return null;
  const taken = await take();
  try {
    const { blob, told } = await write(taken, format), [sites, objects, bytes] = told.slice(4);
    const name = `${options.name ?? "memory-profile"}-${taken.time.toISOString().replace(/[:.]/g, "-")}${extension}`;
    return { name, blob, time: taken.time, sites, objects, bytes, notes: notesOf(told, taken) };
  } finally {
    for (const sites of taken.sites) sites.return?.();
  }
}

/** Show a snapshot's notes in the console, unless notes of all their kinds were shown before. */
function warn({ name, notes }) {
  const kinds = notes.map(note => note.replace(/^\d+ /, ""));
  if (kinds.some(kind => !warned.has(kind))) console.warn(`toll: ${name}: ${notes.join("; ")}`);
  for (const kind of kinds) warned.add(kind);
}

/** Download a snapshot: "speedscope", "perfview", "pprof" or "sites". A worker cannot download: it only gets the
 *  snapshot returned; post it to the page, and call save there.
 */
export async function downloadSnapshot(format = "speedscope") {
  const snapshot = await takeSnapshot(format);
  if (!snapshot) return null;
  warn(snapshot);
  if (isPage()) save(snapshot);
  return snapshot;
}

/** Have the browser save a snapshot. */
export function save({ name, blob }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const textOf = async format => (await takeSnapshot(format))?.blob.text() ?? null;
export const buildSpeedscopeJson = () => textOf("speedscope");
export const buildPerfViewJson = () => textOf("perfview");

/** Every site with its callSiteKey, count, bytes and frames, and the growth of the heap. */
export const buildSitesJson = () => textOf("sites");

/** The counters, at once; null: there is no profiler. */
export function getSnapshotJson() {
  return theProfiler() ? JSON.stringify(counters(theProfiler())) : null;
}

// --- the page -------------------------------------------------------------------------------------

/** Switch off the display of Emscripten's profiler. It covers the program's page, and fails once its elements were removed. */
function silence(profiler) {
  profiler.updateUi = () => {
    const frame = document.getElementById("memoryprofiler_canvas")?.parentElement;
    if (frame?.parentElement?.parentElement === document.body) frame.parentElement.remove();
  };
  profiler.updateUi();
}

let output, hiding, lastBytes; // of the message: its element, its timer; the bytes of the last snapshot

/** Show a line at the page's lower edge for a while. Screen readers read it out. */
function show(text) {
  if (options.message === false || !isPage()) return;
  if (!output?.isConnected) {
    output = document.createElement("output"); // a live region
    Object.assign(output.style, { position: "fixed", left: "50%", bottom: "1em", transform: "translateX(-50%)", width: "max-content", maxWidth: "90vw",
                                  zIndex: 2147483647, padding: "0.5em 1em", borderRadius: "0.4em", font: "14px system-ui, sans-serif",
                                  color: "#fff", background: "#222", pointerEvents: "none" });
    document.body.append(output);
  }
  clearTimeout(hiding);
  output.textContent = text;
  hiding = setTimeout(() => output.remove(), MESSAGE);
}

/** "18.2 MB", "-310 kB"; with `plus` also "+310 kB". */
function bytesText(bytes, plus = "") {
  const size = Math.abs(bytes), step = size < 10000 ? 0 : size < 1e6 ? 1 : size < 1e9 ? 2 : 3;
  const number = (size / 1000 ** step).toLocaleString("en-US", { maximumFractionDigits: step ? 1 : 0 });
  return `${bytes < 0 ? "-" : plus}${number} ${["B", "kB", "MB", "GB"][step]}`;
}

/** Download a snapshot in the format of the options, and show what it has. What the key does, for buttons. */
export async function snapshot() {
  show("saving the heap ...");
  try {
    const saved = await downloadSnapshot(options.format ?? "speedscope");
    if (!saved) return null;
    const { sites, bytes } = saved, since = lastBytes === undefined ? "" : `, ${bytesText(bytes - lastBytes, "+")} since the last`;
    lastBytes = bytes;
    show(`saved: ${sites.toLocaleString("en-US")} sites, ${bytesText(bytes)}${since}`);
    return saved;
  } catch (error) {
    show(`not saved: ${error.message}`);
    throw error;
  }
}

const MODIFIERS = ["ctrl", "shift", "alt", "meta"];
const partsOf = key => key.split("+").map(name => name.toLowerCase());

function checkKey(key) {
  const odd = partsOf(key ?? "").slice(0, -1).find(name => name && !MODIFIERS.includes(name));
  if (odd)
    throw new Error(`toll: the key ${JSON.stringify(key)} has no modifier "${odd}"; there are Ctrl, Shift, Alt and Meta`);
}

/** Is it the key of the options, "Ctrl+Shift+H"? A letter counts by itself; on keyboards without Latin letters, by its
 *  position.
 */
function isKey(event) {
  if (!options.key && options.key !== undefined) return false;
  const names = partsOf(options.key ?? "Ctrl+Shift+H"), wanted = names.pop();
  for (const [name, isDown] of Object.entries({ ctrl: event.ctrlKey, shift: event.shiftKey, alt: event.altKey, meta: event.metaKey }))
    if (names.includes(name) !== isDown) return false;
  const key = event.key.toLowerCase();
  return /^[a-z]$/.test(wanted) && !/^[a-z]$/.test(key) ? event.code === `Key${wanted.toUpperCase()}` : key === wanted;
}

function onKey(event) {
  if (event.repeat || !event.key || !isKey(event)) return;
  event.preventDefault();
  snapshot().catch(error => console.error(error.message, error));
}

/** Attach to the profiler if the program already has one. A second call changes the options: allocators (names of
 *  functions that only allocate for their callers), wasm (the URL of toll.wasm), worker
 *  (false: files are made in the page's thread), program (whose heap: its name or number, or
 *  "all"; the last that began), and of the key's files: key ("Ctrl+Shift+H";
 *  null: none), format, name (what file names begin with), message (false: none is shown).
 */
export function attach(more = {}) {
  const wanted = { ...globalThis.tollHeapOptions, ...options, ...more };
  checkKey(wanted.key);
  options = wanted;
  const known = profilers.length;
  for (const profiler of [...globalThis.tollHeapSources ?? [], globalThis[NAME]])
    if (profiler && !profilers.includes(profiler)) profilers.push(profiler);
  if (profilers.length === known) return;
  if (isPage() && !known) window.addEventListener("keydown", onKey, true);
  if (isPage() && globalThis[NAME]) silence(globalThis[NAME]);
  lastBytes = undefined; // of another program
  globalThis.downloadSnapshot ??= downloadSnapshot; // for the console
}

/** Attach to a program that is loaded later (toll-heap.c itself calls attach): make the global name of Emscripten's
 *  profiler a property whose setter attaches. A script that declares that name with var keeps this property and sets it.
 */
function attachLater() {
  let profiler;
  Object.defineProperty(globalThis, NAME, {
    configurable: true,
    get: () => profiler,
    set(value) {
      profiler = value;
      attach();
    },
  });
}

globalThis.tollHeap = { attach, snapshot, takeSnapshot, downloadSnapshot, save, getSnapshotJson, buildSpeedscopeJson,
                        buildPerfViewJson, buildSitesJson };
attach();
if (isPage() && !(NAME in globalThis)) attachLater();
