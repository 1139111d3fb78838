// timeline_ruler.mjs - Prints positions as text, and places the marks of the ruler. Far from the begin of the axis,
// marks show the distance from a round position, which the ruler shows at its left: "+250 µs" from "1.234 s".
import { grouped, TIMES } from "../text.mjs";

const TIME_NAMES = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];
const MARK_GAP = 84; // pixels between marks, at least

/** A position in a suitable unit, with as many digits as multiples of `step` need. */
export function positionText(position, unit, step = 1) {
  if (!TIMES[unit]) return grouped(Math.round(position)) + (unit === "count" || !unit ? "" : ` ${unit}`);
  const ns = position * TIMES[unit], finest = step * TIMES[unit];
  const [name, size] = TIME_NAMES.find(([, s]) => Math.abs(ns) >= s) ?? TIME_NAMES.at(-1);
  const digits = finest >= size ? 0 : Math.min(9, Math.ceil(Math.log10(size / finest) - 1e-9));
  const [whole, rest] = (ns / size).toFixed(digits).split(".");
  return `${grouped(whole)}${rest ? `.${rest}` : ""} ${name}`;
}

/** The smallest of 1, 2 or 5 times a power of ten that is at least `least`, and at least one unit. */
function roundStep(least) {
  if (least <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map(n => n * power).find(step => step >= least * (1 - 1e-9));
}

/** The round length for a span: a second if it is some milliseconds, and so on; for other units a power of a thousand.
 */
function roundSpan(span, unit) {
  const scale = TIMES[unit] ?? 1;
  return Math.max(1, 1000 ** Math.ceil(Math.log10(Math.max(span * scale, 1)) / 3 - 1e-9) / scale);
}

/** { step, base, marks: [{ at, text, round }] } for what is visible. base: the text of the round position at the left,
 *  or "". Units other than times are omitted. */
export function rulerMarks(from, to, width, axisUnit) {
  const unit = TIMES[axisUnit] ? axisUnit : "";
  const step = roundStep((to - from) / Math.max(1, Math.floor(width / MARK_GAP))), round = roundSpan(to - from, unit);
  const marks = [];
  for (let first = Math.ceil(from / step - 1e-9), n = 0; (first + n) * step <= to && n < width; n++) { // for large numbers first + 1 may equal first
    const at = (first + n) * step, beyond = at - Math.floor(at / round + 1e-12) * round;
    const near = at < round, isRound = Math.abs(beyond) < step / 2;
    marks.push({ at, round: !near && isRound, text: near || isRound ? positionText(at, unit, near ? step : round) : `+${positionText(beyond, unit, step)}` });
  }
  const base = Math.floor(from / round) * round;
  return { step, base: base > 0 ? positionText(base, unit, round) : "", marks };
}
