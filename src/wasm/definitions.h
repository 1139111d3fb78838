/* definitions.h - finds the file and line where each function is defined, from Go's table or the
 * caller's options, and which functions these distinguish. For wasm/ only. */
#ifndef TOLL_WASM_DEFINITIONS_H
#define TOLL_WASM_DEFINITIONS_H

#include "wasm/rewrite.h"

typedef struct toll_wasm_definition {
    uint32_t file; /* number in `files`; 0 if unknown */
    uint32_t line;
    uint32_t key; /* id in `keys` of its name, file and line together */
} toll_wasm_definition;

typedef struct toll_wasm_definitions {
    toll_mem mem;
    toll_strtab files, keys;
    toll_wasm_definition *of; /* by function; imported ones have none */
    uint32_t *holders;        /* by key: the number of functions with it */
    size_t count;
} toll_wasm_definitions;

/* Call toll_wasm_definitions_free also after a failure. False: no memory. */
bool toll_wasm_definitions_find(toll_wasm_definitions *definitions,
                                const toll_wasm_rewrite *rewrite);
void toll_wasm_definitions_free(toll_wasm_definitions *definitions);

/* Append the function's name for a profile. The index is omitted if file and line distinguish it
 * from all other functions of that name. */
void toll_wasm_put_function_name(const toll_wasm_definitions *definitions,
                                 const toll_wasm_rewrite *rewrite, uint32_t function,
                                 toll_buffer *out);

/* The address where a function's code begins, counted as in DWARF. */
uint32_t toll_wasm_address_of(const toll_wasm_module *module, uint32_t function);

#endif
