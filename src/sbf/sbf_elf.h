/* sbf_elf.h - reads a program's ELF file: names of functions, the build ID, and the code, to
 * compare it with the instructions that ran.
 *
 * Owns: the symbols, the text of their names, and a copy of .text. The file may be damaged or
 * hostile: every offset and size is checked. */
#ifndef TOLL_SBF_SBF_ELF_H
#define TOLL_SBF_SBF_ELF_H

#include "base/buffer.h"
#include "base/input.h"

/* How the name of a function is known. At one address, the earlier kind wins. */
typedef enum toll_sbf_how {
    TOLL_SBF_BY_SYMBOL,
    TOLL_SBF_BY_DYNAMIC, /* in a stripped file: from .dynsym, or the name of the entry point */
    TOLL_SBF_BY_SHAPE,   /* by the code of another build (sbf_shape.h) */
    TOLL_SBF_BY_LIBRARY, /* by that of libraries (sbf_library.h) */
    TOLL_SBF_UNNAMED
} toll_sbf_how;

typedef struct toll_sbf_symbol {
    uint64_t address, size; /* size 0: it ends at the next symbol */
    size_t name;            /* offset in `names` */
    toll_sbf_how how;
} toll_sbf_symbol;

typedef struct toll_sbf_symbols {
    toll_mem mem;
    uint64_t text_address; /* address of slot 0 */
    uint64_t entry;        /* address of the entry point */
    unsigned version;      /* of SBPF, from 0 */
    toll_buffer text;      /* instructions; empty in a file that has only debugging information */
    toll_sbf_symbol *list; /* functions, sorted by address */
    size_t count, capacity;
    toll_buffer names;    /* string table, with a NUL after it */
    toll_buffer build_id; /* as toll_debug_build_id returns it, with a NUL after it */
    bool is_stripped;     /* without .symtab: names come from .dynsym, and `entrypoint` */
} toll_sbf_symbols;

void toll_sbf_symbols_init(toll_sbf_symbols *symbols, const toll_mem *mem);
void toll_sbf_symbols_free(toll_sbf_symbols *symbols);

/* Read an ELF file to its end into empty symbols. Errors: TOLL_E_NOMEM, TOLL_E_IO, TOLL_E_SYNTAX,
 * TOLL_E_TRUNCATED, TOLL_E_UNKNOWN_FORMAT (not an ELF file), TOLL_E_UNSUPPORTED (not a 64-bit
 * little-endian BPF file, or without code). A file of SBPF v3 may have no sections: then its code
 * is the executable segment. */
toll_status toll_sbf_symbols_read(toll_sbf_symbols *symbols, toll_input *in, toll_error *err);

/* Add a function; and sort all after the last one. False: no memory. */
bool toll_sbf_symbols_add(toll_sbf_symbols *symbols, const char *name, uint64_t address,
                          uint64_t size, toll_sbf_how how);
void toll_sbf_symbols_sort(toll_sbf_symbols *symbols);

/* The symbol, not demangled, of the function that contains slot `pc` of .text; or NULL. *how may be
 * NULL. */
const char *toll_sbf_symbols_find(const toll_sbf_symbols *symbols, uint64_t pc, toll_sbf_how *how);

/* Is all of the code equal to that of `other`, apart from what loaders change? */
bool toll_sbf_symbols_same_code(const toll_sbf_symbols *symbols, const toll_sbf_symbols *other);

/* The address of slot `pc` of .text; UINT64_MAX: no such address. */
uint64_t toll_sbf_symbols_address(const toll_sbf_symbols *symbols, uint64_t pc);

/* Is the instruction (8 bytes) that ran at slot `pc` the file's? What loaders change is ignored:
 * they write addresses into calls and into instructions that load a constant. */
bool toll_sbf_symbols_have(const toll_sbf_symbols *symbols, uint64_t pc, const uint8_t *insn);

#endif
