/* component_modules.c - see component_modules.h. */
#include "wasm/component_modules.h"

#include "wasm/call_places.h"
#include "wasm/component_maker.h"
#include "wasm/emit.h"
#include "wasm/opcode.h"

#include <string.h>

/* --- what toll.wasm imports --------------------------------------------------------------------*/

/* A body that returns a constant: a number of WASI's errors, or 0. */
static void put_stub(toll_buffer *out, const toll_wasm_signature *type)
{
    enum { NOT_SUPPORTED = 52, ZERO_F64 = 8 };
    static const uint8_t f64[1 + ZERO_F64] = { 0x44 };
    bool is_number = type->result_count && type->results.data[0] == TOLL_WASM_I32_TYPE;
    bool is_time = type->result_count && type->results.data[0] == TOLL_WASM_F64_TYPE;
    toll_wasm_put_u32(out, 2 + (is_number ? 2 : is_time ? (uint32_t)sizeof f64 : 0));
    toll_wasm_put_u32(out, 0); /* locals */
    if (is_number)
        toll_maker_put_i32(out, NOT_SUPPORTED);
    else if (is_time)
        toll_buffer_append(out, f64, sizeof f64);
    toll_buffer_append_byte(out, TOLL_WASM_OP_END);
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

toll_status toll_wasm_put_stubs(const toll_wasm_module *t, toll_buffer *out, toll_error *err)
{
    toll_maker m;
    const uint32_t count = t->imported_functions;
    if (!is_simple(t))
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "%s: is no toll.wasm of this version: it imports other things", t->path);
    toll_maker_begin(&m, &out->mem, out);
    toll_wasm_put_name(&m.section, TOLL_WASM_SECTION);
    toll_maker_put_section(&m, TOLL_WASM_CUSTOM); /* so that a second instrumentation is refused */
    toll_wasm_put_u32(&m.section, count);
    for (uint32_t f = 0; f < count; f++)
        toll_maker_put_type(&m.section, &t->types[t->functions[f].type]);
    toll_maker_put_section(&m, TOLL_WASM_TYPES);
    toll_wasm_put_u32(&m.section, count);
    for (uint32_t f = 0; f < count; f++)
        toll_wasm_put_u32(&m.section, f);
    toll_maker_put_section(&m, TOLL_WASM_FUNCTIONS);
    toll_wasm_put_u32(&m.section, count);
    for (uint32_t f = 0; f < count; f++) {
        toll_maker_put_name(&m.section, t->functions[f].name);
        toll_buffer_append_byte(&m.section, TOLL_WASM_KIND_FUNCTION);
        toll_wasm_put_u32(&m.section, f);
    }
    toll_maker_put_section(&m, TOLL_WASM_EXPORTS);
    toll_wasm_put_u32(&m.section, count);
    for (uint32_t f = 0; f < count; f++)
        put_stub(&m.section, &t->types[t->functions[f].type]);
    toll_maker_put_section(&m, TOLL_WASM_CODE);
    return toll_maker_end(&m, err);
}

/* --- what the component's modules import -------------------------------------------------------*/

/* The functions of toll.wasm, in the order of their imports. Those that modules import come first.
 */
static const struct {
    const char *exported; /* NULL: not */
    const char *name, *placed;
} functions[] = {
    { "enter", "enter", "enter_placed" },
    { "leave", "leave", "leave_placed" },
    { "settle", "settle", "settle_placed" },
    { "depth", "depth", "depth" },
    { "unwind", "unwind", "unwind" },
    { "allocating", "allocating", "allocating" },
    { "heap", "heap", "heap" },
    { NULL, "_initialize", "_initialize" },
    { NULL, "alloc", "alloc" },
    { NULL, "component_begin", "component_begin" },
    { NULL, "component_profile", "component_profile" },
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

static toll_status put_imports(toll_maker *m, const toll_wasm_module *t, int placed,
                               toll_error *err)
{
    toll_buffer imports;
    toll_status status = TOLL_OK;
    toll_buffer_init(&imports, &m->section.mem);
    toll_wasm_put_u32(&m->section, FUNCTIONS + 2);
    toll_wasm_put_u32(&imports, FUNCTIONS + 1);
    for (uint32_t i = 0; i < FUNCTIONS && !status; i++) {
        const char *name = placed ? functions[i].placed : functions[i].name;
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
        toll_wasm_put_i64(body, 1);
    else
        toll_maker_put_i32(body, 1);
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
                                  int placed, toll_buffer *out, toll_error *err)
{
    toll_maker m;
    toll_maker_begin(&m, &out->mem, out);
    toll_status status = put_imports(&m, t, placed, err);
    toll_wasm_put_u32(&m.section, 2);
    toll_wasm_put_u32(&m.section, FUNCTIONS); /* their types */
    toll_wasm_put_u32(&m.section, FUNCTIONS + 1);
    toll_maker_put_section(&m, TOLL_WASM_FUNCTIONS);
    put_globals(&m, placed);
    put_exports(&m, placed);
    toll_wasm_put_u32(&m.section, START);
    toll_maker_put_section(&m, TOLL_WASM_START);
    toll_wasm_put_u32(&m.section, 1);
    toll_maker_put_section(&m, TOLL_WASM_DATA_COUNT);
    put_code(&m, (uint32_t)description->size, placed);
    const uint8_t passive[] = { 1, 1 };
    toll_buffer_append(&m.section, passive, sizeof passive);
    toll_maker_put_name(&m.section, (toll_wasm_bytes){ description->data, description->size });
    toll_maker_put_section(&m, TOLL_WASM_DATA_SEGMENTS);
    toll_status ended = toll_maker_end(&m, err);
    return status ? status : ended;
}
