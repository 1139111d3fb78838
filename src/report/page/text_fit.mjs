// text_fit.mjs - How wide texts are on a canvas, and texts cut so that they fit.

const KNOWN_MOST = 20000, LETTERS_MOST = 400;

export class TextFit {
  constructor(context) {
    Object.assign(this, { context, widths: new Map() });
  }

  width(text) {
    let width = this.widths.get(text);
    if (width === undefined) {
      if (this.widths.size > KNOWN_MOST) this.widths.clear();
      this.widths.set(text, width = this.context.measureText(text.length > LETTERS_MOST ? text.slice(0, LETTERS_MOST) : text).width);
    }
    return width;
  }

  /** The text, or as much of it as fits, with a mark. */
  cut(text, room) {
    const width = this.width(text);
    if (width <= room) return text;
    let size = Math.min(Math.floor(Math.min(text.length, LETTERS_MOST) * room / width), text.length - 1);
    for (; size > 1; size--) {
      const cut = text.slice(0, size) + "…";
      if (this.width(cut) <= room) return cut;
    }
    return "";
  }
}
