// module_sections.mjs - the sections of a module's bytes.

/** Read an unsigned LEB128 number. Returns its value, and the position after it. */
export function readNumber(bytes, at) {
  let value = 0, shift = 0;
  do value += (bytes[at] & 127) * 2 ** shift, shift += 7; while (bytes[at++] & 128);
  return [value, at];
}

/** The sections of a module: { id, start, content, end }. */
export function* sections(bytes) {
  for (let at = 8; at < bytes.length;) {
    const start = at, [size, content] = readNumber(bytes, at + 1);
    yield { id: bytes[start], start, content, end: at = content + size };
  }
}
