// layout.mjs - Chooses the frames that a picture shows. Frames narrower than a pixel are omitted. Siblings are sorted,
// widest first, so the first narrow one ends its row. So the time depends on the number of drawn frames, not on the
// size of the tree.

const NARROWEST = 1; // pixels

/** Arrays of what is drawn: the frame's id (for REST, the id of the parent), x and width in pixels, row. */
export class Picture {
  constructor() {
    this.count = 0;
    this.id = new Int32Array(4096);
    this.row = new Int32Array(4096);
    this.left = new Float32Array(4096);
    this.span = new Float32Array(4096);
    this.rest = new Uint8Array(4096); // 1: not a frame, but siblings too narrow to draw
    this.deepest = 0;
  }

  add(id, row, left, span, rest) {
    const i = this.count++;
    if (i >= this.id.length)
      for (const name of ["id", "row", "left", "span", "rest"]) {
        const larger = new this[name].constructor(this[name].length * 2);
        larger.set(this[name]);
        this[name] = larger;
      }
    this.id[i] = id;
    this.row[i] = row;
    this.left[i] = left;
    this.span[i] = span;
    this.rest[i] = rest;
    if (row > this.deepest) this.deepest = row;
  }

  /** The index of the frame at a pixel of a row, or -1. */
  at(x, row) {
    for (let i = 0; i < this.count; i++)
      if (this.row[i] === row && x >= this.left[i] && x < this.left[i] + this.span[i]) return i;
    return -1;
  }
}

/** The first child that ends to the right of `from`. Children are beside one another without gaps. */
function firstVisible(view, first, count, from) {
  let low = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1, c = first + middle;
    if (view.x[c] + view.width[c] <= from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Put the frames of `view` that are visible between the values `from` and `to`, on `pixels` pixels, into the picture.
 */
export function layOut(view, from, to, pixels, picture) {
  const scale = pixels / (to - from), narrow = NARROWEST / scale;
  const open = [0];
  picture.count = picture.deepest = 0;
  if (!(view.width[0] > 0)) return picture;
  picture.add(0, 0, (view.x[0] - from) * scale, view.width[0] * scale, 0);
  while (open.length) {
    const id = open.pop(), count = view.expand(id), first = view.firstChild[id], row = view.depth[id] + 1;
    for (let i = firstVisible(view, first, count, from); i < count; i++) {
      const c = first + i, x = view.x[c];
      if (x >= to) break;
      if (view.width[c] < narrow) {
        const last = first + count - 1, all = view.x[last] + view.width[last] - x;
        if (all >= narrow) picture.add(id, row, (x - from) * scale, all * scale, 1);
        break;
      }
      picture.add(c, row, (x - from) * scale, view.width[c] * scale, 0);
      open.push(c);
    }
  }
  return picture;
}
