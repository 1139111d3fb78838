/* told.h - reads the custom section "toll", which is for hosts; toll/wasm.h defines the layout. For
 * wasm/ and hosts. */
#ifndef TOLL_WASM_TOLD_H
#define TOLL_WASM_TOLD_H

#include "wasm/wasm_module.h"

typedef struct toll_wasm_told_function {
    toll_wasm_bytes name, file;  /* file: of the definition; empty: not known */
    toll_wasm_bytes system_name; /* the linker's; empty: the same */
    uint32_t line, address;      /* address: 0 of an imported one */
} toll_wasm_told_function;

typedef struct toll_wasm_told_counter {
    uint32_t function, address; /* of its stretch */
    uint64_t cost;              /* of one execution */
} toll_wasm_told_counter;

typedef struct toll_wasm_told_call {
    uint32_t function, address; /* of the instruction */
} toll_wasm_told_call;

/* All texts are in the section's bytes, and not terminated. */
typedef struct toll_wasm_told {
    toll_mem mem;
    uint32_t max_depth;
    toll_wasm_bytes costs, file, build_id;
    toll_wasm_told_function *functions; /* the imported ones first */
    uint32_t function_count, imported;
    toll_wasm_told_counter *counters;
    uint32_t counter_count;
    toll_wasm_told_call *calls; /* by number - 1; NULL: there are none */
    uint32_t call_count;
} toll_wasm_told;

/* Read the section's content, which must outlive *told. toll_wasm_told_free is due also after a
 * failure. Errors: TOLL_E_SYNTAX (damaged), TOLL_E_UNSUPPORTED (another version), TOLL_E_NOMEM. */
toll_status toll_wasm_told_read(toll_wasm_told *told, const toll_mem *mem, const uint8_t *data,
                                size_t size, toll_error *err);
void toll_wasm_told_free(toll_wasm_told *told);

#endif
