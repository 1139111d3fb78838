/* lz4.c - see lz4.h. A block is a list of sequences: literal bytes, and then a match, a copy of
 * bytes that were written before. A token has both lengths, of which those that do not fit in its
 * halves continue in bytes of 255 up to the first that is less. */
#include "base/lz4.h"

#include <string.h>

enum {
    LEAST_MATCH = 4,
    WINDOW = 1 << 16,       /* a match begins less than this before */
    LAST_LITERALS = 5,      /* the last bytes are in no match */
    LAST_MATCH_BEGINS = 12, /* before the end */
    HALF = 15,              /* of a token; at this value the length continues */
    HASH_BITS = 15,
    MOST_TRIES = 64 /* of earlier places, the nearest first */
};

/* --- compression -------------------------------------------------------------------------------*/

/* Where bytes with the same hash were: the last place plus 1, and of each place in the window how
 * far before it the one before was. */
typedef struct places {
    uint32_t last[1 << HASH_BITS];
    uint16_t before[WINDOW];
} places;

typedef struct match {
    size_t from, size;
} match;

static uint32_t hash_at(const uint8_t *data)
{
    uint32_t four = (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 |
                    (uint32_t)data[3] << 24;
    return four * 2654435761u >> (32 - HASH_BITS);
}

static void add_place(places *p, const uint8_t *data, size_t at)
{
    uint32_t *last = &p->last[hash_at(data + at)];
    size_t distance = *last ? at + 1 - *last : 0;
    p->before[at % WINDOW] = distance < WINDOW ? (uint16_t)distance : 0; /* 0: none */
    *last = (uint32_t)at + 1;
}

static size_t equal_bytes(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
    const uint8_t *start = b;
    while (b < end && *a == *b)
        a++, b++;
    return (size_t)(b - start);
}

/* The longest match for the bytes at `at`, up to `end`. Its size is 0 if there is none. */
static match find_match(const places *p, const uint8_t *data, size_t at, size_t end)
{
    match best = { 0, LEAST_MATCH - 1 };
    size_t from = p->last[hash_at(data + at)];
    for (int tries = MOST_TRIES; from > 0 && at + 1 - from < WINDOW && tries > 0; tries--) {
        from--;
        if (data[from + best.size] == data[at + best.size]) {
            size_t size = equal_bytes(data + from, data + at, data + end);
            if (size > best.size)
                best = (match){ from, size };
        }
        if (at + best.size >= end)
            break;
        uint16_t distance = p->before[from % WINDOW];
        from = distance ? from + 1 - distance : 0;
    }
    if (best.size < LEAST_MATCH)
        best.size = 0;
    return best;
}

static void put_rest(toll_buffer *out, size_t length)
{
    if (length < HALF)
        return;
    for (length -= HALF; length >= 255; length -= 255)
        toll_buffer_append_byte(out, 255);
    toll_buffer_append_byte(out, (uint8_t)length);
}

static size_t half(size_t length)
{
    return length < HALF ? length : HALF;
}

/* A match of size 0: these are the block's last literals. */
static void put_sequence(toll_buffer *out, const uint8_t *data, size_t literals, size_t at, match m)
{
    size_t more = m.size ? m.size - LEAST_MATCH : 0, distance = at - m.from;
    toll_buffer_append_byte(out, (uint8_t)(half(at - literals) << 4 | half(more)));
    put_rest(out, at - literals);
    if (at > literals)
        toll_buffer_append(out, data + literals, at - literals);
    if (m.size == 0)
        return;
    toll_buffer_append_byte(out, (uint8_t)distance);
    toll_buffer_append_byte(out, (uint8_t)(distance >> 8));
    put_rest(out, more);
}

void toll_lz4_append(toll_buffer *out, const uint8_t *data, size_t size)
{
    places *p = toll_mem_new(&out->mem, 1, sizeof *p);
    size_t literals = 0, at = 0;
    out->failed |= !p;
    while (p && at + LAST_MATCH_BEGINS < size) {
        match m = find_match(p, data, at, size - LAST_LITERALS);
        if (m.size)
            put_sequence(out, data, literals, at, m);
        for (size_t end = at + (m.size ? m.size : 1); at < end; at++)
            add_place(p, data, at);
        if (m.size)
            literals = at;
    }
    put_sequence(out, data, literals, size, (match){ 0, 0 });
    toll_mem_free(&out->mem, p, 1, sizeof *p);
}

/* --- unpacking ---------------------------------------------------------------------------------*/

typedef struct reader {
    const uint8_t *in;
    size_t left;
} reader;

/* Add the bytes in which a length continues. False: the block ends in them, or it exceeds `most`.
 */
static bool read_rest(reader *r, size_t *length, size_t most)
{
    if (*length < HALF)
        return *length <= most;
    for (uint8_t byte = 255; byte == 255; *length += byte) {
        if (r->left == 0 || *length > most)
            return false;
        byte = *r->in++;
        r->left--;
    }
    return *length <= most;
}

/* Copy a match of `size` bytes, which may overlap what it writes. */
static void copy_match(uint8_t *to, size_t distance, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = to[i - distance];
}

bool toll_lz4_unpack(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size)
{
    reader r = { in, in_size };
    size_t done = 0;
    while (r.left > 0) {
        size_t literals = *r.in >> 4, size = *r.in & HALF;
        r.in++, r.left--;
        if (!read_rest(&r, &literals, out_size - done) || literals > r.left)
            return false;
        if (literals)
            memcpy(out + done, r.in, literals);
        r.in += literals, r.left -= literals, done += literals;
        if (r.left == 0)
            return done == out_size && size == 0;
        size_t distance = r.left > 1 ? (size_t)(r.in[0] | r.in[1] << 8) : 0;
        if (distance == 0 || distance > done)
            return false;
        r.in += 2, r.left -= 2;
        if (!read_rest(&r, &size, SIZE_MAX / 2) || out_size - done < LEAST_MATCH ||
            size > out_size - done - LEAST_MATCH)
            return false;
        copy_match(out + done, distance, size + LEAST_MATCH);
        done += size + LEAST_MATCH;
    }
    return false;
}
