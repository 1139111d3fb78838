// chunks.mjs - the blocks in use, as dlmalloc's own memory says. It does not use the profiler.
//
// The heap is one segment after the other; where something else took memory in between, a new one begins. A segment is
// chunks without a gap: the size of the one before, its own size with flags in the lowest 3 bits, the block. A segment
// that was given up ends with a chunk that describes it, and fences. The last one ends with the free chunk at the top.
const IN_USE = 2, FLAGS = 7, HEADER = 8, SMALLEST = 16, FENCE = 7, FOOT = 40;

/** { blocks, segments }: sizes of chunks by the addresses of their blocks, and the number of segments. `first`: where
 *  the heap begins; `end`: sbrk(0). Throws if something between them is not a chunk. */
export function blocksInUse(buffer, first, end) {
  const words = new Uint32Array(buffer), at = address => words[address / 4], blocks = new Map();
  /** Walks over a segment. Returns the block that describes it, or 0 for the last segment. */
  const walk = (begin, stop) => {
    let chunk = begin, block = 0;
    for (;;) {
      const head = at(chunk + 4), size = head & ~FLAGS;
      if (head === FENCE) return block;
      if (head === FOOT && chunk === stop - FOOT) return 0;
      if (size < SMALLEST || chunk + size > stop) throw new Error(`no chunk at ${chunk} of ${begin} to ${stop}`);
      if (head & IN_USE) blocks.set(block = chunk + HEADER, size);
      chunk += size;
    }
  };
  /** Where { begin, length, previous } of the segment is that has `block` as the previous one. */
  const following = (begin, block) => {
    for (let a = 0; a < end; a += 4)
      if (at(a + 8) === block && at(a) > begin && at(a) % 8 === 0 && at(a) + at(a + 4) <= end) return a;
    throw new Error(`no segment follows the one at ${begin}`);
  };
  for (let segments = 1, begin = first, stop = end;; segments++) {
    const description = walk(begin, stop);
    if (description === 0) return { blocks, segments };
    blocks.delete(description);
    const next = following(begin, description);
    begin = at(next);
    stop = begin + at(next + 4);
  }
}

/** Whether dlmalloc may give a chunk of `size` bytes to who asks for `asked`: a rest that is too small for a chunk of
 *  its own stays with it. */
export function fits(size, asked) {
  const least = Math.max(SMALLEST, Math.ceil((asked + 4) / 8) * 8);
  return size >= least && size < least + SMALLEST;
}
