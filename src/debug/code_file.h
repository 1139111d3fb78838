/* code_file.h - reads from a program's file (WebAssembly or ELF) its build, its functions, and its
 * sections of debug information.
 *
 * Owns the file's bytes. The file may be damaged or hostile. */
#ifndef TOLL_DEBUG_CODE_FILE_H
#define TOLL_DEBUG_CODE_FILE_H

#include "base/buffer.h"
#include "base/input.h"
#include "debug/address_map.h"
#include "debug/code_ranges.h"

typedef struct toll_debug_section {
    const char *name;    /* ".debug_info", ...; static */
    size_t offset, size; /* in `bytes` */
    uint64_t flags;      /* of an ELF section */
} toll_debug_section;

typedef struct toll_code_file {
    toll_mem mem;
    const char *path; /* for messages */
    toll_buffer bytes;
    bool is_module;         /* WebAssembly: functions are the map's bodies, and do not overlap */
    bool is_go;             /* a module of Go's compiler, which writes no debug information */
    bool is_bpf;            /* an ELF file for BPF or SBF, Solana's virtual machine */
    uint64_t code_offset;   /* of a module: the file offset of address 0 */
    toll_buffer build_id;   /* hexadecimal digits; empty if the file has neither an id nor code */
    toll_buffer external;   /* of a module: the name of the separate file with its debug
                             * information, or empty */
    toll_buffer source_map; /* of a module: the address of its source map, or empty */
    toll_debug_section *sections;
    size_t section_count, section_capacity;
    toll_code_ranges code; /* of an ELF file: the ranges of its code */
} toll_code_file;

void toll_code_file_init(toll_code_file *file, const toll_mem *mem, const char *path);
void toll_code_file_free(toll_code_file *file);

/* Read the input to its end. The bodies of the functions are added to `map`, in order. Errors:
 * TOLL_E_SYNTAX, TOLL_E_TRUNCATED, TOLL_E_UNSUPPORTED (neither module nor 64-bit ELF file, or an
 * instrumented module), TOLL_E_LIMIT, TOLL_E_NOMEM, TOLL_E_IO. */
toll_status toll_code_file_read(toll_code_file *file, toll_input *in, toll_address_map *map,
                                toll_error *err);

/* Read only the sections of debug information, of any file that has some, also of object files.
 * Errors have no message. */
toll_status toll_code_file_read_sections(toll_code_file *file, toll_input *in);

/* The section of that name, or NULL. */
const toll_debug_section *toll_code_file_section(const toll_code_file *file, const char *name);

/* Is `address` in a function's code? */
bool toll_code_file_is_code(const toll_code_file *file, const toll_address_map *map,
                            uint64_t address);

/* --- the parts of toll_code_file_read
 * -----------------------------------------------------------*/

toll_status toll_code_file_read_module(toll_code_file *file, toll_address_map *map,
                                       toll_error *err);
toll_status toll_code_file_read_elf(toll_code_file *file, toll_input *in, toll_address_map *map,
                                    toll_error *err);

/* Add the sections of debug information of a module, also of an object file. */
toll_status toll_code_file_add_custom(toll_code_file *file);

/* Remove the custom sections, which hold names and debug information, from a module of `size` bytes
 * that has been read. Returns the new size. */
size_t toll_code_file_drop_custom(uint8_t *module, size_t size);

/* The name (static) of a section of DWARF, if that section is read; else NULL. */
const char *toll_debug_section_name(const char *name, size_t size);

/* Add a section; false: no memory. */
bool toll_code_file_add_section(toll_code_file *file, toll_debug_section section);

#endif
