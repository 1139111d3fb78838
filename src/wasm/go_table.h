/* go_table.h - reads Go's function table: the functions' real names, and where they are defined. In
 * a Go module, the name section has names such as encoding_json.__decodeState_.object; this table,
 * from which Go programs make their own stack traces, has encoding/json.(*decodeState).object. Go
 * writes no DWARF for WebAssembly, so the lines within functions are unknown. For wasm/ only.
 * https://go.dev/src/runtime/symtab.go */
#ifndef TOLL_WASM_GO_TABLE_H
#define TOLL_WASM_GO_TABLE_H

#include "wasm/wasm_module.h"

/* Texts point into the module's bytes; they are not cleaned and have no NUL at their end. */
typedef struct toll_wasm_go_function {
    toll_wasm_bytes name, file; /* empty if unknown */
    uint32_t line;              /* the first line of its definition */
} toll_wasm_go_function;

/* Read the table of a module compiled by Go 1.20 or later. *out gets an element for each function
 * of the module; the caller frees it with the module's mem (function_count + 1 elements). It is
 * NULL if the module is not from Go, or its table is damaged or of another version. False: no
 * memory. */
bool toll_wasm_read_go_table(const toll_wasm_module *module, toll_wasm_go_function **out);

#endif
