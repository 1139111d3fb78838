/* function_names.h - what the functions of a module are called: by Go's table of functions, else by
 * the name section, else module.name of an import, else by an export, else function[N]. Text is
 * cleaned (valid UTF-8 without NUL), and symbols are demangled.
 *
 * Several functions may have the same name: `static int cmp` of two files, instances of a template
 * or generic. In a profile these are followed by their index: cmp#7, cmp#12. A name that only one
 * function has is unchanged. For wasm/ only. */
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
    uint8_t *holders; /* by name: how many functions have it; 2: or more. Of texts there are no
                         more than functions, and "" */
    toll_wasm_bytes *symbols;  /* by function, in the module: the linker's name where the function's
                                  is that demangled, else empty */
    size_t count;              /* of functions */
    toll_wasm_go_function *go; /* by function, if the module is Go's; else NULL */
} toll_wasm_names;

/* Takes time in proportion to the module's names, however many are the same.
 * toll_wasm_names_free is due also on failure. Errors: TOLL_E_NOMEM. */
toll_status toll_wasm_names_read(toll_wasm_names *names, const toll_wasm_module *module,
                                 toll_error *err);
void toll_wasm_names_free(toll_wasm_names *names); /* one that is all zeros is fine */

/* The function's name, which others may have, too. */
const char *toll_wasm_plain_name(const toll_wasm_names *names, uint32_t function);

/* Append the name that no other function of the module has. False: no memory. */
bool toll_wasm_append_name(const toll_wasm_names *names, uint32_t function, toll_buffer *out);

#endif
