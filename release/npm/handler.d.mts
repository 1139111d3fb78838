// handler.d.mts - the types of handler.mjs.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Hook, Profile } from "./toll.mjs";

/** Serves profiles while the program runs, for go tool pprof: a listener for Node's http.createServer. */
export declare function handler(profile: Profile | Hook): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
/** The same for what takes a Request and returns a Response: Deno.serve, Bun.serve, the fetch of an edge worker. */
export declare function fetchHandler(profile: Profile | Hook): (request: Request) => Promise<Response>;
