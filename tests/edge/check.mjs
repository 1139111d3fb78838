// check.mjs WORKERD LIB - see run.sh.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const [workerd, lib] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const node = await (await Toll.load()).instantiate(fs.readFileSync("app.wasm"), { env: { host: n => n } });

const server = spawn(workerd, ["serve", "--control-fd=3", "worker/config.capnp"], { stdio: ["ignore", "inherit", "inherit", "pipe"] });
process.on("exit", () => server.kill());
const port = await new Promise((resolve, reject) => {
  let said = "";
  server.stdio[3].on("data", data => {
    said += data;
    const listens = said.split("\n").map(line => line && JSON.parse(line)).find(event => event?.event === "listen");
    if (listens) resolve(listens.port);
  });
  server.once("exit", code => reject(new Error(`workerd has ended: ${code}`))); // before it listens
});
const get = async where => Buffer.from(await (await fetch(`http://127.0.0.1:${port}${where}`)).arrayBuffer());

const text = bytes => new TextDecoder().decode(bytes), calls = [3, 5, 0, 3];
for (const n of calls) {
  assert.equal(text(await get(`/?n=${n}`)), `${node.exports.run(n)}\n`);
  const before = node.moment();
  node.exports.run(n);
  assert.equal(text(await get(`/debug/request?n=${n}`)), text(node.part(before).write("folded", "ticks")), "one request");
}
assert.ok(zlib.gunzipSync(await get("/debug/pprof/profile")).length > 0);
for (const value of ["ticks", "calls"])
  assert.equal(text(await get(`/debug/pprof/profile?format=folded&value=${value}`)), text(node.write("folded", value)));
assert.equal(text(await get("/debug/pprof/profile?seconds=0.2&format=folded")), "# no stacks\n", "nothing was called");
server.kill();
console.log(`workerd: ${2 * calls.length} requests, each with a profile of its own; all together as in Node`);
