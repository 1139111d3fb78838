// price_judge.mjs - holds what a machine charged for the system call of a case (price_cases.mjs) to the price that Toll gives it: by its
// arguments alone (traces without logs), and with the logs.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { flat, UNITS } from "./price_cases.mjs";

const DIFFERS = "something else than their prices", LEAST = "charged the least that they cost";
const selfOf = (report, name) => report.functions.find(f => f.name === name)?.self ?? 0;
const noted = (report, text) => report.notes.some(n => n.text.includes(text));
const numbers = (logs, pattern) => logs.map(l => pattern.exec(l)?.[1]).filter(n => n).map(Number);

/** What the machine charged for the call, by its log; `units` is the price of the calls before and after it. */
function charge(c, logs, units) {
  const remaining = numbers(logs, /^Program consumption: (\d+) units remaining/), consumed = numbers(logs, /consumed (\d+) of/);
  const slots = flat(c.args).map(b => (b.code ?? b)).filter(b => b[0] !== 0).reduce((sum, b) => sum + b.length / 8, 0);
  const callees = (consumed.length > 1 ? consumed[0] : 0) + (c.invoked === "system" ? 150 : 0);
  return remaining.at(-2) - remaining.at(-1) - units - (slots + 2) - callees;
}

export class Judge {
  #toll; #missing = new Map(); #checked = 0; #exact = 0; #different = 0; #lacking = 0;
  /** The self values of all functions and system calls, with logs: by name and file. */
  selves = new Map();
  failures = [];

  constructor(toll) { this.#toll = toll; }

  #addSelves(report) {
    for (const f of report.functions) {
      if (f.kind === "program") continue;
      // Inside the runtime the whole code is known: where it begins, and what functions without names do.
      const key = `${f.name.replace(/ ~.*/, "").replace(/^entrypoint$/, "fn@0")} ${f.file ?? ""}`;
      this.selves.set(key, (this.selves.get(key) ?? 0) + f.self);
    }
  }

  /** What was recorded by the runtime's meter is what the prices give, function by function and call by call. */
  holdRecorded(file) {
    const priced = new Map([...this.selves].filter(([, self]) => self !== 0));
    this.selves.clear();
    this.#addSelves(this.#report(file));
    const recorded = new Map([...this.selves].filter(([, self]) => self !== 0));
    for (const key of new Set([...priced.keys(), ...recorded.keys()]))
      if (priced.get(key) !== recorded.get(key)) this.failures.push(`${key}: ${recorded.get(key)} by the meter, ${priced.get(key)} by prices`);
    console.log(`${recorded.size} functions and system calls cost the same by the runtime's meter`);
  }

  #report(folder, ...options) {
    const { status, stdout, stderr } = spawnSync(this.#toll, ["report", "--json", "-n", "0", ...options, folder], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  }

  /** The traces of case `c` on one of the machines are in `folder`. `costs` is the file of --costs, of a machine whose
   * sol_log_compute_units_ costs `units`, if they are not those that are built in; with `hasOthers` the formula is not Toll's. */
  look(machine, c, folder, { logs, charged, error }, { costs, units = 100, hasOthers = false } = {}) {
    const fail = text => this.failures.push(`${folder}: ${c.name} ${c.invoked ?? ""}: ${text}`);
    if (error && logs.some(l => l.endsWith("failed: unsupported BPF instruction"))) {
      this.#missing.set(c.name, (this.#missing.get(c.name) ?? new Set()).add(machine));
      this.#holdMissing(c, { folder, logs, charged, costs }, fail);
      return;
    }
    if (error) { fail(`${error}\n${logs.join("\n")}`); return; }
    writeFileSync(`${folder}.json`, JSON.stringify({ logs, unitsConsumed: charged }));
    const withLogs = ["--logs", `${folder}.json`], own = costs ? ["--costs", costs] : [];
    const bare = this.#report(folder, ...own), told = this.#report(folder, ...withLogs, ...own);
    this.#addSelves(told);
    if (hasOthers) { this.#holdOthers({ told, charged }, fail); return; }
    const price = c.name === UNITS ? 3 * units : charge(c, logs, units);
    this.#hold(c, { bare, told, price, charged }, fail);
    if (costs) this.#holdTable(c, { told, builtIn: this.#report(folder, ...withLogs), plain: this.#report(folder), charged }, fail);
  }

  #hold(c, { bare, told, price, charged }, fail) {
    const isOpen = noted(bare, LEAST), alone = selfOf(bare, c.name);
    if (told.total !== charged) fail(`total ${told.total}, not ${charged}`);
    if (noted(told, DIFFERS)) fail("its price does not fit");
    if (told.functions.some(f => f.name.startsWith("["))) fail("some units are unknown");
    if (isOpen !== c.open) fail(isOpen ? "open" : "not open");
    this.#checked++;
    this.#exact += !isOpen;
    if (flat([c.before, c.after]).some(x => x.name === c.name)) return; // several of them
    if (selfOf(told, c.name) !== price) fail(`with logs ${selfOf(told, c.name)}, not ${price}`);
    if (isOpen ? alone > price : alone !== price) fail(`without logs ${alone}, not ${price}`);
  }

  /** The machine lacks the syscall: it cost nothing, and all before it has its price. */
  #holdMissing(c, { folder, logs, charged, costs }, fail) {
    writeFileSync(`${folder}.json`, JSON.stringify({ logs, unitsConsumed: charged }));
    const told = this.#report(folder, "--logs", `${folder}.json`, ...(costs ? ["--costs", costs] : []));
    this.#addSelves(told);
    if (told.total !== charged) fail(`total ${told.total}, not ${charged}`);
    if (noted(told, DIFFERS)) fail("the prices before a syscall that is missing do not fit");
    if (told.functions.some(f => f.name.startsWith("["))) fail("some units before a syscall that is missing are unknown");
    if (noted(told, "without a trace that fits")) fail("its trace fits nothing");
    if (!flat([c.before]).some(x => x.name === c.name) && selfOf(told, c.name) !== 0) fail(`missing, it costs ${selfOf(told, c.name)}`);
    this.#lacking++;
  }

  /** The machine prices the call by another formula than Toll. */
  #holdOthers({ told, charged }, fail) {
    if (told.total !== charged) fail(`total ${told.total}, not ${charged}`);
    if (!noted(told, DIFFERS)) fail("no note says that it costs something else than its price");
    this.#different++;
  }

  /** The machine has prices of its own: by the table that is built in the total is what was charged all the same, and where that has
   * another price, a note says so. */
  #holdTable(c, { told, builtIn, plain, charged }, fail) {
    const differs = !noted(plain, LEAST) && selfOf(plain, c.name) !== selfOf(told, c.name);
    if (builtIn.total !== charged) fail(`total ${builtIn.total} by the built-in prices, not ${charged}`);
    if (differs && !noted(builtIn, DIFFERS)) fail("no note says that it costs something else than its built-in price");
    this.#different += differs;
  }

  /** Throws if anything was different on one of the `machines`. */
  finish(machines) {
    for (const [name, on] of this.#missing) if (on.size === machines && name !== "sol_alloc_free_") console.log(`${name} is not in this machine`);
    assert.deepEqual(this.failures, []);
    assert.ok(this.#exact > 0);
    console.log(`${this.#checked} system calls cost what was charged, ${this.#exact} of them by their arguments alone` +
      (this.#lacking ? `; ${this.#lacking} that a machine lacks cost nothing` : "") +
      (this.#different ? `; of ${this.#different} a note says that the built-in prices are others` : ""));
  }
}
