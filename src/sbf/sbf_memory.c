/* sbf_memory.c - see sbf_memory.h. Each word has one slot in the cache, by a hash of its
 * address. */
#include "sbf/sbf_memory.h"

#include <string.h>

enum { R10 = 10, MOST_COPIED = 1024 };

#define ACCOUNTS_AT UINT64_C(0x400000000) /* where the machine maps a program's input */

static uint64_t load_u64(const uint8_t *at)
{
    uint64_t v = 0;
    for (int i = 7; i >= 0; i--)
        v = v << 8 | at[i];
    return v;
}

void toll_sbf_memory_clear(toll_sbf_memory *m)
{
    memset(m->known, 0, sizeof m->known);
    m->watched_count = 0;
}

static size_t place_of(uint64_t word)
{
    return (size_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 52); /* below TOLL_SBF_MEMORY_WORDS */
}

/* The mask of the bytes in `known`. */
static uint64_t bits_of(unsigned known)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < 8; i++)
        if (known >> i & 1)
            bits |= UINT64_C(0xff) << 8 * i;
    return bits;
}

/* Store the bytes of a word that are in `known`. */
static void set(toll_sbf_memory *m, uint64_t word, unsigned known, uint64_t value)
{
    size_t i = place_of(word);
    if (m->words[i] != word) {
        m->words[i] = word;
        m->known[i] = 0;
    }
    uint64_t bits = known == 0xff ? UINT64_MAX : bits_of(known);
    m->values[i] = (m->values[i] & ~bits) | (value & bits);
    m->known[i] |= (uint8_t)known;
}

/* Get the known bytes of a word; returns which are known. */
static unsigned get(const toll_sbf_memory *m, uint64_t word, uint64_t *value)
{
    size_t i = place_of(word);
    *value = m->values[i];
    return m->words[i] == word ? m->known[i] : 0;
}

/* Set `size` bytes, at most 8. */
static void write(toll_sbf_memory *m, uint64_t address, unsigned size, uint64_t value)
{
    unsigned at = address & 7, known = (1u << size) - 1;
    set(m, address >> 3, known << at & 0xff, value << 8 * at);
    if (at + size > 8)
        set(m, (address >> 3) + 1, known >> (8 - at), value >> 8 * (8 - at));
}

/* Read `size` bytes, at most 8. False: one of them is not known. */
static bool read(const toll_sbf_memory *m, uint64_t address, unsigned size, uint64_t *out)
{
    unsigned at = address & 7, wanted = (1u << size) - 1;
    uint64_t low, high = 0;
    unsigned known = get(m, address >> 3, &low) >> at;
    if (at)
        low >>= 8 * at;
    if (at + size > 8) {
        known |= get(m, (address >> 3) + 1, &high) << (8 - at);
        low |= high << 8 * (8 - at);
    }
    *out = low & bits_of(wanted);
    return (known & wanted) == wanted;
}

bool toll_sbf_memory_read(const toll_sbf_memory *m, uint64_t address, uint64_t *out)
{
    return read(m, address, 8, out);
}

/* --- watched bytes -----------------------------------------------------------------------------*/

/* Stop watching the bytes in this range. */
static void unwatch(toll_sbf_memory *m, uint64_t address, uint64_t size)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < m->watched_count; i++)
        if (m->watched[i].address - address >= size)
            m->watched[kept++] = m->watched[i];
    m->watched_count = kept;
}

void toll_sbf_memory_watch(toll_sbf_memory *m, uint64_t address, size_t tag)
{
    if (m->watched_count == TOLL_SBF_WATCHED) {
        m->watched_count--;
        memmove(m->watched, m->watched + 1, m->watched_count * sizeof *m->watched);
    }
    m->watched[m->watched_count].address = address;
    m->watched[m->watched_count++].tag = tag;
}

static void look_at_watched(toll_sbf_memory *m, uint64_t address, unsigned size, uint64_t value)
{
    for (unsigned i = m->watched_count; i-- > 0;) {
        uint64_t at = m->watched[i].address - address;
        if (at < size)
            m->loaded(m->user, m->watched[i].tag, (uint8_t)(value >> 8 * at));
    }
    unwatch(m, address, size);
}

/* --- instructions ------------------------------------------------------------------------------*/

/* Find the address and size that a load or store accesses. False: it is another instruction. */
static bool find_place(const uint8_t *insn, const uint8_t *regs, unsigned reg, uint64_t *address,
                       unsigned *size)
{
    static const uint8_t sizes[] = { 4, 2, 1, 8 };
    int16_t offset = (int16_t)(insn[2] | insn[3] << 8);
    if (insn[0] >> 5 != 3 || (insn[1] & 15) > R10 || insn[1] >> 4 > R10)
        return false;
    *size = sizes[insn[0] >> 3 & 3];
    *address = load_u64(regs + 8 * (size_t)reg) + (uint64_t)(int64_t)offset;
    return true;
}

void toll_sbf_memory_store(toll_sbf_memory *m, const uint8_t *insn, const uint8_t *regs)
{
    uint64_t address, value;
    unsigned size;
    if (!find_place(insn, regs, insn[1] & 15, &address, &size))
        return;
    if (insn[0] & 1)
        value = load_u64(regs + 8 * (size_t)(insn[1] >> 4));
    else
        value = (uint64_t)(int64_t)(int32_t)((uint32_t)insn[4] | (uint32_t)insn[5] << 8 |
                                             (uint32_t)insn[6] << 16 | (uint32_t)insn[7] << 24);
    write(m, address, size, value);
    if (m->watched_count)
        unwatch(m, address, size);
}

void toll_sbf_memory_load(toll_sbf_memory *m, const uint8_t *insn, const uint8_t *regs)
{
    enum { NEXT = 96 }; /* the registers after it */
    uint64_t address;
    unsigned size;
    if (m->watched_count && find_place(insn, regs, insn[1] >> 4, &address, &size))
        look_at_watched(m, address, size, load_u64(regs + NEXT + 8 * (size_t)(insn[1] & 15)));
}

/* --- system calls ------------------------------------------------------------------------------*/

void toll_sbf_memory_forget(toll_sbf_memory *m, uint64_t address, uint64_t size)
{
    if (size == 0)
        return;
    unwatch(m, address, size);
    uint64_t first = address >> 3, last = (address + size - 1) >> 3;
    if (address + size < address || last - first >= TOLL_SBF_MEMORY_WORDS) {
        memset(m->known, 0, sizeof m->known);
        return;
    }
    for (uint64_t word = first; word <= last; word++) {
        size_t i = place_of(word);
        if (m->words[i] == word)
            m->known[i] = 0;
    }
}

/* Watch the copies of watched bytes, too. */
static void watch_copies(toll_sbf_memory *m, uint64_t to, uint64_t from, uint64_t size)
{
    for (unsigned i = 0, n = m->watched_count; i < n; i++)
        if (m->watched[i].address - from < size && m->watched_count < TOLL_SBF_WATCHED)
            toll_sbf_memory_watch(m, to + (m->watched[i].address - from), m->watched[i].tag);
}

void toll_sbf_memory_copy(toll_sbf_memory *m, uint64_t to, uint64_t from, uint64_t size)
{
    uint8_t bytes[MOST_COPIED];
    bool known[MOST_COPIED];
    if (to == from)
        return;
    bool is_short = size <= MOST_COPIED;
    for (size_t i = 0; is_short && i < size; i++) {
        uint64_t byte;
        known[i] = read(m, from + i, 1, &byte);
        bytes[i] = (uint8_t)byte;
    }
    toll_sbf_memory_forget(m, to, size);
    for (size_t i = 0; is_short && i < size; i++)
        if (known[i])
            write(m, to + i, 1, bytes[i]);
    watch_copies(m, to, from, size);
}

void toll_sbf_memory_fill(toll_sbf_memory *m, uint64_t to, uint8_t byte, uint64_t size)
{
    toll_sbf_memory_forget(m, to, size);
    for (size_t i = 0; size <= MOST_COPIED && i < size; i++)
        write(m, to + i, 1, byte);
}

void toll_sbf_memory_forget_accounts(toll_sbf_memory *m)
{
    for (size_t i = 0; i < TOLL_SBF_MEMORY_WORDS; i++)
        if (m->words[i] >= ACCOUNTS_AT >> 3)
            m->known[i] = 0;
    unwatch(m, ACCOUNTS_AT, UINT64_MAX - ACCOUNTS_AT);
}
