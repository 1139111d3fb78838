/* solana_wire.c - the bytes of a transaction as it is sent: signatures, keys, instructions. See
 * solana_message.h.
 *
 *   count, signatures of 64 bytes; 0x80 + version (none: the first); 3 bytes; count, keys of 32
 *   bytes; 32 bytes; count, instructions: place of the program, count, places of accounts, count,
 *   data
 *
 * A count has 7 bits in a byte, the least significant first, in 3 bytes at most. */
#include "solana/solana_bytes.h"
#include "solana/solana_message.h"

#include <string.h>

enum { HEADER_SIZE = 3, HASH_SIZE = 32, VERSION_BIT = 0x80 };

typedef struct wire {
    const uint8_t *at, *end;
} wire;

/* The next `size` bytes; NULL: there are fewer. */
static const uint8_t *take(wire *w, size_t size)
{
    const uint8_t *at = w->at;
    if ((size_t)(w->end - at) < size)
        return NULL;
    w->at += size;
    return at;
}

static bool take_count(wire *w, size_t *out)
{
    *out = 0;
    for (unsigned shift = 0; shift < 21; shift += 7) {
        const uint8_t *byte = take(w, 1);
        if (!byte)
            return false;
        *out |= (size_t)(*byte & 0x7f) << shift;
        if (!(*byte & 0x80))
            return true;
    }
    return false;
}

static bool take_signatures(wire *w, const uint8_t **first)
{
    size_t count;
    *first = NULL;
    if (!take_count(w, &count) || !count)
        return false;
    *first = take(w, count * SOLANA_SIGNATURE_SIZE);
    return *first != NULL;
}

static bool take_instruction(wire *w, toll_solana_instruction *out)
{
    size_t accounts, size;
    const uint8_t *program = take(w, 1), *data = NULL;
    if (!program || !take_count(w, &accounts) || !take(w, accounts) || !take_count(w, &size) ||
        !(data = take(w, size)))
        return false;
    out->key = *program;
    out->data_size = (uint8_t)(size < SOLANA_DATA_HEAD ? size : SOLANA_DATA_HEAD);
    memcpy(out->data, data, out->data_size);
    return true;
}

/* Read up to the keys; false: it is no transaction, or of a later version. */
static bool take_head(wire *w, const uint8_t **signature, const uint8_t **keys, size_t *key_count)
{
    if (!take_signatures(w, signature))
        return false;
    if (w->at < w->end && *w->at & VERSION_BIT && *w->at++ != VERSION_BIT)
        return false;
    if (!take(w, HEADER_SIZE) || !take_count(w, key_count))
        return false;
    *keys = take(w, *key_count * SOLANA_ID_SIZE);
    return *keys != NULL;
}

/* Whether all instructions are there, and what they refer to. */
static bool are_instructions(wire w, size_t count, size_t key_count)
{
    toll_solana_instruction instruction = { 0 };
    while (count-- > 0)
        if (!take_instruction(&w, &instruction) || instruction.key >= key_count)
            return false;
    return true;
}

bool toll_solana_message_read(toll_solana_message *m, const uint8_t *data, size_t size)
{
    wire w = { data, data + size };
    const uint8_t *signature, *keys;
    size_t key_count, count;
    char text[SOLANA_SIGNATURE_TEXT];
    if (!size) /* and no bytes to point to */
        return true;
    if (!take_head(&w, &signature, &keys, &key_count) || !take(&w, HASH_SIZE) ||
        !take_count(&w, &count) || !are_instructions(w, count, key_count))
        return true;
    toll_base58_encode(signature, SOLANA_SIGNATURE_SIZE, text);
    if (!m->name && !toll_solana_message_text(m, text, strlen(text), &m->name))
        return false;
    for (size_t i = 0; i < key_count; i++) {
        toll_base58_encode(keys + i * SOLANA_ID_SIZE, SOLANA_ID_SIZE, text);
        if (!toll_solana_message_key(m, &m->keys, text, strlen(text)))
            return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        toll_solana_instruction instruction = { .outer = i, .height = 1 };
        take_instruction(&w, &instruction);
        if (!toll_solana_message_add(m, &m->outer, &instruction))
            return false;
    }
    return true;
}
