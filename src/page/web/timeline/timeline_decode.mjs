// timeline_decode.mjs - Turns events in order of time into calls by depth, which the timeline draws and adds up. Runs in a
// worker (worker.mjs), for each thread of the timeline (a lane). A call takes 16 bytes if the run is shorter than 2^32 units of the
// axis (4.3 s in nanoseconds), else 24 bytes, and 16 more with a second axis.
//
// A row has all calls of one depth: they never overlap, so they are sorted by their beginnings and also by their ends. Rows
// follow each other in the lane's arrays: row d begins at start[d], and has one entry more than calls:
//   code   function * 4 + (2: the function was open already) + (1: a continued frame, not a call)
//   child  the number of calls in the next row before the call's first callee; the last entry: of all
//   begin  by axis, where the call begins
//   sum    by axis, the length that all earlier calls of the row cover. So call i ends at begin[i] + sum[i + 1] - sum[i],
//          and the covered part of any range follows from its two ends
import { Columns, FRAME_COLUMNS, unpack } from "../decode.mjs";

const EVENTS_AT_ONCE = 1 << 15; // events that are decoded at once

/** Reads the lanes of a block, in which they follow one another. */
export class LaneReader {
  /** events: the block's bytes; steps: those of each axis; functions: the function of each frame; cut: whether the end
   *  of the events is missing. */
  constructor(events, steps, functions, cut) {
    this.counting = new Columns(events);
    this.events = new Columns(events);
    this.steps = steps.map(bytes => new Columns(bytes));
    Object.assign(this, { functions, cut, codes: new Int32Array(EVENTS_AT_ONCE), moved: steps.map(() => new Float64Array(EVENTS_AT_ONCE)) });
    this.opened = new Int32Array(functions.reduce((most, f) => Math.max(most, f), 0) + 1); // open frames of each function
  }

  /** Read the next lane: { start, code, child, axes: [{ begin, sum }], open }. info: the lane in the header; first:
   *  where the axes begin; end: where the first axis ends; most: where it ends in all lanes. open: how many frames have
   *  no end of their own. */
  read(info, first, end, most = end) {
    const calls = this.count(info), rows = calls.indexOf(0) < 0 ? calls.length : calls.indexOf(0), start = new Int32Array(rows + 1);
    for (let d = 0; d < rows; d++) start[d + 1] = start[d] + calls[d] + 1;
    const size = start[rows], axes = this.steps.map((_, axis) => {
      const Positions = axis === 0 && most < 2 ** 32 ? Uint32Array : Float64Array;
      return { begin: new Positions(size), sum: new Positions(size) };
    });
    const lane = { start, code: new Int32Array(size), child: new Int32Array(size), axes, open: 0 };
    const next = new Int32Array(rows + 2); // by depth: the position for the next call
    next.set(start);
    const open = this.fill(lane, info.events, next, first, end);
    if (this.cut) lane.open = open;
    for (let d = 0; d < rows; d++) lane.child[next[d]] = d + 1 < rows ? next[d + 1] - start[d + 1] : 0;
    return lane;
  }

  /** How many calls there are at each depth. */
  count({ events: count, depth: most }) {
    const calls = new Int32Array(Math.min(most, count)), frames = this.functions.length;
    let depth = 0;
    for (let done = 0; done < count; done += EVENTS_AT_ONCE) {
      const codes = this.counting.unsigned(this.codes.subarray(0, Math.min(EVENTS_AT_ONCE, count - done)));
      for (let i = 0; i < codes.length; i++) {
        if (codes[i] === 0) {
          if (--depth < 0) throw new Error("the timeline closes a frame that is not open");
          continue;
        }
        if ((codes[i] - 1) >> 1 >= frames) throw new Error("the timeline has a frame that the page has not");
        if (depth >= calls.length) throw new Error("the timeline is deeper than the header says");
        calls[depth++]++;
      }
    }
    if (depth) throw new Error("the timeline leaves a frame open");
    return calls;
  }

  /** Fill the arrays of a lane. `next` moves from the first to the last position of each row. Returns how many frames
   *  close at the lane's end, without a step in between: if the input was cut, these had no end. */
  fill({ start, code, child, axes }, count, next, first, end) {
    const { functions, opened, moved: [step, other] } = this, [{ begin, sum }, second = null] = axes;
    let depth = 0, t = first[0], u = first[1], closed = 0;
    for (let done = 0; done < count; done += EVENTS_AT_ONCE) {
      const codes = this.events.unsigned(this.codes.subarray(0, Math.min(EVENTS_AT_ONCE, count - done)));
      this.steps.forEach((column, axis) => column.large(this.moved[axis].subarray(0, codes.length)));
      for (let i = 0; i < codes.length; i++) {
        t += step[i];
        if (second) u += other[i];
        if (codes[i]) {
          const at = next[depth]++, kind = codes[i] - 1, f = functions[kind >> 1];
          code[at] = f * 4 + (opened[f]++ ? 2 : 0) + (kind & 1);
          begin[at] = t;
          if (second) second.begin[at] = u;
          depth++;
          child[at] = next[depth] - start[depth];
          closed = 0;
        } else {
          const at = next[--depth] - 1;
          opened[code[at] >> 2]--;
          sum[at + 1] = sum[at] + (t - begin[at]);
          if (second) second.sum[at + 1] = second.sum[at] + (u - second.begin[at]);
          closed = step[i] ? 0 : closed + 1;
        }
      }
    }
    if (t !== end && count) throw new Error("the timeline does not end where the header says");
    return closed;
  }
}

/** The function of each frame, from the block `frames`. */
function readFunctions(bytes, count) {
  const columns = new Columns(bytes), functions = new Int32Array(count);
  for (const column of FRAME_COLUMNS) if (columns.unsigned(functions) && column === "function") return functions;
}

/** Decode the lanes of a block: { lanes }. blocks: events, and the steps of each axis; frames: { functions } or, if
 *  these are not read yet, { block, count } of the block `frames`; places: for each lane, the arguments of
 *  LaneReader.read. */
export async function decodeLanes({ blocks, frames, cut, places, most }) {
  const functions = frames.functions ?? readFunctions(await unpack(frames.block), frames.count);
  const [events, ...steps] = await Promise.all(blocks.map(unpack)), reader = new LaneReader(events, steps, functions, cut);
  return { lanes: places.map(({ info, first, end }) => reader.read(info, first, end, most)) };
}
