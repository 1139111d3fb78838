/* fuzz_wasm_read.c - the instrumenter of WebAssembly modules under fuzzing: no crash, no leak, and
 * what it writes can be taken apart again, and is told apart from what was not instrumented. */
#include "fuzz_format.h"

#include "wasm/module.h"

static void check_output(const toll_allocator *a, const void *data, size_t size)
{
    toll_wasm_module module;
    toll_mem mem = toll_mem_from(a);
    toll_error err = { TOLL_OK, "" };
    toll_status status = toll_wasm_module_read(&module, &mem, "output", data, size, &err);
    if (status != TOLL_E_NOMEM) {
        fuzz_require(status == TOLL_OK, err.text);
        fuzz_require(toll_wasm_find_custom(&module, "toll") != NULL, "no section of its own");
    }
    toll_wasm_module_free(&module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    const toll_wasm_options options = { .skip = size & 1 ? "a" : NULL, .no_ticks = size >> 1 & 1 };
    toll_input *in;
    toll_output *out;
    if (toll_input_from_memory(&a, data, size, "input", &in, NULL))
        return 0;
    if (!toll_output_to_memory(&a, 0, &out, NULL)) {
        if (!toll_wasm_instrument(&a, in, &options, out, NULL) && !toll_output_commit(out, NULL)) {
            size_t written;
            const void *bytes = toll_output_data(out, &written);
            check_output(&a, bytes, written);
        }
        toll_output_free(out);
    }
    toll_input_free(in);
    fuzz_require(budget.used == 0, "memory that was not freed");
    return 0;
}
