// worker.mjs - an edge worker (workerd, Cloudflare Workers) that calls a WebAssembly module. Workers may not compile modules: both
// are imported, and app.toll.wasm is made beforehand, by `toll instrument app.wasm -o app.toll.wasm`.
//
//     GET /?n=5                        answers with what the module returns
//     GET /debug/pprof/profile         the profile of all requests of this worker, for go tool pprof
import { fetchHandler } from "./handler.mjs"; // of the npm package: tollprof/handler
import { Toll } from "./toll.mjs"; // tollprof
import toll from "./toll.wasm"; // tollprof/toll.wasm
import app from "./app.toll.wasm";

// Calls and ticks, without time: a worker's clock stands still between two requests to other servers.
const recording = new Toll(toll).record();
const { run } = recording.instantiate(app, { env: { host: n => n } });
const profiles = fetchHandler(recording);

export default {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.startsWith("/debug/")) return profiles(request); // only for yourself: check who asks
    const before = recording.moment(), result = run(Number(searchParams.get("n") ?? 3));
    if (!searchParams.has("profile")) return new Response(`${result}\n`);
    return new Response(await recording.profile({ since: before, format: "folded", value: "ticks" })); // of this request
  },
};
