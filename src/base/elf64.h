/* elf64.h - reads the sections of a 64-bit little-endian ELF file in memory. The file may be
 * damaged or hostile: every offset and size is checked against its end. */
#ifndef TOLL_BASE_ELF64_H
#define TOLL_BASE_ELF64_H

#include "base/buffer.h"
#include "base/input.h"

enum {
    TOLL_ELF_HEADER_SIZE = 64,
    TOLL_ELF_SECTION_SIZE = 64,
    TOLL_ELF_SYMBOL_SIZE = 24,
    TOLL_ELF_SYMTAB = 2, /* types of sections */
    TOLL_ELF_NOTE = 7,
    TOLL_ELF_NOBITS = 8,
    TOLL_ELF_EXECUTABLE = 4, /* flags of sections */
    TOLL_ELF_COMPRESSED = 0x800,
    TOLL_ELF_FUNCTION = 2, /* a type of symbols */
    TOLL_ELF_BPF = 247,    /* machines: those that Solana's programs are built for */
    TOLL_ELF_SBF = 263
};

typedef struct toll_elf_section {
    uint32_t name, type, link;
    uint64_t flags, address, offset;
    uint64_t size;        /* in the file */
    uint64_t memory_size; /* also of a section that has no bytes in the file (NOBITS) */
} toll_elf_section;

typedef struct toll_elf {
    toll_input *in; /* for messages */
    const uint8_t *data;
    size_t size;
    uint64_t sections_at;
    uint32_t section_count, names_index;
} toll_elf;

typedef struct toll_elf_symbol {
    uint32_t name; /* offset in the section of strings */
    uint8_t type;
    bool is_defined;
    uint64_t address, size;
} toll_elf_symbol;

/* Load a little-endian number of up to 8 bytes. */
uint64_t toll_elf_load(const uint8_t *at, int bytes);

/* Does data[size] begin like an ELF file of this kind? */
bool toll_elf_is_elf(const uint8_t *data, size_t size);
bool toll_elf_is_elf64(const uint8_t *data, size_t size);

/* Read the header. e->in, data and size must be set. Errors: TOLL_E_UNSUPPORTED,
 * TOLL_E_TRUNCATED. */
toll_status toll_elf_read_header(toll_elf *e, toll_error *err);

/* Read section `i` and check that its contents are within the file. Errors: TOLL_E_SYNTAX,
 * TOLL_E_TRUNCATED. */
toll_status toll_elf_read_section(const toll_elf *e, uint32_t i, toll_elf_section *section,
                                  toll_error *err);

/* Is this the string at offset `at` of a section of strings? */
bool toll_elf_has_string(const toll_elf *e, const toll_elf_section *strings, uint64_t at,
                         const char *text);

/* The symbol at offset `at` of a symbol table. TOLL_ELF_SYMBOL_SIZE bytes must be there. */
toll_elf_symbol toll_elf_read_symbol(const toll_elf *e, const toll_elf_section *table, uint64_t at);

/* Append the identity of the file's build as hexadecimal digits: the id that the linker wrote
 * (.note.gnu.build-id), else a fingerprint of .text; nothing if neither exists. Errors: those of
 * toll_elf_read_section, TOLL_E_NOMEM. */
toll_status toll_elf_append_build_id(const toll_elf *e, toll_buffer *out, toll_error *err);

#endif
