// attempt.mjs - runs Node, which itself may hang as a program ends: a thread that compiles in the background
// waits for the main thread to collect garbage, and the main thread waits for that thread
// (https://github.com/nodejs/node/issues/54918). So one run of a test may hang: it is described, counted and repeated. A
// second hang fails the test.
import { spawn } from "node:child_process";
import fs from "node:fs";

/** For each thread of a process its name, its state (S: sleeping, R: running) and processor time, as Linux has them. */
function threadsOf(pid) {
  try {
    return fs.readdirSync(`/proc/${pid}/task`).map(id => {
      const [, name, rest] = /\((.*)\) (.*)/.exec(fs.readFileSync(`/proc/${pid}/task/${id}/stat`, "utf8"));
      const fields = rest.split(" ");
      return `${name} ${fields[0]} ${(Number(fields[11]) + Number(fields[12])) / 100} s`;
    }).join(", ");
  } catch {
    return "unknown";
  }
}

/** Run `node ARGS`; undefined if it ended by itself with status 0, the threads' states if it had to be killed. */
function runNode(args, seconds) {
  return new Promise((done, fail) => {
    const child = spawn("node", args, { stdio: ["ignore", "ignore", "pipe"] });
    let errors = "", hung;
    child.stderr.on("data", data => errors += data);
    const timer = setTimeout(() => {
      hung = threadsOf(child.pid);
      child.kill("SIGKILL");
    }, 1000 * seconds);
    child.on("error", fail);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (hung || code === 0) done(hung);
      else fail(new Error(`node ${args.join(" ")}: ${signal ?? `exit status ${code}`}\n${errors}`));
    });
  });
}

export class Attempts {
  hangs = 0;

  constructor(seconds = 60, say = console.log) {
    this.seconds = seconds;
    this.say = say;
  }

  /** Run `node ARGS` until it ends. `what` names the run; `hasResult()`: it has done its work. */
  async node(args, what, hasResult) {
    for (let hung; (hung = await runNode(args, this.seconds)) !== undefined;) {
      const work = hasResult() ? "its work done" : "its work not done";
      const description = `${what}: Node hung for ${this.seconds} s, ${work}; threads: ${hung}`;
      if (++this.hangs > 1) throw new Error(`${description}; that is hang ${this.hangs}, and one is allowed`);
      this.say(`${description}; it is repeated`);
    }
  }
}
