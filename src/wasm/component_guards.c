/* component_guards.c - see component_guards.h. */
#include "wasm/component_guards.h"

#include "wasm/component.h"
#include "wasm/component_maker.h"
#include "wasm/emit.h"
#include "wasm/opcode.h"

#include <string.h>

static toll_component_export export_at(const toll_component_guards *g, size_t i)
{
    toll_component_export found;
    memcpy(&found, g->exports.data + i * sizeof found, sizeof found);
    return found;
}

static size_t export_count(const toll_component_guards *g)
{
    return g->exports.size / sizeof(toll_component_export);
}

toll_component_guard toll_component_guard_at(const toll_component_guards *g, uint32_t i)
{
    toll_component_guard found;
    memcpy(&found, g->guards.data + i * sizeof found, sizeof found);
    return found;
}

uint32_t toll_component_guard_of(const toll_component_guards *g, uint32_t instance,
                                 toll_wasm_bytes name)
{
    bool is_guarded = false;
    for (size_t i = 0; g && i < export_count(g); i++) {
        const toll_component_export each = export_at(g, i);
        is_guarded |= each.instance == instance && each.name.size == name.size &&
                      memcmp(each.name.data, name.data, name.size) == 0;
    }
    for (uint32_t i = 0; is_guarded && i < g->count; i++)
        if (toll_component_guard_at(g, i).instance == instance)
            return i;
    return TOLL_COMPONENT_NONE;
}

void toll_component_place_guard(toll_component_guards *g, uint32_t position)
{
    toll_component_guard guard = toll_component_guard_at(g, g->placed);
    guard.position = position;
    memcpy(g->guards.data + g->placed++ * sizeof guard, &guard, sizeof guard);
}

uint32_t toll_component_guards_before(const toll_component_guards *g, uint32_t instance)
{
    uint32_t before = 0;
    while (g && before < g->placed && toll_component_guard_at(g, before).position <= instance)
        before++;
    return before;
}

void toll_component_guards_free(toll_component_guards *g)
{
    toll_buffer_free(&g->exports);
    toll_buffer_free(&g->modules);
    toll_buffer_free(&g->guards);
}

/* --- a guard's module --------------------------------------------------------------------------*/

typedef struct guarded {
    toll_wasm_bytes name;
    toll_wasm_signature type;
} guarded;

/* Functions of one instance. In the guard's module they, and their types, have the numbers from 0
 * on; then toll.wasm's function follows, and those that are exported. */
typedef struct guarded_list {
    const guarded *of;
    uint32_t count;
} guarded_list;

static void put_types(toll_maker *m, guarded_list list)
{
    static const uint8_t i32 = TOLL_WASM_I32_TYPE;
    toll_wasm_put_u32(&m->section, list.count + 1);
    for (uint32_t i = 0; i < list.count; i++)
        toll_maker_put_type(&m->section, &list.of[i].type);
    toll_maker_put_type(&m->section,
                        &(toll_wasm_signature){ .parameters = { &i32, 1 }, .parameter_count = 1 });
    toll_maker_put_section(m, TOLL_WASM_TYPES);
}

static void put_imports(toll_maker *m, guarded_list list)
{
    toll_wasm_put_u32(&m->section, list.count + 1);
    for (uint32_t i = 0; i < list.count; i++) {
        toll_wasm_put_name(&m->section, "guarded");
        toll_maker_put_name(&m->section, list.of[i].name);
        toll_buffer_append_byte(&m->section, TOLL_WASM_KIND_FUNCTION);
        toll_wasm_put_u32(&m->section, i);
    }
    toll_wasm_put_name(&m->section, "toll");
    toll_wasm_put_name(&m->section, TOLL_WASM_COMPONENT_HOLD);
    toll_buffer_append_byte(&m->section, TOLL_WASM_KIND_FUNCTION);
    toll_wasm_put_u32(&m->section, list.count);
    toll_maker_put_section(m, TOLL_WASM_IMPORTS);
}

static void put_exports(toll_maker *m, guarded_list list)
{
    toll_wasm_put_u32(&m->section, list.count);
    for (uint32_t i = 0; i < list.count; i++)
        toll_wasm_put_u32(&m->section, i);
    toll_maker_put_section(m, TOLL_WASM_FUNCTIONS);
    toll_wasm_put_u32(&m->section, list.count);
    for (uint32_t i = 0; i < list.count; i++) {
        toll_maker_put_name(&m->section, list.of[i].name);
        toll_buffer_append_byte(&m->section, TOLL_WASM_KIND_FUNCTION);
        toll_wasm_put_u32(&m->section, list.count + 1 + i);
    }
    toll_maker_put_section(m, TOLL_WASM_EXPORTS);
}

/* Each body: hold the clock, call the function, let the clock go. */
static void put_code(toll_maker *m, guarded_list list)
{
    toll_buffer body;
    toll_buffer_init(&body, &m->section.mem);
    toll_wasm_put_u32(&m->section, list.count);
    for (uint32_t i = 0; i < list.count; i++) {
        toll_wasm_put_u32(&body, 0); /* locals */
        toll_maker_put_i32(&body, 1);
        toll_wasm_put_op(&body, TOLL_WASM_OP_CALL, list.count);
        for (uint32_t p = 0; p < list.of[i].type.parameter_count; p++)
            toll_wasm_put_op(&body, TOLL_WASM_OP_LOCAL_GET, p);
        toll_wasm_put_op(&body, TOLL_WASM_OP_CALL, i);
        toll_maker_put_i32(&body, UINT32_MAX);
        toll_wasm_put_op(&body, TOLL_WASM_OP_CALL, list.count);
        toll_maker_put_body(m, &body);
    }
    toll_buffer_free(&body);
    toll_maker_put_section(m, TOLL_WASM_CODE);
}

static toll_status put_module(toll_component_guards *g, guarded_list list, toll_error *err)
{
    toll_maker m;
    toll_buffer module;
    toll_buffer_init(&module, &g->modules.mem);
    toll_maker_begin(&m, &module.mem, &module);
    put_types(&m, list);
    put_imports(&m, list);
    put_exports(&m, list);
    put_code(&m, list);
    toll_status status = toll_maker_end(&m, err);
    toll_component_put_section(&g->modules, TOLL_COMPONENT_CORE_MODULE, &module);
    toll_buffer_free(&module);
    return status;
}

/* Find the type of a module's export. */
static toll_status find_type(const toll_wasm_module *m, toll_wasm_bytes name, toll_buffer *list,
                             toll_error *err)
{
    guarded found = { .name = name };
    toll_buffer text;
    uint32_t function;
    toll_buffer_init(&text, &list->mem);
    toll_buffer_append(&text, name.data, name.size);
    const char *wanted = toll_buffer_cstr(&text);
    toll_status status = TOLL_OK;
    if (!wanted)
        status = toll_fail_nomem(err);
    else if (!toll_wasm_find_export(m, TOLL_WASM_KIND_FUNCTION, wanted, &function) ||
             function >= m->function_count)
        status = toll_fail(err, TOLL_E_SYNTAX, "%s: a core module does not export '%.100s'",
                           m->path, wanted);
    else
        found.type = m->types[m->functions[function].type];
    toll_buffer_append(list, &found, sizeof found);
    toll_buffer_free(&text);
    return status;
}

/* Make the guard of an instance. */
static toll_status make_guard(toll_component_guards *g, uint32_t instance, toll_wasm_bytes code,
                              const char *path, toll_error *err)
{
    toll_wasm_module m;
    toll_buffer list;
    const toll_component_guard guard = { instance, 0 };
    toll_status status =
        toll_wasm_module_read(&m, &g->modules.mem, path, code.data, code.size, err);
    toll_buffer_init(&list, &g->modules.mem);
    for (size_t i = 0; !status && i < export_count(g); i++)
        if (export_at(g, i).instance == instance)
            status = find_type(&m, export_at(g, i).name, &list, err);
    if (!status && list.failed)
        status = toll_fail_nomem(err);
    if (!status)
        status = put_module(g,
                            (guarded_list){ (const guarded *)(const void *)list.data,
                                            (uint32_t)(list.size / sizeof(guarded)) },
                            err);
    toll_buffer_append(&g->guards, &guard, sizeof guard);
    g->count++;
    toll_buffer_free(&list);
    toll_wasm_module_free(&m);
    return status;
}

static bool has_guarded(const toll_component_guards *g, uint32_t instance)
{
    size_t i = 0;
    while (i < export_count(g) && export_at(g, i).instance != instance)
        i++;
    return i < export_count(g);
}

toll_status toll_component_make_guards(const toll_component_origins *o, const toll_mem *mem,
                                       const char *path, toll_component_guards *g, toll_error *err)
{
    *g = (toll_component_guards){ .count = 0 };
    toll_buffer_init(&g->exports, mem);
    toll_buffer_init(&g->modules, mem);
    toll_buffer_init(&g->guards, mem);
    toll_status status = toll_component_find_held(o, &g->exports, err);
    const uint32_t instances = (uint32_t)(o->instances.size / sizeof(toll_component_source));
    for (uint32_t i = 0; i < instances && !status; i++) {
        const toll_wasm_bytes code = toll_component_module_of(o, i);
        if (!has_guarded(g, i))
            continue;
        status = code.data ? make_guard(g, i, code, path, err)
                           : toll_fail(err, TOLL_E_UNSUPPORTED,
                                       "%s: memory for what is passed to it is allocated by a core "
                                       "module that it imports, during which no clock may be read: "
                                       "record it without time",
                                       path);
    }
    const bool failed = g->modules.failed || g->guards.failed;
    return !status && failed ? toll_fail_nomem(err) : status;
}
