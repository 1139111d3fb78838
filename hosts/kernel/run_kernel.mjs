// run_kernel.mjs - toll run --kernel: runs a smart rollup's kernel over an inbox, and makes a profile of each level and
// of all. The kernel's debug text goes to standard output; lines about the run go to standard error.
//
// This file imports nothing of hosts/wasm. run.mjs, which imports it, passes what it needs as `runner`.
import fs from "node:fs";
import { parseInbox } from "./inbox.mjs";
import { Kernel, memoryOf } from "./kernel.mjs";

const hex = bytes => `0x${Buffer.from(bytes).toString("hex")}`;
const number = value => String(value).replace(/\B(?=(\d{3})+$)/g, ",");
const milliseconds = ns => `${(Number(ns) / 1e6).toFixed(3)} ms`;

const plus = (a, b) => ({ ticks: a.ticks + b.ticks, time: a.time + b.time });
const minus = (a, b) => ({ ticks: a.ticks - b.ticks, time: a.time - b.time });

/** The name for a debug mark's data: the data itself if it is text, else its bytes in hex. */
function sectionName(data) {
  const text = Buffer.from(data).toString("utf8");
  return text && !/[\p{C}\ufffd]/u.test(text) ? text : hex(data);
}

class KernelRun {
  /** runner: { recording, hasTime, outcome, and the functions say, untilInterrupted, instantiate, describe } of run.mjs. */
  constructor(runner, { quiet, preimages }) {
    Object.assign(this, runner, { quiet });
    this.prepared = new WeakMap(); // code -> instrumented
    this.phases = []; // of the current kernel_run: { name, ticks, time }
    this.sections = []; // the open ones: { data, ticks }
    this.totals = new Map(); // of all levels: phase -> { ticks, time }
    this.recording.onPhase = phase => this.phases.push(phase);
    this.kernel = new Kernel({
      preimages,
      debug: text => this.say(1, text),
      section: { start: data => this.startSection(data), end: data => this.endSection(data) },
    });
    this.outcome.follow(this.recording);
  }

  /** Print a line about the run. */
  inform(text) {
    if (!this.quiet) this.say(2, `${text}\n`);
  }

  startSection(data) {
    this.recording.beginSection(sectionName(data));
    this.sections.push({ data, ticks: this.recording.spent().ticks });
  }

  /** End the section that began last, whatever the end mark's data is. */
  endSection(data) {
    const { data: begun, ticks } = this.sections.pop();
    this.recording.endSection(sectionName(begun));
    this.inform(`__wasm_debugger__::Section{ticks:${this.recording.spent().ticks - ticks};data:(${hex(begun)},${hex(data)})}`);
  }

  /** The exports of a new instance of `code`, with a kernel_run that measures the original one. */
  start(code) {
    const { recording, kernel } = this;
    if (!this.prepared.has(code)) this.prepared.set(code, this.untilInterrupted(() => recording.prepare(code)));
    this.phases = [];
    this.began = recording.spent();
    let memory;
    const exports = this.untilInterrupted(() => // its start function may never end
      this.instantiate(recording, this.prepared.get(code), () => kernel.imports(() => memory)));
    memory = memoryOf(exports);
    return { ...exports, kernel_run: exports.kernel_run && (() => this.measured(exports.kernel_run)) };
  }

  measured(kernel_run) {
    const { recording } = this, before = recording.spent();
    try {
      this.untilInterrupted(() => kernel_run());
    } finally {
      this.phases.push({ name: "kernel_run", ...minus(recording.spent(), before) });
    }
  }

  /** Print a line for each phase, one for the time outside of phases, and their sum. */
  table(phases, whole) {
    for (const [name, spent] of phases) this.line(name, spent);
    if (this.hasTime) this.line("(outside)", [...phases.values()].reduce(minus, whole));
    this.line("in all", whole);
  }

  line(name, { ticks, time }) {
    this.inform(`    ${name.padEnd(24)}${number(ticks).padStart(20)} ticks${this.hasTime ? milliseconds(time).padStart(16) : ""}`);
  }

  /** Print the cost of a kernel_run. */
  tellRun({ level, run, inputs, outputs, trap, error, forced }) {
    const { ticks, time } = minus(this.recording.spent(), this.began);
    this.inform(`level ${level}, kernel_run ${run}: ${inputs} messages read, ${outputs} written; ${number(ticks)} ticks` +
             `${this.hasTime ? `, ${milliseconds(time)}` : ""}`);
    for (const sums of [this.ofLevel, this.totals])
      for (const phase of this.phases) sums.set(phase.name, plus(sums.get(phase.name) ?? { ticks: 0n, time: 0n }, phase));
    if (trap ?? error) this.say(2, `toll: ${this.describe(trap ?? error, this.recording)[1]}\n`);
    if (forced) this.say(2, "toll: warning: the kernel wants another reboot in this level, but has used them all\n");
  }

  beginLevel(level) {
    this.level = level;
    this.ofLevel = new Map();
    this.recording.mark();
    this.levelBegan = this.recording.spent();
  }

  /** Write a level's profile and print its cost by phase. */
  endLevel() {
    const whole = minus(this.recording.spent(), this.levelBegan);
    this.recording.aside(() => {
      this.outcome.level(this.level);
      this.inform(`level ${this.level}:`);
      this.table(this.ofLevel, whole);
    });
  }

  async run(code, levels) {
    this.kernel.install(code);
    this.kernel.load(levels);
    const sum = await this.kernel.run({
      instantiate: ({ code: current }) => this.start(current),
      onLevel: ({ level }) => {
        if (level > 0) this.endLevel();
        this.beginLevel(level);
      },
      onRun: run => this.recording.aside(() => this.tellRun(run)),
    });
    if (levels.length) this.endLevel();
    this.inform(`${levels.length} levels, ${sum.runs} kernel_runs, ${this.kernel.outputs.length} messages written` +
             `${sum.unread ? `, ${sum.unread} not read` : ""}${sum.traps ? `, ${sum.traps} trapped` : ""}:`);
    this.table(this.totals, this.recording.spent());
    return sum;
  }
}

/** Profile the kernel `code` over the inbox in the file options.inbox. Returns the exit status: `trapped` if a
 *  kernel_run trapped. */
export async function runInbox(code, runner, options, trapped) {
  const levels = parseInbox(fs.readFileSync(options.inbox, "utf8"), options.inbox);
  const { traps, failures } = await new KernelRun(runner, options).run(code, levels);
  return traps ? trapped : failures ? 1 : 0;
}
