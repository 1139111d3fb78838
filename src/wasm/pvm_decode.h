/* pvm_decode.h - how many ticks Tezos' WASM PVM takes to decode the code of a module. For
 * pvm_start.c. */
#ifndef TOLL_WASM_PVM_DECODE_H
#define TOLL_WASM_PVM_DECODE_H

#include "wasm/wasm_module.h"

/* Errors: those of a bad body, TOLL_E_NOMEM. */
toll_status toll_wasm_pvm_decode_code(const toll_wasm_module *module, uint64_t *ticks,
                                      toll_error *err);

#endif
