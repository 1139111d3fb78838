// timeline_load.mjs - Reads the lanes of the page's timeline, block by block.
import { takeBlock } from "./decode.mjs";
import { offThread } from "./worker.mjs";

/** All lanes, as LaneReader makes them. Positions on the first axis begin with the first event of all. functions: of each frame,
 *  or null if these are not read yet: then they are read beside the lanes. */
export async function loadLanes(header, functions) {
  const { axes, cut, threads } = header.timeline, origin = threads.reduce((least, thread) => Math.min(least, Number(thread.begin)), Infinity);
  const most = threads.reduce((last, thread) => Math.max(last, Number(thread.end) - origin), 0), lanes = new Array(threads.length);
  const frames = functions ? { functions } : { block: takeBlock(header, "frames", false), count: header.frames };
  for (const number of new Set(threads.map(thread => thread.block))) {
    const mine = [...threads.keys()].filter(n => threads[n].block === number);
    const names = ["events", "steps", "second"].slice(0, 1 + axes.length).map(kind => `timeline-${kind}-${number}`);
    const blocks = names.map(name => takeBlock(header, name, true)), missing = blocks.indexOf(null);
    if (missing >= 0) throw new Error(`the page has no block ${names[missing]}`);
    const places = mine.map(n => ({ info: threads[n], first: [Number(threads[n].begin) - origin, 0], end: Number(threads[n].end) - origin }));
    const count = mine.reduce((sum, n) => sum + threads[n].events, 0);
    const read = await offThread("lanes", { blocks, frames, cut, places, most, count });
    mine.forEach((n, at) => { lanes[n] = read.lanes[at]; });
  }
  return lanes;
}
