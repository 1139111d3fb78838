/* mutate.h - changes an input in a few places, as fuzzing engines do, by numbers that are the same
 * each time and on each system. */
#ifndef TOLL_FUZZ_MUTATE_H
#define TOLL_FUZZ_MUTATE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MUTATE_MOST = 1 << 16 }; /* bytes of an input; longer ones are cut off */

/* A number below `below`, which is not 0: xorshift64*. */
static inline size_t mutate_random(uint64_t *state, size_t below)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (size_t)((*state * UINT64_C(2685821657736338717) >> 16) % below);
}

typedef struct mutated {
    uint8_t *data; /* room for MUTATE_MOST bytes */
    size_t size;
} mutated;

/* Puts bytes in place of `length` bytes at `at`; as many as there is room for. */
static inline void mutate_splice(mutated *m, size_t at, size_t length, const void *bytes,
                                 size_t size)
{
    size_t rest = m->size - at - length;
    if (size > MUTATE_MOST - at - rest)
        size = MUTATE_MOST - at - rest;
    memmove(m->data + at + size, m->data + at + length, rest);
    memcpy(m->data + at, bytes, size);
    m->size = at + size + rest;
}

/* The number in decimal that begins at or after `at`: replaced by one at the end of a range. */
static inline void mutate_number(uint64_t *random, mutated *m, size_t at)
{
    static const char *const numbers[] = { "0",
                                           "-1",
                                           "2147483648",
                                           "4294967295",
                                           "9223372036854775807",
                                           "-9223372036854775808",
                                           "18446744073709551615",
                                           "1e999",
                                           "0.5" };
    while (at < m->size && (m->data[at] < '0' || m->data[at] > '9'))
        at++;
    size_t end = at;
    while (end < m->size && m->data[end] >= '0' && m->data[end] <= '9')
        end++;
    const char *number = numbers[mutate_random(random, sizeof numbers / sizeof *numbers)];
    if (end > at)
        mutate_splice(m, at, end - at, number, strlen(number));
}

static inline void mutate_once(uint64_t *random, mutated *m, const uint8_t *other,
                               size_t other_size)
{
    static const uint8_t edges[] = { 0, 1, 0x7f, 0x80, 0xff, ' ', '\n', '"' };
    size_t at = mutate_random(random, m->size + 1), left = m->size - at;
    size_t length = left ? mutate_random(random, left < 32 ? left : 32) + 1 : 0;
    uint8_t byte = (uint8_t)mutate_random(random, 256);
    size_t from = other_size ? mutate_random(random, other_size) : 0;
    size_t taken =
        other_size ? mutate_random(random, other_size - from < 64 ? other_size - from : 64) + 1 : 0;
    switch (mutate_random(random, 8)) {
    case 0: /* a bit */
        if (left)
            m->data[at] ^= (uint8_t)(1 << byte % 8);
        break;
    case 1: /* a byte at the edge of what it can be */
        if (left)
            m->data[at] = edges[byte % sizeof edges];
        break;
    case 2: mutate_splice(m, at, length, "", 0); break; /* less */
    case 3: mutate_splice(m, at, 0, &byte, 1); break;
    case 4: mutate_number(random, m, at); break;
    case 5: mutate_splice(m, at, length, other + from, taken); break; /* a part of another input */
    case 6: mutate_splice(m, at, 0, other + from, taken); break;
    default: /* a small step of a byte */
        if (left)
            m->data[at] = (uint8_t)(m->data[at] + byte % 5 - 2);
    }
}

/* A copy of `data` with one to four changes, some of which take a part of `other`. The caller frees
 * it. */
static inline uint8_t *mutate(uint64_t *random, const uint8_t *data, size_t size,
                              const uint8_t *other, size_t other_size, size_t *mutated_size)
{
    static uint8_t room[MUTATE_MOST];
    mutated m = { room, size < MUTATE_MOST ? size : MUTATE_MOST };
    memcpy(m.data, data, m.size);
    for (size_t changes = mutate_random(random, 4) + 1; changes; changes--)
        mutate_once(random, &m, other, other_size);
    uint8_t *copy = malloc(m.size + !m.size);
    if (!copy) {
        perror("mutate");
        exit(1);
    }
    memcpy(copy, m.data, m.size);
    *mutated_size = m.size;
    return copy;
}

#endif
