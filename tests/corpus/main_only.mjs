// main_only.mjs - for node --import: instruments in the main thread alone, which preload.mjs of Toll does not.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  const { Toll } = await import(pathToFileURL(path.join(process.env.TOLL_LIB, "toll.mjs")));
  (await Toll.load()).hook();
}
