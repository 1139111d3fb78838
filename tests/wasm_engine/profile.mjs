// profile.mjs LIB MODULE ARGUMENT VALUE OUT - the profile of MODULE's export `run` by toll.mjs in LIB, as
// folded stacks.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [lib, module, argument, value, out] = process.argv.slice(2);
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const toll = await Toll.load();
const t = await toll.instantiate(fs.readFileSync(module), { env: { host: n => n * 2 } });
t.exports.run(Number(argument));
fs.writeFileSync(out, await t.profile("folded", value));
