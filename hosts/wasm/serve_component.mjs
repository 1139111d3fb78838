// serve_component.mjs - serves HTTP by a component (wasi:http/incoming-handler). Each request is recorded as a profile of its own.
//
// The server is that of jco serve, in jco's WASI. A thread of it talks to clients; this thread handles one request after the
// other, also if a handler waits for something. So requests of one instance are never mixed up.
import { INTERRUPTED, say, SIGNALS, untilInterrupted } from "./outcome.mjs";
import { printable } from "./printable.mjs";
import { RequestProfiles } from "./requests.mjs";

/** [HOST:]PORT */
export function addressOf(text) {
  const [, host = "127.0.0.1", port] = /^(?:\[?(.+?)\]?:)?(\d+)$/.exec(text) ?? [];
  if (!(Number(port) <= 65535)) throw new Error(`--serve: '${text}' is no [HOST:]PORT`);
  return { host, port: Number(port) };
}

/** The method of a request, a variant of WIT. */
const methodOf = ({ tag, val }) => (val ?? tag).toUpperCase();

const interrupted = () => Object.assign(new Error("interrupted"), { code: INTERRUPTED });

/** Handles one request in each turn of the event loop, so that signals are seen in between, however many requests wait. */
class Queue {
  constructor(handle) {
    Object.assign(this, { handle, waiting: [] });
  }

  add(...request) {
    if (this.waiting.push(request) === 1) setImmediate(() => this.next());
  }

  next() {
    this.handle(...this.waiting[0]);
    this.waiting.shift();
    if (this.waiting.length) setImmediate(() => this.next());
  }
}

/** Serve until a signal, or an error of the component, which the promise that is returned throws. */
export function serveRequests({ HTTPServer }, handle, { recording, outcome, address }) {
  const requests = new RequestProfiles(recording), { host, port } = addressOf(address);
  outcome.follow(recording, requests);
  return new Promise((_, end) => {
    const queue = new Queue((request, response) => {
      try {
        requests.record(methodOf(request.method()), request.pathWithQuery() ?? "", () => untilInterrupted(() => handle(request, response)));
      } catch (error) {
        end(error);
      }
    });
    const server = new HTTPServer({ handle: (...request) => queue.add(...request) });
    for (const signal of SIGNALS) process.once(signal, () => end(interrupted()));
    process.once("exit", () => outcome.hasWritten || outcome.write()); // jco's WASI ends the process after some errors
    server.listen(port, host);
    say(2, `toll: http://${printable(host.includes(":") ? `[${host}]` : host)}:${server.address().port} is served until Ctrl-C\n`);
  });
}
