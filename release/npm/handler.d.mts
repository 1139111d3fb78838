// handler.d.mts - the types of handler.mjs. Node's own requests and responses fit; its types need not be installed.
import type { Hook, Profile } from "./toll.mjs";

/** Of http.IncomingMessage. */
export interface HttpRequest {
  readonly method?: string;
  readonly url?: string;
}

/** Of http.ServerResponse. */
export interface HttpResponse {
  once(event: "close", listener: () => void): unknown;
  writeHead(status: number, headers: Record<string, string | number>): unknown;
  end(body?: string | Uint8Array): unknown;
  destroy(): unknown;
}

/** Serves profiles while the program runs, for go tool pprof: a listener for Node's http.createServer. */
export declare function handler(profile: Profile | Hook): (request: HttpRequest, response: HttpResponse) => Promise<void>;
/** The same for what takes a Request and returns a Response: Deno.serve, Bun.serve, the fetch of an edge worker. */
export declare function fetchHandler(profile: Profile | Hook): (request: Request) => Promise<Response>;
