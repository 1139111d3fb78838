/* component_definitions.c - see component_definitions.h. */
#include "wasm/component_definitions.h"

#include "wasm/emit.h"

#include <string.h>

void toll_component_copy_from(toll_component_reader *s, size_t start)
{
    if (!s->old.status)
        toll_buffer_append(&s->body, s->old.data + start, s->old.at - start);
}

uint32_t toll_component_copy_index(toll_component_reader *s, uint32_t more)
{
    size_t start = s->old.at;
    uint32_t index = toll_wasm_take_u32(&s->old);
    if (index > UINT32_MAX - more)
        toll_wasm_cursor_fail(&s->old, TOLL_E_SYNTAX, start, "a number is too large");
    toll_wasm_put_u32(&s->body, index + more);
    return index;
}

uint32_t toll_component_growth(const toll_component_rewrite *r, uint8_t core, uint32_t index)
{
    return core == TOLL_CORE_MODULE ? r->new_modules
           : core == TOLL_CORE_INSTANCE
               ? r->new_instances + toll_component_guards_before(r->guards, index)
               : 0;
}

uint32_t toll_component_copy_core(toll_component_reader *s, uint8_t core)
{
    toll_wasm_cursor ahead = s->old;
    uint32_t index = toll_wasm_take_u32(&ahead);
    return toll_component_copy_index(s, toll_component_growth(s->r, core, index));
}

/* One more thing of a sort is defined, not by a section that contains it. known: its entry in
 * `components` or `instances`; module: in `modules`. */
static void count(toll_component_rewrite *r, uint8_t sort, uint8_t core, uint8_t known,
                  toll_component_module module)
{
    switch (sort) {
    case TOLL_SORT_FUNCTION: r->functions++; break;
    case TOLL_SORT_TYPE: r->types++; break;
    case TOLL_SORT_COMPONENT: toll_buffer_append_byte(&r->components, known); break;
    case TOLL_SORT_INSTANCE: toll_buffer_append_byte(&r->instances, known); break;
    case TOLL_SORT_CORE:
        r->core_functions += core == TOLL_CORE_FUNCTION;
        r->core_memories += core == TOLL_CORE_MEMORY;
        if (core == TOLL_CORE_MODULE) {
            toll_buffer_append(&r->modules, &module, sizeof module);
            toll_component_note_module(r->origins, (toll_wasm_bytes){ NULL, 0 });
        }
        break;
    default: break;
    }
}

static const toll_component_module no_module;

/* An entry of `components` or `instances`; 0: there is none. */
static uint8_t entry(const toll_buffer *of, uint32_t index)
{
    return index < of->size ? of->data[index] : 0;
}

/* The entry of `modules`. */
static toll_component_module module_of(const toll_component_rewrite *r, uint32_t index)
{
    toll_component_module found = no_module;
    if (index < r->modules.size / sizeof found)
        memcpy(&found, r->modules.data + index * sizeof found, sizeof found);
    return found;
}

/* --- parts of definitions ----------------------------------------------------------------------*/

uint8_t toll_component_take_sort(toll_wasm_cursor *c, uint8_t *core)
{
    uint8_t sort = toll_wasm_take_u8(c);
    *core = sort == TOLL_SORT_CORE ? toll_wasm_take_u8(c) : 0;
    return sort;
}

void toll_component_pass_name(toll_wasm_cursor *c)
{
    size_t size;
    toll_wasm_take_name(c, &size);
}

/* The name of an import or export: with 2 at its beginning, more texts follow, each behind a byte.
 */
static void pass_extern_name(toll_wasm_cursor *c)
{
    size_t start = c->at;
    uint8_t form = toll_wasm_take_u8(c);
    if (form > 2)
        toll_wasm_cursor_fail(c, TOLL_E_UNSUPPORTED, start, "a name of form %u", form);
    toll_component_pass_name(c);
    for (uint32_t more = form == 2 ? toll_wasm_take_count(c, "options") : 0; more > 0 && !c->status;
         more--) {
        toll_wasm_take_u8(c);
        toll_component_pass_name(c);
    }
}

static toll_wasm_bytes extern_name(toll_wasm_cursor c)
{
    toll_wasm_bytes name = { NULL, 0 };
    toll_wasm_take_u8(&c);
    name.data = (const uint8_t *)toll_wasm_take_name(&c, &name.size);
    return name;
}

/* A type by its number, or a primitive one. */
static void pass_value_type(toll_wasm_cursor *c)
{
    toll_wasm_take_s33(c);
}

/* The type of an import or export, behind its sort. */
static void pass_extern_type(toll_wasm_cursor *c, uint8_t sort)
{
    if (sort == TOLL_SORT_VALUE)
        pass_value_type(c);
    else if (sort != TOLL_SORT_TYPE ||
             toll_wasm_take_u8(c) == 0) /* 0: equal to a type; 1: any resource */
        toll_wasm_take_u32(c);
}

typedef struct sort_index {
    uint8_t sort, core;
    uint32_t index;
} sort_index;

static void fail_passed_on(toll_component_reader *s, size_t at)
{
    toll_wasm_cursor_fail(&s->old, TOLL_E_UNSUPPORTED, at,
                          "a core module is passed on to other components, where it could not be "
                          "recorded; toll run profiles this component, in Node");
}

/* Copy a reference to what is given to others: as an argument, or by an export. */
static sort_index copy_passed_on(toll_component_reader *s)
{
    sort_index found;
    size_t start = s->old.at;
    found.sort = toll_component_take_sort(&s->old, &found.core);
    toll_component_copy_from(s, start);
    found.index = toll_component_copy_core(s, found.core);
    bool is_module = found.sort == TOLL_SORT_CORE && found.core == TOLL_CORE_MODULE;
    if (is_module && module_of(s->r, found.index).is_own)
        fail_passed_on(s, start);
    bool is_component = found.sort == TOLL_SORT_COMPONENT;
    s->r->loses |= is_component && entry(&s->r->components, found.index);
    return found;
}

/* --- definitions -------------------------------------------------------------------------------*/

/* Arguments of an instance of a module, or what an instance is made of: names and core things.
 * taken: a name that is not free; NULL. */
static void copy_core_pairs(toll_component_reader *s, uint32_t pairs, const char *taken)
{
    for (; pairs > 0 && !s->old.status; pairs--) {
        size_t start = s->old.at, size = 0;
        const char *name = toll_wasm_take_name(&s->old, &size);
        if (name && taken && size == strlen(taken) && memcmp(name, taken, size) == 0)
            toll_wasm_cursor_fail(&s->old, TOLL_E_UNSUPPORTED, start,
                                  "it has a module \"%s\" of its own", taken);
        uint8_t core = toll_wasm_take_u8(&s->old);
        toll_component_copy_from(s, start);
        toll_component_copy_core(s, core);
    }
}

/* The next core instance is of this module. */
static void count_instance(toll_component_rewrite *r, toll_component_module module)
{
    const uint32_t number = r->core_instances,
                   grown = number + toll_component_growth(r, TOLL_CORE_INSTANCE, number);
    const toll_component_counting counting = { grown, module };
    r->memories += module.memories;
    if (module.counters)
        toll_buffer_append(&r->counting, &counting, sizeof counting);
}

void toll_component_copy_core_instance(toll_component_reader *s)
{
    size_t start = s->old.at;
    uint8_t form = toll_wasm_take_u8(&s->old);
    toll_component_copy_from(s, start);
    toll_component_source source = { TOLL_COMPONENT_NONE, s->old.at };
    if (form == 0) {
        source.module = toll_component_copy_index(s, s->r->new_modules);
        const toll_component_module module = module_of(s->r, source.module);
        const bool own = module.is_own;
        count_instance(s->r, module);
        uint32_t arguments = toll_wasm_take_count(&s->old, "arguments");
        toll_wasm_put_u32(&s->body, arguments + own);
        if (own) {
            toll_wasm_put_name(&s->body, s->r->added_name);
            toll_buffer_append_byte(&s->body, TOLL_CORE_INSTANCE);
            toll_wasm_put_u32(&s->body, s->r->added_instance);
        }
        copy_core_pairs(s, arguments, own ? s->r->added_name : NULL);
    } else if (form == 1) {
        copy_core_pairs(s, toll_component_copy_index(s, 0), NULL);
    } else
        toll_wasm_cursor_fail(&s->old, TOLL_E_UNSUPPORTED, start, "a core instance of form %u",
                              form);
    toll_component_note_instance(s->r->origins, source);
    s->r->core_instances++;
}

void toll_component_copy_instance(toll_component_reader *s)
{
    enum { INSTANTIATE, EXPORTS };
    size_t start = s->old.at;
    uint8_t form = toll_wasm_take_u8(&s->old);
    if (form > EXPORTS)
        toll_wasm_cursor_fail(&s->old, TOLL_E_UNSUPPORTED, start, "an instance of form %u", form);
    uint32_t component = form == INSTANTIATE ? toll_wasm_take_u32(&s->old) : 0;
    uint32_t pairs = toll_wasm_take_count(&s->old, "arguments");
    toll_component_copy_from(s, start);
    for (; pairs > 0 && !s->old.status; pairs--) {
        start = s->old.at;
        if (form == INSTANTIATE)
            toll_component_pass_name(&s->old);
        else
            pass_extern_name(&s->old);
        toll_component_copy_from(s, start);
        copy_passed_on(s);
    }
    count(s->r, TOLL_SORT_INSTANCE, 0,
          form == INSTANTIATE ? entry(&s->r->components, component) : 0, no_module);
}

enum { FROM_INSTANCE, FROM_CORE_INSTANCE, FROM_OUTER };

typedef struct alias {
    uint8_t sort, core, from;
    uint32_t outward; /* from_outer: how many components outward; 0: this one */
    size_t index_at;  /* where the number is: of an instance, or of the thing */
    uint32_t index;
    toll_wasm_bytes name; /* not from_outer */
} alias;

static alias take_alias(toll_wasm_cursor *c)
{
    alias found = { 0 };
    size_t start = c->at;
    found.sort = toll_component_take_sort(c, &found.core);
    found.from = toll_wasm_take_u8(c);
    if (found.from > FROM_OUTER)
        toll_wasm_cursor_fail(c, TOLL_E_UNSUPPORTED, start, "an alias of form %u", found.from);
    if (found.from == FROM_OUTER)
        found.outward = toll_wasm_take_u32(c);
    found.index_at = c->at;
    found.index = toll_wasm_take_u32(c);
    if (found.from != FROM_OUTER)
        found.name.data = (const uint8_t *)toll_wasm_take_name(c, &found.name.size);
    return found;
}

/* The component that an alias refers to; NULL: there is none. */
static const toll_component_rewrite *outward(const toll_component_rewrite *r, uint32_t steps)
{
    for (; r && steps > 0; steps--)
        r = r->parent;
    return r;
}

static bool is_core_function(const alias *a)
{
    return a->from == FROM_CORE_INSTANCE && a->sort == TOLL_SORT_CORE &&
           a->core == TOLL_CORE_FUNCTION;
}

/* By how much the number in an alias grows. A function that has a guard is taken from it. of: the
 * component that it refers to, from outside. */
static uint32_t growth_of(const toll_component_rewrite *r, const toll_component_rewrite *of,
                          const alias *a)
{
    if (a->from != FROM_CORE_INSTANCE)
        return of ? toll_component_growth(of, a->core, a->index) : 0;
    const uint32_t guard = is_core_function(a)
                               ? toll_component_guard_of(r->guards, a->index, a->name)
                               : TOLL_COMPONENT_NONE;
    if (guard == TOLL_COMPONENT_NONE)
        return toll_component_growth(r, TOLL_CORE_INSTANCE, a->index);
    return r->new_instances + toll_component_guard_at(r->guards, guard).position + guard - a->index;
}

void toll_component_copy_alias(toll_component_reader *s)
{
    toll_wasm_cursor ahead = s->old;
    size_t start = s->old.at;
    const alias found = take_alias(&ahead);
    const toll_component_rewrite *of =
        found.from == FROM_OUTER ? outward(s->r, found.outward) : NULL;
    if (ahead.status) {
        s->old = ahead;
        return;
    }
    s->old.at = found.index_at;
    toll_component_copy_from(s, start);
    uint32_t index = toll_component_copy_index(s, growth_of(s->r, of, &found));
    size_t behind = s->old.at;
    s->old.at = ahead.at;
    toll_component_copy_from(s, behind);
    bool is_module = found.sort == TOLL_SORT_CORE && found.core == TOLL_CORE_MODULE;
    bool is_component = found.sort == TOLL_SORT_COMPONENT;
    const toll_component_module module = of && is_module ? module_of(of, index) : no_module;
    if (module.is_own && of != s->r)
        fail_passed_on(s, start);
    s->r->unrecorded += is_module && !of; /* that of an instance */
    if (is_core_function(&found))
        toll_component_note_function(s->r->origins,
                                     (toll_component_export){ found.index, found.name });
    count(s->r, found.sort, found.core, of && is_component ? entry(&of->components, index) : 0,
          module);
}

void toll_component_copy_import(toll_component_reader *s)
{
    uint8_t core;
    size_t start = s->old.at;
    toll_component_note_import(s->r->origins, extern_name(s->old));
    pass_extern_name(&s->old);
    uint8_t sort = toll_component_take_sort(&s->old, &core);
    pass_extern_type(&s->old, sort);
    toll_component_copy_from(s, start);
    s->r->unrecorded += sort == TOLL_SORT_CORE && core == TOLL_CORE_MODULE;
    count(s->r, sort, core, 0, no_module);
}

/* An export must not have a name that will be added. */
static void check_export_name(toll_component_reader *s)
{
    toll_wasm_cursor c = s->old;
    size_t size = 0, n = 0;
    toll_wasm_take_u8(&c);
    const char *name = toll_wasm_take_name(&c, &size), *taken = TOLL_COMPONENT_PROFILE;
    while (name && n < size && taken[n] && (name[n] | 0x20) == (taken[n] | 0x20))
        n++; /* names must not differ in case alone; - | 0x20 is - */
    bool is_taken = name && !taken[n];
    for (; is_taken && n < size; n++)
        is_taken = name[n] >= '0' && name[n] <= '9';
    if (is_taken)
        toll_wasm_cursor_fail(&s->old, TOLL_E_UNSUPPORTED, s->old.at, "it exports %.*s already",
                              (int)size, name);
}

/* What is exported gets one more number. The profiles of an instance are taken by its first one.
 * With a type of its own, a component's are hidden. */
void toll_component_copy_export(toll_component_reader *s)
{
    size_t start = s->old.at;
    check_export_name(s);
    pass_extern_name(&s->old);
    toll_component_copy_from(s, start);
    const sort_index exported = copy_passed_on(s);
    start = s->old.at;
    bool is_seen = exported.sort == TOLL_SORT_COMPONENT;
    if (toll_wasm_take_u8(&s->old) != 0) {
        is_seen = false;
        uint8_t core;
        pass_extern_type(&s->old, toll_component_take_sort(&s->old, &core));
    }
    toll_component_copy_from(s, start);
    count(s->r, exported.sort, exported.core,
          is_seen ? entry(&s->r->components, exported.index) : 0, no_module);
}

/* Returns whether the function is asynchronous. */
static bool pass_options(toll_component_reader *s)
{
    enum { REALLOC = 4, POST_RETURN, ASYNC };
    toll_wasm_cursor *c = &s->old;
    bool is_async = false;
    for (uint32_t options = toll_wasm_take_count(c, "options"); options > 0 && !c->status;
         options--) {
        size_t start = c->at;
        uint8_t option = toll_wasm_take_u8(c);
        if (option > 9)
            toll_wasm_cursor_fail(c, TOLL_E_UNSUPPORTED, start, "an option of a function: 0x%02x",
                                  option);
        if ((option >= 3 && option <= 5) || option == 7 ||
            option == 8) { /* memory, realloc, post-return, callback, type */
            uint32_t index = toll_wasm_take_u32(c);
            if (option == REALLOC || option == POST_RETURN)
                toll_component_note_held(s->r->origins, index);
        }
        is_async |= option == ASYNC;
    }
    return is_async;
}

/* What follows the first byte of each definition that makes functions of functions: i an index, b a
 * byte, v a type of values, r a result (0 and its type; or 1 0), o options. NULL: not known. All
 * but the first make core functions. */
static const char *const canon_parts[] = {
    [0x00] = "bioi", [0x01] = "bio", [0x02] = "i",  [0x03] = "i",  [0x04] = "i",  [0x05] = "",
    [0x06] = "b",    [0x09] = "ro",  [0x0a] = "vi", [0x0b] = "vi", [0x0c] = "b",  [0x0d] = "",
    [0x0e] = "i",    [0x0f] = "io",  [0x10] = "io", [0x11] = "ib", [0x12] = "ib", [0x13] = "i",
    [0x14] = "i",    [0x15] = "i",   [0x16] = "io", [0x17] = "io", [0x18] = "ib", [0x19] = "ib",
    [0x1a] = "i",    [0x1b] = "i",   [0x1c] = "o",  [0x1d] = "o",  [0x1e] = "",   [0x1f] = "",
    [0x20] = "bi",   [0x21] = "bi",  [0x22] = "",   [0x23] = "",   [0x24] = "",   [0x25] = "",
    [0x26] = "",     [0x27] = "ii",  [0x28] = "",   [0x29] = "b",  [0x2a] = "b",  [0x2b] = "b",
    [0x2c] = "b",    [0x2d] = "b",   [0x2e] = "i",  [0x2f] = "i",  [0x40] = "i",  [0x41] = "ii",
    [0x42] = "",
};

void toll_component_copy_canon(toll_component_reader *s)
{
    enum { LIFT = 0 };
    size_t start = s->old.at;
    bool is_async = false;
    uint8_t kind = toll_wasm_take_u8(&s->old);
    const char *part = kind < sizeof canon_parts / sizeof canon_parts[0] ? canon_parts[kind] : NULL;
    if (!part)
        toll_wasm_cursor_fail(&s->old, TOLL_E_UNSUPPORTED, start,
                              "a function of the kind 0x%02x, which is not known", kind);
    for (; part && *part; part++)
        switch (*part) {
        case 'i': toll_wasm_take_u32(&s->old); break;
        case 'b': toll_wasm_take_u8(&s->old); break;
        case 'v': pass_value_type(&s->old); break;
        case 'o': is_async = pass_options(s); break;
        default:
            if (toll_wasm_take_u8(&s->old) == 0)
                pass_value_type(&s->old);
            else
                toll_wasm_take_u8(&s->old);
            break;
        }
    if (kind == LIFT && is_async) /* calls of two may take turns, on one stack */
        toll_wasm_cursor_fail(&s->old, TOLL_E_UNSUPPORTED, start,
                              "it exports an asynchronous function (WASI 0.3)");
    toll_component_copy_from(s, start);
    if (kind == LIFT)
        s->r->functions++;
    else {
        s->r->core_functions++;
        toll_component_note_function(s->r->origins,
                                     (toll_component_export){ TOLL_COMPONENT_NONE, { NULL, 0 } });
    }
}
