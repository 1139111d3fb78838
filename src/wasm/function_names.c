/* function_names.c - see function_names.h. */
#include "wasm/function_names.h"

#include "demangle/demangle.h"
#include "base/text.h"

#include <string.h>

/* --- names as the module has them --------------------------------------------------------------*/

/* Read a vector of (index, name) pairs; indices out of range are ignored. */
static void read_names(toll_wasm_bytes *names, size_t count, toll_wasm_cursor *c)
{
    for (uint32_t left = toll_wasm_take_count(c, "names"); left > 0 && !c->status; left--) {
        uint32_t index = toll_wasm_take_u32(c);
        size_t size = 0;
        const char *name = toll_wasm_take_name(c, &size);
        if (name && index < count && size)
            names[index] = (toll_wasm_bytes){ (const uint8_t *)name, size };
    }
}

/* Read the name section. A damaged one is ignored, as engines do. */
static void read_section(toll_wasm_bytes *names, const toll_wasm_module *m)
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
            read_names(names, m->function_count, &inner);
    }
}

static void read_exports(toll_wasm_bytes *names, const toll_wasm_module *m)
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
        if (name && kind == 0 && index >= m->imported_functions && index < m->function_count &&
            !names[index].data)
            names[index] = (toll_wasm_bytes){ (const uint8_t *)name, size };
    }
}

/* Use Go's own names instead of those that its linker has made from them. */
static void use_go_names(toll_wasm_bytes *names, const toll_wasm_names *n)
{
    for (size_t f = 0; n->go && f < n->count; f++)
        if (n->go[f].name.size)
            names[f] = n->go[f].name;
}

/* --- as people know them -----------------------------------------------------------------------*/

static void put_number(toll_buffer *out, uint32_t number)
{
    char digits[20];
    toll_buffer_append(out, digits, toll_text_put_u64(digits, number));
}

static void put_plain(toll_buffer *out, const toll_wasm_module *m, uint32_t function,
                      toll_wasm_bytes name)
{
    const toll_wasm_function *f = &m->functions[function];
    if (name.data) {
        toll_text_append_clean(out, (const char *)name.data, name.size);
    } else if (function < m->imported_functions) {
        toll_text_append_clean(out, (const char *)f->module.data, f->module.size);
        toll_buffer_append_byte(out, '.');
        toll_text_append_clean(out, (const char *)f->name.data, f->name.size);
    } else {
        toll_buffer_append_text(out, "function[");
        put_number(out, function);
        toll_buffer_append_byte(out, ']');
    }
}

/* Add the function's name, demangled, to the table; false: no memory. */
static bool add_name(toll_wasm_names *n, uint32_t function, const char *name)
{
    uint32_t id = toll_strtab_add(&n->texts, name, strlen(name));
    if (id == UINT32_MAX)
        return false;
    n->text[function] = id;
    if (n->holders[id] < 2)
        n->holders[id]++;
    return true;
}

/* Add all names to the table, and count how many functions have each. */
static bool add_names(toll_wasm_names *n, const toll_wasm_module *m, const toll_wasm_bytes *names)
{
    toll_buffer plain, demangled;
    bool good = true;
    toll_buffer_init(&plain, &n->mem);
    toll_buffer_init(&demangled, &n->mem);
    for (uint32_t f = 0; good && f < n->count; f++) {
        toll_buffer_clear(&plain);
        put_plain(&plain, m, f, names[f]);
        const char *name = toll_buffer_cstr(&plain);
        if (name && toll_may_be_mangled(name)) {
            toll_buffer_clear(&demangled);
            name = toll_append_demangled(&demangled, name) ? toll_buffer_cstr(&demangled) : NULL;
            if (name && strcmp(name, (const char *)plain.data) != 0)
                n->symbols[f] = names[f];
        }
        good = name && add_name(n, f, name);
    }
    toll_buffer_free(&plain);
    toll_buffer_free(&demangled);
    return good;
}

toll_status toll_wasm_names_read(toll_wasm_names *n, const toll_wasm_module *m, toll_error *err)
{
    *n = (toll_wasm_names){ .mem = m->mem, .count = m->function_count };
    toll_strtab_init(&n->texts, &n->mem);
    toll_wasm_bytes *names = toll_mem_new(&n->mem, n->count + 1, sizeof *names);
    n->text = toll_mem_new(&n->mem, n->count + 1, sizeof *n->text);
    n->holders = toll_mem_new(&n->mem, n->count + 1, sizeof *n->holders);
    n->symbols = toll_mem_new(&n->mem, n->count + 1, sizeof *n->symbols);
    bool good = names && n->text && n->holders && n->symbols && toll_wasm_read_go_table(m, &n->go);
    if (good) {
        read_section(names, m);
        read_exports(names, m);
        use_go_names(names, n);
        good = add_names(n, m, names);
    }
    toll_mem_free(&n->mem, names, n->count + 1, sizeof *names);
    return good ? TOLL_OK : toll_fail_nomem(err);
}

void toll_wasm_names_free(toll_wasm_names *n)
{
    if (!n->text && !n->holders && !n->symbols)
        return;
    toll_strtab_free(&n->texts);
    toll_mem_free(&n->mem, n->text, n->count + 1, sizeof *n->text);
    toll_mem_free(&n->mem, n->holders, n->count + 1, sizeof *n->holders);
    toll_mem_free(&n->mem, n->symbols, n->count + 1, sizeof *n->symbols);
    toll_mem_free(&n->mem, n->go, n->count + 1, sizeof *n->go);
}

const char *toll_wasm_plain_name(const toll_wasm_names *n, uint32_t function)
{
    return toll_strtab_text(&n->texts, n->text[function]);
}

/* --- each name once ----------------------------------------------------------------------------*/

/* Does the name look like one that Toll may give to another function: NAME#NUMBER? */
static bool may_be_numbered(const toll_wasm_names *n, uint32_t function)
{
    const char *name = toll_wasm_plain_name(n, function), *mark = strrchr(name, '#');
    uint64_t number;
    if (!mark || (mark[1] == '0' && mark[2]) ||
        !toll_text_u64(mark + 1, strlen(mark + 1), &number) || number >= n->count)
        return false;
    return number != function &&
           n->text[number] == toll_strtab_find(&n->texts, name, (size_t)(mark - name));
}

/* No two functions get the same name. If both get a number, the numbers differ. If one keeps its
 * own name S#N, then function N is not called S: otherwise the first would have got a number,
 * too. */
bool toll_wasm_append_name(const toll_wasm_names *n, uint32_t function, toll_buffer *out)
{
    toll_buffer_append_text(out, toll_wasm_plain_name(n, function));
    if (n->holders[n->text[function]] > 1 || may_be_numbered(n, function)) {
        toll_buffer_append_byte(out, '#');
        put_number(out, function);
    }
    return !out->failed;
}
