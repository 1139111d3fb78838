/* support_elf.h - a small program for SBF as an ELF file, for tests to read and to damage. */
#ifndef TOLL_TESTS_SUPPORT_ELF_H
#define TOLL_TESTS_SUPPORT_ELF_H

#include "support.h"

static inline void put(uint8_t *to, uint64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

/* Begin a file of `size` bytes, with as many sections, of which `names` has their names; the
 * sections' headers follow. */
static inline void put_elf_header(uint8_t *elf, size_t size, int sections, int names)
{
    memset(elf, 0, size);
    memcpy(elf,
           "\x7f"
           "ELF\2\1\1",
           7);
    put(elf + 18, 247, 2); /* SBF */
    put(elf + 40, 64, 8);
    put(elf + 58, 64, 2);
    put(elf + 60, (uint64_t)sections, 2);
    put(elf + 62, (uint64_t)names, 2);
}

enum { ELF_SIZE = 64 + 5 * 64 + 5 * 24 + 200, TEXT_ADDRESS = 0x1000, EXIT_OPCODE = 0x95 };

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
    put_elf_header(elf, ELF_SIZE, 5, 4);
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

enum { ELF_ID_SIZE = ELF_SIZE + 7 * 64 + 200 };

/* The same, with 16 bytes of code, and with the note that holds a build id, whose bytes begin at
 * *note. */
static inline size_t make_elf_with_id(uint8_t *elf, size_t *note)
{
    static const char names[] = "\0.text\0.symtab\0.strtab\0.shstrtab\0.note.gnu.build-id";
    static const uint8_t id[] = { 4, 0, 0,   0,   3,   0, 0,    0,    3,   0,
                                  0, 0, 'G', 'N', 'U', 0, 0xab, 0x01, 0xff };
    static const uint8_t code[16] = { 0xb7, 0, 0, 0, 1, 0, 0, 0, EXIT_OPCODE };
    size_t headers = make_elf(elf), end = headers + 6 * 64;
    memset(elf + headers, 0, ELF_ID_SIZE - headers);
    memcpy(elf + headers, elf + 64, 5 * 64);
    put(elf + 40, headers, 8);
    put(elf + 60, 6, 2);
    const struct {
        int section;
        unsigned name, type;
        const void *data;
        size_t size;
    } added[] = { { 1, 1, 1, code, sizeof code },
                  { 4, 23, 3, names, sizeof names },
                  { 5, 33, 7, id, sizeof id } };
    for (size_t i = 0; i < sizeof added / sizeof *added; i++) {
        put_section(elf + headers - 64, added[i].section, added[i].name, added[i].type,
                    added[i].section == 1 ? TEXT_ADDRESS : 0, end, added[i].size, 0);
        memcpy(elf + end, added[i].data, added[i].size);
        *note = end;
        end += added[i].size;
    }
    return end;
}

#endif
