// node.mjs LIB GUEST - what the tests in Go do with the guest, by toll.mjs: the profiles must be equal.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [lib, guest] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const toll = await Toll.load();
let t;
const host = what => {
  if (what === 1) return t.exports.work(3); // a call within a call
  if (what === 2) try { t.exports.trap(4); } catch { return -1; }
  if (what === 3) throw new Error("the host fails");
  return what;
};
t = await toll.instantiate(fs.readFileSync(guest), { env: { host } }, { name: "guest.wasm" });
const attempt = work => { try { work(); } catch { /* the stack is unwound */ } };
t.exports.work(100);
t.exports.fib(15);
attempt(() => t.exports.trap(6));
for (const what of [0, 1, 2]) t.exports.ask(what);
attempt(() => t.exports.ask(3));
t.exports.work(7);
t.exports.paths(5);
for (const value of ["ticks", "calls"]) fs.writeFileSync(`node.${value}.folded`, await t.profile("folded", value));
