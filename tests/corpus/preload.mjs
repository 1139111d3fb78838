// preload.mjs - for node --import: instruments in this thread and, but for TOLL_WORKERS=no, in each worker
// (hook.mjs). A worker leaves a profile of each instance in out/thread.N.M.pb whenever it has done something.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isMainThread, threadId } from "node:worker_threads";

/** What this worker's instances have done since it was last written. */
function write({ recordings }, written) {
  recordings.forEach((recording, i) => {
    const { ticks } = recording, file = `out/thread.${threadId}.${i}.pb`;
    if (ticks === written[i]) return;
    fs.writeFileSync(`${file}.new`, recording.write("pprof"));
    fs.renameSync(`${file}.new`, file);
    written[i] = ticks;
  });
}

if (isMainThread || process.env.TOLL_WORKERS !== "no") {
  const { Toll } = await import(pathToFileURL(path.join(process.env.TOLL_LIB, "toll.mjs")));
  const hooked = (await Toll.load()).hook(), written = [];
  if (!isMainThread) setInterval(() => write(hooked, written), 10).unref();
}
