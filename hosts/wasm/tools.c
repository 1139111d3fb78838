/* tools.c - what toll.mjs needs beside a recording. See wasm_host.h. */
#include "wasm_host.h"

#include "wasm/wasm_module.h"

#include <stdlib.h>
#include <string.h>

EXPORT("alloc") void *host_alloc(size_t size)
{
    return malloc(size ? size : 1);
}

EXPORT("release") void host_release(void *block)
{
    free(block);
}

/* The text of the last failure, and its size. */
EXPORT("error_text") const char *host_error_text(void)
{
    return host.error.text;
}

EXPORT("error_size") size_t host_error_size(void)
{
    return strlen(host.error.text);
}

/* The last result of the functions below. */
EXPORT("result") const void *host_result_data(void)
{
    return host.result ? toll_output_data(host.result, NULL) : NULL;
}

EXPORT("result_size") size_t host_result_size(void)
{
    size_t size = 0;
    if (host.result)
        toll_output_data(host.result, &size);
    return size;
}

static toll_status new_result(void)
{
    toll_output_free(host.result);
    host.result = NULL;
    return toll_output_to_memory(NULL, 0, &host.result, &host.error);
}

/* Make a table of costs from its name or its text; "": the default one. */
static toll_status make_costs(const char *table, toll_wasm_costs **out)
{
    toll_input *in;
    *out = NULL;
    if (!*table)
        return TOLL_OK;
    toll_status status = toll_wasm_costs_named(NULL, table, out, &host.error);
    if (status != TOLL_E_ARGUMENT)
        return status;
    status = toll_input_from_memory(NULL, table, strlen(table), "costs", &in, &host.error);
    if (status)
        return status;
    status = toll_wasm_costs_read(NULL, in, out, &host.error);
    toll_input_free(in);
    return status;
}

static toll_status instrument_to_result(const void *data, size_t size, const char *name,
                                        const toll_wasm_options *options)
{
    toll_input *in;
    toll_status status = toll_input_from_memory(NULL, data, size, name, &in, &host.error);
    if (status)
        return status;
    status = toll_wasm_instrument(NULL, in, options, host.result, &host.error);
    if (!status)
        status = toll_output_commit(host.result, &host.error);
    toll_input_free(in);
    return status;
}

enum { NO_TICKS = 1, WITH_HEAP = 2, WITH_LINES = 4, NO_CALLS = 8, CALL_LINES = 16 };

/* Instrument the module data[size], whose file has that name; "" for patterns and costs that are
 * not wanted. */
EXPORT("instrument")
int host_instrument(const void *data, size_t size, const char *name, const char *only,
                    const char *skip, const char *table, uint32_t flags)
{
    toll_wasm_costs *costs = NULL;
    toll_status status = new_result();
    if (!status)
        status = make_costs(table, &costs);
    const toll_wasm_options options = { .size = sizeof options,
                                        .only = *only ? only : NULL,
                                        .skip = *skip ? skip : NULL,
                                        .calls_only = (flags & NO_TICKS) != 0,
                                        .heap = (flags & WITH_HEAP) != 0,
                                        .lines = (flags & WITH_LINES) != 0,
                                        .no_calls = (flags & NO_CALLS) != 0,
                                        .call_lines = (flags & CALL_LINES) != 0,
                                        .costs = costs };
    if (!status)
        status = instrument_to_result(data, size, name, &options);
    toll_wasm_costs_free(costs);
    return status;
}

/* The function that is exported as `name`; NULL: there is none. */
static const toll_wasm_function *find_export(const toll_wasm_module *m, const char *name)
{
    const toll_wasm_section *section = toll_wasm_find_section(m, TOLL_WASM_EXPORTS);
    toll_wasm_cursor c;
    if (!section)
        return NULL;
    size_t start = (size_t)(section->body.data - m->bytes.data);
    toll_wasm_cursor_init(&c, m->bytes.data, start, start + section->body.size);
    for (uint32_t left = toll_wasm_take_count(&c, "exports"); left > 0 && !c.status; left--) {
        size_t size = 0;
        const char *text = toll_wasm_take_name(&c, &size);
        uint8_t kind = toll_wasm_take_u8(&c);
        uint32_t index = toll_wasm_take_u32(&c);
        if (text && kind == 0 && index < m->function_count && size == strlen(name) &&
            memcmp(text, name, size) == 0)
            return &m->functions[index];
    }
    return NULL;
}

static toll_status write_parameters(const toll_wasm_module *m, const char *name)
{
    const toll_wasm_function *f = find_export(m, name);
    if (!f)
        return toll_fail(&host.error, TOLL_E_NOT_FOUND, "no function is exported as '%s'", name);
    const toll_wasm_bytes *types = &m->types[f->type].parameters;
    toll_output_write(host.result, types->data, types->size);
    return toll_output_commit(host.result, &host.error);
}

/* The parameter types of the function that module data[size] exports as `name`, as in the binary
 * format: one byte for each number type. TOLL_E_NOT_FOUND: there is no such export. */
EXPORT("parameters") int host_parameters(const void *data, size_t size, const char *name)
{
    const toll_mem mem = toll_mem_from(NULL);
    toll_wasm_module m;
    toll_status status = new_result();
    if (status)
        return status;
    status = toll_wasm_module_read(&m, &mem, "module", data, size, &host.error);
    if (!status)
        status = write_parameters(&m, name);
    toll_wasm_module_free(&m);
    return status;
}
