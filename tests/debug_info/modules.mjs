// modules.mjs - finds the functions of a program without Toll: the bodies in a WebAssembly module with their names from
// the name section, or the functions in the symbol table of an ELF file.

function reader(data, at = 0) {
  const r = {
    at,
    byte: () => data[r.at++],
    number() {
      for (let value = 0, shift = 0;; shift += 7) {
        const byte = data[r.at++];
        value += (byte & 127) * 2 ** shift;
        if (byte < 128) return value;
      }
    },
    text() {
      const size = r.number();
      r.at += size;
      return Buffer.from(data.subarray(r.at - size, r.at)).toString();
    },
  };
  return r;
}

function moduleBodies(data) {
  const r = reader(data, 8), functions = [], names = new Map();
  let imported = 0;
  while (r.at < data.length) {
    const id = r.byte(), size = r.number(), end = r.at + size, start = r.at;
    if (id === 2)
      for (let n = r.number(); n > 0; n--) {
        r.text(), r.text();
        const kind = r.byte();
        if (kind === 0) imported++, r.number();
        else if (kind === 3) r.at += 2;
        else {
          if (kind === 1) r.byte();
          const flags = r.byte();
          r.number();
          if (flags & 1) r.number();
        }
      }
    if (id === 10)
      for (let n = r.number(); n > 0; n--) {
        const bytes = r.number();
        functions.push({ begin: r.at - start, end: r.at - start + bytes });
        r.at += bytes;
      }
    if (id === 0 && r.text() === "name")
      while (r.at < end) {
        const kind = r.byte(), bytes = r.number(), next = r.at + bytes;
        if (kind === 1)
          for (let n = r.number(); n > 0; n--) names.set(r.number(), r.text());
        r.at = next;
      }
    r.at = end;
  }
  functions.forEach((f, i) => (f.name = names.get(i + imported)));
  return functions;
}

function elfBodies(data) {
  const at = Number(data.readBigUInt64LE(40)), count = data.readUInt16LE(60), functions = [];
  for (let i = 0; i < count; i++) {
    const header = at + i * 64;
    if (data.readUInt32LE(header + 4) !== 2) continue;
    const offset = Number(data.readBigUInt64LE(header + 24)), size = Number(data.readBigUInt64LE(header + 32));
    for (let symbol = offset; symbol < offset + size; symbol += 24)
      if ((data[symbol + 4] & 15) === 2 && data.readUInt16LE(symbol + 6)) {
        const begin = Number(data.readBigUInt64LE(symbol + 8));
        functions.push({ begin, end: begin + Number(data.readBigUInt64LE(symbol + 16)) });
      }
  }
  return functions.filter(f => f.end > f.begin);
}

/** `{ begin, end, name }` of each function in the program's file. */
export const bodies = data => (data[0] === 0 ? moduleBodies(data) : elfBodies(data));
