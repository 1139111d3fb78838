/* wasm_module.c - see wasm_module.h. Every failure while a section is read, also an exceeded limit
 * or lack of memory, is recorded in the section's cursor. */
#include "wasm/wasm_module.h"

#include "base/array.h"

#include <string.h>

enum { MOST_FUNCTIONS = 1 << 24, MOST_TYPES = 1 << 20 };

/* --- types -------------------------------------------------------------------------------------*/

static void add_type(toll_wasm_module *m, toll_wasm_cursor *c, toll_wasm_signature type)
{
    if (c->status)
        return;
    if (m->type_count >= MOST_TYPES)
        toll_wasm_cursor_fail(c, TOLL_E_LIMIT, c->at, "more than %d types", MOST_TYPES);
    else if (!toll_array_grow(&m->mem, &m->types, &m->type_capacity, m->type_count, 1))
        toll_wasm_cursor_no_memory(c);
    else
        m->types[m->type_count++] = type;
}

/* Skip a vector of value types; returns its bytes. */
static toll_wasm_bytes read_value_types(toll_wasm_cursor *c, uint32_t *count)
{
    *count = toll_wasm_take_count(c, "value types");
    size_t start = c->at;
    for (uint32_t i = 0; i < *count && c->status == TOLL_OK; i++)
        toll_wasm_take_value_type(c);
    return (toll_wasm_bytes){ c->data + start, c->at - start };
}

static void pass_field(toll_wasm_cursor *c)
{
    uint8_t first = c->at < c->end ? c->data[c->at] : 0;
    if (first == 0x77 || first == 0x78) /* i16, i8 */
        toll_wasm_take_u8(c);
    else
        toll_wasm_take_value_type(c);
    toll_wasm_take_u8(c); /* mutable */
}

static void fail_form(toll_wasm_cursor *c, uint8_t form)
{
    size_t at = c->at - 1;
    switch (form) {
    case 0x5d: toll_wasm_cursor_lacks(c, at, "a continuation type", "stack switching"); break;
    case 0x65: toll_wasm_cursor_lacks(c, at, "a shared type", "shared-everything threads"); break;
    case 0x4d: /* descriptor */
    case 0x4c: /* describes */
        toll_wasm_cursor_lacks(c, at, "a type with a descriptor", "custom descriptors");
        break;
    default: toll_wasm_cursor_fail(c, TOLL_E_UNSUPPORTED, at, "a type of form 0x%02x", form);
    }
}

/* Read what follows `form`, which has been read. */
static toll_wasm_signature read_composite(toll_wasm_cursor *c, uint8_t form)
{
    toll_wasm_signature type = { .is_function = form == 0x60 };
    if (form == 0x60) {
        type.parameters = read_value_types(c, &type.parameter_count);
        type.results = read_value_types(c, &type.result_count);
    } else if (form == 0x5f) {
        uint32_t fields = toll_wasm_take_count(c, "fields");
        for (uint32_t i = 0; i < fields && c->status == TOLL_OK; i++)
            pass_field(c);
    } else if (form == 0x5e) {
        pass_field(c);
    } else {
        fail_form(c, form);
    }
    return type;
}

static void read_type(toll_wasm_module *m, toll_wasm_cursor *c)
{
    uint8_t form = toll_wasm_take_u8(c);
    if (form == 0x50 || form == 0x4f) { /* sub, sub final */
        uint32_t supertypes = toll_wasm_take_count(c, "supertypes");
        for (uint32_t i = 0; i < supertypes; i++)
            toll_wasm_take_u32(c);
        form = toll_wasm_take_u8(c);
    }
    add_type(m, c, read_composite(c, form));
}

static void read_types(toll_wasm_module *m, toll_wasm_cursor *c)
{
    for (uint32_t n = toll_wasm_take_count(c, "types"); n > 0 && !c->status; n--) {
        uint32_t group = 1;
        if (c->at < c->end && c->data[c->at] == 0x4e) { /* rec */
            toll_wasm_take_u8(c);
            group = toll_wasm_take_count(c, "types");
        }
        for (; group > 0 && !c->status; group--)
            read_type(m, c);
    }
}

/* --- functions ---------------------------------------------------------------------------------*/

static void add_function(toll_wasm_module *m, toll_wasm_cursor *c, toll_wasm_function function)
{
    if (c->status)
        return;
    if (function.type >= m->type_count || !m->types[function.type].is_function)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "type %u is no function type",
                              function.type);
    else if (m->function_count >= MOST_FUNCTIONS)
        toll_wasm_cursor_fail(c, TOLL_E_LIMIT, c->at, "more than %d functions", MOST_FUNCTIONS);
    else if (!toll_array_grow(&m->mem, &m->functions, &m->function_capacity, m->function_count, 1))
        toll_wasm_cursor_no_memory(c);
    else
        m->functions[m->function_count++] = function;
}

static void add_import(toll_wasm_module *m, toll_wasm_cursor *c, const toll_wasm_import *i)
{
    bool is_global = i->kind == TOLL_WASM_KIND_GLOBAL;
    m->memory_count += i->kind == TOLL_WASM_KIND_MEMORY;
    m->imported_memories += i->kind == TOLL_WASM_KIND_MEMORY;
    m->imported_globals += is_global;
    m->global_count += is_global;
    if (i->kind != TOLL_WASM_KIND_FUNCTION)
        return;
    m->imported_functions++;
    add_function(m, c,
                 (toll_wasm_function){ .type = i->type, .module = i->module, .name = i->name });
}

static void read_imports(toll_wasm_module *m, toll_wasm_cursor *c)
{
    toll_wasm_import_reader r;
    toll_wasm_import import;
    toll_wasm_import_reader_init(&r, c);
    while (toll_wasm_next_import(&r, &import))
        add_import(m, c, &import);
}

static void read_functions(toll_wasm_module *m, toll_wasm_cursor *c)
{
    for (uint32_t n = toll_wasm_take_count(c, "functions"); n > 0 && !c->status; n--)
        add_function(m, c, (toll_wasm_function){ .type = toll_wasm_take_u32(c) });
}

static void read_code(toll_wasm_module *m, toll_wasm_cursor *c)
{
    uint32_t n = toll_wasm_take_count(c, "function bodies");
    if (!c->status && n != m->function_count - m->imported_functions)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "%u function bodies for %zu functions", n,
                              m->function_count - m->imported_functions);
    for (uint32_t i = 0; i < n && !c->status; i++) {
        uint32_t size = toll_wasm_take_u32(c);
        const uint8_t *body = toll_wasm_take_bytes(c, size);
        if (body)
            m->functions[m->imported_functions + i].body = (toll_wasm_bytes){ body, size };
    }
    m->body_count = n;
}

/* --- sections ----------------------------------------------------------------------------------*/

static void add_section(toll_wasm_module *m, toll_wasm_cursor *c, toll_wasm_section section)
{
    if (c->status)
        return;
    if (!toll_array_grow(&m->mem, &m->sections, &m->section_capacity, m->section_count, 1))
        toll_wasm_cursor_no_memory(c);
    else
        m->sections[m->section_count++] = section;
}

/* Read the needed parts of a section's body, which `c` covers. True: nothing should remain of
 * it. */
static bool read_section(toll_wasm_module *m, toll_wasm_section *section, toll_wasm_cursor *c)
{
    switch (section->id) {
    case TOLL_WASM_CUSTOM:
        section->name = toll_wasm_take_text(c);
        section->body = (toll_wasm_bytes){ c->data + c->at, c->end - c->at };
        return false;
    case TOLL_WASM_MEMORIES: m->memory_count += toll_wasm_take_count(c, "memories"); return false;
    case TOLL_WASM_GLOBALS: m->global_count += toll_wasm_take_count(c, "globals"); return false;
    case TOLL_WASM_TYPES: read_types(m, c); return true;
    case TOLL_WASM_IMPORTS: read_imports(m, c); return true;
    case TOLL_WASM_FUNCTIONS: read_functions(m, c); return true;
    case TOLL_WASM_CODE:
        m->code = section->body;
        read_code(m, c);
        return true;
    default: return false;
    }
}

const char *toll_wasm_where(uint8_t id)
{
    static const char *const names[TOLL_WASM_SECTION_IDS] = {
        [TOLL_WASM_CUSTOM] = ", in a custom section",
        [TOLL_WASM_TYPES] = ", in the type section",
        [TOLL_WASM_IMPORTS] = ", in the import section",
        [TOLL_WASM_FUNCTIONS] = ", in the function section",
        [TOLL_WASM_TABLES] = ", in the table section",
        [TOLL_WASM_MEMORIES] = ", in the memory section",
        [TOLL_WASM_GLOBALS] = ", in the global section",
        [TOLL_WASM_EXPORTS] = ", in the export section",
        [TOLL_WASM_START] = ", in the start section",
        [TOLL_WASM_ELEMENTS] = ", in the element section",
        [TOLL_WASM_CODE] = ", in the code section",
        [TOLL_WASM_DATA_SEGMENTS] = ", in the data section",
        [TOLL_WASM_DATA_COUNT] = ", in the data count section",
        [TOLL_WASM_TAGS] = ", in the tag section",
    };
    return names[id];
}

const uint8_t toll_wasm_section_order[TOLL_WASM_ORDERED] = {
    TOLL_WASM_TYPES,         TOLL_WASM_IMPORTS,  TOLL_WASM_FUNCTIONS,  TOLL_WASM_TABLES,
    TOLL_WASM_MEMORIES,      TOLL_WASM_TAGS,     TOLL_WASM_GLOBALS,    TOLL_WASM_EXPORTS,
    TOLL_WASM_START,         TOLL_WASM_ELEMENTS, TOLL_WASM_DATA_COUNT, TOLL_WASM_CODE,
    TOLL_WASM_DATA_SEGMENTS,
};

/* Sections must be in the specified order, each at most once; custom sections may be anywhere. */
static void check_order(toll_wasm_module *m, toll_wasm_cursor *c, size_t start, uint8_t id)
{
    size_t place = m->ordered;
    if (id == TOLL_WASM_CUSTOM)
        return;
    while (place < TOLL_WASM_ORDERED && toll_wasm_section_order[place] != id)
        place++;
    m->ordered = place + 1;
    if (place == TOLL_WASM_ORDERED)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, start,
                              "a section of kind %u is not in its place, or there twice; build or "
                              "fetch the module again",
                              id);
}

static toll_status take_section(toll_wasm_module *m, toll_wasm_cursor *c, toll_error *err)
{
    size_t start = c->at;
    toll_wasm_section section = { .id = toll_wasm_take_u8(c) };
    uint32_t size = toll_wasm_take_u32(c);
    size_t body = c->at;
    toll_wasm_cursor inner;
    if (!c->status && section.id >= TOLL_WASM_SECTION_IDS)
        toll_wasm_cursor_fail(c, TOLL_E_UNSUPPORTED, start, "a section of kind %u", section.id);
    if (!c->status)
        check_order(m, c, start, section.id);
    section.body = (toll_wasm_bytes){ toll_wasm_take_bytes(c, size), size };
    if (c->status)
        return toll_wasm_cursor_check(c, m->path, err);
    section.whole = (toll_wasm_bytes){ c->data + start, c->at - start };
    toll_wasm_cursor_init(&inner, c->data, body, body + size);
    inner.where = toll_wasm_where(section.id);
    if (read_section(m, &section, &inner) && toll_wasm_left(&inner) > 0)
        toll_wasm_cursor_fail(&inner, TOLL_E_SYNTAX, inner.at, "bytes behind a section's last");
    add_section(m, &inner, section);
    return toll_wasm_cursor_check(&inner, m->path, err);
}

static toll_status check_header(const toll_wasm_module *m, toll_error *err)
{
    static const uint8_t magic[4] = { 0, 'a', 's', 'm' };
    if (m->bytes.size < 8 || memcmp(m->bytes.data, magic, 4) != 0)
        return toll_fail(err, TOLL_E_SYNTAX,
                         "%s: is no WebAssembly module; text (.wat) must be assembled first",
                         m->path);
    if (m->bytes.data[6] != 0)
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "%s: is a component; toll run profiles it in Node, toll instrument or a "
                         "ComponentRecorder (Python, Rust) elsewhere",
                         m->path);
    if (m->bytes.data[4] != 1)
        return toll_fail(err, TOLL_E_UNSUPPORTED, "%s: is of version %u; 1 is known", m->path,
                         m->bytes.data[4]);
    return TOLL_OK;
}

static toll_status check_whole(const toll_wasm_module *m, toll_error *err)
{
    if (m->body_count != m->function_count - m->imported_functions)
        return toll_fail(err, TOLL_E_SYNTAX,
                         "%s: at byte %zu: functions without bodies: the code section is missing",
                         m->path, m->bytes.size);
    if (toll_wasm_find_custom(m, "linking"))
        return toll_fail(err, TOLL_E_UNSUPPORTED, "%s: is an object file; link it (wasm-ld) first",
                         m->path);
    return TOLL_OK;
}

toll_status toll_wasm_module_read(toll_wasm_module *m, const toll_mem *mem, const char *path,
                                  const uint8_t *data, size_t size, toll_error *err)
{
    *m = (toll_wasm_module){ .mem = *mem, .path = path, .bytes = { data, size } };
    toll_status status = check_header(m, err);
    toll_wasm_cursor c;
    if (status)
        return status;
    toll_wasm_cursor_init(&c, data, 8, size);
    while (!status && toll_wasm_left(&c) > 0)
        status = take_section(m, &c, err);
    return status ? status : check_whole(m, err);
}

void toll_wasm_module_free(toll_wasm_module *m)
{
    toll_mem_free(&m->mem, m->sections, m->section_capacity, sizeof *m->sections);
    toll_mem_free(&m->mem, m->types, m->type_capacity, sizeof *m->types);
    toll_mem_free(&m->mem, m->functions, m->function_capacity, sizeof *m->functions);
}

const toll_wasm_section *toll_wasm_find_section(const toll_wasm_module *m, uint8_t id)
{
    for (size_t i = 0; i < m->section_count; i++)
        if (m->sections[i].id == id && id != TOLL_WASM_CUSTOM)
            return &m->sections[i];
    return NULL;
}

/* A cursor over the section's body; empty if there is none. */
static toll_wasm_cursor body_of(const toll_wasm_module *m, uint8_t id)
{
    const toll_wasm_section *section = toll_wasm_find_section(m, id);
    size_t start = section ? (size_t)(section->body.data - m->bytes.data) : 0;
    toll_wasm_cursor c;
    toll_wasm_cursor_init(&c, m->bytes.data, start, start + (section ? section->body.size : 0));
    return c;
}

static bool is_text(toll_wasm_bytes bytes, const char *text)
{
    return bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0;
}

bool toll_wasm_imports_from(const toll_wasm_module *m, const char *from)
{
    toll_wasm_cursor c = body_of(m, TOLL_WASM_IMPORTS);
    toll_wasm_import_reader r;
    toll_wasm_import i;
    toll_wasm_import_reader_init(&r, &c);
    while (toll_wasm_next_import(&r, &i))
        if (is_text(i.module, from))
            return true;
    return false;
}

bool toll_wasm_find_import(const toll_wasm_module *m, uint8_t kind, const char *module,
                           const char *name)
{
    toll_wasm_cursor c = body_of(m, TOLL_WASM_IMPORTS);
    toll_wasm_import_reader r;
    toll_wasm_import i;
    toll_wasm_import_reader_init(&r, &c);
    while (toll_wasm_next_import(&r, &i))
        if (i.kind == kind && (!module || is_text(i.module, module)) && is_text(i.name, name))
            return true;
    return false;
}

bool toll_wasm_find_export(const toll_wasm_module *m, uint8_t kind, const char *name,
                           uint32_t *index)
{
    toll_wasm_cursor c = body_of(m, TOLL_WASM_EXPORTS);
    uint32_t left = toll_wasm_left(&c) ? toll_wasm_take_count(&c, "exports") : 0;
    for (; left > 0 && !c.status; left--) {
        size_t size = 0;
        const char *text = toll_wasm_take_name(&c, &size);
        uint8_t found = toll_wasm_take_u8(&c);
        *index = toll_wasm_take_u32(&c);
        if (text && found == kind && size == strlen(name) && memcmp(text, name, size) == 0)
            return true;
    }
    return false;
}

const toll_wasm_section *toll_wasm_find_custom(const toll_wasm_module *m, const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < m->section_count; i++) {
        const toll_wasm_section *s = &m->sections[i];
        if (s->id == TOLL_WASM_CUSTOM && s->name.size == size &&
            memcmp(s->name.data, name, size) == 0)
            return s;
    }
    return NULL;
}
