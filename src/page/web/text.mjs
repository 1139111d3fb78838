// text.mjs - Prints values as text, in the units and with the digits of `toll report` (src/report/value_text.c).

export const TIMES = { nanoseconds: 1, microseconds: 1e3, milliseconds: 1e6, seconds: 1e9 };
const LARGE_TIMES = [["s", 1e9], ["ms", 1e6], ["µs", 1e3]];

/** 1234567 -> "1,234,567". */
export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

function timeText(ns) {
  for (const [name, size] of LARGE_TIMES) {
    if (ns < 1000) break;
    const hundredths = Math.round(ns / (size / 100));
    if (hundredths >= 100)
      return `${grouped(Math.floor(hundredths / 100))}.${String(hundredths % 100).padStart(2, "0")} ${name}`;
  }
  return `${ns} ns`;
}

const unitText = unit => unit === "bytes" ? " B" : unit === "count" || !unit ? "" : ` ${unit.slice(0, 13)}`;

/** A value for people: times in the largest unit in which they are at least 1, other values with all digits. */
export function valueText(value, unit) {
  const sign = value < 0 ? "-" : "", size = Math.abs(value);
  if (TIMES[unit]) return sign + timeText(size * TIMES[unit]);
  return sign + grouped(size) + unitText(unit);
}

/** The value (a number, or its decimal digits) with all digits, in the profile's own unit. */
export function exactText(value, unit) {
  return `${grouped(value)} ${unit === "count" || !unit ? "" : unit}`.trimEnd();
}

/** "exactly 1,234,567 nanoseconds" if valueText shows fewer digits, else "". */
export function digitsText(value, { unit, sampled }) {
  if (isUnknown(value, sampled)) return "";
  const shortened = TIMES[unit] && Math.abs(value) * TIMES[unit] >= 1000;
  return shortened ? `exactly ${exactText(value, unit)}` : "";
}

/** The text of a difference: always with its sign. */
export const changeText = (value, unit) => (value > 0 ? "+" : "") + valueText(value, unit);

/** part / whole as "12.3%"; "-" if this is not a share. */
export function shareText(part, whole) {
  if (!(whole > 0) || part < 0 || part > whole) return "-";
  return `${(Math.round(part / whole * 1000) / 10).toFixed(1)}%`;
}

/** Values that are made of samples are shown as exactly as they are known (src/report/precision.h): less than `least` is
 *  "< 2 ms". kind: { unit, sampled: { least, bound }, if they are; {} in a comparison }. */
export function figureText(value, { unit, sampled }) {
  if (!isUnknown(value, sampled)) return valueText(value, unit);
  const ns = sampled.bound * TIMES[unit], [name, size] = [...LARGE_TIMES, ["ns", 1]].find(([, n]) => ns % n === 0);
  return `< ${ns / size} ${name}`;
}

/** The same for a share, rounded up; "-" if it may be anything. */
export function figureShare(part, whole, { sampled }) {
  if (!isUnknown(part, sampled)) return shareText(part, whole);
  return sampled.bound > whole - whole / 1000 ? "-" : `< ${shareText(sampled.bound + whole / 2000, whole)}`;
}

const isUnknown = (value, sampled) => sampled && value >= 0 && value < sampled.least;

/** after / before as "1.25×"; "new" or "gone" if one of them is 0. */
export function ratioText(before, after) {
  if (before === after) return "1.00×";
  if (before === 0) return "new";
  if (after === 0) return "gone";
  return `${(after / before).toFixed(2)}×`;
}

export const countText = (count, what) => `${grouped(count)} ${what}${count === 1 ? "" : "s"}`;

/** "src/app.c:12", or the part of it that is known. */
export const placeText = (file, line) => file && line ? `${file}:${line}` : file;
