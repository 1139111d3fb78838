/* test_wasm_memory.c - modules of every kind are instrumented, or nothing is written, whichever
 * allocation fails. */
#include "support.h"

typedef struct module {
    uint8_t data[2000];
    size_t size;
    toll_wasm_options options;
    uint8_t written[20000]; /* what there is with enough memory */
    size_t written_size;
} module;

/* Instrument the module; with enough memory the output is always the same. */
static toll_status instrument(const toll_allocator *allocator, void *user)
{
    module *m = user;
    toll_input *in;
    toll_output *out = NULL;
    size_t size = 0;
    toll_status status = toll_input_from_memory(allocator, m->data, m->size, "m.wasm", &in, NULL);
    if (status)
        return status;
    status = toll_output_to_memory(allocator, 0, &out, NULL);
    if (!status)
        status = toll_wasm_instrument(allocator, in, &m->options, out, NULL);
    if (!status)
        status = toll_output_commit(out, NULL);
    const void *data = status ? NULL : toll_output_data(out, &size);
    assert_true(size <= sizeof m->written);
    if (data && m->written_size) {
        assert_int_equal(size, m->written_size);
        assert_memory_equal(data, m->written, size);
    } else if (data) {
        memcpy(m->written, data, m->written_size = size);
    }
    toll_output_free(out);
    toll_input_free(in);
    return status;
}

static void read_module(module *m, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.wasm", TOLL_TEST_MODULES, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    m->size = fread(m->data, 1, sizeof m->data, file);
    assert_true(m->size > 0 && m->size < sizeof m->data);
    fclose(file);
}

static void try_all(const char *name, toll_wasm_options options)
{
    module m = { .options = options };
    m.options.size = sizeof options;
    read_module(&m, name);
    assert_ok(instrument(NULL, &m));
    test_allocations(instrument, &m,
                     options.only || options.skip); /* a pattern can do without a cache */
}

static void test_calls_and_lines(void **state)
{
    (void)state;
    try_all("hints", (toll_wasm_options){ .lines = 1 });
    try_all("exceptions", (toll_wasm_options){ .lines = 1, .call_lines = 1 });
    try_all("tail", (toll_wasm_options){ .call_lines = 2 });
    try_all("start", (toll_wasm_options){ .max_depth = 3 });
}

static void test_heap(void **state)
{
    (void)state;
    try_all("allocators", (toll_wasm_options){ .heap = 1 });
    try_all("go_table", (toll_wasm_options){ .heap = 1, .calls_only = 1 });
}

static void test_costs_and_choices(void **state)
{
    (void)state;
    toll_wasm_costs *pvm;
    assert_ok(toll_wasm_costs_named(NULL, "pvm", &pvm, err));
    try_all("recursion", (toll_wasm_options){ .costs = pvm });
    try_all("calls", (toll_wasm_options){ .costs = pvm, .only = "^[a-m]" });
    try_all("two", (toll_wasm_options){ .skip = "a", .no_calls = 1 });
    toll_wasm_costs_free(pvm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_and_lines),
        cmocka_unit_test(test_heap),
        cmocka_unit_test(test_costs_and_choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
