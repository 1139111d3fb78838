// types.mjs LIB - each class and member that LIB/*.d.mts declare is in the modules beside them.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [lib] = process.argv.slice(2);
let members = 0;
for (const file of fs.readdirSync(lib).filter(name => name.endsWith(".d.mts"))) {
  const module = await import(pathToFileURL(path.join(lib, file.replace(".d.mts", ".mjs"))));
  for (const [, name, body] of fs.readFileSync(path.join(lib, file), "utf8").matchAll(/^export declare class (\w+)[^{]*\{\n([^]*?)^\}/gm)) {
    assert.equal(typeof module[name], "function", `${file}: there is no class ${name}`);
    for (const [, isStatic, member] of body.matchAll(/^ {2}(static )?(\w+)(?:<\w+>)?\(/gm)) {
      if (member === "constructor") continue;
      const owner = isStatic ? module[name] : module[name].prototype;
      assert.equal(typeof owner[member], "function", `${file}: ${name} has no ${member}`);
      members++;
    }
  }
}
assert.ok(members > 25, `${members} members`);
console.log(`${members} members of classes are as declared`);
