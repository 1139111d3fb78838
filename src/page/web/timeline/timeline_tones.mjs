// timeline_tones.mjs - The page's colours as pixels.

/** Colours of functions and of the theme as 0xBBGGRR. */
export class Tones {
  constructor(colors, keys) {
    Object.assign(this, { colors, keys, known: new Map() });
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    this.context = canvas.getContext("2d", { willReadFrequently: true });
    this.changed();
  }

  /** The theme, or the meaning of colours, has changed. */
  changed() {
    this.ofFunction = new Int32Array(this.keys).fill(-1);
  }

  /** The pixel for a colour of CSS. */
  pixel(text) {
    if (!this.known.has(text)) {
      this.context.fillStyle = text;
      this.context.fillRect(0, 0, 1, 1);
      const [r, g, b] = this.context.getImageData(0, 0, 1, 1).data;
      this.known.set(text, r | g << 8 | b << 16);
    }
    return this.known.get(text);
  }

  ofKey(key) {
    if (this.ofFunction[key] < 0) this.ofFunction[key] = this.pixel(this.colors.ofKey(key));
    return this.ofFunction[key];
  }
}

/** A mix of two pixels, opaque: share 0 is `from`, 1 is `to`. */
export function mixed(from, to, share) {
  const part = Math.round(share * 256), rest = 256 - part;
  const red = ((from & 255) * rest + (to & 255) * part) >> 8;
  const green = ((from >> 8 & 255) * rest + (to >> 8 & 255) * part) >> 8;
  const blue = ((from >> 16 & 255) * rest + (to >> 16 & 255) * part) >> 8;
  return 0xff000000 | red | green << 8 | blue << 16;
}
