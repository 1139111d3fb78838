/* assembly_code.h - disassembles a module or a Solana program, one instruction at a time. For
 * src/debug only. */
#ifndef TOLL_DEBUG_ASSEMBLY_CODE_H
#define TOLL_DEBUG_ASSEMBLY_CODE_H

#include "debug/assembly_sbf.h"
#include "wasm/function_names.h"
#include "wasm/stretches.h"

typedef struct toll_assembly_code {
    toll_mem mem;
    const toll_debug *debug;
    bool is_open;
    /* For a module. */
    toll_wasm_module module;
    toll_wasm_stretches *stretches;
    toll_wasm_names names;
    toll_assembly_sbf sbf; /* for a Solana program */
} toll_assembly_code;

/* Does the file have code that this build can disassemble? */
bool toll_assembly_has_code(const toll_debug *debug);

/* Open the code of a file, once. Call toll_assembly_code_free also after a failure. `debug` and
 * `costs` must outlive it. Errors: those of a bad file, TOLL_E_NOMEM. */
toll_status toll_assembly_code_open(toll_assembly_code *code, const toll_mem *mem,
                                    const toll_debug *debug, const toll_wasm_costs *costs,
                                    toll_error *err);
void toll_assembly_code_free(toll_assembly_code *code); /* a zeroed struct is allowed */

/* Append the text of the instruction at `address`; nothing if there is none. False: no memory. */
bool toll_assembly_code_append_text(toll_assembly_code *code, uint64_t address, toll_buffer *out);

#endif
