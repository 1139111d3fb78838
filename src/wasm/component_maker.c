/* component_maker.c - see component_maker.h. */
#include "wasm/component_maker.h"

#include "wasm/emit.h"
#include "wasm/opcode.h"
#include "wasm/rewrite.h"

void toll_maker_begin(toll_maker *m, const toll_mem *mem, toll_buffer *out)
{
    static const uint8_t header[] = { 0, 'a', 's', 'm', 1, 0, 0, 0 };
    m->out = out;
    toll_buffer_init(&m->section, mem);
    toll_buffer_append(out, header, sizeof header);
}

void toll_component_put_section(toll_buffer *out, uint8_t id, const toll_buffer *body)
{
    toll_wasm_put_op(out, id, (uint32_t)body->size);
    toll_wasm_put_bytes(out, (toll_wasm_bytes){ body->data, body->size });
    out->failed |= body->failed;
}

void toll_maker_put_section(toll_maker *m, uint8_t id)
{
    toll_component_put_section(m->out, id, &m->section);
    toll_buffer_clear(&m->section);
}

toll_status toll_maker_end(toll_maker *m, toll_error *err)
{
    bool failed = m->out->failed || m->section.failed;
    toll_buffer_free(&m->section);
    return failed ? toll_fail_nomem(err) : TOLL_OK;
}

void toll_maker_put_type(toll_buffer *out, const toll_wasm_signature *type)
{
    toll_buffer_append_byte(out, TOLL_WASM_FUNCTION_TYPE);
    toll_wasm_put_u32(out, type->parameter_count);
    toll_wasm_put_bytes(out, type->parameters);
    toll_wasm_put_u32(out, type->result_count);
    toll_wasm_put_bytes(out, type->results);
}

void toll_maker_put_name(toll_buffer *out, toll_wasm_bytes name)
{
    toll_wasm_put_u32(out, (uint32_t)name.size);
    toll_wasm_put_bytes(out, name);
}

void toll_maker_put_i32(toll_buffer *out, uint32_t value)
{
    toll_buffer_append_byte(out, TOLL_WASM_OP_I32_CONST);
    toll_wasm_put_s64(out, (int32_t)value);
}

void toll_maker_put_export(toll_maker *m, const char *name, uint8_t kind, uint32_t index)
{
    toll_wasm_put_name(&m->section, name);
    toll_buffer_append_byte(&m->section, kind);
    toll_wasm_put_u32(&m->section, index);
}

void toll_maker_put_body(toll_maker *m, toll_buffer *body)
{
    toll_buffer_append_byte(body, TOLL_WASM_OP_END);
    toll_wasm_put_u32(&m->section, (uint32_t)body->size);
    toll_wasm_put_bytes(&m->section, (toll_wasm_bytes){ body->data, body->size });
    m->section.failed |= body->failed;
    toll_buffer_clear(body);
}
