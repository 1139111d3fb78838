/* section_read.h - parses the custom section "toll", by which the instrumenter describes a module
 * to hosts; toll/wasm.h defines its layout. For wasm/ and hosts. */
#ifndef TOLL_WASM_SECTION_READ_H
#define TOLL_WASM_SECTION_READ_H

#include "base/buffer.h"
#include "wasm/wasm_module.h"

/* Linked modules have at most so many functions, and so many calls, all together. */
enum { TOLL_WASM_MOST_LINKED = 1 << 26 };

typedef struct toll_wasm_section_function {
    toll_wasm_bytes name, file;  /* file: where it is defined; empty if unknown */
    toll_wasm_bytes system_name; /* the linker's name; empty if it equals `name` */
    uint32_t line, address;      /* address is 0 for an imported function */
} toll_wasm_section_function;

typedef struct toll_wasm_section_counter {
    uint32_t function, address; /* the address of its stretch */
    uint64_t cost;              /* added by one execution of the stretch */
} toll_wasm_section_counter;

typedef struct toll_wasm_section_call {
    uint32_t function, address; /* the address of the call instruction */
} toll_wasm_section_call;

/* All texts point into the section's bytes or into `unpacked`, and have no NUL at their end. */
typedef struct toll_wasm_section_info {
    toll_mem mem;
    toll_buffer unpacked; /* the section's content, if it was packed */
    uint32_t max_depth;
    toll_wasm_bytes costs, file, build_id, compilers;
    toll_wasm_section_function *functions; /* imported functions first */
    uint32_t function_count, imported;
    toll_wasm_section_counter *counters;
    uint32_t counter_count;
    toll_wasm_section_call *calls; /* indexed by the call's number - 1; NULL if there is no call */
    uint32_t call_count;
    bool is_prompt; /* imported functions report their begin at once: it never stays pending */
    bool is_linked; /* see toll/wasm.h, options.linked; else the next two are 0 */
    uint32_t first_function, first_call;
} toll_wasm_section_info;

/* Parse the section's content, which must outlive *info. Call toll_wasm_section_info_free also
 * after a failure. Errors: TOLL_E_SYNTAX (damaged), TOLL_E_UNSUPPORTED (another version),
 * TOLL_E_NOMEM. */
toll_status toll_wasm_section_info_read(toll_wasm_section_info *info, const toll_mem *mem,
                                        const uint8_t *data, size_t size, toll_error *err);
void toll_wasm_section_info_free(toll_wasm_section_info *info);

#endif
