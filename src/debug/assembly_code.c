/* assembly_code.c - see assembly_code.h. */
#include "debug/assembly_code.h"

#include "debug/code_file.h"
#include "wasm/instruction_text.h"

bool toll_assembly_has_code(const toll_debug *d)
{
    return d->module.size || (d->program.size && toll_assembly_has_sbf());
}

static toll_status open_module(toll_assembly_code *c, const toll_wasm_costs *costs, toll_error *err)
{
    const toll_debug *d = c->debug;
    toll_status status = toll_wasm_module_read(&c->module, &c->mem, toll_debug_path(d),
                                               d->module.data, d->module.size, err);
    if (!status)
        status = toll_wasm_names_read(&c->names, &c->module, err);
    return status ? status : toll_wasm_stretches_create(&c->module, costs, &c->stretches, err);
}

/* The name of a function: the same as in reports; for imported functions the module's own name. */
static const char *name_of_function(void *user, uint32_t function)
{
    const toll_assembly_code *c = user;
    const toll_wasm_module *m = &c->module;
    toll_debug_function f;
    if (function >= m->function_count)
        return NULL;
    if (function < m->imported_functions)
        return toll_wasm_plain_name(&c->names, function);
    uint64_t address = (uint64_t)(m->functions[function].body.data - m->code.data);
    return toll_debug_find_function(c->debug, address, &f) && *f.name ? f.name : NULL;
}

static bool append_wasm(toll_assembly_code *c, uint64_t address, toll_buffer *out)
{
    const toll_wasm_module *m = &c->module;
    uint32_t function = toll_wasm_function_at(m, address);
    toll_wasm_instruction i;
    toll_wasm_cursor cursor;
    if (function == UINT32_MAX)
        return true;
    const toll_wasm_bytes *body = &m->functions[function].body;
    size_t start = (size_t)(m->code.data - m->bytes.data) + (size_t)address;
    toll_wasm_cursor_init(&cursor, m->bytes.data, start,
                          (size_t)(body->data - m->bytes.data) + body->size);
    return !toll_wasm_next(&cursor, &i) ||
           toll_wasm_append_text(out, &cursor, &i, name_of_function, c);
}

toll_status toll_assembly_code_open(toll_assembly_code *c, const toll_mem *mem, const toll_debug *d,
                                    const toll_wasm_costs *costs, toll_error *err)
{
    if (c->is_open)
        return TOLL_OK;
    *c = (toll_assembly_code){ .mem = *mem, .debug = d, .is_open = true };
    c->module.mem = *mem;
    return d->module.size ? open_module(c, costs, err)
                          : toll_assembly_sbf_open(&c->sbf, mem, d, err);
}

void toll_assembly_code_free(toll_assembly_code *c)
{
    if (!c->is_open)
        return;
    toll_wasm_stretches_free(c->stretches);
    toll_wasm_names_free(&c->names);
    toll_wasm_module_free(&c->module);
    toll_assembly_sbf_free(&c->sbf);
    *c = (toll_assembly_code){ .is_open = false };
}

bool toll_assembly_code_append_text(toll_assembly_code *c, uint64_t address, toll_buffer *out)
{
    return c->debug->module.size ? append_wasm(c, address, out)
                                 : toll_assembly_sbf_append_text(&c->sbf, address, out);
}
