/* component_origins.c - see component_origins.h. */
#include "wasm/component_origins.h"

#include "wasm/component.h"

#include <string.h>

void toll_component_origins_init(toll_component_origins *o, const toll_mem *mem,
                                 const uint8_t *data, size_t end)
{
    *o = (toll_component_origins){ .data = data, .end = end };
    toll_buffer_init(&o->functions, mem);
    toll_buffer_init(&o->instances, mem);
    toll_buffer_init(&o->modules, mem);
    toll_buffer_init(&o->held, mem);
}

void toll_component_origins_free(toll_component_origins *o)
{
    toll_buffer_free(&o->functions);
    toll_buffer_free(&o->instances);
    toll_buffer_free(&o->modules);
    toll_buffer_free(&o->held);
}

void toll_component_note_function(toll_component_origins *o, toll_component_export found)
{
    if (o)
        toll_buffer_append(&o->functions, &found, sizeof found);
}

void toll_component_note_instance(toll_component_origins *o, toll_component_source made)
{
    if (o)
        toll_buffer_append(&o->instances, &made, sizeof made);
}

void toll_component_note_module(toll_component_origins *o, toll_wasm_bytes module)
{
    if (o)
        toll_buffer_append(&o->modules, &module, sizeof module);
}

void toll_component_note_held(toll_component_origins *o, uint32_t function)
{
    if (o)
        toll_buffer_append(&o->held, &function, sizeof function);
}

void toll_component_note_import(toll_component_origins *o, toll_wasm_bytes name)
{
    static const char clock[] = TOLL_COMPONENT_CLOCK;
    const size_t begin = sizeof clock - 1;
    uint32_t version = 0;
    if (!o || !name.data || name.size <= begin || memcmp(name.data, clock, begin) != 0)
        return;
    for (size_t i = begin; i < name.size; i++) {
        if (name.data[i] < '0' || name.data[i] > '9' || version >= TOLL_COMPONENT_CLOCKS)
            return; /* another name than those of toll_component_put_clock */
        version = 10 * version + name.data[i] - '0';
    }
    if (version < TOLL_COMPONENT_CLOCKS)
        o->clocks |= UINT32_C(1) << version;
}

/* --- what is held ------------------------------------------------------------------------------*/

/* Copy an entry; false: there is none. */
static bool entry(const toll_buffer *of, size_t index, void *to, size_t size)
{
    if (index >= of->size / size)
        return false;
    memcpy(to, of->data + index * size, size);
    return true;
}

/* The core function that an instance made of pairs has under a name; TOLL_COMPONENT_NONE. */
static uint32_t find_pair(const toll_component_origins *o, size_t pairs, toll_wasm_bytes name)
{
    toll_wasm_cursor c;
    toll_wasm_cursor_init(&c, o->data, pairs, o->end);
    for (uint32_t n = toll_wasm_take_u32(&c); n > 0 && !c.status; n--) {
        size_t size = 0;
        const char *found = toll_wasm_take_name(&c, &size);
        uint8_t sort = toll_wasm_take_u8(&c);
        uint32_t index = toll_wasm_take_u32(&c);
        if (found && size == name.size && memcmp(found, name.data, size) == 0)
            return sort == TOLL_CORE_FUNCTION ? index : TOLL_COMPONENT_NONE;
    }
    return TOLL_COMPONENT_NONE;
}

/* The export of a core module's instance that a core function is. Definitions refer to earlier ones
 * only, so that this ends. */
static bool find_export(const toll_component_origins *o, uint32_t function,
                        toll_component_export *found)
{
    toll_component_source made;
    while (entry(&o->functions, function, found, sizeof *found) &&
           entry(&o->instances, found->instance, &made, sizeof made)) {
        if (made.module != TOLL_COMPONENT_NONE)
            return true;
        uint32_t earlier = find_pair(o, made.pairs, found->name);
        if (earlier >= function)
            return false;
        function = earlier;
    }
    return false;
}

static bool is_equal(const toll_component_export *a, const toll_component_export *b)
{
    return a->instance == b->instance && a->name.size == b->name.size &&
           memcmp(a->name.data, b->name.data, a->name.size) == 0;
}

static bool is_known(const toll_buffer *list, const toll_component_export *wanted)
{
    toll_component_export each;
    for (size_t i = 0; entry(list, i, &each, sizeof each); i++)
        if (is_equal(&each, wanted))
            return true;
    return false;
}

toll_status toll_component_find_held(const toll_component_origins *o, toll_buffer *out,
                                     toll_error *err)
{
    uint32_t function;
    toll_component_export found;
    for (size_t i = 0; entry(&o->held, i, &function, sizeof function); i++)
        if (find_export(o, function, &found) && !is_known(out, &found))
            toll_buffer_append(out, &found, sizeof found);
    const bool failed = o->functions.failed || o->instances.failed || o->modules.failed ||
                        o->held.failed || out->failed;
    return failed ? toll_fail_nomem(err) : TOLL_OK;
}

toll_wasm_bytes toll_component_module_of(const toll_component_origins *o, uint32_t instance)
{
    toll_component_source made;
    toll_wasm_bytes module = { NULL, 0 };
    if (entry(&o->instances, instance, &made, sizeof made))
        entry(&o->modules, made.module, &module, sizeof module);
    return module;
}
