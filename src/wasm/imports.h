/* imports.h - reads the import section, in its plain form and in the compact one of 2026, in which
 * several imports from one module, or of one type, share what they have in common.
 * https://github.com/WebAssembly/compact-import-section */
#ifndef TOLL_WASM_IMPORTS_H
#define TOLL_WASM_IMPORTS_H

#include "wasm/cursor.h"

/* Kinds of what is exported or imported. */
enum {
    TOLL_WASM_KIND_FUNCTION,
    TOLL_WASM_KIND_TABLE,
    TOLL_WASM_KIND_MEMORY,
    TOLL_WASM_KIND_GLOBAL,
    TOLL_WASM_KIND_TAG
};

typedef struct toll_wasm_import {
    toll_wasm_bytes module, name;
    uint8_t kind;  /* TOLL_WASM_KIND_FUNCTION, ... */
    uint32_t type; /* of a function */
} toll_wasm_import;

/* The imports that are left. */
typedef struct toll_wasm_import_reader {
    toll_wasm_cursor *cursor;
    toll_wasm_import shared;         /* what the imports of an entry share */
    uint32_t entries_left, left;     /* of the section, and imports of the entry */
    bool shares_module, shares_type; /* of the entry: only the module, or the type, too */
} toll_wasm_import_reader;

/* Read from a cursor at the beginning of the section's body; it may be empty. */
void toll_wasm_import_reader_init(toll_wasm_import_reader *reader, toll_wasm_cursor *cursor);

/* Read the next import. False: there is none, or the cursor has failed. */
bool toll_wasm_next_import(toll_wasm_import_reader *reader, toll_wasm_import *import);

#endif
