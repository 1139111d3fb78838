/* component_clock.c - see component_clock.h. */
#include "wasm/component_clock.h"

#include "base/fail.h"
#include "wasm/component_additions.h"
#include "wasm/component_maker.h"
#include "wasm/component_origins.h"
#include "wasm/emit.h"
#include "wasm/opcode.h"

/* --- the module --------------------------------------------------------------------------------*/

enum { NOW, BEGINS, FUNCTIONS };

static void put_function(toll_buffer *section, const char *from, const char *name, uint32_t type)
{
    toll_wasm_put_name(section, from);
    toll_wasm_put_name(section, name);
    toll_buffer_append_byte(section, TOLL_WASM_KIND_FUNCTION);
    toll_wasm_put_u32(section, type);
}

/* When it is made, its element replaces that of the table, and the time begins. */
static toll_status put_filler(toll_buffer *out, toll_error *err)
{
    enum { FUNCREF = 0x70 };
    static const uint8_t i64 = TOLL_WASM_I64_TYPE,
                         table[] = { TOLL_WASM_KIND_TABLE, FUNCREF, 0, 1 },
                         element[] = { 1, 0, TOLL_WASM_OP_I32_CONST, 0, TOLL_WASM_OP_END, 1, NOW };
    const toll_wasm_signature types[FUNCTIONS] = { [NOW] = { .results = { &i64, 1 },
                                                             .result_count = 1 } };
    toll_maker m;
    toll_maker_begin(&m, &out->mem, out);
    toll_wasm_put_u32(&m.section, FUNCTIONS);
    for (int i = 0; i < FUNCTIONS; i++)
        toll_maker_put_type(&m.section, &types[i]);
    toll_maker_put_section(&m, TOLL_WASM_TYPES);
    toll_wasm_put_u32(&m.section, FUNCTIONS + 1);
    put_function(&m.section, "clock", "now", NOW);
    put_function(&m.section, "toll", TOLL_WASM_COMPONENT_CLOCK_BEGINS, BEGINS);
    toll_wasm_put_name(&m.section, "stubs");
    toll_wasm_put_name(&m.section, TOLL_WASM_COMPONENT_TABLE);
    toll_buffer_append(&m.section, table, sizeof table);
    toll_maker_put_section(&m, TOLL_WASM_IMPORTS);
    toll_wasm_put_u32(&m.section, BEGINS);
    toll_maker_put_section(&m, TOLL_WASM_START);
    toll_buffer_append(&m.section, element, sizeof element);
    toll_maker_put_section(&m, TOLL_WASM_ELEMENTS);
    return toll_maker_end(&m, err);
}

/* --- the component's definitions ---------------------------------------------------------------*/

static void end_section(toll_component_rewrite *r, uint8_t id, toll_buffer *section)
{
    toll_component_put_section(&r->out, id, section);
    toll_buffer_clear(section);
}

/* An interface with the function: now: func() -> u64. */
static void put_type(toll_component_rewrite *r, toll_buffer *section)
{
    enum { INSTANCE = 0x42, TYPE = 1, FUNCTION = 0x40, U64 = 0x77, EXPORT = 4 };
    static const uint8_t interface[] = { 1,    INSTANCE, 2,
                                         TYPE, FUNCTION, 0 /* parameters */,
                                         0,    U64,      EXPORT,
                                         0,    3,        'n',
                                         'o',  'w',      TOLL_SORT_FUNCTION,
                                         0 /* its type in the interface */ };
    toll_buffer_append(section, interface, sizeof interface);
    end_section(r, TOLL_COMPONENT_TYPES, section);
}

/* The import, of a version that the component does not import itself: a name can be used once. Any
 * host that has WASI 0.2 has all versions. */
static toll_status put_import(toll_component_rewrite *r, uint32_t clocks, toll_buffer *section,
                              toll_error *err)
{
    uint32_t version = 0;
    toll_buffer name;
    while (version < TOLL_COMPONENT_CLOCKS && clocks >> version & 1)
        version++;
    if (version == TOLL_COMPONENT_CLOCKS)
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "%s: imports all versions of WASI's clock itself: record it without time",
                         r->path);
    toll_buffer_init(&name, &r->mem);
    toll_buffer_append_format(&name, TOLL_COMPONENT_CLOCK "%u", version);
    toll_wasm_put_u32(section, 1);
    toll_buffer_append_byte(section, 0);
    toll_maker_put_name(section, (toll_wasm_bytes){ name.data, name.size });
    section->failed |= name.failed;
    toll_buffer_append_byte(section, TOLL_SORT_INSTANCE);
    toll_wasm_put_u32(section, r->types++);
    toll_buffer_free(&name);
    end_section(r, TOLL_COMPONENT_IMPORTS, section);
    return TOLL_OK;
}

/* The core function that calls the import's function. */
static void put_lowered(toll_component_rewrite *r, toll_buffer *section)
{
    enum { OF_INSTANCE = 0, LOWER = 1 };
    const uint8_t alias[] = { 1, TOLL_SORT_FUNCTION, OF_INSTANCE }, lower[] = { 1, LOWER, 0 };
    toll_buffer_append(section, alias, sizeof alias);
    toll_wasm_put_u32(section, (uint32_t)r->instances.size);
    toll_wasm_put_name(section, "now");
    toll_buffer_append_byte(&r->instances, 0);
    end_section(r, TOLL_COMPONENT_ALIASES, section);
    toll_buffer_append(section, lower, sizeof lower);
    toll_wasm_put_u32(section, r->functions++);
    toll_wasm_put_u32(section, 0); /* options */
    end_section(r, TOLL_COMPONENT_CANONS, section);
}

/* An instance that consists of that function, and the module's. */
static void put_instances(toll_component_rewrite *r, uint32_t module, toll_buffer *section)
{
    enum { INSTANTIATE, EXPORTS };
    toll_wasm_put_u32(section, 2);
    toll_wasm_put_op(section, EXPORTS, 1);
    toll_wasm_put_name(section, "now");
    toll_buffer_append_byte(section, TOLL_CORE_FUNCTION);
    toll_wasm_put_u32(section, r->core_functions++);
    toll_wasm_put_op(section, INSTANTIATE, module);
    toll_wasm_put_u32(section, 3);
    toll_component_put_argument(section, "clock", r->new_instances + r->core_instances);
    toll_component_put_argument(section, "toll", TOLL_COMPONENT_TOLL);
    toll_component_put_argument(section, "stubs", TOLL_COMPONENT_STUBS);
    r->core_instances += 2;
    end_section(r, TOLL_COMPONENT_CORE_INSTANCES, section);
}

toll_status toll_component_put_clock(toll_component_rewrite *r, uint32_t clocks, toll_error *err)
{
    static const toll_component_module filler;
    const uint32_t number =
        r->new_modules + (uint32_t)(r->modules.size / sizeof(toll_component_module));
    toll_buffer section;
    toll_buffer_init(&section, &r->mem);
    toll_status status = put_filler(&section, err);
    toll_buffer_append(&r->modules, &filler, sizeof filler);
    end_section(r, TOLL_COMPONENT_CORE_MODULE, &section);
    put_type(r, &section);
    if (!status)
        status = put_import(r, clocks, &section, err);
    put_lowered(r, &section);
    put_instances(r, number, &section);
    toll_buffer_free(&section);
    const bool failed = r->out.failed || r->modules.failed || r->instances.failed;
    return status || !failed ? status : toll_fail_nomem(err);
}
