// producers.mjs - reads which compilers have made a module: its custom section "producers", as the tool conventions of
// WebAssembly define it.

/** A cursor over bytes; what is beyond the end, or too long, makes it fail. */
class Cursor {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  u32() {
    for (let value = 0, shift = 0; shift < 35 && this.at < this.bytes.length; shift += 7) {
      const byte = this.bytes[this.at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    throw new Error("the section ends early");
  }

  text() {
    const size = this.u32();
    if (size > this.bytes.length - this.at) throw new Error("the section ends early");
    return new TextDecoder().decode(this.bytes.subarray(this.at, this.at += size));
  }
}

/** "clang 14.0.6, rustc 1.75.0"; "": the module does not say it, or its section is damaged. */
export function compilerOf(module) {
  const section = WebAssembly.Module.customSections(module, "producers")[0];
  const found = [];
  try {
    const cursor = new Cursor(new Uint8Array(section ?? [0]));
    for (let fields = cursor.u32(); fields > 0; fields--) {
      const isCompiler = cursor.text() === "processed-by";
      for (let count = cursor.u32(); count > 0; count--) {
        const tool = `${cursor.text()} ${cursor.text()}`.trim();
        if (isCompiler) found.push(tool);
      }
    }
  } catch {
    return "";
  }
  return found.sort().join(", ").slice(0, 500);
}
