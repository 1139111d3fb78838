// requests.mjs - the profile of a server by request: what a request costs has the labels method and path. Requests of one
// method and path add up, so that the profile does not grow with their number.
import { isInterrupt } from "./outcome.mjs";

const MOST_PATHS = 1000, LONGEST = 200; // paths, and characters of one
const OTHER = "(other)", MANY = `requests with the path ${OTHER}: more than ${MOST_PATHS} paths were requested`;

/** A path as a label, without its query, which differs in each request and may be secret. Of a whole URL, which proxies
 *  get and which may have a password, too, it is the path alone. */
const pathOf = target => target.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, "").replace(/[?#].*/s, "").slice(0, LONGEST) || "/";

/** The method of a request, a variant of WIT. */
const methodOf = ({ tag, val }) => (val ?? tag).toUpperCase();

export class RequestProfiles {
  /** `recording` has an instance, and records requests alone from here on: what it costs to wait for them is no cost. */
  constructor(recording) {
    Object.assign(this, { recording, whole: recording.toll.sum(), paths: new Set(), labels: undefined });
    recording.keepAll(); // of parts; what is written has the options of the command
    recording.pause();
    this.take();
  }

  /** Handle a request. No other one may begin meanwhile. */
  record(method, target, handle) {
    const { recording } = this;
    this.labels = `method=${method}\npath=${this.known(pathOf(target))}`;
    recording.goOn();
    try {
      return handle();
    } catch (error) {
      if (isInterrupt(error)) recording.recover();
      throw error;
    } finally {
      recording.pause();
      this.take();
    }
  }

  /** The same for a request of wasi:http. */
  handle(request, handle) {
    return this.record(methodOf(request.method()), request.pathWithQuery() ?? "", handle);
  }

  /** The path, or OTHER if there are too many. */
  known(path) {
    const { paths, recording } = this;
    if (paths.size < MOST_PATHS) paths.add(path);
    if (paths.has(path)) return path;
    recording.note(MANY);
    return OTHER;
  }

  /** Add what was recorded since the last call. */
  take() {
    const { recording, whole, labels } = this, part = recording.toll.sum();
    part.keepAll();
    part.add(recording.hasMark ? recording.since("pprof") : recording.write("pprof"));
    recording.mark();
    if (labels) part.label(labels);
    if (labels || part.summary({ rows: 1 }).functions.length) whole.add(part.write("pprof"));
    this.labels = undefined;
  }

  /** The whole so far, with a request that is being handled. */
  complete() {
    if (this.labels) this.take();
    return this.whole;
  }
}
