/* assembly_code.h - the code of a module or of a program of Solana, an instruction at a time. For
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
    /* Of a module. */
    toll_wasm_module module;
    toll_wasm_stretches *stretches;
    toll_wasm_names names;
    toll_assembly_sbf sbf; /* of a program of Solana */
} toll_assembly_code;

/* Has the file code whose instructions are known here? */
bool toll_assembly_has_code(const toll_debug *debug);

/* Open the code of a file, once; toll_assembly_code_free is due also on failure. `debug` and
 * `costs` must outlive it. Errors: those of a bad file, TOLL_E_NOMEM. */
toll_status toll_assembly_code_open(toll_assembly_code *code, const toll_mem *mem,
                                    const toll_debug *debug, const toll_wasm_costs *costs,
                                    toll_error *err);
void toll_assembly_code_free(toll_assembly_code *code); /* one that is all zeros is fine */

/* Append the text of the instruction at `address`; nothing if none is there. False: no memory. */
bool toll_assembly_code_append_text(toll_assembly_code *code, uint64_t address, toll_buffer *out);

#endif
