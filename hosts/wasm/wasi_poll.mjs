// wasi_poll.mjs - poll_oneoff: waits for clocks and files. A regular file is always ready, and so is a file for
// writing; pipes and terminals are tried repeatedly, at growing intervals.
import { CLOCK, timeOf } from "./wasi_clock.mjs";
import { sleep } from "./wasi_file.mjs";
import { ERROR, errorNumber, RIGHT } from "./wasi_numbers.mjs";

const CLOCK_EVENT = 0, READ_EVENT = 1, WRITE_EVENT = 2, EVENT_SIZE = 32;
const ABSOLUTE = 1, HANG_UP = 1;
const SHORTEST_MS = 0.5, LONGEST_MS = 10; // between two tries of a pipe
const MOST_POLLED = 65536; // subscriptions of one call

// Offsets of the fields of a subscription: in wasi_unstable a clock begins with a name.
const STABLE = { size: 48, clock: 16, timeout: 24, flags: 40 }, UNSTABLE = { size: 56, clock: 24, timeout: 32, flags: 48 };

class Subscription {
  constructor({ memory, table, isUnstable }, at) {
    const { view } = memory, layout = isUnstable ? UNSTABLE : STABLE;
    this.user = view.getBigUint64(at, true);
    this.type = view.getUint8(at + 8);
    if (this.type > WRITE_EVENT) throw ERROR.EINVAL;
    if (this.type === CLOCK_EVENT) this.readClock(view, at, layout);
    else this.findFile(table, view.getUint32(at + 16, true));
  }

  readClock(view, at, layout) {
    const clock = view.getUint32(at + layout.clock, true), timeout = view.getBigUint64(at + layout.timeout, true);
    if (clock > CLOCK.MONOTONIC) throw ERROR.EINVAL;
    const isAbsolute = view.getUint16(at + layout.flags, true) & ABSOLUTE;
    this.deadline = timeOf(CLOCK.MONOTONIC) + (isAbsolute ? timeout - timeOf(clock) : timeout);
  }

  findFile(table, fd) {
    try {
      this.file = table.file(fd, RIGHT.POLL | (this.type === READ_EVENT ? RIGHT.FD_READ : RIGHT.FD_WRITE));
    } catch (error) {
      this.failed = errorNumber(error);
    }
  }

  /** The event that has happened: { error, size, flags }; undefined: none yet. */
  event(now) {
    if (this.failed) return { error: this.failed };
    if (this.type === CLOCK_EVENT) return now >= this.deadline ? {} : undefined;
    if (this.type === WRITE_EVENT) return { size: 65536 };
    try {
      const size = this.file.readable();
      return size === undefined ? undefined : { size, flags: size === 0 && this.file.isStream ? HANG_UP : 0 };
    } catch (error) {
      return { error: errorNumber(error) };
    }
  }
}

function writeEvent({ view }, at, { user, type }, { error = 0, size = 0, flags = 0 }) {
  view.setBigUint64(at, user, true);
  view.setUint16(at + 8, error, true);
  view.setUint8(at + 10, type);
  view.setBigUint64(at + 16, BigInt(size), true);
  view.setUint16(at + 24, flags, true);
}

/** Write an event for each subscription that has happened; returns how many. */
function writeEvents(memory, out, subscriptions) {
  const now = timeOf(CLOCK.MONOTONIC);
  let at = out;
  for (const subscription of subscriptions) {
    const event = subscription.event(now);
    if (!event) continue;
    writeEvent(memory, at, subscription, event);
    at += EVENT_SIZE;
  }
  return (at - out) / EVENT_SIZE;
}

/** The function poll_oneoff. */
export function poll(wasi, list, out, count) {
  const { memory } = wasi, { size } = wasi.isUnstable ? UNSTABLE : STABLE;
  count >>>= 0;
  if (count === 0 || count > MOST_POLLED) throw ERROR.EINVAL;
  list = memory.at(list, count * size);
  out = memory.at(out, count * EVENT_SIZE);
  const subscriptions = Array.from({ length: count }, (_, i) => new Subscription(wasi, list + i * size));
  const deadlines = subscriptions.filter(s => s.deadline !== undefined).map(s => s.deadline);
  const end = deadlines.reduce((least, deadline) => (deadline < least ? deadline : least), 1n << 64n);
  const longest = deadlines.length === count ? Infinity : LONGEST_MS;
  for (let rest = SHORTEST_MS; ; rest = Math.min(2 * rest, LONGEST_MS)) {
    const events = writeEvents(memory, out, subscriptions);
    if (events) return events;
    const left = Number(end - timeOf(CLOCK.MONOTONIC)) / 1e6;
    if (left > 0) sleep(longest === Infinity ? Math.min(left, 0x7fffffff) : Math.min(left, rest));
  }
}
