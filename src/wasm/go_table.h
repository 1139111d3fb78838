/* go_table.h - reads Go's function table: true names, and where functions are defined. The
 * name section of a module of Go's has names such as encoding_json.__decodeState_.object; the
 * table, which the program's own stack traces are made of, has encoding/json.(*decodeState).object.
 * Go writes no DWARF for WebAssembly: of the lines within functions nothing is known. For wasm/
 * only. https://go.dev/src/runtime/symtab.go */
#ifndef TOLL_WASM_GO_TABLE_H
#define TOLL_WASM_GO_TABLE_H

#include "wasm/wasm_module.h"

/* Texts are in the module's bytes, not cleaned and not terminated. */
typedef struct toll_wasm_go_function {
    toll_wasm_bytes name, file; /* empty: not known */
    uint32_t line;              /* the first one of its definition */
} toll_wasm_go_function;

/* Read the table of a module of Go's 1.20 or later. *out has an element for each function of the
 * module, and is the caller's to free with the module's mem (function_count + 1 elements); NULL if
 * the module is not Go's, or its table is of another version or damaged. False: no memory. */
bool toll_wasm_read_go_table(const toll_wasm_module *module, toll_wasm_go_function **out);

#endif
