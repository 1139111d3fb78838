/* pvm_start.h - how many ticks Tezos' WASM PVM takes to start a module, before it runs it:
 * docs/kernels.md has the rules, and where they are from. For wasm/ and its host. */
#ifndef TOLL_WASM_PVM_START_H
#define TOLL_WASM_PVM_START_H

#include "wasm/wasm_module.h"

/* The ticks of the phases, as Octez' profiles divide them. If the module has a start function, init
 * does not contain what that function takes. */
typedef struct toll_wasm_pvm_start {
    uint64_t decode, link, init;
} toll_wasm_pvm_start;

/* Errors: those of a bad module, TOLL_E_NOMEM. */
toll_status toll_wasm_pvm_start_read(const toll_wasm_module *module, toll_wasm_pvm_start *out,
                                     toll_error *err);

#endif
