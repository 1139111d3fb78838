// wasi_clock.mjs - WASI's clocks, in nanoseconds as BigInts.
import fs from "node:fs";
import { ERROR } from "./wasi_numbers.mjs";

export const CLOCK = { REAL: 0, MONOTONIC: 1, PROCESS: 2, THREAD: 3 };
const CHECK_NS = 10_000_000n; // between two checks of the date
const MOST_AWAY_NS = 3_000_000n; // the two clocks may differ by so much, since Date.now() has milliseconds
const MS = 1_000_000n;

/** The date, as precise as the monotonic clock; Node's own has only milliseconds. If the system's date is set, it
 *  follows. */
class Date64 {
  constructor() {
    const now = process.hrtime.bigint();
    this.since = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6)) - now;
    this.checkAt = now + CHECK_NS;
  }

  now() {
    const monotonic = process.hrtime.bigint();
    if (monotonic >= this.checkAt) this.check(monotonic);
    return monotonic + this.since;
  }

  check(monotonic) {
    const date = BigInt(Date.now()) * MS, away = monotonic + this.since - date;
    if (away < -MOST_AWAY_NS || away > MOST_AWAY_NS) this.since = date - monotonic;
    this.checkAt = monotonic + CHECK_NS;
  }
}

let date;

const processTime = () => {
  const { user, system } = process.cpuUsage();
  return BigInt(user + system) * 1000n;
};

/** The CPU time of this thread, as Linux reports it. The process has other threads, which compile and collect garbage.
 */
function threadTime() {
  try {
    return BigInt(fs.readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[0]);
  } catch {
    throw ERROR.ENOTSUP;
  }
}

/** The time of a clock. */
export function timeOf(clock) {
  switch (clock) {
  case CLOCK.MONOTONIC: return process.hrtime.bigint();
  case CLOCK.REAL: return (date ??= new Date64()).now();
  case CLOCK.PROCESS: return processTime();
  case CLOCK.THREAD: return threadTime();
  default: throw ERROR.EINVAL;
  }
}

/** The smallest difference between two times of a clock. */
export function resolutionOf(clock) {
  if (!(clock >= CLOCK.REAL && clock <= CLOCK.THREAD)) throw ERROR.EINVAL;
  return clock === CLOCK.PROCESS ? 1000n : 1n;
}
