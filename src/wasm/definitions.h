/* definitions.h - where the functions of a module are defined, as Go's table or the caller's
 * options give it; and which functions that distinguishes. For wasm/ only. */
#ifndef TOLL_WASM_DEFINITIONS_H
#define TOLL_WASM_DEFINITIONS_H

#include "wasm/rewrite.h"

typedef struct toll_wasm_definition {
    uint32_t file; /* in `files`; 0: not known */
    uint32_t line;
    uint32_t key; /* its name, file and line in `keys` */
} toll_wasm_definition;

typedef struct toll_wasm_definitions {
    toll_mem mem;
    toll_strtab files, keys;
    toll_wasm_definition *of; /* by function; those of imported ones are not known */
    uint32_t *holders;        /* by key: how many functions have it */
    size_t count;
} toll_wasm_definitions;

/* toll_wasm_definitions_free is due also on failure. False: no memory. */
bool toll_wasm_definitions_find(toll_wasm_definitions *definitions,
                                const toll_wasm_rewrite *rewrite);
void toll_wasm_definitions_free(toll_wasm_definitions *definitions);

/* Append what the function is called in a profile: without its index if file and line tell it from
 * all others of the name. */
void toll_wasm_put_function_name(const toll_wasm_definitions *definitions,
                                 const toll_wasm_rewrite *rewrite, uint32_t function,
                                 toll_buffer *out);

/* Where a function's code begins, as DWARF counts. */
uint32_t toll_wasm_address_of(const toll_wasm_module *module, uint32_t function);

#endif
