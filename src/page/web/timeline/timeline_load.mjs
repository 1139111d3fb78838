// timeline_load.mjs - Reads the lanes of the page's timeline, block by block.
import { takeBlock } from "../decode.mjs";
import { offThread } from "../worker.mjs";

/** Where each thread of the timeline begins and ends, [{ info, first, end }]; `most`: where the last one ends.
 *  Positions are on the first axis, relative to the first event of all threads: absolute ones, as in the header, may
 *  have more digits than a double (nanoseconds since 1970). */
export function placesOf(threads) {
  const begins = threads.map(thread => BigInt(thread.begin)), origin = begins.reduce((least, begin) => begin < least ? begin : least, begins[0]);
  const places = threads.map((info, n) => ({ info, first: [Number(begins[n] - origin), 0], end: Number(BigInt(info.end) - origin) }));
  return { places, most: places.reduce((last, { end }) => Math.max(last, end), 0) };
}

/** Load all lanes, as LaneReader returns them. functions: the function of each frame; null: they are not read yet, and
 *  are read together with the lanes. */
export async function loadLanes(header, functions) {
  const { axes, cut, threads } = header.timeline, { places: all, most } = placesOf(threads), lanes = [], inBlock = new Map();
  const frames = functions ? { functions } : { block: takeBlock(header, "frames", false), count: header.frames };
  for (const place of all) {
    if (!inBlock.has(place.info.block)) inBlock.set(place.info.block, []);
    inBlock.get(place.info.block).push(place);
  }
  for (const [number, places] of inBlock) { // blocks are in the order of threads
    const names = ["events", "steps", "second"].slice(0, 1 + axes.length).map(kind => `timeline-${kind}-${number}`);
    const blocks = names.map(name => takeBlock(header, name, true)), missing = blocks.indexOf(null);
    if (missing >= 0) throw new Error(`the page has no block ${names[missing]}`);
    const count = places.reduce((sum, { info }) => sum + info.events, 0);
    const read = await offThread("lanes", { blocks, frames, cut, places, most, count });
    for (const lane of read.lanes) lanes.push(lane);
  }
  return lanes;
}
