// serve_component.mjs - serves HTTP by a component (wasi:http/incoming-handler). Each request is recorded as a profile of its own.
//
// The server is that of jco serve, in jco's WASI. A thread of it talks to clients; this thread handles one request after the
// other, also if a handler waits for something. So requests of one instance are never mixed up.
import { INTERRUPTED, say, SIGNALS, untilInterrupted } from "./outcome.mjs";
import { printable } from "./printable.mjs";
import { RequestProfiles } from "./requests.mjs";

/** [HOST:]PORT; a HOST with colons is in brackets. */
export function addressOf(text) {
  const [, address, name, port] = /^(?:\[([^[\]]+)\]:|([^:[\]]*):)?(\d{1,5})$/.exec(text) ?? [], host = address ?? (name || "127.0.0.1");
  if (!(Number(port) <= 65535)) throw new Error(`--serve: '${text}' is no [HOST:]PORT`);
  return { host, port: Number(port) };
}

const interrupted = () => Object.assign(new Error("interrupted"), { code: INTERRUPTED });

/** Serve until a signal, or an error of the component, which the promise that is returned throws. */
export function serveRequests({ HTTPServer }, handle, { recording, outcome, address }) {
  const requests = new RequestProfiles(recording), { host, port } = addressOf(address);
  outcome.follow(recording, requests);
  return new Promise((_, end) => {
    const server = new HTTPServer({ handle: (request, response) => {
      try {
        requests.handle(request, () => untilInterrupted(() => handle(request, response)));
      } catch (error) {
        end(error);
      }
    } });
    for (const signal of SIGNALS) process.once(signal, () => end(interrupted()));
    process.once("exit", () => outcome.hasWritten || outcome.write()); // jco's WASI ends the process after some errors
    server.listen(port, host);
    say(2, `toll: http://${printable(host.includes(":") ? `[${host}]` : host)}:${server.address().port} is served until Ctrl-C\n`);
  });
}
