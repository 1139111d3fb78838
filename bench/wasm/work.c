/* work.c - compute-bound code: a hash, a codec, a matrix product. Each takes the number of rounds
 * and returns a checksum. */
#include <stddef.h>
#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(name)))

enum { SIZE = 1 << 16, N = 96, WINDOW = 1 << 12 };

static uint8_t text[SIZE], packed[2 * SIZE], unpacked[SIZE];

static void fill(void)
{
    uint32_t x = 1;
    for (size_t i = 0; i < SIZE; i++) {
        x = x * 1664525 + 1013904223;
        text[i] = (uint8_t)("etaoin shrdlu, cmfwyp"[x >> 28] + (x >> 27 & 1));
    }
}

/* --- SHA-256 (FIPS 180-4); its constants are the fractions of roots, worked out here
 * -------------*/

static uint32_t rotate(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void compress(uint32_t state[8], const uint8_t *block, const uint32_t k[64])
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] +
               (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
    for (int i = 0; i < 8; i++)
        s[i] = state[i];
    for (int i = 0; i < 64; i++) {
        uint32_t e = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
        uint32_t t = s[7] + e + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
        uint32_t a = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
        uint32_t u = a + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int j = 7; j > 0; j--)
            s[j] = s[j - 1];
        s[4] += t;
        s[0] = t + u;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

static uint32_t fraction_of_root(double x, int cubic)
{
    double root = x / 2;
    for (int i = 0; i < 60; i++)
        root = cubic ? (2 * root + x / (root * root)) / 3 : (root + x / root) / 2;
    return (uint32_t)((root - (double)(uint32_t)root) * 4294967296.0);
}

EXPORT("hash") uint32_t hash(int rounds)
{
    uint32_t k[64], state[8];
    int count = 0;
    fill();
    for (int p = 2; count < 64; p++) {
        int prime = 1;
        for (int d = 2; d * d <= p; d++)
            prime &= p % d != 0;
        if (!prime)
            continue;
        if (count < 8)
            state[count] = fraction_of_root(p, 0);
        k[count++] = fraction_of_root(p, 1);
    }
    for (int r = 0; r < rounds; r++)
        for (size_t at = 0; at < SIZE; at += 64)
            compress(state, text + at, k);
    return state[0];
}

/* --- a codec: the longest match in a window, by chains of places that begin alike
 * ----------------*/

static int32_t heads[1 << 12], chain[SIZE];

static size_t pack(void)
{
    size_t out = 0;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        heads[i] = -1;
    for (size_t at = 0; at < SIZE;) {
        uint32_t best = 0, distance = 0;
        if (at + 4 <= SIZE) {
            uint32_t h =
                ((uint32_t)text[at] << 8 ^ (uint32_t)text[at + 1] << 4 ^ text[at + 2]) & 0xfff;
            int tries = 16;
            for (int32_t from = heads[h]; from >= 0 && at - (size_t)from < WINDOW && tries--;
                 from = chain[from]) {
                uint32_t n = 0;
                while (n < 255 && at + n < SIZE && text[(size_t)from + n] == text[at + n])
                    n++;
                if (n > best) {
                    best = n;
                    distance = (uint32_t)(at - (size_t)from);
                }
            }
            chain[at] = heads[h];
            heads[h] = (int32_t)at;
        }
        packed[out++] = best >= 4 ? (uint8_t)best : 0;
        packed[out++] = best >= 4 ? (uint8_t)distance : text[at];
        if (best >= 4)
            packed[out++] = (uint8_t)(distance >> 8);
        at += best >= 4 ? best : 1;
    }
    return out;
}

static uint32_t unpack(size_t size)
{
    size_t at = 0;
    uint32_t sum = 0;
    for (size_t i = 0; i < size;) {
        uint32_t n = packed[i++];
        if (n == 0) {
            unpacked[at++] = packed[i++];
            continue;
        }
        size_t distance = packed[i] | (size_t)packed[i + 1] << 8;
        for (i += 2; n--; at++)
            unpacked[at] = unpacked[at - distance];
    }
    for (size_t i = 0; i < SIZE; i++)
        sum += unpacked[i] == text[i];
    return sum; /* SIZE */
}

EXPORT("codec") uint32_t codec(int rounds)
{
    uint32_t sum = 0;
    fill();
    for (int r = 0; r < rounds; r++)
        sum += unpack(pack());
    return sum;
}

/* --- a matrix product --------------------------------------------------------------------------*/

static double a[N][N], b[N][N], c[N][N];

EXPORT("matrix") uint32_t matrix(int rounds)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i + j;
            b[i][j] = i - j;
        }
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double sum = 0;
                for (int k = 0; k < N; k++)
                    sum += a[i][k] * b[k][j];
                c[i][j] = sum;
            }
    return (uint32_t)(int32_t)c[N / 2][N / 3];
}
