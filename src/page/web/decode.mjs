// decode.mjs - Decodes the blocks of the page: base64 of gzip of columns of variable-length integers (LEB128).

/** Bytes of a base64 text. */
export function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Gunzip to an array of the size in the header, so that no data is in memory twice. */
export async function gunzip(packed, size) {
  const bytes = new Uint8Array(size);
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (at + value.length > size) throw new Error("a block is longer than the header says");
    bytes.set(value, at);
    at += value.length;
  }
  if (at !== size) throw new Error("a block is shorter than the header says");
  return bytes;
}

/** A block as it is in the page: { packed, size }; null if the page has none of that name. `once`: remove its text,
 *  which is not needed again. */
export function takeBlock(header, name, once) {
  const element = document.getElementById(`toll-block-${name}`);
  if (!element || !header.blocks[name]) return null;
  const packed = fromBase64(element.textContent.trim());
  if (once) element.remove();
  return { packed, size: header.blocks[name].bytes };
}

/** The unpacked bytes of a block that takeBlock has returned. */
export function unpack({ packed, size }) {
  return gunzip(packed, size);
}

/** The bytes of a block of the page. */
export async function readBlock(header, name, once) {
  const block = takeBlock(header, name, once);
  return block && unpack(block);
}

export async function readJsonBlock(header, name) {
  const bytes = await readBlock(header, name, true);
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
}

/** The columns of the block `frames`. */
export const FRAME_COLUMNS = ["name", "file", "line", "kind", "module", "at", "function", "atFile", "short"];

/** Reads columns one after another from a block's bytes. */
export class Columns {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  /** The next unsigned integer below 2^31. */
  next() {
    const bytes = this.bytes;
    let byte = bytes[this.at++], value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[this.at++];
      value |= (byte & 127) << shift;
    }
    return value;
  }

  /** The next out.length unsigned integers below 2^31. */
  unsigned(out) {
    const bytes = this.bytes;
    let at = this.at;
    for (let i = 0; i < out.length; i++) {
      let byte = bytes[at++], value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++];
        value |= (byte & 127) << shift;
      }
      out[i] = value;
    }
    this.finish(at);
    return out;
  }

  /** The next out.length unsigned integers, as doubles: exact up to 2^53. */
  large(out) {
    const bytes = this.bytes;
    let at = this.at;
    for (let i = 0; i < out.length; i++) {
      let byte = bytes[at++], value = byte & 127;
      for (let scale = 128; byte > 127; scale *= 128) {
        byte = bytes[at++];
        value += (byte & 127) * scale;
      }
      out[i] = value;
    }
    this.finish(at);
    return out;
  }

  /** The next out.length signed integers (zigzag), as doubles: exact up to 2^53. */
  signed(out) {
    const bytes = this.bytes;
    let at = this.at;
    for (let i = 0; i < out.length; i++) {
      let byte = bytes[at++];
      const odd = byte & 1;
      let value = (byte & 127) >> 1;
      for (let scale = 64; byte > 127; scale *= 128) {
        byte = bytes[at++];
        value += (byte & 127) * scale;
      }
      out[i] = odd ? -value - 1 : value;
    }
    this.finish(at);
    return out;
  }

  finish(at) {
    if (at > this.bytes.length) throw new Error("a block ends in the middle of a column");
    this.at = at;
  }
}
