// timeline_kept.mjs - Finds the calls of the timeline that the filters keep. The stack of such a call has, at the time of the
// call, a frame in focus and no ignored frame (filters.mjs). Computed once for all calls when a filter changes.
import { FOCUSED, marksOf } from "../filters.mjs";

/** For each call of a lane, in the order of its arrays: 1 if it is kept. */
function keptOf({ start, code, child }, marks) {
  const state = new Uint8Array(code.length);
  for (let d = 0; d + 1 < start.length; d++) {
    const below = start[d + 1];
    for (let at = start[d]; at < below - 1; at++) { // the row's last entry is not a call
      const stack = state[at] | marks[code[at] >> 2];
      for (let callee = below + child[at], last = below + child[at + 1]; callee < last; callee++) state[callee] = stack;
      state[at] = stack === FOCUSED ? 1 : 0;
    }
  }
  return state;
}

export class KeptCalls {
  /** masks: { focus, ignore }, by key; one of them may be null. */
  constructor(lanes, { focus, ignore }) {
    const marks = marksOf(focus, ignore);
    this.byLane = new Map(lanes.filter(lane => lane.data).map(lane => [lane, keptOf(lane.data, marks)]));
  }

  /** For each call of a row: 1 if it is kept. */
  of({ lane, depth, count }) {
    const { start } = lane.data;
    return this.byLane.get(lane).subarray(start[depth], start[depth] + count);
  }

  has({ lane, depth, i }) {
    return this.byLane.get(lane)[lane.data.start[depth] + i] === 1;
  }
}
