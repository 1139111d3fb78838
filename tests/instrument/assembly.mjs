// assembly.mjs TOLL LIB - toll annotate --asm: the executions of each instruction are those of a copy of the module in
// which each instruction counts itself, and instructions add up to lines.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { addresses, byInstruction, imports, outcome, run } from "./each.mjs";

const [, , command, lib] = process.argv;
const { Toll } = await import(pathToFileURL(path.join(lib, "toll.mjs")));
const toll = await Toll.load();

/** What wasm-objdump calls each instruction, by address. */
function names(file) {
  const [, start] = /^ +Code start=(0x[0-9a-f]+)/m.exec(run("wasm-objdump", "-h", file));
  const found = run("wasm-objdump", "-d", file).matchAll(/^ ([0-9a-f]{6}): [0-9a-f ]+\| *([a-z][a-z0-9_.]*)/gm);
  return new Map([...found].map(([, at, name]) => [parseInt(at, 16) - Number(start), name]));
}

const programs = [["calls", 9], ["work", 1], ["places", 1], ["places", 61, 1], ["traps", 0, 1], ["traps", 3], ["exceptions", 5]];
let compared = 0;
for (const [name, argument, traps = 0] of programs) {
  const file = `${name}.wasm`, recording = toll.record({ lines: true, name: file });
  const instance = recording.instantiate(new WebAssembly.Module(recording.prepare(fs.readFileSync(file))), imports());
  outcome(() => instance.run(argument));
  fs.writeFileSync("assembly.pb.gz", await recording.profile("pb.gz"));
  const asm = (...options) => JSON.parse(run(command, "annotate", "-q", "--asm", "--json", ...options, "assembly.pb.gz"));
  const { functions, total, lines_unlike_their_instructions: unlike } = asm(), at = new Map();
  assert.equal(unlike, undefined, name);
  for (const f of functions)
    for (const line of f.lines) {
      assert.equal(line.instructions.reduce((sum, i) => sum + i.self, 0), line.self, `${name}: ${f.name}, line ${line.line}`);
      for (const i of line.instructions) {
        assert.ok(!at.has(i.address), `${name}: two instructions at ${i.address}`);
        at.set(i.address, i);
      }
    }
  assert.equal([...at.values()].reduce((sum, i) => sum + i.self, 0), total, name);

  const places = addresses(file), each = byInstruction(name, argument), called = names(file);
  const wrong = places.map((p, i) => BigInt(at.get(p)?.executions ?? 0) - each[i]).filter(difference => difference);
  assert.ok(wrong.every(difference => difference === 1n) && wrong.length <= (traps ? 4 : 0), `${name}(${argument}): ${wrong}`);
  for (const [address, { text }] of at) assert.equal(text.split(" ")[0], called.get(address), `${name}: ${address}`);
  compared += at.size;

  // As the run had no such costs, its instructions do not add up with them, which is said.
  if (name === "work") assert.ok(asm("--costs", "fuel").lines_unlike_their_instructions > 0);
}

// A module of another build is refused, and so is what has no addresses.
fs.mkdirSync("other", { recursive: true });
fs.copyFileSync("work.wasm", "other/exceptions.wasm");
const refused = (...args) => outcome(() => run(command, "annotate", "--asm", ...args));
assert.match(refused("--debug", "other/exceptions.wasm", "assembly.pb.gz"), /is of build \w+, and the profile of build/);
fs.copyFileSync("assembly.pb.gz", "other/assembly.pb.gz");
const here = process.cwd();
process.chdir("other");
assert.match(refused("assembly.pb.gz"), /--asm needs the program: the profile is of exceptions.wasm, build \w+/);
process.chdir(here);
fs.writeFileSync("plain.folded", "a;b 1\n");
assert.match(refused("plain.folded"), /--asm: the profile has no addresses; record it with toll run --lines/);
console.log(`assembly: ${compared} instructions ran as often as they count themselves`);
