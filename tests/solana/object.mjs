// object.mjs - what a linker makes of an object file for BPF with one section of code: its code, constants, functions
// and debug information, for a program whose code is at TEXT_AT, and its constants behind that (program.mjs).
import { TEXT_AT } from "./program.mjs";

const LDDW = 1, ABSOLUTE_64 = 2, CALL = 10; // relocations: R_BPF_64_64, R_BPF_64_ABS64, R_BPF_64_32
const CALLX = 0x8d; // an instruction
const MEMORY = 0x1_0000_0000; // where the machine has the file's first byte

function sectionsOf(elf) {
  const at = Number(elf.readBigUInt64LE(40)), count = elf.readUInt16LE(60), names = elf.readUInt16LE(62);
  const all = Array.from({ length: count }, (_, i) => {
    const h = at + i * 64, offset = Number(elf.readBigUInt64LE(h + 24)), size = Number(elf.readBigUInt64LE(h + 32));
    return { title: elf.readUInt32LE(h), type: elf.readUInt32LE(h + 4), flags: Number(elf.readBigUInt64LE(h + 8)),
             link: elf.readUInt32LE(h + 40), info: elf.readUInt32LE(h + 44), data: Buffer.from(elf.subarray(offset, offset + size)) };
  });
  const text = (data, from) => data.toString("latin1", from, data.indexOf(0, from));
  for (const s of all) s.name = text(all[names].data, s.title);
  const table = all.find(s => s.type === 2), symbols = [];
  for (let i = 0; i < table.data.length; i += 24)
    symbols.push({ name: text(all[table.link].data, table.data.readUInt32LE(i)), kind: table.data[i + 4] & 15,
                   section: table.data.readUInt16LE(i + 6), value: Number(table.data.readBigUInt64LE(i + 8)),
                   size: Number(table.data.readBigUInt64LE(i + 16)) });
  return { all, symbols };
}

/** The register of an indirect call is the destination for LLVM, and the constant for the machine. */
function moveRegisters(code) {
  for (let at = 0; at < code.length; at += 8) {
    if (code[at] !== CALLX || code[at + 1] === 0) continue;
    code.writeUInt32LE(code[at + 1] & 15, at + 4);
    code[at + 1] = 0;
  }
}

/** { code, data, entry, functions, debug: [name, data] }, as program() takes them. */
export function linked(elf) {
  const { all, symbols } = sectionsOf(elf), text = all.findIndex(s => s.name === ".text");
  let end = TEXT_AT;
  const loaded = [all[text], ...all.filter((s, i) => s.type === 1 && s.flags & 2 && i !== text)];
  for (const s of loaded) {
    s.data = Buffer.concat([s.data, Buffer.alloc(-s.data.length & 7)]);
    s.address = end;
    end += s.data.length;
  }
  const foreign = new Map(); // where .text calls a function of the machine -> its name
  for (const s of all.filter(s => s.type === 9)) {
    const { data, address } = all[s.info], base = address === undefined ? 0 : MEMORY;
    for (let i = 0; i < s.data.length; i += 16) {
      const at = Number(s.data.readBigUInt64LE(i)), type = s.data.readUInt32LE(i + 8), to = symbols[s.data.readUInt32LE(i + 12)];
      const target = to.value + all[to.section].address;
      if (type === CALL && to.section === 0) foreign.set(at, to.name);
      else if (type === CALL) data.writeInt32LE((to.value - at) / 8 - 1, at + 4);
      else if (type === LDDW) {
        data.writeUInt32LE(data.readUInt32LE(at + 4) + target, at + 4);
        data.writeUInt32LE(base / MEMORY, at + 12);
      } else if (type === ABSOLUTE_64 && target)
        data.writeBigUInt64LE(data.readBigUInt64LE(at) + BigInt(target + base), at);
    }
  }
  moveRegisters(all[text].data);
  const code = [];
  let from = 0;
  for (const at of [...foreign.keys()].sort((a, b) => a - b)) {
    code.push(all[text].data.subarray(from, at), { name: foreign.get(at), code: all[text].data.subarray(at, at + 8) });
    from = at + 8;
  }
  code.push(all[text].data.subarray(from));
  const functions = symbols.filter(s => s.kind === 2 && s.section === text)
    .map(({ name, value, size }) => ({ name, pc: value / 8, size: size / 8 }));
  return { code, functions, data: Buffer.concat(loaded.slice(1).map(s => s.data)),
           entry: functions.find(f => f.name === "entrypoint").pc,
           debug: all.filter(s => s.name.startsWith(".debug_")).map(s => [s.name, s.data]) };
}
