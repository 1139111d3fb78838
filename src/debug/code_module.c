/* code_module.c - reads the parts of a WebAssembly module that debug information needs. See
 * code_file.h. */
#include "base/fail.h"
#include "debug/code_file.h"
#include "wasm/build_id.h"
#include "wasm/function_names.h"

#include <string.h>

/* The offset of `at` in f->bytes. */
static size_t offset_of(const toll_code_file *f, const uint8_t *at)
{
    return (size_t)(at - f->bytes.data);
}

/* Add the bodies in the order of the code section. The bytes before a body, which hold its size,
 * belong to it, too: compilers differ in where a function begins. Address 0 is in no body: linkers
 * use it for functions that they have removed. */
static bool add_bodies(toll_code_file *f, toll_address_map *map, const toll_wasm_module *m,
                       const toll_wasm_names *names)
{
    uint64_t begin = 1;
    for (uint32_t i = m->imported_functions; i < m->function_count; i++) {
        const toll_wasm_bytes *body = &m->functions[i].body;
        const char *name = toll_wasm_plain_name(names, i);
        uint64_t end = offset_of(f, body->data + body->size) - f->code_offset;
        uint32_t id = toll_address_map_text(map, name, strlen(name));
        if (id == TOLL_MAP_NONE ||
            !toll_address_map_add_body(map, (toll_map_body){ begin, end, id }))
            return false;
        begin = end;
    }
    return true;
}

/* Add a custom section, if it has debug information. */
static bool add_section(toll_code_file *f, toll_wasm_bytes its_name, toll_wasm_bytes body)
{
    const char *name = toll_debug_section_name((const char *)its_name.data, its_name.size);
    return !name || toll_code_file_section(f, name) ||
           toll_code_file_add_section(
               f, (toll_debug_section){ name, offset_of(f, body.data), body.size, 0 });
}

static bool add_sections(toll_code_file *f, const toll_wasm_module *m)
{
    for (size_t i = 0; i < m->section_count; i++) {
        const toll_wasm_section *s = &m->sections[i];
        if (s->id == TOLL_WASM_CUSTOM && !add_section(f, s->name, s->body))
            return false;
    }
    return true;
}

toll_status toll_code_file_add_custom(toll_code_file *f)
{
    enum { HEADER = 8 };
    toll_wasm_cursor c;
    size_t start = f->bytes.size < HEADER ? f->bytes.size : HEADER;
    toll_wasm_cursor_init(&c, f->bytes.data, start, f->bytes.size);
    while (toll_wasm_left(&c)) {
        bool is_custom = toll_wasm_take_u8(&c) == TOLL_WASM_CUSTOM;
        size_t size = toll_wasm_take_u32(&c);
        size_t end = f->bytes.size - toll_wasm_left(&c) + size;
        if (!is_custom) {
            toll_wasm_take_bytes(&c, size);
            continue;
        }
        toll_wasm_bytes name = { .size = 0 };
        name.data = (const uint8_t *)toll_wasm_take_name(&c, &name.size);
        size_t at = f->bytes.size - toll_wasm_left(&c);
        toll_wasm_bytes body = { toll_wasm_take_bytes(&c, at <= end ? end - at : SIZE_MAX),
                                 end - at };
        if (c.status == TOLL_OK && !add_section(f, name, body))
            return TOLL_E_NOMEM;
    }
    return c.status;
}

/* Append the text that a custom section contains; nothing if there is no such section, or it is
 * damaged. */
static bool append_text(toll_buffer *out, const toll_wasm_module *m, const char *section_name)
{
    const toll_wasm_section *section = toll_wasm_find_custom(m, section_name);
    if (!section)
        return true;
    size_t start = (size_t)(section->body.data - m->bytes.data), size = 0;
    toll_wasm_cursor c;
    toll_wasm_cursor_init(&c, m->bytes.data, start, start + section->body.size);
    const char *text = toll_wasm_take_name(&c, &size);
    return !text || memchr(text, 0, size) || toll_buffer_append(out, text, size);
}

static toll_status read_parsed(toll_code_file *f, toll_address_map *map, const toll_wasm_module *m,
                               toll_error *err)
{
    const toll_wasm_section *code = toll_wasm_find_section(m, TOLL_WASM_CODE);
    toll_wasm_names names;
    if (toll_wasm_find_custom(m, "toll"))
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "%s: was instrumented, its debug information is gone; name the module "
                         "that it was made from",
                         f->path);
    toll_status status = toll_wasm_names_read(&names, m, err);
    f->is_go = names.go != NULL;
    f->code_offset = code ? offset_of(f, code->body.data) : 0;
    if (!status && !(add_bodies(f, map, m, &names) && add_sections(f, m) &&
                     append_text(&f->external, m, "external_debug_info") &&
                     append_text(&f->source_map, m, "sourceMappingURL") &&
                     toll_wasm_append_build_id(m, &f->build_id)))
        status = toll_fail_nomem(err);
    toll_wasm_names_free(&names);
    return status;
}

toll_status toll_code_file_read_module(toll_code_file *f, toll_address_map *map, toll_error *err)
{
    toll_wasm_module m;
    toll_status status =
        toll_wasm_module_read(&m, &f->mem, f->path, f->bytes.data, f->bytes.size, err);
    if (!status)
        status = read_parsed(f, map, &m, err);
    toll_wasm_module_free(&m);
    return status;
}

size_t toll_code_file_drop_custom(uint8_t *module, size_t size)
{
    enum { HEADER = 8 };
    toll_wasm_cursor c;
    size_t kept = HEADER, at;
    toll_wasm_cursor_init(&c, module, HEADER, size);
    while (at = size - toll_wasm_left(&c), at < size) {
        bool is_custom = toll_wasm_take_u8(&c) == TOLL_WASM_CUSTOM;
        toll_wasm_take_bytes(&c, toll_wasm_take_u32(&c));
        size_t end = size - toll_wasm_left(&c);
        if (!is_custom) {
            memmove(module + kept, module + at, end - at);
            kept += end - at;
        }
    }
    return kept;
}
