// source_called.mjs - Computes what lines of WebAssembly called. Their own ticks are known by function only ("line ticks"), what they
// called by stack ("ticks"): a line's total is the sum of both. What the same file spent deeper on the stack is excluded: it is
// already in the file's own lines. src/report/listings_called.c does the same.
import { readValues } from "./profile.mjs";

/** The columns of ticks by stack, [after, before], if `value` is that of ticks by line; null: lines are what they are. */
export async function readCalled(header, value) {
  const column = value.type === "line ticks" ? header.values.findIndex(v => v.type === "ticks" && v.unit === "count") : -1;
  return column < 0 ? null : readValues(header, column);
}

/** Call `add(sum, called)` for each line's sums of those in sumOf (by frame): what the line called, in one of the profiles. */
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
