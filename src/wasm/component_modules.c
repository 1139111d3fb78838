/* component_modules.c - see component_modules.h. */
#include "wasm/component_modules.h"

#include "wasm/call_places.h"
#include "wasm/component_clock.h"
#include "wasm/component_maker.h"
#include "wasm/emit.h"
#include "wasm/opcode.h"

#include <string.h>

/* --- what toll.wasm imports --------------------------------------------------------------------*/

/* The body of a function: it returns a constant, a number of WASI's errors or 0; or with a clock
 * (the number of its type) the time, which the function in the table returns. */
static void put_stub(toll_maker *m, const toll_wasm_signature *type, uint32_t clock)
{
    enum { NOT_SUPPORTED = 52, ZERO_F64 = 8, CALL_INDIRECT = 0x11, F64_CONVERT_U64 = 0xba };
    static const uint8_t f64[1 + ZERO_F64] = { 0x44 };
    bool is_number = type->result_count && type->results.data[0] == TOLL_WASM_I32_TYPE;
    bool is_time = type->result_count && type->results.data[0] == TOLL_WASM_F64_TYPE;
    toll_buffer body;
    toll_buffer_init(&body, &m->section.mem);
    toll_wasm_put_u32(&body, 0); /* locals */
    if (is_number)
        toll_maker_put_i32(&body, NOT_SUPPORTED);
    else if (is_time && clock) {
        toll_maker_put_i32(&body, 0);
        toll_wasm_put_op(&body, CALL_INDIRECT, clock);
        toll_wasm_put_u32(&body, 0); /* the table */
        toll_buffer_append_byte(&body, F64_CONVERT_U64);
    } else if (is_time)
        toll_buffer_append(&body, f64, sizeof f64);
    toll_maker_put_body(m, &body);
    toll_buffer_free(&body);
}

/* A table of one function, which the clock replaces. */
static void put_table(toll_maker *m)
{
    enum { FUNCREF = 0x70 };
    static const uint8_t table[] = { 1, FUNCREF, 0, 1 };
    toll_buffer_append(&m->section, table, sizeof table);
    toll_maker_put_section(m, TOLL_WASM_TABLES);
}

static void put_element(toll_maker *m, uint32_t function)
{
    static const uint8_t element[] = { 1, 0, TOLL_WASM_OP_I32_CONST, 0, TOLL_WASM_OP_END, 1 };
    toll_buffer_append(&m->section, element, sizeof element);
    toll_wasm_put_u32(&m->section, function);
    toll_maker_put_section(m, TOLL_WASM_ELEMENTS);
}

/* Can stubs stand for all that toll.wasm imports? */
static bool is_simple(const toll_wasm_module *t)
{
    bool simple = t->imported_globals + t->imported_memories == 0;
    for (uint32_t f = 0; f < t->imported_functions; f++) {
        const toll_wasm_signature *type = &t->types[t->functions[f].type];
        const uint8_t result = type->result_count ? type->results.data[0] : TOLL_WASM_I32_TYPE;
        simple &= type->result_count <= 1 &&
                  (result == TOLL_WASM_I32_TYPE || result == TOLL_WASM_F64_TYPE);
    }
    return simple;
}

static void put_stub_types(toll_maker *m, const toll_wasm_module *t, bool has_clock)
{
    static const uint8_t i64 = TOLL_WASM_I64_TYPE;
    const uint32_t count = t->imported_functions;
    toll_wasm_put_u32(&m->section, count + has_clock);
    for (uint32_t f = 0; f < count; f++)
        toll_maker_put_type(&m->section, &t->types[t->functions[f].type]);
    if (has_clock)
        toll_maker_put_type(&m->section,
                            &(toll_wasm_signature){ .results = { &i64, 1 }, .result_count = 1 });
    toll_maker_put_section(m, TOLL_WASM_TYPES);
    toll_wasm_put_u32(&m->section, count + has_clock);
    for (uint32_t f = 0; f < count + has_clock; f++)
        toll_wasm_put_u32(&m->section, f);
    toll_maker_put_section(m, TOLL_WASM_FUNCTIONS);
}

static void put_stub_exports(toll_maker *m, const toll_wasm_module *t, bool has_clock)
{
    toll_wasm_put_u32(&m->section, t->imported_functions + has_clock);
    for (uint32_t f = 0; f < t->imported_functions; f++) {
        toll_maker_put_name(&m->section, t->functions[f].name);
        toll_buffer_append_byte(&m->section, TOLL_WASM_KIND_FUNCTION);
        toll_wasm_put_u32(&m->section, f);
    }
    if (has_clock)
        toll_maker_put_export(m, TOLL_WASM_COMPONENT_TABLE, TOLL_WASM_KIND_TABLE, 0);
    toll_maker_put_section(m, TOLL_WASM_EXPORTS);
}

/* With a clock the last function returns no time. */
static void put_stub_code(toll_maker *m, const toll_wasm_module *t, bool has_clock)
{
    static const uint8_t no_time[] = { 4, 0, TOLL_WASM_OP_I64_CONST, 0, TOLL_WASM_OP_END };
    const uint32_t count = t->imported_functions;
    toll_wasm_put_u32(&m->section, count + has_clock);
    for (uint32_t f = 0; f < count; f++)
        put_stub(m, &t->types[t->functions[f].type], has_clock ? count : 0);
    if (has_clock)
        toll_buffer_append(&m->section, no_time, sizeof no_time);
    toll_maker_put_section(m, TOLL_WASM_CODE);
}

toll_status toll_wasm_put_stubs(const toll_wasm_module *t, bool has_clock, toll_buffer *out,
                                toll_error *err)
{
    toll_maker m;
    if (!is_simple(t))
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "%s: is no toll.wasm of this version: it imports other things", t->path);
    toll_maker_begin(&m, &out->mem, out);
    toll_wasm_put_name(&m.section, TOLL_WASM_SECTION);
    toll_maker_put_section(&m, TOLL_WASM_CUSTOM); /* so that a second instrumentation is refused */
    put_stub_types(&m, t, has_clock);
    if (has_clock)
        put_table(&m);
    put_stub_exports(&m, t, has_clock);
    if (has_clock)
        put_element(&m, t->imported_functions);
    put_stub_code(&m, t, has_clock);
    return toll_maker_end(&m, err);
}

/* --- what the component's modules import -------------------------------------------------------*/

/* The functions of toll.wasm, in the order of their imports. Those that modules import come first.
 */
static const struct {
    const char *exported;                                 /* NULL: not */
    const char *name, *placed, *clocked, *placed_clocked; /* the latter NULL: as without a clock */
} functions[] = {
    { "enter", "enter", "enter_placed", "enter_clocked", "enter_placed_clocked" },
    { "leave", "leave", "leave_placed", "leave_clocked", "leave_placed_clocked" },
    { "settle", "settle", "settle_placed", NULL, NULL },
    { "depth", "depth", "depth", NULL, NULL },
    { "unwind", "unwind", "unwind", NULL, NULL },
    { "allocating", "allocating", "allocating", NULL, NULL },
    { "heap", "heap", "heap", NULL, NULL },
    { NULL, "_initialize", "_initialize", NULL, NULL },
    { NULL, "alloc", "alloc", NULL, NULL },
    { NULL, "component_begin", "component_begin", NULL, NULL },
    { NULL, "component_profile", "component_profile", NULL, NULL },
};
enum {
    INITIALIZE = 7,
    ALLOC,
    COMPONENT_BEGIN,
    PROFILE,
    FUNCTIONS,
    START = FUNCTIONS,
    TAKE_PROFILE
};
enum { TICKS, PENDING, PENDING_TICKS, PLACE, GLOBALS };

toll_status toll_component_fail_toll_wasm(const toll_wasm_module *t, const char *name,
                                          toll_error *err)
{
    return toll_fail(err, TOLL_E_UNSUPPORTED,
                     "%s: is no toll.wasm of this version: it does not export '%s'", t->path, name);
}

static const char *name_of(uint32_t i, toll_component_events events)
{
    const char *clocked = events.placed ? functions[i].placed_clocked : functions[i].clocked;
    return events.has_clock && clocked ? clocked
           : events.placed             ? functions[i].placed
                                       : functions[i].name;
}

static toll_status put_imports(toll_maker *m, const toll_wasm_module *t,
                               toll_component_events events, toll_error *err)
{
    toll_buffer imports;
    toll_status status = TOLL_OK;
    toll_buffer_init(&imports, &m->section.mem);
    toll_wasm_put_u32(&m->section, FUNCTIONS + 2);
    toll_wasm_put_u32(&imports, FUNCTIONS + 1);
    for (uint32_t i = 0; i < FUNCTIONS && !status; i++) {
        const char *name = name_of(i, events);
        uint32_t f;
        if (!toll_wasm_find_export(t, TOLL_WASM_KIND_FUNCTION, name, &f) ||
            f >= t->function_count) {
            status = toll_component_fail_toll_wasm(t, name, err);
            break;
        }
        toll_maker_put_type(&m->section, &t->types[t->functions[f].type]);
        toll_wasm_put_name(&imports, "toll");
        toll_wasm_put_name(&imports, name);
        toll_buffer_append_byte(&imports, TOLL_WASM_KIND_FUNCTION);
        toll_wasm_put_u32(&imports, i);
    }
    toll_maker_put_type(&m->section, &(toll_wasm_signature){ .is_function = true });
    static const uint8_t i32 = TOLL_WASM_I32_TYPE;
    toll_maker_put_type(
        &m->section,
        &(toll_wasm_signature){ .results = { &i32, 1 }, .result_count = 1, .is_function = true });
    toll_maker_put_section(m, TOLL_WASM_TYPES);
    toll_wasm_put_name(&imports, "toll");
    toll_wasm_put_name(&imports, "memory");
    const uint8_t memory[] = { TOLL_WASM_KIND_MEMORY, 0, 0 }; /* of any size */
    toll_buffer_append(&imports, memory, sizeof memory);
    toll_wasm_put_bytes(&m->section, (toll_wasm_bytes){ imports.data, imports.size });
    m->section.failed |= imports.failed;
    toll_buffer_free(&imports);
    toll_maker_put_section(m, TOLL_WASM_IMPORTS);
    return status;
}

static bool is_wide(uint32_t global, int placed)
{
    return global == TICKS || global == PENDING_TICKS || (global == PENDING && placed);
}

static void put_globals(toll_maker *m, int placed)
{
    toll_wasm_put_u32(&m->section, GLOBALS);
    for (uint32_t g = 0; g < GLOBALS; g++) {
        bool wide = is_wide(g, placed);
        const uint8_t global[] = { wide ? TOLL_WASM_I64_TYPE : TOLL_WASM_I32_TYPE, 1,
                                   wide ? TOLL_WASM_OP_I64_CONST : TOLL_WASM_OP_I32_CONST, 0,
                                   TOLL_WASM_OP_END };
        toll_buffer_append(&m->section, global, sizeof global);
    }
    toll_maker_put_section(m, TOLL_WASM_GLOBALS);
}

static void put_exports(toll_maker *m, int placed)
{
    toll_wasm_put_u32(&m->section, INITIALIZE + GLOBALS + 1);
    for (uint32_t i = 0; i < INITIALIZE; i++)
        toll_maker_put_export(m, functions[i].exported, TOLL_WASM_KIND_FUNCTION, i);
    toll_maker_put_export(m, "ticks", TOLL_WASM_KIND_GLOBAL, TICKS);
    toll_maker_put_export(m, "pending", TOLL_WASM_KIND_GLOBAL, PENDING);
    toll_maker_put_export(m, "pending_ticks", TOLL_WASM_KIND_GLOBAL, PENDING_TICKS);
    toll_maker_put_export(m, placed == TOLL_WASM_CALL_KINDS ? "call_kind" : "place",
                          TOLL_WASM_KIND_GLOBAL, PLACE);
    toll_maker_put_export(m, TOLL_WASM_COMPONENT_PROFILE, TOLL_WASM_KIND_FUNCTION, TAKE_PROFILE);
    toll_maker_put_section(m, TOLL_WASM_EXPORTS);
}

/* Copy the description to toll.wasm's memory, and pass it on. */
static void put_start(toll_buffer *body, uint32_t size)
{
    static const uint8_t one_i32[] = { 1, 1, TOLL_WASM_I32_TYPE }; /* locals: the address */
    static const uint8_t stop_without_memory[] = { 0x45 /* i32.eqz */, TOLL_WASM_OP_IF,
                                                   TOLL_WASM_EMPTY_BLOCK, TOLL_WASM_OP_UNREACHABLE,
                                                   TOLL_WASM_OP_END };
    static const uint8_t memory_init[] = { 0xfc, 8, 0, 0 }, data_drop[] = { 0xfc, 9, 0 };
    toll_buffer_append(body, one_i32, sizeof one_i32);
    toll_wasm_put_op(body, TOLL_WASM_OP_CALL, INITIALIZE);
    toll_maker_put_i32(body, size);
    toll_wasm_put_op(body, TOLL_WASM_OP_CALL, ALLOC);
    toll_wasm_put_op(body, TOLL_WASM_OP_LOCAL_TEE, 0);
    toll_buffer_append(body, stop_without_memory, sizeof stop_without_memory);
    toll_wasm_put_op(body, TOLL_WASM_OP_LOCAL_GET, 0);
    toll_maker_put_i32(body, 0);
    toll_maker_put_i32(body, size);
    toll_buffer_append(body, memory_init, sizeof memory_init);
    toll_buffer_append(body, data_drop, sizeof data_drop);
    toll_wasm_put_op(body, TOLL_WASM_OP_LOCAL_GET, 0);
    toll_maker_put_i32(body, size);
    toll_wasm_put_op(body, TOLL_WASM_OP_CALL, COMPONENT_BEGIN);
}

/* Deliver the pending event, and return where the profile is. */
static void put_take_profile(toll_buffer *body, int placed)
{
    toll_wasm_put_u32(body, 0);
    toll_wasm_put_op(body, TOLL_WASM_OP_GLOBAL_GET, PENDING);
    if (!placed)
        toll_buffer_append_byte(body, TOLL_WASM_OP_I64_EXTEND_I32_U);
    toll_wasm_put_op(body, TOLL_WASM_OP_GLOBAL_GET, PENDING_TICKS);
    toll_wasm_put_op(body, TOLL_WASM_OP_GLOBAL_GET, TICKS);
    toll_wasm_put_op(body, TOLL_WASM_OP_CALL, PROFILE);
    if (placed)
        toll_wasm_put_i64(body, 0);
    else
        toll_maker_put_i32(body, 0);
    toll_wasm_put_op(body, TOLL_WASM_OP_GLOBAL_SET, PENDING);
}

static void put_code(toll_maker *m, uint32_t size, int placed)
{
    toll_buffer body;
    toll_buffer_init(&body, &m->section.mem);
    toll_wasm_put_u32(&m->section, 2);
    put_start(&body, size);
    toll_maker_put_body(m, &body);
    put_take_profile(&body, placed);
    toll_maker_put_body(m, &body);
    toll_buffer_free(&body);
    toll_maker_put_section(m, TOLL_WASM_CODE);
}

toll_status toll_wasm_put_starter(const toll_wasm_module *t, const toll_buffer *description,
                                  toll_component_events events, toll_buffer *out, toll_error *err)
{
    toll_maker m;
    toll_maker_begin(&m, &out->mem, out);
    toll_status status = put_imports(&m, t, events, err);
    toll_wasm_put_u32(&m.section, 2);
    toll_wasm_put_u32(&m.section, FUNCTIONS); /* their types */
    toll_wasm_put_u32(&m.section, FUNCTIONS + 1);
    toll_maker_put_section(&m, TOLL_WASM_FUNCTIONS);
    put_globals(&m, events.placed);
    put_exports(&m, events.placed);
    toll_wasm_put_u32(&m.section, START);
    toll_maker_put_section(&m, TOLL_WASM_START);
    toll_wasm_put_u32(&m.section, 1);
    toll_maker_put_section(&m, TOLL_WASM_DATA_COUNT);
    put_code(&m, (uint32_t)description->size, events.placed);
    const uint8_t passive[] = { 1, 1 };
    toll_buffer_append(&m.section, passive, sizeof passive);
    toll_maker_put_name(&m.section, (toll_wasm_bytes){ description->data, description->size });
    toll_maker_put_section(&m, TOLL_WASM_DATA_SEGMENTS);
    toll_status ended = toll_maker_end(&m, err);
    return status ? status : ended;
}
