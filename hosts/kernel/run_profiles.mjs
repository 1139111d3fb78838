// run_profiles.mjs - the profile of a kernel's run in parts: one for each kernel_run, with the labels level and run, and
// their sums. All printed costs are read from these, so that each cost has one value wherever it appears.

const DECODE = "%interpreter(decode)", LINK = "%interpreter(link)", INIT = "%interpreter(init)", RUN = "kernel_run";
const OUTSIDE = "(outside)", ALL = "in all";
const PHASES = [DECODE, LINK, INIT];
const NOTHING = { ticks: 0n, time: 0n };

const plus = (a, b) => ({ ticks: a.ticks + b.ticks, time: a.time + b.time });
const minus = (a, b) => ({ ticks: a.ticks - b.ticks, time: a.time - b.time });

/** Costs by phase: Maps from a name to { ticks, time }. The last two are the time outside of phases, and the sum. */
export function addCosts(to, more) {
  for (const [name, cost] of more) to.set(name, plus(to.get(name) ?? NOTHING, cost));
}

/** The total of each row of a report: name -> cost in this column. A total of a phase contains all that it calls. */
function totals(profile, type) {
  const { total, functions } = profile.summary({ value: type });
  const rows = new Map([[ALL, total]]);
  for (const { name, kind, total: cost, self } of functions) {
    if (kind === "phase" && PHASES.includes(name)) rows.set(name, cost);
    else if (kind === "function" && name === OUTSIDE) rows.set(OUTSIDE, self);
  }
  return rows;
}

/** The costs of a profile by phase. kernel_run is what is neither outside nor in another phase. */
function costsOf(profile) {
  const types = profile.summary({ rows: 1 }).columns.map(({ type }) => type);
  const read = type => (types.includes(type) ? totals(profile, type) : new Map());
  const ticks = read("ticks"), time = read("time");
  const cost = name => ({ ticks: BigInt(ticks.get(name) ?? 0), time: BigInt(time.get(name) ?? 0) });
  const before = PHASES.map(name => [name, cost(name)]), outside = cost(OUTSIDE), whole = cost(ALL);
  const run = before.reduce((rest, [, its]) => minus(rest, its), minus(whole, outside));
  return new Map([...before, [RUN, run], [OUTSIDE, outside], [ALL, whole]]);
}

export class RunProfiles {
  /** hasOutside: what is in no kernel_run is in the whole. */
  constructor(recording, hasOutside = true) {
    this.recording = recording;
    this.hasOutside = hasOutside;
    this.whole = this.make();
    this.level = this.make();
  }

  make() {
    return this.recording.toll.sum();
  }

  beginLevel() {
    this.level = this.make();
  }

  /** Add what was recorded since the last call to the whole; with labels, also to the level; if not isKept, to neither.
   *  Returns its costs by phase. Nothing is recorded meanwhile. */
  take(labels, isKept = this.hasOutside) {
    const { recording } = this, part = this.make();
    return recording.aside(() => {
      part.add(recording.hasMark ? recording.since("pprof") : recording.write("pprof"));
      recording.mark();
      if (labels) part.label(labels);
      const bytes = part.write("pprof"), costs = costsOf(part), { ticks, time } = costs.get(ALL);
      if (!isKept) return costs;
      if (labels) this.level.add(bytes);
      if (labels || ticks || time) this.whole.add(bytes); // an empty profile has a thread without a name
      return costs;
    });
  }

  /** The last part: what follows is not in the profile. Returns its costs. */
  end() {
    this.hasEnded = true;
    return this.take();
  }

  /** The whole so far. */
  complete() {
    if (!this.hasEnded) this.take();
    return this.whole;
  }
}
