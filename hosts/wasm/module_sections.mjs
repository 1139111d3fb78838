// module_sections.mjs - the sections of a module's bytes.

export const CUSTOM = 0, CODE = 10; // ids
const MEMORY = 5;

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

/** How many memories a module defines. */
export function memories(bytes) {
  for (const { id, content } of sections(bytes)) if (id === MEMORY) return readNumber(bytes, content)[0];
  return 0;
}

/** Whether a module was instrumented before. The engine is not asked: it would copy the bytes. */
export function isInstrumented(bytes) {
  const name = [4, ...new TextEncoder().encode("toll")];
  for (const { id, content } of sections(bytes)) if (id === CUSTOM && name.every((byte, i) => bytes[content + i] === byte)) return true;
  return false;
}
