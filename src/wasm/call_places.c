/* call_places.c - see call_places.h. */
#include "wasm/call_places.h"

#include "base/array.h"

static void put_set(const toll_wasm_rewrite *w, uint32_t number, toll_buffer *out)
{
    toll_buffer_append_byte(out, TOLL_WASM_OP_I32_CONST);
    toll_wasm_put_s64(out, (int32_t)number);
    toll_wasm_put_op(out, TOLL_WASM_OP_GLOBAL_SET, toll_wasm_slot_index(w, TOLL_WASM_PLACE));
}

static bool is_direct(const toll_wasm_instruction *call)
{
    return call->opcode->shape == TOLL_WASM_FUNCTION;
}

void toll_wasm_put_call_place(toll_wasm_body *b, const toll_wasm_instruction *call,
                              toll_buffer *out)
{
    toll_wasm_rewrite *w = b->w;
    if (!w->options->call_lines || !b->followed)
        return;
    if (w->options->call_lines == TOLL_WASM_CALL_KINDS) {
        put_set(w, is_direct(call) ? 1 : 2, out);
        return;
    }
    if (!toll_array_grow(&w->mem, &w->calls, &w->call_capacity, w->call_count, 1)) {
        toll_wasm_cursor_no_memory(&b->code);
        return;
    }
    size_t code = (size_t)(w->module->code.data - b->code.data);
    w->calls[w->call_count++] =
        (toll_wasm_call){ (uint32_t)(call->span.start - code), b->function };
    put_set(w, w->options->first_call + (uint32_t)w->call_count, out);
}

/* Is every function that the instruction may call followed (instrumented with events)? */
static bool calls_followed(const toll_wasm_rewrite *w, const toll_wasm_instruction *call)
{
    return is_direct(call) && call->index[0] < w->module->function_count
               ? w->followed[call->index[0]]
               : w->follows_all;
}

void toll_wasm_put_tail_call_kind(toll_wasm_body *b, const toll_wasm_instruction *call,
                                  toll_buffer *out)
{
    if (b->w->options->call_lines == TOLL_WASM_CALL_KINDS && calls_followed(b->w, call))
        toll_wasm_put_call_place(b, call, out);
}

void toll_wasm_put_call_end(const toll_wasm_body *b, const toll_wasm_instruction *call,
                            toll_buffer *out)
{
    if (b->w->options->call_lines && b->followed && !calls_followed(b->w, call))
        put_set(b->w, 0, out);
}

void toll_wasm_put_caught_place(const toll_wasm_body *b, toll_buffer *out)
{
    const toll_wasm_rewrite *w = b->w;
    if (!w->options->call_lines)
        return;
    if (!b->followed) {
        toll_wasm_put_op(out, TOLL_WASM_OP_CALL, toll_wasm_hook_index(w, TOLL_WASM_DEPTH));
        toll_wasm_put_op(out, TOLL_WASM_OP_LOCAL_GET, b->depth_local);
        toll_buffer_append_byte(out, TOLL_WASM_OP_I32_NE);
        toll_buffer_append_byte(out, TOLL_WASM_OP_IF);
        toll_buffer_append_byte(out, TOLL_WASM_EMPTY_BLOCK);
    }
    put_set(w, 0, out);
    if (!b->followed)
        toll_buffer_append_byte(out, TOLL_WASM_OP_END);
}
