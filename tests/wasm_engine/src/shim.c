/* shim.c - toll_wasm_instrument for Rust: bytes in, bytes or a message out. */
#include <stdlib.h>
#include <string.h>
#include <toll/wasm.h>

static toll_status instrument(toll_input *in, const char *table, const char *skip, int lines,
                              toll_output *out, toll_error *err)
{
    toll_wasm_costs *costs;
    toll_status status = toll_wasm_costs_named(NULL, table, &costs, err);
    if (status)
        return status;
    const toll_wasm_options options = {
        .size = sizeof options, .costs = costs, .skip = skip, .lines = lines
    };
    status = toll_wasm_instrument(NULL, in, &options, out, err);
    toll_wasm_costs_free(costs);
    return status ? status : toll_output_commit(out, err);
}

/* The new module, or the message, is in *result, the caller's to free, of *result_size bytes.
 * skip is which functions are not followed; NULL: none. lines: 1 to count executions, too. */
int shim_instrument(const void *data, size_t size, const char *table, const char *skip, int lines,
                    void **result, size_t *result_size)
{
    toll_error err = { TOLL_OK, "" };
    toll_input *in = NULL;
    toll_output *out = NULL;
    toll_status status = toll_input_from_memory(NULL, data, size, "module", &in, &err);
    if (!status)
        status = toll_output_to_memory(NULL, 0, &out, &err);
    if (!status)
        status = instrument(in, table, skip, lines, out, &err);
    const void *from = err.text;
    *result_size = strlen(err.text);
    if (!status)
        from = toll_output_data(out, result_size);
    *result = malloc(*result_size + 1);
    if (*result)
        memcpy(*result, from, *result_size);
    toll_output_free(out);
    toll_input_free(in);
    return *result ? (int)status : TOLL_E_NOMEM;
}
