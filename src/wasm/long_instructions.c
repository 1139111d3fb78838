/* long_instructions.c - see long_instructions.h. */
#include "wasm/long_instructions.h"

#include "wasm/segment.h"

#include <toll/embedder.h>

/* Does a memory of the module have addresses of 64 bits? (Or an imported table.) */
static bool is_wide(const toll_wasm_module *m)
{
    const toll_wasm_section *imports = toll_wasm_find_section(m, TOLL_WASM_IMPORTS),
                            *memories = toll_wasm_find_section(m, TOLL_WASM_MEMORIES);
    toll_wasm_cursor c;
    toll_wasm_import_reader reader;
    toll_wasm_import import;
    bool wide = false;
    if (imports) {
        size_t start = (size_t)(imports->body.data - m->bytes.data);
        toll_wasm_cursor_init(&c, m->bytes.data, start, start + imports->body.size);
        toll_wasm_import_reader_init(&reader, &c);
        while (toll_wasm_next_import(&reader, &import))
            ;
        wide |= c.has_64_bits;
    }
    if (memories) {
        size_t start = (size_t)(memories->body.data - m->bytes.data);
        toll_wasm_cursor_init(&c, m->bytes.data, start, start + memories->body.size);
        for (uint32_t n = toll_wasm_take_u32(&c); n > 0 && !c.status; n--)
            toll_wasm_pass_limits(&c);
        wide |= c.has_64_bits;
    }
    return wide;
}

void toll_wasm_prepare_long(toll_wasm_rewrite *w)
{
    w->times_long =
        w->options->time && !w->options->calls_only && !w->options->no_calls && !is_wide(w->module);
    w->has_scratch = w->is_pvm || w->times_long;
}

/* From which operand on the instruction is long, in bytes or pages; 0: it never is. The operand is
 * its last one. */
static uint32_t long_from(const toll_wasm_opcode *opcode)
{
    enum { BULK = 0xfc, INIT = 0x08, COPY = 0x0a, FILL = 0x0b, GROW = 0x40 };
    if (opcode->prefix == 0 && opcode->code == GROW)
        return 1;
    if (opcode->prefix == BULK &&
        (opcode->code == INIT || opcode->code == COPY || opcode->code == FILL))
        return TOLL_LONG_BYTES;
    return 0;
}

static void put_number(toll_buffer *out, bool is_wide, uint32_t value)
{
    if (is_wide) {
        toll_wasm_put_i64(out, value);
        return;
    }
    toll_buffer_append_byte(out, TOLL_WASM_OP_I32_CONST);
    toll_wasm_put_s64(out, (int32_t)value);
}

/* If the operand is large: settle(which, ticks), before which a pending event is delivered. The
 * ticks are those of the whole segment. What it returns is dropped. */
static void put_report(const toll_wasm_body *b, uint32_t from, uint32_t which, toll_buffer *out)
{
    enum { I32_GE_U = 0x4f };
    toll_wasm_put_op(out, TOLL_WASM_OP_LOCAL_GET, b->scratch_local);
    put_number(out, false, from);
    toll_buffer_append_byte(out, I32_GE_U);
    toll_buffer_append_byte(out, TOLL_WASM_OP_IF);
    toll_buffer_append_byte(out, TOLL_WASM_EMPTY_BLOCK);
    if (which == (uint32_t)TOLL_LONG_BEGINS)
        toll_wasm_put_settle(b->w, out);
    put_number(out, b->w->options->call_lines != 0, which);
    toll_wasm_put_op(out, TOLL_WASM_OP_LOCAL_GET, b->ticks_local);
    toll_wasm_put_op(out, TOLL_WASM_OP_CALL, toll_wasm_hook_index(b->w, TOLL_WASM_SETTLE));
    toll_buffer_append_byte(out, TOLL_WASM_OP_DROP);
    toll_buffer_append_byte(out, TOLL_WASM_OP_END);
}

bool toll_wasm_keep_long(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    const uint32_t from = long_from(i->opcode);
    toll_buffer *out = &b->w->segment;
    if (!from)
        return false;
    toll_wasm_put_old(&b->code, b->from, i->span.start, out);
    toll_wasm_put_op(out, TOLL_WASM_OP_LOCAL_TEE, b->scratch_local);
    put_report(b, from, (uint32_t)TOLL_LONG_BEGINS, out);
    toll_wasm_put_old(&b->code, i->span.start, i->span.end, out);
    put_report(b, from, (uint32_t)TOLL_LONG_ENDS, out);
    b->from = b->kept = i->span.end;
    return true;
}
