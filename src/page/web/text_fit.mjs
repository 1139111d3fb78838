// text_fit.mjs - Measures texts on a canvas, and cuts them so that they fit.

const KNOWN_MOST = 20000, LETTERS_MOST = 400;

/* A qualifier at the begin of a name: a folder, a module or a type; but not a file's name with its extension
 * ("app.lua:33"). */
const QUALIFIER = /^(?:[^/:.()<>[\]{}\s]*|\(\*?[\w.]+\))(?:\/|::|\.(?!\w+:\d))/;

const graphemes = globalThis.Intl?.Segmenter ? new Intl.Segmenter("en", { granularity: "grapheme" }) : null;

/** The largest position up to `size` that does not split a visible letter, such as an emoji. */
function wholeLetters(text, size) {
  if (size >= text.length || (text.charCodeAt(size) < 0x300 && text.charCodeAt(size - 1) < 0x300)) return size;
  if (graphemes) return graphemes.segment(text.slice(0, LETTERS_MOST + 50)).containing(size)?.index ?? size;
  return text.charCodeAt(size) >> 10 === 0x37 ? size - 1 : size; // do not split a surrogate pair
}

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

  /** The name, or as much of it as fits, with a mark. First folders, modules and types are removed, then the end. */
  cut(name, room) {
    const [sign, rest] = name[1] === " " ? [name.slice(0, 2), name.slice(2)] : ["", name]; // the sign of its kind
    if (this.width(name) <= room || name.length > LETTERS_MOST) return this.cutEnd(name, room);
    let text = name;
    for (let at = rest.match(QUALIFIER)?.[0].length ?? 0; at > 0 && at < rest.length;) {
      text = `${sign}…${rest.slice(at)}`;
      const more = this.width(text) > room ? rest.slice(at).match(QUALIFIER)?.[0].length ?? 0 : 0;
      if (!more) break;
      at += more;
    }
    return this.cutEnd(text, room);
  }

  cutEnd(text, room) {
    const width = this.width(text);
    if (width <= room) return text;
    let size = Math.min(Math.floor(Math.min(text.length, LETTERS_MOST) * room / width), text.length - 1);
    for (; (size = wholeLetters(text, size)) > 1; size--) {
      const cut = text.slice(0, size) + "…";
      if (this.width(cut) <= room) return cut;
    }
    return "";
  }
}
