// object.mjs - what a linker makes of an object file for BPF that refers to nothing outside: its code, functions
// and debug information, for code at TEXT_AT (program.mjs).
import { TEXT_AT } from "./program.mjs";

const CALL = 10, ABSOLUTE_64 = 2; // relocations: R_BPF_64_32, R_BPF_64_ABS64

function sectionsOf(elf) {
  const at = Number(elf.readBigUInt64LE(40)), count = elf.readUInt16LE(60), names = elf.readUInt16LE(62);
  const all = Array.from({ length: count }, (_, i) => {
    const h = at + i * 64, offset = Number(elf.readBigUInt64LE(h + 24)), size = Number(elf.readBigUInt64LE(h + 32));
    return { title: elf.readUInt32LE(h), type: elf.readUInt32LE(h + 4), link: elf.readUInt32LE(h + 40),
             info: elf.readUInt32LE(h + 44), data: Buffer.from(elf.subarray(offset, offset + size)) };
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

/** { code, functions, debug: [name, data] } of an object file with one section of code. */
export function linked(elf) {
  const { all, symbols } = sectionsOf(elf), text = all.findIndex(s => s.name === ".text");
  for (const s of all.filter(s => s.type === 9)) {
    const { data } = all[s.info];
    for (let i = 0; i < s.data.length; i += 16) {
      const at = Number(s.data.readBigUInt64LE(i)), type = s.data.readUInt32LE(i + 8), to = symbols[s.data.readUInt32LE(i + 12)];
      if (type === CALL) data.writeInt32LE((to.value - at) / 8 - 1, at + 4);
      else if (type === ABSOLUTE_64 && to.section === text)
        data.writeBigUInt64LE(data.readBigUInt64LE(at) + BigInt(to.value + TEXT_AT), at);
    }
  }
  const functions = symbols.filter(s => s.kind === 2 && s.section === text)
    .map(({ name, value, size }) => ({ name, pc: value / 8, size: size / 8 }));
  return { code: [all[text].data], functions, debug: all.filter(s => s.name.startsWith(".debug_")).map(s => [s.name, s.data]) };
}
