// source_called.mjs - Computes the cost of the callees of WebAssembly lines. A line's own ticks are in the column "line
// ticks", without stacks; those of its callees are in the column "ticks", by stack. The line's total is the sum of
// both. Frames of the same file deeper on the stack are excluded, since their cost is already in that file's own lines.
// src/report/listings_called.c does the same.
import { readValues } from "./profile.mjs";

/** The columns of ticks by stack, [after, before], if `value` is "line ticks"; null: nothing must be added to lines. */
export async function readCalled(header, value) {
  const column = value.type === "line ticks" ? header.values.findIndex(v => v.type === "ticks" && v.unit === "count") : -1;
  return column < 0 ? null : readValues(header, column);
}

/** Call `add(sum, called)` for each sum in sumOf (by frame): `called` is the cost of the line's callees in one of the
 *  profiles. */
export function sumCalled({ tree }, threads, sumOf, side, add) {
  const { frame, end } = tree, open = [], ends = new Map(), called = new Map();
  let own = 0, any = false;
  const close = until => {
    while (open.length && end[open.at(-1).node] <= until) {
      const { sum, node, before } = open.pop(), others = side.unfoldedOf(node) - (own - before);
      called.set(sum, (called.get(sum) ?? 0) + others);
      any ||= sum.line > 0 && others !== 0;
    }
  };
  for (const thread of threads) {
    for (let i = thread + 1; i < end[thread]; i++) {
      const sum = sumOf[frame[i]];
      if (!sum) continue;
      close(i);
      if (i >= (ends.get(sum) ?? 0)) {
        open.push({ sum, node: i, before: own });
        ends.set(sum, end[i]);
      }
      own += side.selfOf(i);
    }
    close(Infinity);
  }
  if (any) for (const [sum, others] of called) add(sum, others);
}
