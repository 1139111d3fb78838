// worker.mjs - an edge worker (workerd, Cloudflare Workers) that calls a WebAssembly module. Workers may not compile modules: both
// are imported, and app.toll.wasm is made beforehand, by `toll instrument app.wasm -o app.toll.wasm`.
//
//     GET /?n=5                        answers with what the module returns
//     GET /debug/request?n=5           the profile of this request alone
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
    const n = Number(searchParams.get("n") ?? 3);
    if (!pathname.startsWith("/debug/")) return new Response(`${run(n)}\n`);
    // Check who asks here: a profile shows the names of functions.
    if (pathname !== "/debug/request") return profiles(request);
    const before = recording.moment();
    run(n);
    return new Response(await recording.profile({ since: before, format: "folded", value: "ticks" }));
  },
};
