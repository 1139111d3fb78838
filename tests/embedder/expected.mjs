// expected.mjs LIB GUEST ARGUMENT PROFILE - runs GUEST by toll.mjs of LIB, prints what its `run` returns, and compares
// its profile with the file PROFILE, but for the moment at which it began.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [lib, guest, argument, profile] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const t = await (await Toll.load()).instantiate(fs.readFileSync(guest), {}, { name: "guest.wasm" });
try {
  console.log(t.exports.run(Number(argument)));
} catch (error) {
  console.log(error.message);
}
const format = profile.endsWith(".folded") ? "folded" : "speedscope";
const plain = bytes => new TextDecoder().decode(bytes).replace(/"startValue":.*?,/g, "");
assert.equal(plain(fs.readFileSync(profile)), plain(await t.profile(format)));
