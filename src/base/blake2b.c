/* blake2b.c - see blake2b.h. Names follow RFC 7693. */
#include "base/blake2b.h"

#include <stdbool.h>
#include <string.h>

enum { BLOCK = 128, WORDS = 16, ROUNDS = 12, SCHEDULES = 10, HASH_SIZE = 8 };

static const uint64_t iv[8] = {
    UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b), UINT64_C(0x3c6ef372fe94f82b),
    UINT64_C(0xa54ff53a5f1d36f1), UINT64_C(0x510e527fade682d1), UINT64_C(0x9b05688c2b3e6c1f),
    UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179),
};

static const uint8_t sigma[SCHEDULES][WORDS] = {
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
    { 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3 },
    { 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4 },
    { 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8 },
    { 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13 },
    { 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9 },
    { 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11 },
    { 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10 },
    { 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5 },
    { 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0 },
};

static uint64_t rotate(uint64_t x, unsigned by)
{
    return x >> by | x << (64 - by);
}

static uint64_t word(const uint8_t *at)
{
    uint64_t w = 0;
    for (unsigned i = 0; i < 8; i++)
        w |= (uint64_t)at[i] << (8 * i);
    return w;
}

static void mix(uint64_t *v, unsigned a, unsigned b, unsigned c, unsigned d, uint64_t x, uint64_t y)
{
    v[a] += v[b] + x;
    v[d] = rotate(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = rotate(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = rotate(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = rotate(v[b] ^ v[c], 63);
}

/* `end`: how many bytes of the data end with this block. */
static void compress(uint64_t *h, const uint8_t *block, uint64_t end, bool is_last)
{
    uint64_t v[WORDS], m[WORDS];
    memcpy(v, h, 8 * sizeof *v);
    memcpy(v + 8, iv, sizeof iv);
    v[12] ^= end;
    if (is_last)
        v[14] = ~v[14];
    for (unsigned i = 0; i < WORDS; i++)
        m[i] = word(block + 8 * i);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint8_t *s = sigma[round % SCHEDULES];
        for (unsigned i = 0; i < 4; i++) /* columns, then diagonals */
            mix(v, i, 4 + i, 8 + i, 12 + i, m[s[2 * i]], m[s[2 * i + 1]]);
        for (unsigned i = 0; i < 4; i++)
            mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[s[8 + 2 * i]],
                m[s[9 + 2 * i]]);
    }
    for (unsigned i = 0; i < 8; i++)
        h[i] ^= v[i] ^ v[i + 8];
}

uint64_t toll_blake2b_8(const void *data, size_t size)
{
    uint64_t h[8];
    uint8_t last[BLOCK] = { 0 };
    const uint8_t *at = data;
    size_t done = 0;
    memcpy(h, iv, sizeof h);
    h[0] ^= 0x01010000 ^ HASH_SIZE; /* no key, no tree */
    for (; size - done > BLOCK; done += BLOCK)
        compress(h, at + done, done + BLOCK, false);
    if (size)
        memcpy(last, at + done, size - done);
    compress(h, last, size, true);
    return h[0];
}
