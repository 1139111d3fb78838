/* catch_code.c - see catch_code.h. */
#include "wasm/catch_code.h"

static bool has_lines(const toll_wasm_rewrite *w)
{
    return w->options->lines != 0;
}

uint32_t toll_wasm_helper_count(const toll_wasm_rewrite *w)
{
    return w->hooks > TOLL_WASM_UNWIND ? TOLL_WASM_HELPERS : 0;
}

uint32_t toll_wasm_helper_index(const toll_wasm_rewrite *w, toll_wasm_helper helper)
{
    return (uint32_t)w->module->function_count + w->hooks + w->caller_count + has_lines(w) + helper;
}

uint32_t toll_wasm_helper_type(const toll_wasm_rewrite *w, toll_wasm_helper helper)
{
    return toll_wasm_first_result_type(w) + (uint32_t)w->result_count + has_lines(w) + helper;
}

void toll_wasm_put_helper_types(const toll_wasm_rewrite *w, toll_buffer *out)
{
    for (uint32_t helper = 0; helper < toll_wasm_helper_count(w); helper++) {
        bool has_parameter = helper < TOLL_WASM_COUNT_ONE;
        toll_buffer_append_byte(out, TOLL_WASM_FUNCTION_TYPE);
        toll_buffer_append_byte(out, has_parameter);
        if (has_parameter)
            toll_buffer_append_byte(out, helper == TOLL_WASM_CAUGHT ? TOLL_WASM_I32_TYPE
                                                                    : TOLL_WASM_I64_TYPE);
        toll_buffer_append_byte(out, 0);
    }
}

uint8_t *toll_wasm_add_count_call(const toll_wasm_rewrite *w, uint8_t *to, uint64_t cost)
{
    uint32_t helper = TOLL_WASM_COUNT;
    if (cost > 0 && cost <= TOLL_WASM_SMALL_COSTS) {
        helper = TOLL_WASM_COUNT_ONE + (uint32_t)cost - 1;
    } else {
        *to++ = TOLL_WASM_OP_I64_CONST;
        to = toll_wasm_add_s64(to, (int64_t)cost);
    }
    return toll_wasm_add_op(to, TOLL_WASM_OP_CALL,
                            toll_wasm_helper_index(w, (toll_wasm_helper)helper));
}

static void put_caught(const toll_wasm_rewrite *w, toll_buffer *out)
{
    toll_wasm_put_settle(w, out);
    toll_wasm_put_op(out, TOLL_WASM_OP_LOCAL_GET, 0);
    toll_wasm_put_ticks(w, out);
    toll_wasm_put_op(out, TOLL_WASM_OP_CALL, toll_wasm_hook_index(w, TOLL_WASM_UNWIND));
    toll_wasm_put_unwound(w, out);
}

/* `cost`: what is added; 0: the parameter. */
static void put_count(const toll_wasm_rewrite *w, uint32_t cost, toll_buffer *out)
{
    if (w->options->calls_only)
        return;
    toll_wasm_put_ticks(w, out);
    if (cost)
        toll_wasm_put_i64(out, cost);
    else
        toll_wasm_put_op(out, TOLL_WASM_OP_LOCAL_GET, 0);
    toll_buffer_append_byte(out, TOLL_WASM_OP_I64_ADD);
    toll_wasm_put_op(out, TOLL_WASM_OP_GLOBAL_SET, toll_wasm_slot_index(w, TOLL_WASM_TICKS));
}

void toll_wasm_put_helpers(toll_wasm_rewrite *w)
{
    toll_buffer *out = &w->body;
    for (uint32_t helper = 0; helper < toll_wasm_helper_count(w); helper++) {
        toll_buffer_clear(out);
        toll_wasm_put_u32(out, 0); /* locals */
        if (helper == TOLL_WASM_CAUGHT)
            put_caught(w, out);
        else
            put_count(w, helper - TOLL_WASM_COUNT, out);
        toll_buffer_append_byte(out, TOLL_WASM_OP_END);
        w->code.failed |= out->failed;
        toll_wasm_put_u32(&w->code, (uint32_t)out->size);
        toll_buffer_append(&w->code, out->data, out->size);
    }
}
