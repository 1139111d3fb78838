/* solana_wire.c - parses the bytes of a transaction: signatures, keys, instructions. See
 * solana_message.h.
 *
 *   count, signatures of 64 bytes; 0x80 (version 0) or nothing (legacy); 3 bytes; count, keys of 32
 *   bytes; 32 bytes; count, instructions: index of the program, count, indexes of accounts, count,
 *   data
 *
 * A count has 7 bits in a byte, the least significant first, in 3 bytes at most.
 *
 * Version 1 (SIMD-0385) begins with its version, and the signatures are last:
 *
 *   0x81; 3 bytes, the first of which is the number of signatures; 4 bytes, of which each bit that
 *   is set is a value of 4 bytes; 32 bytes; number of instructions; number of keys; keys of 32
 *   bytes; the values; headers of instructions: index of the program, number of accounts, 2 bytes:
 *   size of the data; for each instruction indexes of accounts, data; signatures of 64 bytes */
#include "solana/solana_bytes.h"
#include "solana/solana_message.h"

#include <string.h>

enum { HEADER_SIZE = 3, HASH_SIZE = 32, VERSION_BIT = 0x80, VERSION_1 = 0x81 };
enum { MASK_SIZE = 4, HEAP_BIT = 4, VALUE_SIZE = 4, INSTRUCTION_HEADER_SIZE = 4 };

typedef struct wire {
    const uint8_t *at, *end;
} wire;

/* A transaction up to its instructions. */
typedef struct head {
    const uint8_t *signature, *keys; /* the first signature, the first key */
    size_t key_count, count;         /* count: number of instructions */
    uint32_t heap;                   /* bytes, in version 1; or 0 */
} head;

/* The instructions that follow a head. */
typedef struct instructions {
    wire headers, rest; /* headers: only in version 1 */
    bool is_v1;
} instructions;

/* Read the next `size` bytes; NULL: there are fewer. */
static const uint8_t *read_bytes(wire *w, size_t size)
{
    const uint8_t *at = w->at;
    if ((size_t)(w->end - at) < size)
        return NULL;
    w->at += size;
    return at;
}

static bool read_count(wire *w, size_t *out)
{
    *out = 0;
    for (unsigned shift = 0; shift < 21; shift += 7) {
        const uint8_t *byte = read_bytes(w, 1);
        if (!byte)
            return false;
        *out |= (size_t)(*byte & 0x7f) << shift;
        if (!(*byte & 0x80))
            return true;
    }
    return false;
}

static bool read_signatures(wire *w, const uint8_t **first)
{
    size_t count;
    *first = NULL;
    if (!read_count(w, &count) || !count)
        return false;
    *first = read_bytes(w, count * SOLANA_SIGNATURE_SIZE);
    return *first != NULL;
}

/* --- instructions ------------------------------------------------------------------------------*/

static bool read_sizes(instructions *in, uint8_t *program, size_t *accounts, size_t *size)
{
    if (in->is_v1) {
        const uint8_t *h = read_bytes(&in->headers, INSTRUCTION_HEADER_SIZE);
        if (!h)
            return false;
        *program = h[0];
        *accounts = h[1];
        *size = (size_t)h[2] | (size_t)h[3] << 8;
        return read_bytes(&in->rest, *accounts) != NULL;
    }
    const uint8_t *byte = read_bytes(&in->rest, 1);
    if (!byte || !read_count(&in->rest, accounts) || !read_bytes(&in->rest, *accounts))
        return false;
    *program = *byte;
    return read_count(&in->rest, size);
}

static bool read_instruction(instructions *in, toll_solana_instruction *out)
{
    size_t accounts, size;
    uint8_t program;
    const uint8_t *data;
    if (!read_sizes(in, &program, &accounts, &size) || !(data = read_bytes(&in->rest, size)))
        return false;
    out->key = program;
    out->data_size = (uint8_t)(size < SOLANA_DATA_HEAD ? size : SOLANA_DATA_HEAD);
    memcpy(out->data, data, out->data_size);
    return true;
}

/* Are all instructions complete, with valid indexes? *out is then the position after them. */
static bool are_instructions(instructions in, const head *h, wire *out)
{
    toll_solana_instruction instruction = { 0 };
    for (size_t i = 0; i < h->count; i++)
        if (!read_instruction(&in, &instruction) || instruction.key >= h->key_count)
            return false;
    *out = in.rest;
    return true;
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* Parse legacy and version 0. False: not a transaction, or of a later version. */
static bool read_v0(wire *w, head *h, instructions *in)
{
    wire end;
    if (!read_signatures(w, &h->signature))
        return false;
    if (w->at < w->end && *w->at & VERSION_BIT && *w->at++ != VERSION_BIT)
        return false;
    if (!read_bytes(w, HEADER_SIZE) || !read_count(w, &h->key_count) ||
        !(h->keys = read_bytes(w, h->key_count * SOLANA_ID_SIZE)) || !read_bytes(w, HASH_SIZE) ||
        !read_count(w, &h->count))
        return false;
    *in = (instructions){ .rest = *w };
    return are_instructions(*in, h, &end);
}

/* The number of set bits among the first `count`. */
static size_t count_bits(const uint8_t *mask, unsigned count)
{
    size_t bits = 0;
    for (unsigned i = 0; i < count; i++)
        bits += mask[i / 8] >> i % 8 & 1;
    return bits;
}

static uint32_t load_u32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Parse version 1. False: it is another version. */
static bool read_v1(wire *w, head *h, instructions *in)
{
    const uint8_t *version = read_bytes(w, 1), *header = read_bytes(w, HEADER_SIZE);
    const uint8_t *mask = read_bytes(w, MASK_SIZE), *hash = read_bytes(w, HASH_SIZE),
                  *counts = read_bytes(w, 2);
    wire end;
    if (!version || !header || !mask || !hash || !counts || *version != VERSION_1 || !header[0])
        return false;
    h->count = counts[0];
    h->key_count = counts[1];
    const uint8_t *values;
    if (!(h->keys = read_bytes(w, h->key_count * SOLANA_ID_SIZE)) ||
        !(values = read_bytes(w, count_bits(mask, 8 * MASK_SIZE) * VALUE_SIZE)))
        return false;
    if (mask[0] >> HEAP_BIT & 1)
        h->heap = load_u32(values + count_bits(mask, HEAP_BIT) * VALUE_SIZE);
    in->is_v1 = true;
    in->headers = *w;
    if (!read_bytes(w, h->count * INSTRUCTION_HEADER_SIZE))
        return false;
    in->rest = *w;
    return are_instructions(*in, h, &end) &&
           (h->signature = read_bytes(&end, (size_t)header[0] * SOLANA_SIGNATURE_SIZE)) != NULL;
}

bool toll_solana_message_read(toll_solana_message *m, const uint8_t *data, size_t size)
{
    if (!size) /* then there are no bytes to point to */
        return true;
    wire w = { data, data + size };
    head h = { .count = 0 };
    instructions in = { .is_v1 = false };
    char text[SOLANA_SIGNATURE_TEXT];
    bool is_v1 = *data == VERSION_1;
    if (!(is_v1 ? read_v1(&w, &h, &in) : read_v0(&w, &h, &in)))
        return true;
    m->heap = h.heap;
    toll_base58_encode(h.signature, SOLANA_SIGNATURE_SIZE, text);
    if (!m->name && !toll_solana_message_text(m, text, strlen(text), &m->name))
        return false;
    for (size_t i = 0; i < h.key_count; i++) {
        toll_base58_encode(h.keys + i * SOLANA_ID_SIZE, SOLANA_ID_SIZE, text);
        if (!toll_solana_message_key(m, &m->keys, text, strlen(text)))
            return false;
    }
    for (uint32_t i = 0; i < h.count; i++) {
        toll_solana_instruction instruction = { .outer = i, .height = 1 };
        read_instruction(&in, &instruction);
        if (!toll_solana_message_add(m, &m->outer, &instruction))
            return false;
    }
    return true;
}
