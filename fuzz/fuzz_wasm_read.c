/* fuzz_wasm_read.c - fuzzes the instrumenter of WebAssembly modules: no crash, no leak, and its
 * output can be parsed: each body's blocks end where the body does. */
#include "fuzz_format.h"

#include "wasm/instruction.h"
#include "wasm/pvm_start.h"
#include "wasm/wasm_module.h"

static void check_body(const toll_wasm_module *m, const toll_wasm_bytes *body)
{
    size_t start = (size_t)(body->data - m->bytes.data), depth = 1;
    toll_wasm_cursor c;
    toll_wasm_instruction i;
    toll_wasm_cursor_init(&c, m->bytes.data, start, start + body->size);
    for (uint32_t groups = toll_wasm_take_count(&c, "locals"); groups > 0; groups--) {
        toll_wasm_take_u32(&c);
        toll_wasm_take_value_type(&c);
    }
    while (depth > 0 && toll_wasm_next(&c, &i)) {
        depth += i.opcode->flow == TOLL_WASM_OPENS;
        depth -= i.opcode->flow == TOLL_WASM_END || i.opcode->flow == TOLL_WASM_DELEGATE;
    }
    fuzz_require(c.status == TOLL_OK && depth == 0, "a body that does not end");
    fuzz_require(toll_wasm_left(&c) == 0, "code behind a body's end");
}

static void check_output(const toll_allocator *a, const void *data, size_t size)
{
    toll_wasm_module module;
    toll_mem mem = toll_mem_from(a);
    toll_error err = { TOLL_OK, "" };
    toll_status status = toll_wasm_module_read(&module, &mem, "output", data, size, &err);
    if (status != TOLL_E_NOMEM) {
        fuzz_require(status == TOLL_OK, err.text);
        fuzz_require(toll_wasm_find_custom(&module, "toll") != NULL, "no section of its own");
        for (size_t f = module.imported_functions; f < module.function_count; f++)
            check_body(&module, &module.functions[f].body);
    }
    toll_wasm_module_free(&module);
}

/* Report how many ticks Tezos' PVM takes to start the module. */
static void see_start(const toll_allocator *a, const uint8_t *data, size_t size)
{
    toll_wasm_module module;
    toll_wasm_pvm_start start = { .decode = 0 };
    toll_mem mem = toll_mem_from(a);
    toll_error err = { TOLL_OK, "" };
    toll_status status = toll_wasm_module_read(&module, &mem, "input", data, size, &err);
    if (!status)
        status = toll_wasm_pvm_start_read(&module, &start, &err);
    toll_wasm_module_free(&module);
    fuzz_see_failure(status, &err);
    fuzz_see_number("starts", start.decode);
    fuzz_see_number("starts", start.init);
}

/* Report the module, instrumented with other options. */
static void see_all(const toll_allocator *a, const uint8_t *data, size_t size)
{
    toll_wasm_costs *pvm;
    if (toll_wasm_costs_named(a, "pvm", &pvm, NULL))
        return;
    const toll_wasm_options options[] = {
        { .costs = pvm },
        { .costs = pvm, .heap = 1, .max_depth = 9 },
        { .heap = 1 },
        { .heap = 1, .calls_only = 1 },
        { .lines = 1 },
        { .lines = 1, .no_calls = 1 },
        { .call_lines = 1 },
        { .call_lines = 2, .lines = 1 },
        { .max_depth = 3, .only = "^[a-m]", .heap = 1 },
        { .no_calls = 1 },
    };
    for (size_t i = 0; i < (FUZZ_SEES ? sizeof options / sizeof *options : 1); i++) {
        toll_wasm_options one = options[i];
        toll_error err = { TOLL_OK, "" };
        toll_input *in;
        toll_output *out;
        one.size = sizeof one;
        fuzz_require(!toll_input_from_memory(a, data, size, "input", &in, NULL), "no input");
        fuzz_require(!toll_output_to_memory(a, 0, &out, NULL), "no output");
        toll_status status = toll_wasm_instrument(a, in, &one, out, &err);
        fuzz_see_failure(status, &err);
        if (!status && !toll_output_commit(out, NULL)) {
            size_t written;
            fuzz_see_output("others", out);
            const void *bytes = toll_output_data(out, &written);
            check_output(a, bytes, written);
        }
        toll_output_free(out);
        toll_input_free(in);
    }
    toll_wasm_costs_free(pvm);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    const toll_wasm_options options = { .size = sizeof options,
                                        .skip = size & 1 ? "a" : NULL,
                                        .calls_only = size >> 1 & 1 };
    toll_input *in;
    toll_output *out;
    if (toll_input_from_memory(&a, data, size, "input", &in, NULL))
        return 0;
    if (!toll_output_to_memory(&a, 0, &out, NULL)) {
        toll_error err = { TOLL_OK, "" };
        toll_status status = toll_wasm_instrument(&a, in, &options, out, &err);
        fuzz_see_failure(status, &err);
        if (!status && !toll_output_commit(out, NULL)) {
            size_t written;
            fuzz_see_output("modules", out);
            const void *bytes = toll_output_data(out, &written);
            check_output(&a, bytes, written);
        }
        toll_output_free(out);
    }
    toll_input_free(in);
    see_all(&a, data, size);
    see_start(&a, data, size);
    fuzz_require(budget.used == 0, "memory that was not freed");
    return 0;
}
