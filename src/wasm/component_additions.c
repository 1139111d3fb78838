/* component_additions.c - see component_additions.h. */
#include "wasm/component_additions.h"

#include "wasm/component_definitions.h"
#include "wasm/component_gather.h"
#include "wasm/component_maker.h"
#include "wasm/component_modules.h"
#include "wasm/counters.h"
#include "wasm/emit.h"

#include <stdio.h>

/* --- toll.wasm ---------------------------------------------------------------------------------*/

enum { INSTANTIATE, EXPORTS }; /* the forms of a core instance */

void toll_component_put_argument(toll_buffer *out, const char *name, uint32_t instance)
{
    toll_wasm_put_name(out, name);
    toll_buffer_append_byte(out, TOLL_CORE_INSTANCE);
    toll_wasm_put_u32(out, instance);
}

static void put_instances(toll_buffer *out, toll_buffer *section)
{

    toll_buffer_clear(section);
    toll_wasm_put_u32(section, TOLL_COMPONENT_INSERTED);
    toll_wasm_put_op(section, INSTANTIATE, TOLL_COMPONENT_STUBS);
    toll_wasm_put_u32(section, 0); /* arguments */
    toll_wasm_put_op(section, INSTANTIATE, TOLL_COMPONENT_TOLL);
    toll_wasm_put_u32(section, 2);
    toll_component_put_argument(section, "toll_host", TOLL_COMPONENT_STUBS);
    toll_component_put_argument(section, "wasi_snapshot_preview1", TOLL_COMPONENT_STUBS);
    toll_wasm_put_op(section, INSTANTIATE, TOLL_COMPONENT_STARTER);
    toll_wasm_put_u32(section, 1);
    toll_component_put_argument(section, "toll", TOLL_COMPONENT_TOLL);
    toll_component_put_section(out, TOLL_COMPONENT_CORE_INSTANCES, section);
}

/* The modules of the outermost component. */
static void put_outer_aliases(uint32_t depth, toll_buffer *section)
{
    toll_wasm_put_u32(section, TOLL_COMPONENT_STARTER);
    for (uint32_t module = 0; module < TOLL_COMPONENT_STARTER; module++) {
        const uint8_t alias[] = { TOLL_SORT_CORE, TOLL_CORE_MODULE, 2 /* from outside */ };
        toll_buffer_append(section, alias, sizeof alias);
        toll_wasm_put_u32(section, depth);
        toll_wasm_put_u32(section, module);
    }
}

toll_status toll_component_put_toll(const toll_wasm_module *toll_wasm, uint32_t depth,
                                    bool has_clock, toll_buffer *out, toll_error *err)
{
    toll_buffer section;
    toll_status status = TOLL_OK;
    toll_buffer_init(&section, &out->mem);
    if (depth > 0) {
        put_outer_aliases(depth, &section);
        toll_component_put_section(out, TOLL_COMPONENT_ALIASES, &section);
    } else {
        status = toll_wasm_put_stubs(toll_wasm, has_clock, &section, err);
        toll_component_put_section(out, TOLL_COMPONENT_CORE_MODULE, &section);
        toll_buffer_clear(&section);
        toll_wasm_put_bytes(&section, toll_wasm->bytes);
        toll_component_put_section(out, TOLL_COMPONENT_CORE_MODULE, &section);
    }
    toll_buffer_free(&section);
    return status || !out->failed ? status : toll_fail_nomem(err);
}

toll_status toll_component_put_starter(const toll_wasm_module *toll_wasm,
                                       const toll_buffer *description, toll_component_events events,
                                       const toll_buffer *modules, toll_buffer *out,
                                       toll_error *err)
{
    toll_buffer section;
    toll_buffer_init(&section, &out->mem);
    toll_status status = toll_wasm_put_starter(toll_wasm, description, events, &section, err);
    toll_component_put_section(out, TOLL_COMPONENT_CORE_MODULE, &section);
    if (modules)
        toll_wasm_put_bytes(out, (toll_wasm_bytes){ modules->data, modules->size });
    put_instances(out, &section);
    toll_buffer_free(&section);
    return status || !out->failed ? status : toll_fail_nomem(err);
}

/* --- sections behind the component's own -------------------------------------------------------*/

static void put_core_alias(toll_buffer *section, uint8_t core, uint32_t instance, const char *name)
{
    const uint8_t alias[] = { TOLL_SORT_CORE, core, 1 /* of a core instance */ };
    toll_buffer_append(section, alias, sizeof alias);
    toll_wasm_put_u32(section, instance);
    toll_wasm_put_name(section, name);
}

static void end_section(toll_component_rewrite *r, uint8_t id, toll_buffer *section)
{
    toll_component_put_section(&r->out, id, section);
    toll_buffer_clear(section);
}

/* --- guards ------------------------------------------------------------------------------------*/

void toll_component_put_guard(toll_component_rewrite *r)
{
    toll_component_guards *g = r->guards;
    const uint32_t guarded = toll_component_guard_at(g, g->placed).instance;
    toll_buffer section;
    toll_buffer_init(&section, &r->mem);
    toll_wasm_put_u32(&section, 1);
    toll_wasm_put_op(&section, INSTANTIATE, TOLL_COMPONENT_INSERTED + g->placed);
    toll_wasm_put_u32(&section, 2);
    toll_component_put_argument(&section, "guarded",
                                guarded + toll_component_growth(r, TOLL_CORE_INSTANCE, guarded));
    toll_component_put_argument(&section, "toll", TOLL_COMPONENT_TOLL);
    end_section(r, TOLL_COMPONENT_CORE_INSTANCES, &section);
    toll_component_place_guard(g, r->core_instances);
    toll_buffer_free(&section);
}

/* --- executions --------------------------------------------------------------------------------*/

/* Take the functions that return the executions of instances. */
static void put_tellers(toll_component_rewrite *r, toll_buffer *section)
{
    const uint32_t count = toll_component_counting_count(&r->counting);
    toll_wasm_put_u32(section, count);
    for (uint32_t i = 0; i < count; i++)
        put_core_alias(section, TOLL_CORE_FUNCTION,
                       toll_component_counting_at(&r->counting, i).instance, TOLL_WASM_EXECUTIONS);
    end_section(r, TOLL_COMPONENT_ALIASES, section);
}

/* An instance that consists of these functions, and the one of the gatherer, which imports it. */
static void put_gatherer_instances(toll_component_rewrite *r, uint32_t module, toll_buffer *section)
{
    const uint32_t count = toll_component_counting_count(&r->counting),
                   executions = r->new_instances + r->core_instances;
    toll_wasm_put_u32(section, 2);
    toll_wasm_put_op(section, EXPORTS, count);
    for (uint32_t i = 0; i < count; i++) {
        char name[TOLL_GATHER_NAME];
        toll_component_gather_name(i, name);
        toll_wasm_put_name(section, name);
        toll_buffer_append_byte(section, TOLL_CORE_FUNCTION);
        toll_wasm_put_u32(section, r->core_functions + i);
    }
    toll_wasm_put_op(section, INSTANTIATE, module);
    toll_wasm_put_u32(section, 3);
    toll_component_put_argument(section, "toll", TOLL_COMPONENT_TOLL);
    toll_component_put_argument(section, "executions", executions);
    toll_component_put_argument(section, "starter", TOLL_COMPONENT_STARTER);
    end_section(r, TOLL_COMPONENT_CORE_INSTANCES, section);
    r->core_functions += count;
    r->core_instances += 2;
    r->profile_instance = executions + 1;
}

toll_status toll_component_put_gatherer(const toll_wasm_module *toll_wasm,
                                        toll_component_rewrite *r, toll_error *err)
{
    const uint32_t module =
        r->new_modules + (uint32_t)(r->modules.size / sizeof(toll_component_module));
    toll_buffer section;
    if (!r->counting.size)
        return TOLL_OK;
    toll_buffer_init(&section, &r->mem);
    toll_status status = toll_wasm_put_gatherer(toll_wasm, &r->counting, &section, err);
    end_section(r, TOLL_COMPONENT_CORE_MODULE, &section);
    put_tellers(r, &section);
    put_gatherer_instances(r, module, &section);
    toll_buffer_free(&section);
    return status || !r->out.failed ? status : toll_fail_nomem(err);
}

/* --- the profile -------------------------------------------------------------------------------*/

/* Make the function of this component: func() -> result<list<u8>, string>. */
static void put_profile_function(toll_component_rewrite *r, toll_buffer *section)
{
    enum {
        LIST = 0x70,
        U8 = 0x7d,
        RESULT = 0x6a,
        STRING = 0x73,
        FUNCTION = 0x40,
        SOME = 1,
        UTF8 = 0,
        MEMORY = 3
    };
    toll_wasm_put_u32(section, 2);
    put_core_alias(section, TOLL_CORE_FUNCTION, r->profile_instance, TOLL_WASM_COMPONENT_PROFILE);
    put_core_alias(section, TOLL_CORE_MEMORY, TOLL_COMPONENT_TOLL, "memory");
    end_section(r, TOLL_COMPONENT_ALIASES, section);

    const uint8_t list[] = { 3, LIST, U8, RESULT, SOME };
    const uint8_t function[] = { SOME, STRING, FUNCTION, 0 /* parameters */, 0 /* one result */ };
    toll_buffer_append(section, list, sizeof list);
    toll_wasm_put_s64(section, r->types);
    toll_buffer_append(section, function, sizeof function);
    toll_wasm_put_s64(section, (int64_t)r->types + 1);
    end_section(r, TOLL_COMPONENT_TYPES, section);

    const uint8_t lift[] = { 1, 0, 0 }, options[] = { 2, UTF8, MEMORY };
    toll_buffer_append(section, lift, sizeof lift);
    toll_wasm_put_u32(section, r->core_functions);
    toll_buffer_append(section, options, sizeof options);
    toll_wasm_put_u32(section, r->core_memories);
    toll_wasm_put_u32(section, r->types + 2);
    end_section(r, TOLL_COMPONENT_CANONS, section);
}

enum { NAME_SIZE = 24 };

/* toll-profile, toll-profile2, ... */
static const char *name_of(uint8_t profile, char name[NAME_SIZE])
{
    snprintf(name, NAME_SIZE, profile ? TOLL_COMPONENT_PROFILE "%d" : TOLL_COMPONENT_PROFILE,
             profile + 1);
    return name;
}

/* Take the function of an instance of a component in this one. */
static void put_alias(toll_component_rewrite *r, uint32_t instance, uint8_t profile,
                      toll_buffer *section)
{
    char name[NAME_SIZE];
    const uint8_t alias[] = { 1, TOLL_SORT_FUNCTION, 0 /* of an instance */ };
    toll_buffer_append(section, alias, sizeof alias);
    toll_wasm_put_u32(section, instance);
    toll_wasm_put_name(section, name_of(profile, name));
    end_section(r, TOLL_COMPONENT_ALIASES, section);
}

/* Export the last function, which gives it one more number. */
static void put_export(toll_component_rewrite *r, uint8_t profile, toll_buffer *section)
{
    char name[NAME_SIZE];
    const uint8_t export[] = { 1, 0 };
    toll_buffer_append(section, export, sizeof export);
    toll_wasm_put_name(section, name_of(profile, name));
    toll_buffer_append_byte(section, TOLL_SORT_FUNCTION);
    toll_wasm_put_u32(section, r->functions);
    toll_buffer_append_byte(section, 0); /* no type of its own */
    end_section(r, TOLL_COMPONENT_EXPORTS, section);
    r->functions += 2;
}

size_t toll_component_count_profiles(const toll_component_rewrite *r, bool is_recorded)
{
    size_t count = is_recorded;
    for (size_t instance = 0; instance < r->instances.size; instance++)
        count += r->instances.data[instance];
    return count;
}

uint8_t toll_component_put_profiles(toll_component_rewrite *r, bool is_recorded)
{
    toll_buffer section;
    uint8_t count = 0;
    toll_buffer_init(&section, &r->mem);
    if (is_recorded) {
        put_profile_function(r, &section);
        put_export(r, count++, &section);
    }
    for (uint32_t instance = 0; instance < r->instances.size; instance++)
        for (uint8_t profile = 0;
             profile < r->instances.data[instance] && count < TOLL_COMPONENT_MOST_PROFILES;
             profile++) {
            put_alias(r, instance, profile, &section);
            put_export(r, count++, &section);
        }
    r->out.failed |= section.failed;
    toll_buffer_free(&section);
    return count;
}
