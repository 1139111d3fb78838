/* module_tools.c - see module_tools.h, toll/embedder.h. */
#include "module_tools.h"

#include "base/fail.h"
#include "function_definitions.h"
#include "tools.h"
#include "wasm/wasm_module.h"
#include "wasm/pvm_start.h"

#include <string.h>
#include <toll/embedder.h>

/* --- instrumenting -----------------------------------------------------------------------------*/

/* How many functions and calls the linked modules so far have: TOLL_INSTRUMENT_LINKED. */
static uint32_t linked_functions, linked_calls;

toll_status host_make_costs(const char *table, toll_wasm_costs **out)
{
    toll_input *in;
    *out = NULL;
    if (!*table)
        return TOLL_OK;
    toll_status status = toll_wasm_costs_named(NULL, table, out, host_error());
    if (status != TOLL_E_ARGUMENT)
        return status;
    status = toll_input_from_memory(NULL, table, strlen(table), "costs", &in, host_error());
    if (status)
        return status;
    status = toll_wasm_costs_read(NULL, in, out, host_error());
    toll_input_free(in);
    return status;
}

/* Begin what a new module is written to: the result, or, by the flags, a descriptor. */
static toll_status begin_output(uint32_t flags, toll_output **out)
{
    toll_status status = host_new_result();
    *out = host_result();
    if (!status && flags & TOLL_INSTRUMENT_WRITTEN)
        status = toll_output_from_fd(NULL, TOLL_WRITTEN_FD, "module", out, host_error());
    return status;
}

static toll_status end_output(toll_output *out, toll_status status)
{
    if (!status)
        status = toll_output_commit(out, host_error());
    if (out != host_result())
        toll_output_free(out);
    return status;
}

static toll_status instrument_to(toll_output *out, const void *data, size_t size, const char *name,
                                 const toll_wasm_options *options)
{
    toll_input *in;
    toll_status status = toll_input_from_memory(NULL, data, size, name, &in, host_error());
    if (status)
        return status;
    status = toll_wasm_instrument(NULL, in, options, out, host_error());
    toll_input_free(in);
    return status;
}

/* Count the functions and calls of the result, a linked module. */
static toll_status count_linked(void)
{
    const toll_mem mem = toll_mem_from(NULL);
    toll_wasm_bytes section;
    toll_wasm_section_info info;
    toll_status status = host_find_section(host_result_data(), host_result_size(), &section);
    if (status)
        return status;
    status = toll_wasm_section_info_read(&info, &mem, section.data, section.size, host_error());
    linked_functions = info.first_function + info.function_count;
    linked_calls = info.first_call + info.call_count;
    toll_wasm_section_info_free(&info);
    return status;
}

static toll_wasm_options options_of(const char *only, const char *skip,
                                    const toll_wasm_costs *costs, uint32_t flags)
{
    return (toll_wasm_options){ .size = sizeof(toll_wasm_options),
                                .only = *only ? only : NULL,
                                .skip = *skip ? skip : NULL,
                                .calls_only = (flags & TOLL_INSTRUMENT_NO_TICKS) != 0,
                                .heap = (flags & TOLL_INSTRUMENT_HEAP) != 0,
                                .lines = (flags & TOLL_INSTRUMENT_LINES) != 0,
                                .no_calls = (flags & TOLL_INSTRUMENT_NO_CALLS) != 0,
                                .call_lines = flags & TOLL_INSTRUMENT_CALL_LINES   ? 1
                                              : flags & TOLL_INSTRUMENT_CALL_KINDS ? 2
                                                                                   : 0,
                                .costs = costs,
                                .time = (flags & TOLL_INSTRUMENT_TIME) != 0 };
}

int host_instrument(const void *data, size_t size, const char *name, const char *only,
                    const char *skip, const char *table, uint32_t flags)
{
    toll_wasm_costs *costs = NULL;
    toll_output *out = NULL;
    host_definitions definitions;
    toll_status status = host_begin_definitions(data, size, name, &definitions);
    if (!status)
        status = begin_output(flags, &out);
    if (!status)
        status = host_make_costs(table, &costs);
    toll_wasm_options options = options_of(only, skip, costs, flags);
    options.define = host_find_definition;
    options.define_user = &definitions;
    options.linked = (flags & TOLL_INSTRUMENT_LINKED) != 0;
    options.first_function = linked_functions;
    options.first_call = linked_calls;
    if (!status)
        status = instrument_to(out, data, size, name, &options);
    status = end_output(out, status);
    if (!status && options.linked)
        status = count_linked();
    toll_wasm_costs_free(costs);
    host_end_definitions(&definitions);
    return status;
}

static toll_status begin_module(void *user, const char *name, const void *data, size_t size,
                                toll_error *err)
{
    (void)err; /* it is host_error() */
    host_end_definitions(user);
    return host_begin_definitions(data, size, name, user);
}

int host_instrument_component(const void *data, size_t size, const char *name, const char *only,
                              const char *skip, const char *table, uint32_t flags, uint32_t depth,
                              const void *toll_wasm, size_t toll_wasm_size)
{
    toll_wasm_costs *costs = NULL;
    toll_input *in = NULL, *recorder = NULL;
    host_definitions definitions = { NULL, NULL };
    toll_status status = host_new_result();
    if (!status)
        status = host_make_costs(table, &costs);
    if (!status)
        status = toll_input_from_memory(NULL, data, size, name, &in, host_error());
    if (!status)
        status = toll_input_from_memory(NULL, toll_wasm, toll_wasm_size, "toll.wasm", &recorder,
                                        host_error());
    toll_wasm_options options = options_of(only, skip, costs, flags);
    options.max_depth = depth;
    options.define = host_find_definition;
    options.define_user = &definitions;
    options.begin_module = begin_module;
    if (!status)
        status = toll_wasm_instrument_component(NULL, in, recorder, &options, host_result(),
                                                host_error());
    if (!status)
        status = toll_output_commit(host_result(), host_error());
    host_end_definitions(&definitions);
    toll_input_free(in);
    toll_input_free(recorder);
    toll_wasm_costs_free(costs);
    return status;
}

/* --- what is in a module -----------------------------------------------------------------------*/

static toll_status write_parameters(const toll_wasm_module *m, const char *name)
{
    uint32_t index;
    if (!toll_wasm_find_export(m, TOLL_WASM_KIND_FUNCTION, name, &index) ||
        index >= m->function_count)
        return toll_fail(host_error(), TOLL_E_NOT_FOUND, "no function is exported as '%s'", name);
    const toll_wasm_bytes *types = &m->types[m->functions[index].type].parameters;
    toll_output_write(host_result(), types->data, types->size);
    return toll_output_commit(host_result(), host_error());
}

/* Read a module, and write what is asked of it as the result; `name` is for `write`. */
static int write_of_module(const void *data, size_t size,
                           toll_status (*write)(const toll_wasm_module *, const char *),
                           const char *name)
{
    const toll_mem mem = toll_mem_from(NULL);
    toll_wasm_module m;
    toll_status status = host_new_result();
    if (status)
        return status;
    status = toll_wasm_module_read(&m, &mem, "module", data, size, host_error());
    if (!status)
        status = write(&m, name);
    toll_wasm_module_free(&m);
    return status;
}

int host_parameters(const void *data, size_t size, const char *name)
{
    return write_of_module(data, size, write_parameters, name);
}

static void write_u64(uint64_t value)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    toll_output_write(host_result(), bytes, sizeof bytes);
}

static toll_status write_start(const toll_wasm_module *m, const char *name)
{
    (void)name;
    toll_wasm_pvm_start start;
    toll_status status = toll_wasm_pvm_start_read(m, &start, host_error());
    if (status)
        return status;
    write_u64(start.decode);
    write_u64(start.link);
    write_u64(start.init);
    return toll_output_commit(host_result(), host_error());
}

int host_pvm_start(const void *data, size_t size)
{
    return write_of_module(data, size, write_start, NULL);
}

/* Whether the module imports that function from "toll". */
static bool imports_event(const toll_wasm_module *m, const char *name)
{
    return toll_wasm_find_import(m, TOLL_WASM_KIND_FUNCTION, "toll", name);
}

/* Whether the module has that global: it exports it, or it is a linked module and imports it. */
static bool has_global(const toll_wasm_module *m, const char *name)
{
    uint32_t index;
    return toll_wasm_find_export(m, TOLL_WASM_KIND_GLOBAL, name, &index) ||
           toll_wasm_find_import(m, TOLL_WASM_KIND_GLOBAL, "toll", name + strlen("toll:"));
}

/* What an instrumented module reports, as the flags that host_instrumented returns. */
static uint32_t reports(const toll_wasm_module *m)
{
    uint32_t index, found = TOLL_MODULE_INSTRUMENTED;
    if (!imports_event(m, "enter"))
        found |= TOLL_RECORD_NO_CALLS;
    else if (has_global(m, "toll:ticks"))
        found |= TOLL_RECORD_TICKS;
    if (imports_event(m, "heap"))
        found |= TOLL_RECORD_HEAP;
    if (toll_wasm_find_export(m, TOLL_WASM_KIND_FUNCTION, "toll:executions", &index))
        found |= TOLL_MODULE_LINES;
    if (has_global(m, "toll:place"))
        found |= TOLL_MODULE_CALL_LINES;
    if (has_global(m, "toll:call_kind"))
        found |= TOLL_MODULE_CALL_LINES | TOLL_RECORD_CALL_KINDS;
    return found;
}

/* Examine the module data[size]. If it is instrumented, *reported is what it reports, and *section
 * the content of its section "toll", which points into `data`. Otherwise *reported is 0. */
static toll_status look_into(const char *name, const void *data, size_t size, uint32_t *reported,
                             toll_wasm_bytes *section)
{
    const toll_mem mem = toll_mem_from(NULL);
    toll_wasm_module m;
    toll_status status = toll_wasm_module_read(&m, &mem, name, data, size, host_error());
    const toll_wasm_section *own = status ? NULL : toll_wasm_find_custom(&m, "toll");
    *reported = own ? reports(&m) : 0;
    *section = own ? own->body : (toll_wasm_bytes){ NULL, 0 };
    toll_wasm_module_free(&m);
    return status;
}

/* The same, and the depth limit in the section "toll"; 0 if it has none. */
static toll_status look_deeper(const void *data, size_t size, uint32_t *reported, uint32_t *depth)
{
    const toll_mem mem = toll_mem_from(NULL);
    toll_wasm_bytes section;
    toll_wasm_section_info info;
    toll_status status = look_into("module", data, size, reported, &section);
    *depth = 0;
    if (status || !*reported)
        return status;
    status = toll_wasm_section_info_read(&info, &mem, section.data, section.size, host_error());
    *depth = info.max_depth;
    toll_wasm_section_info_free(&info);
    return status;
}

int host_instrumented(const void *data, size_t size)
{
    uint32_t reported, depth;
    toll_status status = look_deeper(data, size, &reported, &depth);
    return status ? -(int)status : (int)reported;
}

uint32_t host_instrumented_depth(const void *data, size_t size)
{
    uint32_t reported, depth;
    return look_deeper(data, size, &reported, &depth) ? 0 : depth;
}

toll_status host_find_section(const uint8_t *data, size_t size, toll_wasm_bytes *out)
{
    uint32_t reported;
    *out = (toll_wasm_bytes){ data, size };
    if (size == 0 || data[0] != 0) /* a module begins with a NUL, a section with its version */
        return TOLL_OK;
    toll_status status = look_into("module", data, size, &reported, out);
    return status || reported ? status
                              : toll_fail(host_error(), TOLL_E_ARGUMENT,
                                          "the module is not instrumented; instrument it first");
}

/* --- both --------------------------------------------------------------------------------------*/

static toll_status put_bytes(const void *data, size_t size, uint32_t flags)
{
    toll_output *out;
    toll_status status = begin_output(flags, &out);
    if (!status)
        toll_output_write(out, data, size);
    return end_output(out, status);
}

int host_module_section(const uint8_t *data, size_t size)
{
    toll_wasm_bytes section;
    toll_status status = host_find_section(data, size, &section);
    return status ? status : put_bytes(section.data, section.size, 0);
}

/* The first option that an instrumented module does not fulfil; NULL: it fulfils all. (Ticks that
 * are not wanted need no option: TOLL_RECORD_TICKS is omitted when the recording begins.) */
static const char *missing_option(uint32_t reported, const char *only, const char *skip,
                                  const char *table, uint32_t flags)
{
    const bool has_kinds = reported & TOLL_RECORD_CALL_KINDS;
    const struct {
        const char *name;
        bool is_missing;
    } options[] = {
        { "only", *only },
        { "skip", *skip },
        { "costs", *table },
        { "heap", flags & TOLL_INSTRUMENT_HEAP && !(reported & TOLL_RECORD_HEAP) },
        { "call lines", flags & TOLL_INSTRUMENT_CALL_LINES &&
                            (has_kinds || !(reported & TOLL_MODULE_CALL_LINES)) },
        { "call kinds", flags & TOLL_INSTRUMENT_CALL_KINDS && !has_kinds },
        { "lines", flags & TOLL_INSTRUMENT_LINES && !(reported & TOLL_MODULE_LINES) },
        { "no calls", flags & TOLL_INSTRUMENT_NO_CALLS && !(reported & TOLL_RECORD_NO_CALLS) },
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].is_missing)
            return options[i].name;
    return NULL;
}

int host_prepare(const void *data, size_t size, const char *name, const char *only,
                 const char *skip, const char *table, uint32_t flags)
{
    uint32_t reported;
    toll_wasm_bytes section;
    toll_status status = look_into(name, data, size, &reported, &section);
    if (!status && !reported)
        return host_instrument(data, size, name, only, skip, table, flags);
    host_define(NULL);
    const char *missing = status ? NULL : missing_option(reported, only, skip, table, flags);
    if (missing)
        return toll_fail(host_error(), TOLL_E_STATE,
                         "%s: was instrumented before: %s is for toll instrument", name, missing);
    return status ? status : put_bytes(data, size, flags);
}
