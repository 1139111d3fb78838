/* sbf_elf.h - the names of a program's functions, from the symbol table of its ELF file, its code,
 * to compare with the instructions that ran, and which build it is.
 *
 * Owns: the symbols, the text of their names, and a copy of .text. The file may be damaged or
 * hostile: every offset and size is checked against its end. */
#ifndef TOLL_SBF_SBF_ELF_H
#define TOLL_SBF_SBF_ELF_H

#include "base/buffer.h"
#include "base/input.h"

/* How the name of a function is known; of several at one address the first of these counts. */
typedef enum toll_sbf_how {
    TOLL_SBF_BY_SYMBOL,
    TOLL_SBF_BY_DYNAMIC, /* of a stripped file: by .dynsym, or as where the program begins */
    TOLL_SBF_BY_SHAPE,   /* by the code of another build (sbf_shape.h) */
    TOLL_SBF_UNNAMED
} toll_sbf_how;

typedef struct toll_sbf_symbol {
    uint64_t address, size; /* size 0: up to the next symbol */
    size_t name;            /* offset in names */
    toll_sbf_how how;
} toll_sbf_symbol;

typedef struct toll_sbf_symbols {
    toll_mem mem;
    uint64_t text_address; /* of slot 0 */
    uint64_t entry;        /* the address where the program begins */
    unsigned version;      /* of SBPF, from 0 */
    toll_buffer text;      /* the instructions; none in a file with debugging information alone */
    toll_sbf_symbol *list; /* functions, by address */
    size_t count, capacity;
    toll_buffer names;    /* the section of strings, with a NUL after it */
    toll_buffer build_id; /* as toll_debug_build_id has it, with a NUL after it */
    bool is_stripped;     /* there is no .symtab: names are those of .dynsym, and `entrypoint` */
} toll_sbf_symbols;

void toll_sbf_symbols_init(toll_sbf_symbols *symbols, const toll_mem *mem);
void toll_sbf_symbols_free(toll_sbf_symbols *symbols);

/* Read an ELF file to its end into empty symbols. Errors: TOLL_E_NOMEM, TOLL_E_IO, TOLL_E_SYNTAX,
 * TOLL_E_TRUNCATED, TOLL_E_UNKNOWN_FORMAT (no ELF file), TOLL_E_UNSUPPORTED (no 64-bit
 * little-endian BPF file, or one without code). A file of SBPF v3 may have no sections: its code is
 * the executable segment. */
toll_status toll_sbf_symbols_read(toll_sbf_symbols *symbols, toll_input *in, toll_error *err);

/* Add a function, and then sort all. False: no memory. */
bool toll_sbf_symbols_add(toll_sbf_symbols *symbols, const char *name, uint64_t address,
                          uint64_t size, toll_sbf_how how);
void toll_sbf_symbols_sort(toll_sbf_symbols *symbols);

/* The symbol of the function that contains slot `pc` of .text, not demangled; or NULL. *how may be
 * NULL. */
const char *toll_sbf_symbols_find(const toll_sbf_symbols *symbols, uint64_t pc, toll_sbf_how *how);

/* Whether all of the code is that of `other`, as above. */
bool toll_sbf_symbols_same_code(const toll_sbf_symbols *symbols, const toll_sbf_symbols *other);

/* The address of slot `pc` of .text; UINT64_MAX: there can be none. */
uint64_t toll_sbf_symbols_address(const toll_sbf_symbols *symbols, uint64_t pc);

/* Whether the instruction (8 bytes) that ran at slot `pc` is the file's, apart from what loaders
 * change: they write addresses into calls and into instructions that load a constant. */
bool toll_sbf_symbols_have(const toll_sbf_symbols *symbols, uint64_t pc, const uint8_t *insn);

#endif
