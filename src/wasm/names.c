/* names.c - what functions are called. */
#include "wasm/rewrite.h"

#include "base/text.h"

#include <stdio.h>

/* A vector of (index, name) pairs, as far as they are for us. */
static void take_names(toll_wasm_names *n, toll_wasm_cursor *c)
{
    for (uint32_t left = toll_wasm_take_count(c, "names"); left > 0 && !c->status; left--) {
        uint32_t index = toll_wasm_take_u32(c);
        size_t size = 0;
        const char *name = toll_wasm_take_name(c, &size);
        if (name && index < n->count && size)
            n->names[index] = (toll_wasm_bytes){ (const uint8_t *)name, size };
    }
}

/* A name section that is damaged names nothing: engines ignore it too. */
static void read_section(toll_wasm_names *n, const toll_wasm_module *m)
{
    const toll_wasm_section *section = toll_wasm_find_custom(m, "name");
    if (!section)
        return;
    size_t start = (size_t)(section->body.data - m->bytes.data);
    toll_wasm_cursor c;
    toll_wasm_cursor_init(&c, m->bytes.data, start, start + section->body.size);
    while (toll_wasm_left(&c) > 0) {
        uint8_t id = toll_wasm_take_u8(&c);
        uint32_t size = toll_wasm_take_u32(&c);
        toll_wasm_cursor inner;
        if (!toll_wasm_take_bytes(&c, size))
            return;
        toll_wasm_cursor_init(&inner, m->bytes.data, c.at - size, c.at);
        if (id == 1)
            take_names(n, &inner);
    }
}

static void read_exports(toll_wasm_names *n, const toll_wasm_module *m)
{
    const toll_wasm_section *section = toll_wasm_find_section(m, TOLL_WASM_EXPORTS);
    if (!section)
        return;
    size_t start = (size_t)(section->body.data - m->bytes.data);
    toll_wasm_cursor c;
    toll_wasm_cursor_init(&c, m->bytes.data, start, start + section->body.size);
    for (uint32_t left = toll_wasm_take_count(&c, "exports"); left > 0 && !c.status; left--) {
        size_t size = 0;
        const char *name = toll_wasm_take_name(&c, &size);
        uint8_t kind = toll_wasm_take_u8(&c);
        uint32_t index = toll_wasm_take_u32(&c);
        if (name && kind == 0 && index >= m->imported_functions && index < n->count &&
            !n->names[index].data)
            n->names[index] = (toll_wasm_bytes){ (const uint8_t *)name, size };
    }
}

toll_status toll_wasm_names_read(toll_wasm_names *n, const toll_wasm_module *m, toll_error *err)
{
    *n = (toll_wasm_names){ .mem = m->mem, .count = m->function_count };
    n->names = toll_mem_new(&n->mem, n->count + 1, sizeof *n->names);
    if (!n->names)
        return toll_fail_nomem(err);
    read_section(n, m);
    read_exports(n, m);
    return TOLL_OK;
}

void toll_wasm_names_free(toll_wasm_names *n)
{
    toll_mem_free(&n->mem, n->names, n->count + 1, sizeof *n->names);
}

bool toll_wasm_name_of(const toll_wasm_names *n, const toll_wasm_module *m, uint32_t function,
                       toll_buffer *out)
{
    const toll_wasm_function *f = &m->functions[function];
    const toll_wasm_bytes *name = &n->names[function];
    char text[32];
    toll_buffer_clear(out);
    if (name->data)
        return toll_text_append_clean(out, (const char *)name->data, name->size);
    if (function < m->imported_functions)
        return toll_text_append_clean(out, (const char *)f->module.data, f->module.size) &&
               toll_buffer_append_byte(out, '.') &&
               toll_text_append_clean(out, (const char *)f->name.data, f->name.size);
    snprintf(text, sizeof text, "function[%u]", function);
    return toll_buffer_append_text(out, text);
}
