// run_kernel.mjs - toll run --kernel: runs a smart rollup's kernel over an inbox, and makes a profile of each level and
// of all. The kernel's debug text and the lines of its sections go to standard output, other lines about the run to
// standard error.
//
// This file imports nothing of hosts/wasm. run.mjs, which imports it, passes what it needs as `runner`.
import fs from "node:fs";
import { parseAddress, ROLLUP, ZERO } from "./address.mjs";
import { parseInbox } from "./inbox.mjs";
import { parseInstallerConfig } from "./installer_config.mjs";
import { Kernel, memoryOf, PVM_VERSIONS } from "./kernel.mjs";
import { around, counting, limitOf } from "./pvm_ticks.mjs";
import { preimagesIn } from "./reveal_sources.mjs";
import { addCosts, RunProfiles } from "./run_profiles.mjs";
import { checkShown, shown } from "./shown.mjs";

const hex = bytes => `0x${Buffer.from(bytes).toString("hex")}`;
const number = value => String(value).replace(/\B(?=(\d{3})+$)/g, ",");
const milliseconds = ns => `${(Number(ns) / 1e6).toFixed(3)} ms`;

const UNMATCHED = "ends of sections that had not begun in their kernel_run";
const MOST_NAMED = 256; // sections that are left open, by their names in notes

/** The name for a debug mark's data: the data itself if it is text, else its bytes in hex. */
function sectionName(data) {
  const text = Buffer.from(data).toString("utf8");
  return text && !/[\p{C}\ufffd]/u.test(text) ? text : hex(data);
}

class KernelRun {
  /** runner: { recording, isPvm (the ticks are the PVM's), hasTime, outcome, and the functions say, untilInterrupted, instantiate, describe } of run.mjs.
   *  given: what the options say, as readOptions returns it.
   */
  constructor(runner, { quiet, shows, instructions, only, ...given }) {
    Object.assign(this, runner, { quiet, shows, instructions, only });
    this.prepared = new WeakMap(); // code -> { bytes (instrumented), ticks (of its phases) }
    this.sections = []; // the open ones: { data, ticks, hasFrame }
    this.leftOpen = new Set(); // names of sections
    this.profiles = new RunProfiles(this.recording, only === undefined);
    this.costs = new Map(); // of all levels, by phase
    this.kernel = new Kernel({
      ...given,
      debug: text => this.say(1, text),
      section: {
        start: data => this.startSection(data), end: data => this.endSection(data),
        leftOpen: () => this.abandonSection(), unmatched: () => this.recording.note(UNMATCHED),
      },
    });
    this.outcome.follow(this.recording, this.profiles);
  }

  /** Print a line about the run. */
  inform(text) {
    if (!this.quiet) this.say(2, `${text}\n`);
  }

  startSection(data) {
    const { ticks } = this.recording.spent(); // first: it is an event, after which the section's frame would be entered
    let hasFrame = true;
    try {
      this.recording.beginSection(sectionName(data), { isLate: true });
    } catch (error) { // so many are open, or recursion is folded
      this.recording.note(`sections that no stack shows: ${error.message.replace(/^toll: /, "")}`);
      hasFrame = false;
    }
    this.sections.push({ data, ticks, hasFrame });
  }

  /** End the section that began last, whatever the end mark's data is. */
  endSection(data) {
    const { data: begun, ticks, hasFrame } = this.sections.pop();
    if (hasFrame) this.recording.endSection(sectionName(begun));
    const spent = this.recording.spent().ticks - ticks;
    if (!this.quiet) this.say(1, `__wasm_debugger__::Section{ticks:${spent};data:(${hex(begun)},${hex(data)})}\n`);
  }

  /** End a section that the kernel has left open: its kernel_run has ended with its last event. */
  abandonSection() {
    const { data, hasFrame } = this.sections.pop(), name = sectionName(data);
    if (hasFrame) this.recording.dropSection(name);
    this.leftOpen.add(name);
    this.recording.note(this.leftOpen.size > MOST_NAMED ? "sections left open, others" : `section left open: ${name}`);
  }

  /** The exports of a new instance of `code`, for this kernel_run. */
  start({ code, run }) {
    const { recording, kernel } = this;
    if (!this.prepared.has(code)) this.prepared.set(code, this.untilInterrupted(() => this.prepare(code)));
    this.current = run;
    this.firstEvent = recording.eventCount;
    if (this.isPvm) recording.spend(around().before);
    let memory;
    const { bytes, ticks } = this.prepared.get(code), imports = () => this.counted(kernel.imports(() => memory));
    const exports = this.untilInterrupted(() => // its start function may never end
      this.instantiate(recording, bytes, imports, ticks));
    memory = memoryOf(exports);
    return { ...exports, kernel_run: exports.kernel_run && (() => this.untilInterrupted(() => this.call(exports.kernel_run))) };
  }

  prepare(code) {
    const { recording } = this;
    return recording.aside(() => ({ bytes: recording.prepare(code), ticks: this.isPvm ? recording.toll.pvmStart(code) : {} }));
  }

  /** The imports; with the PVM's ticks, they count what they take. */
  counted(imports) {
    return this.isPvm ? counting(imports, ticks => this.recording.spend(ticks)) : imports;
  }

  /** Call kernel_run. A section that is left open ends with it: what follows is outside. */
  call(kernel_run) {
    let result, hasTrapped = true;
    try {
      result = kernel_run();
      hasTrapped = false;
    } finally {
      this.kernel.closeSections();
      if (this.isPvm) this.recording.spend(around(hasTrapped, result).after);
    }
  }

  /** Print a line for each phase, one for what is outside of phases, and their sum. */
  table(costs) {
    for (const [name, cost] of costs)
      if (this.hasTime || this.isPvm || name !== "(outside)") this.line(name, cost);
  }

  /** Print how much of the PVM's ticks a kernel_run takes. After a trap some instructions too many are counted. */
  printLimit({ ticks }, trap) {
    const limit = limitOf(this.kernel.version), part = (100 * Number(ticks)) / Number(limit);
    const used = part < 0.001 ? "less than 0.001" : `${trap ? "at most " : ""}${part.toFixed(3)}`;
    this.inform(`    ${"the PVM's limit".padEnd(24)}${number(limit).padStart(20)} ticks, of which ${used} % are used`);
    if (ticks > limit)
      this.say(2, `toll: warning: this kernel_run would leave the PVM stuck for good: it takes ${number(ticks)} ticks, and at most ${number(limit)} are allowed\n`);
  }

  line(name, { ticks, time }) {
    this.inform(`    ${name.padEnd(24)}${number(ticks).padStart(20)} ticks${this.hasTime ? milliseconds(time).padStart(16) : ""}`);
  }

  /** Is the kernel_run in the profile? */
  isChosen(run) {
    return this.only === undefined || this.only === run;
  }

  /** Take the profile of the current kernel_run. Returns its costs. */
  endRun() {
    const { current, recording } = this, isChosen = this.isChosen(current);
    const costs = this.profiles.take(`level=${this.level}\nrun=${current}`, isChosen);
    this.current = undefined;
    if (!isChosen) return costs;
    if (this.only !== undefined) this.outcome.part = { from: this.firstEvent, to: recording.eventCount };
    this.runsOfLevel++;
    addCosts(this.ofLevel, costs);
    addCosts(this.costs, costs);
    return costs;
  }

  /** Print the cost of a kernel_run. */
  tellRun({ level, run, inputs, outputs, trap, error, forced }) {
    const costs = this.endRun(), { ticks, time } = costs.get("kernel_run");
    this.inform(`level ${level}, kernel_run ${run}: ${inputs} messages read, ${outputs} written; ${number(ticks)} ticks` +
             `${this.hasTime ? `, ${milliseconds(time)}` : ""}`);
    if (this.isChosen(run)) this.table(costs);
    if (this.isPvm) this.printLimit(costs.get("in all"), trap);
    if (trap ?? error) this.say(2, `toll: ${this.describe(trap ?? error, this.recording)[1]}\n`);
    if (forced) this.say(2, "toll: warning: the kernel wants another reboot in this level, but has used them all\n");
  }

  beginLevel(level) {
    if (level === 0) this.addOutside(this.profiles.take()); // the start of the host
    this.level = level;
    this.firstOfLevel = this.recording.eventCount;
    this.ofLevel = new Map();
    this.runsOfLevel = 0;
    this.profiles.beginLevel();
  }

  /** Write a level's profile, and print its cost by phase if that is not the one of its only run. */
  endLevel() {
    this.recording.aside(() => {
      if (this.only === undefined || this.runsOfLevel) this.outcome.level(this.level, this.profiles.level, this.eventsOfLevel());
      for (const what of this.shows) this.say(1, `${JSON.stringify({ level: this.level, ...shown(this.kernel, what) })}\n`);
      if (this.runsOfLevel === 1 || this.only !== undefined) return;
      this.inform(`level ${this.level}:`);
      this.table(this.ofLevel);
    });
  }

  /** The part of the timeline that is the level's, or its chosen kernel_run's. */
  eventsOfLevel() {
    return this.outcome.part ?? { from: this.firstOfLevel, to: this.recording.eventCount };
  }

  /** Add what is in no kernel_run to the costs. */
  addOutside(costs) {
    if (this.only === undefined) addCosts(this.costs, costs);
  }

  /** The run ends in the middle of a kernel_run, or before it: what has happened so far has its profile, too. */
  endEarly() {
    if (this.level === undefined || this.current === undefined) return;
    const { current: run } = this;
    this.recording.aside(() => {
      const costs = this.endRun();
      this.inform(`level ${this.level}, kernel_run ${run}, which did not end:`);
      this.table(costs);
    });
    this.endLevel();
  }

  async run(code, levels) {
    this.kernel.install(code);
    this.kernel.configure(this.instructions);
    this.kernel.load(levels);
    try {
      return await this.runLevels(levels.length);
    } catch (error) {
      this.endEarly();
      throw error;
    }
  }

  async runLevels(count) {
    const sum = await this.kernel.run({
      instantiate: step => this.start(step),
      onLevel: ({ level }) => this.beginLevel(level),
      onRun: run => this.recording.aside(() => this.tellRun(run)),
      onLevelEnd: () => this.endLevel(),
    });
    this.addOutside(this.profiles.end());
    if (this.only >= sum.runs) {
      this.outcome.follow(undefined); // there is nothing to write
      throw new Error(`--run: there is no kernel_run ${this.only}: there were ${sum.runs}, from 0 on`);
    }
    this.inform(`${count} levels, ${sum.runs} kernel_runs, ${this.kernel.outputs.length} messages written` +
             `${sum.unread ? `, ${sum.unread} not read` : ""}${sum.traps ? `, ${sum.traps} trapped` : ""}:`);
    this.table(this.costs);
    return sum;
  }
}

/** Do `work` for an option, whose name is put before the message of an Error. */
function option(name, work) {
  try {
    return work();
  } catch (error) {
    throw new Error(`--${name}: ${error.message}`);
  }
}

/** The text of the file that an option names. */
function textOf(name, file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`--${name}: ${file}: cannot be read (${error.code})`);
  }
}

/** What the options say: { levels, and what KernelRun needs }. */
function readOptions({ inbox, quiet, rollup, preimages, "preimage-endpoint": endpoint, "dal-pages-dir": dalPages, ...options }) {
  const version = options["pvm-version"], config = options["installer-config"];
  if (version !== undefined && !PVM_VERSIONS.includes(version))
    throw new Error(`--pvm-version: there is no PVM ${JSON.stringify(version)}; give one of ${PVM_VERSIONS.join(", ")}`);
  const address = rollup === undefined ? ZERO : option("rollup", () => parseAddress(rollup, ROLLUP).bytes);
  if (options.run !== undefined && !/^\d{1,9}$/.test(options.run))
    throw new Error(`--run: ${JSON.stringify(options.run)} is not the number of a kernel_run; they are numbered from 0 on`);
  for (const what of options.show) option("show", () => checkShown(what));
  const levels = parseInbox(textOf("inbox", inbox), inbox, address);
  return {
    levels, quiet, version, dalPages, only: options.run === undefined ? undefined : Number(options.run), preimages: preimagesIn(preimages, endpoint), shows: options.show,
    metadata: Uint8Array.of(...address, 0, 0, 0, 0), // and the level of its origination
    instructions: config === undefined ? [] : parseInstallerConfig(textOf("installer-config", config), config),
  };
}

/** Profile the kernel `code` over the inbox in the file options.inbox. Returns the exit status: `trapped` if a
 *  kernel_run trapped. */
export async function runInbox(code, runner, options, trapped) {
  const { levels, ...given } = readOptions(options);
  const { traps, failures } = await new KernelRun(runner, given).run(code, levels);
  return traps ? trapped : failures ? 1 : 0;
}
