/* fuzz_component_code.c - fuzzes toll_wasm_instrument_component. Any bytes are a component: what
 * comes out begins like a component, is the same again, and is refused as an input. toll.wasm is a
 * module that exports what it must. */
#include "fuzz_format.h"

#include "../tests/unit/support_toll_wasm.h"

#include <toll/wasm.h>

static toll_status instrument(const void *data, size_t size, int kinds, int time, toll_output **out,
                              toll_error *err)
{
    uint8_t recorder[TEST_TOLL_WASM_SIZE];
    const toll_wasm_options options = { .size = sizeof options, .call_lines = kinds, .time = time };
    toll_input *in = NULL, *toll_wasm = NULL;
    size_t recorder_size = test_make_toll_wasm(recorder);
    fuzz_require(
        !toll_input_from_memory(NULL, data, size, "input.wasm", &in, err) &&
            !toll_input_from_memory(NULL, recorder, recorder_size, "toll.wasm", &toll_wasm, err) &&
            !toll_output_to_memory(NULL, 0, out, err),
        "no memory");
    toll_status status = toll_wasm_instrument_component(NULL, in, toll_wasm, &options, *out, err);
    if (!status)
        status = toll_output_commit(*out, err);
    toll_input_free(in);
    toll_input_free(toll_wasm);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_output *first = NULL, *second = NULL, *third = NULL;
    toll_error err = { TOLL_OK, "" };
    const int kinds = size > 0 && data[size - 1] & 1 ? 2 : 0,
              time = size > 0 && (data[size - 1] & 3) == 2;
    toll_status status = instrument(data, size, kinds, time, &first, &err);
    fuzz_see_failure(status, &err);
    if (status) {
        fuzz_require(err.text[0], "a failure without a text");
    } else {
        size_t made, again;
        const uint8_t *bytes = toll_output_data(first, &made);
        fuzz_see("components", bytes, made);
        fuzz_require(toll_wasm_is_component(bytes, made) && made > size, "no component");
        fuzz_require(!instrument(data, size, kinds, time, &second, &err),
                     "it fails the second time");
        const void *same = toll_output_data(second, &again);
        fuzz_require(made == again && memcmp(bytes, same, made) == 0,
                     "another component the second time");
        fuzz_require(instrument(bytes, made, kinds, time, &third, &err) == TOLL_E_UNSUPPORTED,
                     "it is instrumented twice");
    }
    toll_output_free(first);
    toll_output_free(second);
    toll_output_free(third);
    return 0;
}
