/* wasm_module.h - parses a WebAssembly module as far as an instrumenter needs it: its functions,
 * their types, and where each section is. Nothing is copied: all pointers are into the module's
 * bytes. https://webassembly.github.io/spec/core/binary/modules.html */
#ifndef TOLL_WASM_WASM_MODULE_H
#define TOLL_WASM_WASM_MODULE_H

#include "base/fail.h"
#include "base/mem.h"
#include "wasm/imports.h"

#include <stdint.h>

typedef enum toll_wasm_section_id {
    TOLL_WASM_CUSTOM = 0,
    TOLL_WASM_TYPES = 1,
    TOLL_WASM_IMPORTS = 2,
    TOLL_WASM_FUNCTIONS = 3,
    TOLL_WASM_TABLES = 4,
    TOLL_WASM_MEMORIES = 5,
    TOLL_WASM_GLOBALS = 6,
    TOLL_WASM_EXPORTS = 7,
    TOLL_WASM_START = 8,
    TOLL_WASM_ELEMENTS = 9,
    TOLL_WASM_CODE = 10,
    TOLL_WASM_DATA_SEGMENTS = 11,
    TOLL_WASM_DATA_COUNT = 12,
    TOLL_WASM_TAGS = 13,
    TOLL_WASM_SECTION_IDS
} toll_wasm_section_id;

/* The order of the sections that are not custom. */
enum { TOLL_WASM_ORDERED = TOLL_WASM_SECTION_IDS - 1 };
extern const uint8_t toll_wasm_section_order[TOLL_WASM_ORDERED];

typedef struct toll_wasm_section {
    uint8_t id;
    toll_wasm_bytes name;  /* of a custom section */
    toll_wasm_bytes body;  /* of a custom section: what follows its name */
    toll_wasm_bytes whole; /* with id and size */
} toll_wasm_section;

/* A function type; other types have is_function false. */
typedef struct toll_wasm_signature {
    toll_wasm_bytes results; /* the value types, without their count */
    uint32_t parameter_count, result_count;
    toll_wasm_bytes parameters;
    bool is_function;
} toll_wasm_signature;

typedef struct toll_wasm_function {
    uint32_t type;
    toll_wasm_bytes module, name; /* of an imported one */
    toll_wasm_bytes body;         /* of a defined one: locals and code */
} toll_wasm_function;

typedef struct toll_wasm_module {
    toll_mem mem;
    const char *path; /* for messages */
    toll_wasm_bytes bytes;
    toll_wasm_section *sections; /* in the module's order */
    size_t section_count, section_capacity;
    size_t ordered; /* in toll_wasm_section_order: the position after the last section */
    toll_wasm_signature *types;
    size_t type_count, type_capacity;
    toll_wasm_function *functions; /* imported functions first */
    size_t function_count, function_capacity;
    toll_wasm_bytes code; /* the body of the code section; addresses are offsets from its
                           * beginning */
    uint32_t imported_functions, imported_globals, imported_memories;
    uint32_t memory_count, global_count; /* imported ones, too */
    uint32_t body_count;
} toll_wasm_module;

/* Parse `bytes`, which must outlive the module. Call toll_wasm_module_free also after a failure.
 * Errors: TOLL_E_SYNTAX, TOLL_E_TRUNCATED, TOLL_E_UNSUPPORTED (a component, an object file),
 * TOLL_E_LIMIT, TOLL_E_NOMEM. */
toll_status toll_wasm_module_read(toll_wasm_module *module, const toll_mem *mem, const char *path,
                                  const uint8_t *data, size_t size, toll_error *err);
void toll_wasm_module_free(toll_wasm_module *module);

/* The text that names a section in a cursor's `where`; id < TOLL_WASM_SECTION_IDS. Static. */
const char *toll_wasm_where(uint8_t id);

/* The section of that id (not custom), or NULL. */
const toll_wasm_section *toll_wasm_find_section(const toll_wasm_module *module, uint8_t id);

/* Find the export of that kind and name. False: there is none; else *index is what it exports,
 * which may be out of range. */
bool toll_wasm_find_export(const toll_wasm_module *module, uint8_t kind, const char *name,
                           uint32_t *index);

/* Does the module import anything from `from`? */
bool toll_wasm_imports_from(const toll_wasm_module *m, const char *from);

/* Does the module import that from `module` (NULL: from any)? */
bool toll_wasm_find_import(const toll_wasm_module *m, uint8_t kind, const char *module,
                           const char *name);

/* The custom section of that name, or NULL. */
const toll_wasm_section *toll_wasm_find_custom(const toll_wasm_module *module, const char *name);

#endif
