/* component.c - see component.h. */
#include "wasm/component.h"

#include "wasm/component_additions.h"
#include "wasm/component_definitions.h"
#include "wasm/component_maker.h"
#include "wasm/emit.h"

#include <string.h>
#include <toll/wasm.h>

enum { VERSION = 0x0d };

int toll_wasm_is_component(const void *data, size_t size)
{
    const uint8_t *bytes = data;
    /* A module has a version of 32 bits; of a component the upper half is its layer, 1. */
    return size >= TOLL_COMPONENT_HEADER && memcmp(bytes, "\0asm", 4) == 0 && bytes[6] == 1 &&
           bytes[7] == 0;
}

/* --- sections ----------------------------------------------------------------------------------*/

static void copy_vector(toll_component_reader *s, void (*copy)(toll_component_reader *))
{
    for (uint32_t n = toll_component_copy_index(s, 0); n > 0 && !s->old.status; n--)
        copy(s);
}

/* Take a section, or a part of one: its id; *part covers what is in it. */
static uint8_t take_section(toll_wasm_cursor *c, toll_wasm_cursor *part)
{
    uint8_t id = toll_wasm_take_u8(c);
    uint32_t size = toll_wasm_take_u32(c);
    *part = *c;
    toll_wasm_take_bytes(c, size);
    part->end = c->at;
    return id;
}

/* The names of things of a sort, by their numbers. */
static void copy_names_of_sort(toll_component_reader *s)
{
    uint8_t core;
    size_t start = s->old.at;
    toll_component_take_sort(&s->old, &core);
    toll_component_copy_from(s, start);
    for (uint32_t n = toll_component_copy_index(s, 0); n > 0 && !s->old.status; n--) {
        toll_component_copy_core(s, core);
        start = s->old.at;
        toll_component_pass_name(&s->old);
        toll_component_copy_from(s, start);
    }
}

/* The custom section with the names of things. One part is the component's own name, the others are
 * by sort. */
static void copy_names(toll_component_reader *s)
{
    enum { BY_SORT = 1 };
    size_t start = s->old.at;
    toll_component_pass_name(&s->old);
    toll_component_copy_from(s, start);
    while (toll_wasm_left(&s->old) > 0) {
        toll_component_reader part = { .r = s->r };
        toll_buffer_init(&part.body, &s->r->mem);
        uint8_t id = take_section(&s->old, &part.old);
        if (id == BY_SORT)
            copy_names_of_sort(&part);
        start = part.old.at;
        toll_wasm_take_bytes(&part.old, toll_wasm_left(&part.old));
        toll_component_copy_from(&part, start);
        if (part.old.status)
            s->old = part.old;
        toll_component_put_section(&s->body, id, &part.body);
        toll_buffer_free(&part.body);
    }
}

static bool is_called(toll_wasm_cursor c, const char *wanted)
{
    size_t size = 0;
    const char *name = toll_wasm_take_name(&c, &size);
    return name && size == strlen(wanted) && memcmp(name, wanted, size) == 0;
}

static toll_status copy_module(toll_component_reader *s, toll_error *err)
{
    toll_component_module made = { .is_own = false };
    size_t size = toll_wasm_left(&s->old);
    const toll_wasm_bytes module = { toll_wasm_take_bytes(&s->old, size), size };
    toll_status status = s->r->rewrite_module(s->r, module, &s->body, &made, err);
    made.is_own = true;
    toll_component_note_module(s->r->origins, module);
    toll_buffer_append(&s->r->modules, &made, sizeof made);
    return status;
}

static toll_status copy_component(toll_component_reader *s, toll_error *err)
{
    uint8_t profiles = 0;
    size_t size = toll_wasm_left(&s->old);
    const toll_wasm_bytes component = { toll_wasm_take_bytes(&s->old, size), size };
    toll_status status = s->r->rewrite_component(s->r, component, &s->body, &profiles, err);
    toll_buffer_append_byte(&s->r->components, profiles);
    return status;
}

static toll_status copy_section(toll_component_reader *s, uint8_t id, toll_error *err)
{
    size_t start = s->old.at;
    toll_status status = TOLL_OK;
    switch (id) {
    case TOLL_WASM_CUSTOM:
        if (is_called(s->old, "component-name"))
            copy_names(s);
        if (s->old.status) { /* the component runs without names */
            s->r->drops_names = true;
            return TOLL_OK;
        }
        break;
    case TOLL_COMPONENT_CORE_MODULE: status = copy_module(s, err); break;
    case TOLL_COMPONENT_CORE_INSTANCES: copy_vector(s, toll_component_copy_core_instance); break;
    case TOLL_COMPONENT_COMPONENT: status = copy_component(s, err); break;
    case TOLL_COMPONENT_INSTANCES: copy_vector(s, toll_component_copy_instance); break;
    case TOLL_COMPONENT_ALIASES: copy_vector(s, toll_component_copy_alias); break;
    case TOLL_COMPONENT_TYPES: {
        toll_wasm_cursor types = s->old;
        s->r->types += toll_wasm_take_u32(&types);
        break;
    }
    case TOLL_COMPONENT_CANONS: copy_vector(s, toll_component_copy_canon); break;
    case TOLL_COMPONENT_IMPORTS: copy_vector(s, toll_component_copy_import); break;
    case TOLL_COMPONENT_EXPORTS: copy_vector(s, toll_component_copy_export); break;
    case TOLL_COMPONENT_CORE_TYPES:
    case TOLL_COMPONENT_START: break;
    default: toll_wasm_cursor_fail(&s->old, TOLL_E_UNSUPPORTED, start, "a section of kind %u", id);
    }
    if (!s->old.status && s->old.at == start) { /* nothing of it changes */
        toll_wasm_take_bytes(&s->old, toll_wasm_left(&s->old));
        toll_component_copy_from(s, start);
    }
    if (toll_wasm_left(&s->old) > 0)
        toll_wasm_cursor_fail(&s->old, TOLL_E_SYNTAX, s->old.at, "bytes behind a section's last");
    return status ? status : toll_wasm_cursor_check(&s->old, s->r->path, err);
}

bool toll_component_has_modules(const uint8_t *data, size_t start, size_t end)
{
    toll_wasm_cursor all, part;
    toll_wasm_cursor_init(&all, data, start, end);
    toll_wasm_take_bytes(&all, TOLL_COMPONENT_HEADER);
    while (toll_wasm_left(&all) > 0)
        if (take_section(&all, &part) == TOLL_COMPONENT_CORE_MODULE && !all.status)
            return true;
    return false;
}

void toll_component_append_name(toll_buffer *out, const char *path, uint32_t number)
{
    size_t size = strlen(path);
    if (size > 5 && strcmp(path + size - 5, ".wasm") == 0)
        size -= 5;
    toll_buffer_append(out, path, size);
    toll_buffer_append_text(out, ".core");
    if (number > 0)
        toll_buffer_append_format(out, "%u", number + 1);
    toll_buffer_append_text(out, ".wasm");
}

static toll_status visit(const toll_mem *mem, const char *path, uint32_t number,
                         toll_wasm_bytes module, toll_component_visit *each, void *user,
                         toll_error *err)
{
    toll_buffer room;
    toll_buffer_init(&room, mem);
    toll_component_append_name(&room, path, number);
    const char *name = toll_buffer_cstr(&room);
    toll_status status = name ? each(user, name, module, err) : toll_fail_nomem(err);
    toll_buffer_free(&room);
    return status;
}

/* The sections of a component in it follow one another like its own, behind a header. */
toll_status toll_component_each_module(const toll_mem *mem, const char *path, const uint8_t *data,
                                       size_t size, toll_component_visit *each, void *user,
                                       toll_error *err)
{
    toll_wasm_cursor all, part;
    toll_status status = TOLL_OK;
    uint32_t number = 0;
    toll_wasm_cursor_init(&all, data, 0, size);
    toll_wasm_take_bytes(&all, TOLL_COMPONENT_HEADER);
    while (toll_wasm_left(&all) > 0 && !status) {
        uint8_t id = take_section(&all, &part);
        const toll_wasm_bytes module = { data + part.at, part.end - part.at };
        if (!all.status && id == TOLL_COMPONENT_CORE_MODULE)
            status = visit(mem, path, number++, module, each, user, err);
        if (!all.status && id == TOLL_COMPONENT_COMPONENT) {
            all.at = part.at;
            toll_wasm_take_bytes(&all, TOLL_COMPONENT_HEADER);
        }
    }
    return status ? status : toll_wasm_cursor_check(&all, path, err);
}

/* Make instances of the guards of core instances so far. */
static void put_guards(toll_component_rewrite *r)
{
    toll_component_guards *g = r->guards;
    while (g && g->placed < g->count &&
           toll_component_guard_at(g, g->placed).instance < r->core_instances)
        toll_component_put_guard(r);
}

toll_status toll_component_rewrite_sections(toll_component_rewrite *r, toll_error *err)
{
    toll_wasm_cursor all;
    toll_status status = TOLL_OK;
    toll_wasm_cursor_init(&all, r->data, r->start, r->end);
    toll_buffer_init(&r->modules, &r->mem);
    toll_buffer_init(&r->counting, &r->mem);
    toll_buffer_init(&r->components, &r->mem);
    toll_buffer_init(&r->instances, &r->mem);
    toll_buffer_init(&r->out, &r->mem);
    const uint8_t *header = toll_wasm_take_bytes(&all, TOLL_COMPONENT_HEADER);
    if (header && header[4] != VERSION)
        toll_wasm_cursor_fail(&all, TOLL_E_UNSUPPORTED, r->start + 4,
                              "components of version 0x%02x are not known", header[4]);
    while (toll_wasm_left(&all) > 0 && !status) {
        toll_component_reader s = { .r = r };
        toll_buffer_init(&s.body, &r->mem);
        uint8_t id = take_section(&all, &s.old);
        if (!all.status)
            status = copy_section(&s, id, err);
        if (s.body.size > UINT32_MAX)
            s.body.failed = true;
        if (!s.old.status)
            toll_component_put_section(&r->out, id, &s.body);
        toll_buffer_free(&s.body);
        if (id == TOLL_COMPONENT_CORE_INSTANCES)
            put_guards(r);
    }
    r->new_instances += r->guards ? r->guards->placed : 0; /* what follows is behind them */
    if (!status)
        status = toll_wasm_cursor_check(&all, r->path, err);
    bool failed = r->out.failed || r->modules.failed || r->counting.failed ||
                  r->components.failed || r->instances.failed;
    return !status && failed ? toll_fail_nomem(err) : status;
}

void toll_component_rewrite_free(toll_component_rewrite *r)
{
    toll_buffer_free(&r->modules);
    toll_buffer_free(&r->counting);
    toll_buffer_free(&r->components);
    toll_buffer_free(&r->instances);
    toll_buffer_free(&r->out);
}
