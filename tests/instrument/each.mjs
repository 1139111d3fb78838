// each.mjs - counts the executions of each instruction of a module without Toll, by a copy of the module in which each
// instruction has a counter of its own.
import { execFileSync } from "node:child_process";
import fs from "node:fs";

export const run = (program, ...args) => execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
export const imports = () => ({ env: { host: n => n * 2, base: 2, count: new WebAssembly.Global({ value: "i32", mutable: true }, 100) } });
export const outcome = work => {
  try {
    return work();
  } catch (error) {
    return `${error}`;
  }
};

/** The addresses of a module's instructions, in order, from the beginning of the code section's content. */
export function addresses(file) {
  const [, start] = /^ +Code start=(0x[0-9a-f]+)/m.exec(run("wasm-objdump", "-h", file));
  const lines = run("wasm-objdump", "-d", file).split("\n");
  return lines.map(line => /^ ([0-9a-f]{6}): [0-9a-f ]+\| *([a-z].*)/.exec(line))
    .filter(found => found && !/^local\[/.test(found[2])).map(found => parseInt(found[1], 16) - Number(start));
}

/** Write `${name}.each.wasm.bin`, a copy of the module in which each instruction adds 1 to a global of its own; returns how many
 *  there are. The globals are exported as toll_0 and so on, in the order of the instructions. */
export function countEach(name) {
  const text = run("wasm2wat", "--enable-all", "--generate-names", `${name}.wasm`);
  let inBody = false, count = 0;
  const one = () => `global.get $toll_${count} i64.const 1 i64.add global.set $toll_${count++} `;
  const lines = text.split("\n").map(line => {
    if (/^  \(/.test(line)) inBody = /^  \(func /.test(line);
    const isEmpty = /^  \(func /.test(line) && line.split("(").length === line.split(")").length; // but for its end
    if (isEmpty) return line.replace(/\)$/, ` ${one()})`);
    if (!inBody || /^  \(func /.test(line)) return line;
    const [, blank, instruction, closing] = /^( *)(.*?)(\)*)$/.exec(line);
    const open = (instruction.match(/\(/g) ?? []).length, ends = closing.slice(open);
    const isHead = /^ *\((local|param|result|type)/.test(line);
    return `${isHead ? blank : blank + one()}${instruction}${closing.slice(0, open)}${ends ? " " + one() + ends : ""}`;
  });
  const globals = Array.from({ length: count }, (_, i) => `  (global $toll_${i} (export "toll_${i}") (mut i64) (i64.const 0))`);
  const last = lines.findLastIndex(line => /\)\s*$/.test(line));
  lines[last] = lines[last].replace(/\)$/, `\n${globals.join("\n")})`);
  fs.writeFileSync(`${name}.each.wat`, lines.join("\n"));
  run("wat2wasm", "--enable-all", `${name}.each.wat`, "-o", `${name}.each.wasm.bin`);
  return count;
}

/** Run such a copy; returns what each instruction executed, in order. */
export function byInstruction(name, argument) {
  const count = countEach(name);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(`${name}.each.wasm.bin`)), imports());
  outcome(() => exports.run(argument));
  return Array.from({ length: count }, (_, i) => exports[`toll_${i}`].value);
}
