/* function_names.h - names the functions of a module: from Go's table of functions, else the name
 * section, imports (module.name) or exports, else function[N]. Text is cleaned (valid UTF-8 without
 * NUL), and symbols are demangled.
 *
 * Several functions may have the same name: `static int cmp` of two files, instances of a template
 * or generic. In a profile such names are followed by the function's index: cmp#7, cmp#12. A name
 * that only one function has does not change. For wasm/ only. */
#ifndef TOLL_WASM_FUNCTION_NAMES_H
#define TOLL_WASM_FUNCTION_NAMES_H

#include "base/buffer.h"
#include "base/strtab.h"
#include "wasm/go_table.h"
#include "wasm/wasm_module.h"

typedef struct toll_wasm_names {
    toll_mem mem;
    toll_strtab texts;
    uint32_t *text;   /* by function: its name in texts */
    uint8_t *holders; /* by name: the number of functions with it, where 2 means 2 or more. There
                       * are at most as many texts as functions, and "" */
    toll_wasm_bytes *symbols;  /* by function: the linker's name, in the module's bytes, if the
                                * function's name is its demangled form; else empty */
    size_t count;              /* of functions */
    toll_wasm_go_function *go; /* by function, if the module is Go's; else NULL */
} toll_wasm_names;

/* The time is proportional to the module's names, however many are equal. Call toll_wasm_names_free
 * also after a failure. Errors: TOLL_E_NOMEM. */
toll_status toll_wasm_names_read(toll_wasm_names *names, const toll_wasm_module *module,
                                 toll_error *err);
void toll_wasm_names_free(toll_wasm_names *names); /* a zeroed struct is allowed */

/* The function's name, which others may have, too. */
const char *toll_wasm_plain_name(const toll_wasm_names *names, uint32_t function);

/* Append the name that no other function of the module has. False: no memory. */
bool toll_wasm_append_name(const toll_wasm_names *names, uint32_t function, toll_buffer *out);

#endif
