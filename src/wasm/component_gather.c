/* component_gather.c - see component_gather.h. */
#include "wasm/component_gather.h"

#include "wasm/component_maker.h"
#include "wasm/component_modules.h"
#include "wasm/counters.h"
#include "wasm/emit.h"
#include "wasm/opcode.h"

#include <stdio.h>
#include <string.h>

enum { PAGE = TOLL_WASM_COUNTERS_OF_PAGE, COUNTER_BYTES = 8 };
enum { TELL_TYPE, ADDRESS_TYPE, EXECUTIONS_TYPE, STORE_TYPE, TYPES };
enum { PAGE_ADDRESS, EXECUTIONS, STARTER, STORE, TAKE, FUNCTIONS }; /* behind the tellers */

static const uint8_t i32s[] = { TOLL_WASM_I32_TYPE, TOLL_WASM_I32_TYPE };

void toll_component_gather_name(uint32_t i, char name[TOLL_GATHER_NAME])
{
    snprintf(name, TOLL_GATHER_NAME, "%u", i);
}

toll_component_counting toll_component_counting_at(const toll_buffer *counting, uint32_t i)
{
    toll_component_counting found;
    memcpy(&found, counting->data + i * sizeof found, sizeof found);
    return found;
}

uint32_t toll_component_counting_count(const toll_buffer *counting)
{
    return (uint32_t)(counting->size / sizeof(toll_component_counting));
}

static void put_types(toll_maker *m)
{
    uint8_t all[PAGE + sizeof i32s];
    memset(all, TOLL_WASM_I64_TYPE, PAGE);
    memcpy(all + PAGE, i32s, sizeof i32s);
    const toll_wasm_signature types[TYPES] = {
        [TELL_TYPE] = { .parameters = { i32s, 1 },
                        .parameter_count = 1,
                        .results = { all, PAGE },
                        .result_count = PAGE },
        [ADDRESS_TYPE] = { .results = { i32s, 1 }, .result_count = 1 },
        [EXECUTIONS_TYPE] = { .parameters = { i32s, 2 }, .parameter_count = 2 },
        [STORE_TYPE] = { .parameters = { all, sizeof all }, .parameter_count = sizeof all },
    };
    toll_wasm_put_u32(&m->section, TYPES);
    for (int i = 0; i < TYPES; i++)
        toll_maker_put_type(&m->section, &types[i]);
    toll_maker_put_section(m, TOLL_WASM_TYPES);
}

static void put_import(toll_maker *m, const char *from, const char *name, uint32_t type)
{
    toll_wasm_put_name(&m->section, from);
    toll_wasm_put_name(&m->section, name);
    toll_buffer_append_byte(&m->section, TOLL_WASM_KIND_FUNCTION);
    toll_wasm_put_u32(&m->section, type);
}

static void put_imports(toll_maker *m, uint32_t tellers)
{
    const uint8_t memory[] = { TOLL_WASM_KIND_MEMORY, 0, 0 }; /* of any size */
    toll_wasm_put_u32(&m->section, tellers + STORE + 1);
    for (uint32_t i = 0; i < tellers; i++) {
        char name[TOLL_GATHER_NAME];
        toll_component_gather_name(i, name);
        put_import(m, "executions", name, TELL_TYPE);
    }
    put_import(m, "toll", TOLL_WASM_COMPONENT_PAGE, ADDRESS_TYPE);
    put_import(m, "toll", TOLL_WASM_COMPONENT_EXECUTIONS, EXECUTIONS_TYPE);
    put_import(m, "starter", TOLL_WASM_COMPONENT_PROFILE, ADDRESS_TYPE);
    toll_wasm_put_name(&m->section, "toll");
    toll_wasm_put_name(&m->section, "memory");
    toll_buffer_append(&m->section, memory, sizeof memory);
    toll_maker_put_section(m, TOLL_WASM_IMPORTS);
}

/* The parameters are the counters of a page, the module and the page: store them in toll.wasm's
 * memory, and say so. */
static void put_store(toll_buffer *body, uint32_t tellers)
{
    enum { MODULE = PAGE, NUMBER, ADDRESS, ALIGNED = 3 };
    static const uint8_t one_i32[] = { 1, 1, TOLL_WASM_I32_TYPE }; /* locals: the address */
    toll_buffer_append(body, one_i32, sizeof one_i32);
    toll_wasm_put_op(body, TOLL_WASM_OP_CALL, tellers + PAGE_ADDRESS);
    toll_wasm_put_op(body, TOLL_WASM_OP_LOCAL_SET, ADDRESS);
    for (uint32_t i = 0; i < PAGE; i++) {
        toll_wasm_put_op(body, TOLL_WASM_OP_LOCAL_GET, ADDRESS);
        toll_wasm_put_op(body, TOLL_WASM_OP_LOCAL_GET, i);
        toll_wasm_put_op(body, TOLL_WASM_OP_I64_STORE, ALIGNED);
        toll_wasm_put_u32(body, i * COUNTER_BYTES);
    }
    toll_wasm_put_op(body, TOLL_WASM_OP_LOCAL_GET, MODULE);
    toll_wasm_put_op(body, TOLL_WASM_OP_LOCAL_GET, NUMBER);
    toll_wasm_put_op(body, TOLL_WASM_OP_CALL, tellers + EXECUTIONS);
}

/* Store each page of an instance: a loop, whose local is the page's number. */
static void put_pages(toll_buffer *body, uint32_t tellers, uint32_t teller,
                      const toll_component_module *module)
{
    toll_maker_put_i32(body, 0);
    toll_wasm_put_op(body, TOLL_WASM_OP_LOCAL_SET, 0);
    toll_buffer_append_byte(body, TOLL_WASM_OP_LOOP);
    toll_buffer_append_byte(body, TOLL_WASM_EMPTY_BLOCK);
    toll_wasm_put_op(body, TOLL_WASM_OP_LOCAL_GET, 0);
    toll_wasm_put_op(body, TOLL_WASM_OP_CALL, teller);
    toll_maker_put_i32(body, module->number);
    toll_wasm_put_op(body, TOLL_WASM_OP_LOCAL_GET, 0);
    toll_wasm_put_op(body, TOLL_WASM_OP_CALL, tellers + STORE);
    toll_wasm_put_op(body, TOLL_WASM_OP_LOCAL_GET, 0);
    toll_maker_put_i32(body, 1);
    toll_buffer_append_byte(body, TOLL_WASM_OP_I32_ADD);
    toll_wasm_put_op(body, TOLL_WASM_OP_LOCAL_TEE, 0);
    toll_maker_put_i32(body, (module->counters - 1) / PAGE + 1);
    toll_buffer_append_byte(body, TOLL_WASM_OP_I32_LT_U);
    toll_wasm_put_op(body, TOLL_WASM_OP_BR_IF, 0);
    toll_buffer_append_byte(body, TOLL_WASM_OP_END);
}

static void put_code(toll_maker *m, const toll_buffer *counting)
{
    static const uint8_t one_i32[] = { 1, 1, TOLL_WASM_I32_TYPE };
    const uint32_t tellers = toll_component_counting_count(counting);
    toll_buffer body;
    toll_buffer_init(&body, &m->section.mem);
    toll_wasm_put_u32(&m->section, FUNCTIONS - STORE);
    put_store(&body, tellers);
    toll_maker_put_body(m, &body);
    toll_buffer_append(&body, one_i32, sizeof one_i32);
    for (uint32_t i = 0; i < tellers; i++) {
        const toll_component_counting counts = toll_component_counting_at(counting, i);
        put_pages(&body, tellers, i, &counts.module);
    }
    toll_wasm_put_op(&body, TOLL_WASM_OP_CALL, tellers + STARTER);
    toll_maker_put_body(m, &body);
    toll_buffer_free(&body);
    toll_maker_put_section(m, TOLL_WASM_CODE);
}

static toll_status check_exports(const toll_wasm_module *t, toll_error *err)
{
    static const char *const wanted[] = { TOLL_WASM_COMPONENT_PAGE,
                                          TOLL_WASM_COMPONENT_EXECUTIONS };
    uint32_t f;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!toll_wasm_find_export(t, TOLL_WASM_KIND_FUNCTION, wanted[i], &f))
            return toll_component_fail_toll_wasm(t, wanted[i], err);
    return TOLL_OK;
}

toll_status toll_wasm_put_gatherer(const toll_wasm_module *t, const toll_buffer *counting,
                                   toll_buffer *out, toll_error *err)
{
    toll_maker m;
    const uint32_t tellers = toll_component_counting_count(counting);
    toll_status status = check_exports(t, err);
    if (status)
        return status;
    toll_maker_begin(&m, &out->mem, out);
    put_types(&m);
    put_imports(&m, tellers);
    toll_wasm_put_u32(&m.section, FUNCTIONS - STORE);
    toll_wasm_put_u32(&m.section, STORE_TYPE);
    toll_wasm_put_u32(&m.section, ADDRESS_TYPE);
    toll_maker_put_section(&m, TOLL_WASM_FUNCTIONS);
    toll_wasm_put_u32(&m.section, 1);
    toll_maker_put_export(&m, TOLL_WASM_COMPONENT_PROFILE, TOLL_WASM_KIND_FUNCTION, tellers + TAKE);
    toll_maker_put_section(&m, TOLL_WASM_EXPORTS);
    put_code(&m, counting);
    return toll_maker_end(&m, err);
}
