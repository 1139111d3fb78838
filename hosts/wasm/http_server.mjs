// http_server.mjs - lets preload.mjs label the requests that a program serves by a component, as jco serve does: each server that the
// program makes with HTTPServer of jco's WASI hands its handler to preload.mjs first. A module may be replaced while it is imported
// (hooks of node:module); what replaces jco's passes on all that it exports.
import module from "node:module";

const HTTP = "@bytecodealliance/preview2-shim/http", MARK = "?toll";
const HANDLED = Symbol.for("toll.handled"); // under this name, globalThis has the function: the hooks may run in another thread

/** `then` of a value, or of what a promise resolves to: hooks of either kind call this. */
const after = (value, then) => value instanceof Promise ? value.then(then) : then(value);

export function resolve(specifier, context, next) {
  return after(next(specifier, context), found => specifier === HTTP ? { ...found, url: found.url + MARK } : found);
}

export function load(url, context, next) {
  if (!url.endsWith(MARK)) return next(url, context);
  const plain = JSON.stringify(url.slice(0, -MARK.length));
  return { format: "module", shortCircuit: true, source: `
import { HTTPServer as Plain } from ${plain};
export * from ${plain};
export class HTTPServer extends Plain {
  constructor(handler) {
    super(globalThis[Symbol.for(${JSON.stringify(HANDLED.description)})](handler));
  }
}
` };
}

/** Replace the handler of each server that is made from now on: `handled(handler)` returns the one to use. */
export function onServer(handled) {
  globalThis[HANDLED] = handled;
  if (module.registerHooks) module.registerHooks({ resolve, load });
  else module.register(import.meta.url);
}
