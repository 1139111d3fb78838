// start_time.mjs - when a run began, as its profile says it: toll_start_time of toll/profile.h, for JavaScript.
import { printable } from "./printable.mjs";

const LAST_START = 9223372036n; // more nanoseconds do not fit a profile

/** Nanoseconds since 1970: now, or the time that SOURCE_DATE_EPOCH says, which only Node has. */
export function startTime() {
  const set = globalThis.process?.env?.SOURCE_DATE_EPOCH;
  if (!set) return BigInt(Date.now()) * 1000000n;
  const seconds = /^\d{1,20}$/.test(set) ? BigInt(set) : LAST_START + 1n;
  if (seconds > LAST_START) {
    throw new Error(`toll: SOURCE_DATE_EPOCH=${printable(set.slice(0, 60))}: it has to be a whole number of seconds since 1970, up to ` +
      `${LAST_START}, such as the output of date +%s`);
  }
  return seconds * 1000000000n;
}
