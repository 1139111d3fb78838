/* support_elf.h - a small program for SBF as an ELF file, for tests to read and to damage. */
#ifndef TOLL_TESTS_SUPPORT_ELF_H
#define TOLL_TESTS_SUPPORT_ELF_H

#include "support.h"

static inline void put(uint8_t *to, uint64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

enum { ELF_SIZE = 64 + 5 * 64 + 5 * 24 + 200, TEXT_ADDRESS = 0x1000 };

static inline void put_section(uint8_t *elf, int i, unsigned name, unsigned type, uint64_t address,
                               uint64_t offset, uint64_t size, unsigned link)
{
    uint8_t *h = elf + 64 + i * 64;
    put(h, name, 4);
    put(h + 4, type, 4);
    put(h + 16, address, 8);
    put(h + 24, offset, 8);
    put(h + 32, size, 8);
    put(h + 40, link, 4);
}

static inline void put_symbol(uint8_t *elf, int i, unsigned name, unsigned type, uint64_t address,
                              uint64_t size)
{
    uint8_t *h = elf + 64 + 5 * 64 + i * 24;
    put(h, name, 4);
    h[4] = (uint8_t)type;
    put(h + 6, 1, 2);
    put(h + 8, address, 8);
    put(h + 16, size, 8);
}

/* Functions at slots 10 (Rust's, of 5 slots) and 20 (of unknown size), and symbols that are not
 * functions. */
static inline size_t make_elf(uint8_t *elf)
{
    static const char strings[] = "\0_ZN4core3fmt5write17h0123456789abcdefE\0walk\0data\0twin";
    static const char names[] = "\0.text\0.symtab\0.strtab\0.shstrtab";
    const uint64_t symbols = 64 + 5 * 64, text = symbols + 5 * 24, more = text + sizeof strings;
    memset(elf, 0, ELF_SIZE);
    memcpy(elf,
           "\x7f"
           "ELF\2\1\1",
           7);
    put(elf + 18, 247, 2);
    put(elf + 40, 64, 8);
    put(elf + 58, 64, 2);
    put(elf + 60, 5, 2);
    put(elf + 62, 4, 2);
    put_section(elf, 1, 1, 1, TEXT_ADDRESS, 0, 0, 0);
    put_section(elf, 2, 7, 2, 0, symbols, 5 * 24, 3);
    put_section(elf, 3, 15, 3, 0, text, sizeof strings, 0);
    put_section(elf, 4, 23, 3, 0, more, sizeof names, 0);
    put_symbol(elf, 1, 1, 0x12, TEXT_ADDRESS + 80, 40);
    put_symbol(elf, 2, 45, 0x11, TEXT_ADDRESS + 160, 8);
    put_symbol(elf, 3, 40, 0x12, TEXT_ADDRESS + 160, 0);
    put_symbol(elf, 4, 50, 0x12, TEXT_ADDRESS + 160, 0);
    memcpy(elf + text, strings, sizeof strings);
    memcpy(elf + more, names, sizeof names);
    return more + sizeof names;
}

#endif
