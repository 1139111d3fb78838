// program.mjs - programs for Solana's VM (SBPF v0) out of a few instructions, as the loaders take them: an
// ELF file with .text and a relocation for each call of a syscall.

const u64 = n => { const b = Buffer.alloc(8); b.writeBigUInt64LE(BigInt.asUintN(64, BigInt(n))); return b; };
const u32 = n => { const b = Buffer.alloc(4); b.writeUInt32LE(n >>> 0); return b; };
const u16 = n => { const b = Buffer.alloc(2); b.writeUInt16LE(n & 0xffff); return b; };

/** One instruction; registers are numbers. */
export const insn = (op, { dst = 0, src = 0, off = 0, imm = 0 } = {}) =>
  Buffer.concat([Buffer.from([op, dst | src << 4]), u16(off), u32(imm)]);
export const mov = (dst, imm) => insn(0xb7, { dst, imm });
export const copy = (dst, src) => insn(0xbf, { dst, src });
export const add = (dst, imm) => insn(0x07, { dst, imm });
export const divide = (dst, src) => insn(0x3f, { dst, src });
export const shift = (dst, imm) => insn(0x67, { dst, imm });
export const load = (dst, src, off) => insn(0x79, { dst, src, off });
export const store = (dst, off, src) => insn(0x7b, { dst, off, src });
export const jump = off => insn(0x05, { off });
export const call = imm => insn(0x85, { src: 1, imm }); // calls the next instruction's address plus imm
export const exit = insn(0x95);
export const wide = (dst, imm) => Buffer.concat([insn(0x18, { dst, imm }), insn(0)]);
/** A call of a syscall, by its name. */
export const syscall = name => ({ name, code: insn(0x85, { src: 1, imm: -1 }) });

/** Where the code is, in the file and in memory. */
export const TEXT_AT = 64;

function strings(names) {
  const at = new Map([["", 0]]);
  let text = "\0";
  for (const name of names) if (!at.has(name)) { at.set(name, text.length); text += `${name}\0`; }
  return { at, data: Buffer.from(text, "latin1") };
}

const pad = data => Buffer.concat([data, Buffer.alloc(-data.length & 7)]);

/** The section with the build id that linkers write. */
export const buildId = bytes =>
  [".note.gnu.build-id", Buffer.concat([u32(4), u32(bytes.length), u32(3), Buffer.from("GNU\0"), Buffer.from(bytes)]), 7];

/** The ELF file; `functions` ({name, pc, size}) become its .symtab, and `debug` ([name, data, type of the section])
 * its debug information, for an unstripped one. `data` is the constants, behind the code in the file and in memory;
 * `entry` the slot that the program begins at. */
export function program(code, functions = [], debug = [], { data: constants = Buffer.alloc(0), entry = 0 } = {}) {
  const text = Buffer.concat(code.map(c => c.code ?? c));
  const calls = [];
  let pc = 0;
  for (const c of code) { if (c.name) calls.push({ name: c.name, pc }); pc += (c.code ?? c).length / 8; }
  const used = [...new Set(calls.map(c => c.name))];
  const names = strings(used), labels = strings(functions.map(f => f.name));
  const symbol = (name, info, section, value, size) =>
    Buffer.concat([u32(name), Buffer.from([info, 0]), u16(section), u64(value), u64(size)]);
  const dynsym = Buffer.concat([symbol(0, 0, 0, 0, 0), ...used.map(n => symbol(names.at.get(n), 0x10, 0, 0, 0))]);
  const rel = Buffer.concat(calls.map(c =>
    Buffer.concat([u64(TEXT_AT + c.pc * 8), u64(BigInt(used.indexOf(c.name) + 1) << 32n | 10n)])));
  const symtab = Buffer.concat([symbol(0, 0, 0, 0, 0), ...functions.map(f =>
    symbol(labels.at.get(f.name), 0x12, 1, TEXT_AT + f.pc * 8, f.size * 8))]);

  const sections = [ // name, type, flags, data, link, entry size
    [".text", 1, 6, text, 0, 0],
  ];
  if (constants.length) sections.push([".rodata", 1, 2, constants, 0, 0]);
  const first = sections.length + 1;
  if (calls.length) sections.push(
    [".dynsym", 11, 2, dynsym, first + 1, 24],
    [".dynstr", 3, 2, names.data, 0, 0],
    [".rel.dyn", 9, 2, rel, first, 16],
    [".dynamic", 6, 2, null, first + 1, 16]);
  if (functions.length) sections.push(
    [".symtab", 2, 0, symtab, sections.length + 2, 24],
    [".strtab", 3, 0, labels.data, 0, 0]);
  for (const [name, data, type = 1] of debug) sections.push([name, type, 0, data, 0, 0]);
  sections.push([".shstrtab", 3, 0, null, 0, 0]);
  const titles = strings(sections.map(s => s[0]));
  sections.at(-1)[3] = titles.data;
  let at = TEXT_AT;
  const places = sections.map(([name, , , data]) => {
    const place = at;
    at += (name === ".dynamic" ? 6 * 16 : Math.ceil(data.length / 8) * 8);
    return place;
  });
  const place = name => places[sections.findIndex(s => s[0] === name)];
  if (calls.length) sections.find(s => s[0] === ".dynamic")[3] = Buffer.concat([
    [17, place(".rel.dyn")], [18, rel.length], [19, 16], [6, place(".dynsym")], [5, place(".dynstr")], [0, 0],
  ].map(([tag, value]) => Buffer.concat([u64(tag), u64(value)])));

  const header = Buffer.concat([
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), Buffer.alloc(8), u16(3), u16(247), u32(1), u64(TEXT_AT + entry * 8),
    u64(64), u64(at), u32(0), u16(64), u16(56), u16(0), u16(64), u16(sections.length + 1), u16(sections.length),
  ]);
  const headers = sections.map(([name, type, flags, data, link, entry], i) => Buffer.concat([
    u32(titles.at.get(name)), u32(type), u64(flags), u64(flags & 2 ? places[i] : 0), u64(places[i]), u64(data.length),
    u32(link), u32(0), u64(8), u64(entry),
  ]));
  return Buffer.concat([header, ...sections.map(s => pad(s[3])), Buffer.alloc(64), ...headers]);
}
