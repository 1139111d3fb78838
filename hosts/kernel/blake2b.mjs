// blake2b.mjs - the hash function BLAKE2b (RFC 7693) without a key, with a result of 1 to 64 bytes.
//
// Node's crypto has only the result of 64 bytes, and a result of 32 bytes is not its first half. A number of 64 bits is
// two of 32 bits here, the lower one first.
const BLOCK = 128, ROUNDS = 12, TWO32 = 2 ** 32;

const IV = Uint32Array.of(0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
                          0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19);
const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4], [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13], [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11], [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5], [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
].map(row => row.map(i => 2 * i));

/** The step G of the RFC: mixes the numbers of the state at a, b, c and d with those of the message at x and y. */
function mix(v, a, b, c, d, m, x, y) {
  let bl = v[b], bh = v[b + 1], cl = v[c], ch = v[c + 1], dl = v[d], dh = v[d + 1];
  let low = v[a] + bl + m[x]; // exact, since it is below 2^53
  let al = low >>> 0, ah = v[a + 1] + bh + m[x + 1] + (low / TWO32 | 0) >>> 0;
  let xl = dl ^ al, xh = dh ^ ah; // rotate d by 32 bits
  dl = xh >>> 0;
  dh = xl >>> 0;
  low = cl + dl;
  cl = low >>> 0;
  ch = ch + dh + (low / TWO32 | 0) >>> 0;
  xl = bl ^ cl; // rotate b by 24
  xh = bh ^ ch;
  bl = (xl >>> 24 | xh << 8) >>> 0;
  bh = (xh >>> 24 | xl << 8) >>> 0;
  low = al + bl + m[y];
  al = low >>> 0;
  ah = ah + bh + m[y + 1] + (low / TWO32 | 0) >>> 0;
  xl = dl ^ al; // rotate d by 16
  xh = dh ^ ah;
  dl = (xl >>> 16 | xh << 16) >>> 0;
  dh = (xh >>> 16 | xl << 16) >>> 0;
  low = cl + dl;
  cl = low >>> 0;
  ch = ch + dh + (low / TWO32 | 0) >>> 0;
  xl = bl ^ cl; // rotate b by 63
  xh = bh ^ ch;
  v[a] = al;
  v[a + 1] = ah;
  v[b] = xl << 1 | xh >>> 31;
  v[b + 1] = xh << 1 | xl >>> 31;
  v[c] = cl;
  v[c + 1] = ch;
  v[d] = dl;
  v[d + 1] = dh;
}

/** Add a block `m` to the hash `h`; with it `count` bytes of the input have been added. */
function compress(h, v, m, count, isLast) {
  v.set(h);
  v.set(IV, 16);
  v[24] ^= count;
  v[25] ^= Math.floor(count / TWO32);
  if (isLast) {
    v[28] = ~v[28];
    v[29] = ~v[29];
  }
  for (let round = 0; round < ROUNDS; round++) {
    const s = SIGMA[round % SIGMA.length];
    mix(v, 0, 8, 16, 24, m, s[0], s[1]); // the columns
    mix(v, 2, 10, 18, 26, m, s[2], s[3]);
    mix(v, 4, 12, 20, 28, m, s[4], s[5]);
    mix(v, 6, 14, 22, 30, m, s[6], s[7]);
    mix(v, 0, 10, 20, 30, m, s[8], s[9]); // the diagonals
    mix(v, 2, 12, 22, 24, m, s[10], s[11]);
    mix(v, 4, 14, 16, 26, m, s[12], s[13]);
    mix(v, 6, 8, 18, 28, m, s[14], s[15]);
  }
  for (let i = 0; i < h.length; i++) h[i] ^= v[i] ^ v[i + 16];
}

/** The hash of an Uint8Array: a Buffer of `size` bytes. */
export function blake2b(bytes, size = 32) {
  const h = IV.slice(), v = new Uint32Array(32), m = new Uint32Array(32), block = new Uint8Array(BLOCK), view = new DataView(block.buffer);
  h[0] ^= 0x01010000 ^ size;
  for (let at = 0; at === 0 || at < bytes.length; at += BLOCK) {
    const piece = bytes.subarray(at, at + BLOCK);
    block.fill(0, piece.length);
    block.set(piece);
    for (let i = 0; i < m.length; i++) m[i] = view.getUint32(4 * i, true);
    compress(h, v, m, at + piece.length, at + BLOCK >= bytes.length);
  }
  const hash = Buffer.alloc(4 * h.length);
  h.forEach((word, i) => hash.writeUInt32LE(word, 4 * i));
  return hash.subarray(0, size);
}
