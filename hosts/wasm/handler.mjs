// handler.mjs - serves profiles by HTTP while a program runs, so that go tool pprof can fetch them.
//
//     import http from "node:http";
//     import { handler } from "./handler.mjs";
//     http.createServer(handler(t)).listen(6060, "127.0.0.1");   // t: of Toll.instantiate, or of Toll.hook
//     // go tool pprof http://127.0.0.1:6060/debug/pprof/profile?seconds=10
//
// A profile shows names and files of the program: serve it to those who may see these.
import { TOLL } from "./embedder.mjs";

const INDEX = `Toll: an exact profile of a WebAssembly program, while it runs.

profile                    all since the start, for go tool pprof
profile?seconds=30         what those seconds add
profile?format=folded      in another format: folded, speedscope, perfview, callgrind, pprof
`;
const MOST_REQUESTS = 4; // each keeps a profile in memory, with seconds= until these have passed
const PLACE_MS = 60_000; // longer than a profile takes: an edge worker may drop a request without a word
const TEXT = { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" };
const WRONG = [TOLL.E_ARGUMENT, TOLL.E_NOT_FOUND, TOLL.E_UNKNOWN_FORMAT, TOLL.E_UNSUPPORTED];

const say = (status, text, more = {}) => ({ status, headers: { ...TEXT, ...more }, body: `${text}\n` });

async function make(profile, query, signal) {
  const format = query.get("format") || "pb.gz", value = query.get("value") ?? "", asked = query.get("seconds");
  try {
    if (!/^[a-z.]+$/.test(format)) throw new RangeError(`toll: ${JSON.stringify(format)} is no format`);
    const body = await profile.profile({ format, value, signal, ...asked && { seconds: Number(asked) } });
    const headers = { "Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff",
                      "Content-Disposition": `attachment; filename="profile.${format}"` };
    return { status: 200, headers, body };
  } catch (error) {
    if (signal?.aborted) return say(499, "the client has gone");
    return say(error instanceof RangeError || WRONG.includes(error.status) ? 400 : 500, error.message);
  }
}

function parsed(url) {
  try {
    return new URL(url, "http://localhost");
  } catch {
    return undefined;
  }
}

/** Answers requests: a function of (method, url, signal) that returns { status, headers, body }. */
function answering(profile) {
  const underWay = new Set(); // { until }: a place is free again then, in any case
  return async (method, url, signal) => {
    const { pathname, searchParams } = parsed(url) ?? {};
    if (!pathname) return say(400, "the address is not one");
    if (method !== "GET" && method !== "HEAD") return say(405, "only GET is answered", { Allow: "GET, HEAD" });
    if (pathname.endsWith("/")) return say(200, INDEX.trimEnd());
    if (!pathname.endsWith("/profile")) return say(404, "there are profile, profile?seconds=30 and profile?format=folded");
    const now = Date.now(), place = { until: now + PLACE_MS + 1000 * (Number(searchParams.get("seconds")) || 0) };
    for (const one of underWay) if (one.until < now) underWay.delete(one);
    if (underWay.size >= MOST_REQUESTS)
      return say(503, `${MOST_REQUESTS} profiles are being made; ask again when one is ready`, { "Retry-After": "5" });
    underWay.add(place);
    try {
      return await make(profile, searchParams, signal);
    } finally {
      underWay.delete(place);
    }
  };
}

/** A listener for Node's http.createServer. `profile` is a Recording, or what Toll.hook returns. */
export function handler(profile) {
  const answer = answering(profile);
  return async (request, response) => {
    const gone = new AbortController();
    response.once("close", () => gone.abort(new Error("the client has gone")));
    try {
      const { status, headers, body } = await answer(request.method, request.url, gone.signal);
      if (gone.signal.aborted) return;
      response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) });
      response.end(request.method === "HEAD" ? undefined : body);
    } catch { // the program that is profiled goes on in any case
      response.destroy();
    }
  };
}

/** The same for what takes a Request and returns a Response: Deno.serve, Bun.serve, the fetch of an edge worker. */
export function fetchHandler(profile) {
  const answer = answering(profile);
  return async request => {
    const { status, headers, body } = await answer(request.method, request.url, request.signal);
    return new Response(request.method === "HEAD" ? null : body, { status, headers });
  };
}
