/* event_code.c - appends the instructions that deliver an event to the host or leave it pending.
 * What the host gets is in toll/wasm.h. */
#include "wasm/rewrite.h"

static uint8_t *add_slot(const toll_wasm_rewrite *w, uint8_t *to, uint8_t op, toll_wasm_slot slot)
{
    return toll_wasm_add_op(to, op, toll_wasm_slot_index(w, slot));
}

static uint8_t *add_i32(uint8_t *to, uint32_t value)
{
    *to++ = TOLL_WASM_OP_I32_CONST;
    return toll_wasm_add_s64(to, (int32_t)value);
}

/* Push the number of an event, or of a function. */
static uint8_t *add_number(const toll_wasm_rewrite *w, uint8_t *to, uint32_t value)
{
    if (!w->options->call_lines)
        return add_i32(to, value);
    *to++ = TOLL_WASM_OP_I64_CONST;
    return toll_wasm_add_s64(to, value);
}

/* The same; for a call, the upper half holds the place of the call. */
static uint8_t *add_event(const toll_wasm_rewrite *w, uint8_t *to, toll_wasm_hook hook,
                          uint32_t value)
{
    to = add_number(w, to, value);
    if (!w->options->call_lines || hook != TOLL_WASM_ENTER)
        return to;
    to = add_slot(w, to, TOLL_WASM_OP_GLOBAL_GET, TOLL_WASM_PLACE);
    *to++ = TOLL_WASM_OP_I64_EXTEND_I32_U;
    *to++ = TOLL_WASM_OP_I64_CONST;
    *to++ = 32;
    *to++ = TOLL_WASM_OP_I64_SHL;
    *to++ = TOLL_WASM_OP_I64_OR;
    return to;
}

static uint8_t *add_no_ticks(uint8_t *to)
{
    *to++ = TOLL_WASM_OP_I64_CONST;
    *to++ = 0;
    return to;
}

static uint8_t *add_ticks(const toll_wasm_rewrite *w, uint8_t *to, uint32_t local)
{
    return w->options->calls_only        ? add_no_ticks(to)
           : local == TOLL_WASM_NO_LOCAL ? add_slot(w, to, TOLL_WASM_OP_GLOBAL_GET, TOLL_WASM_TICKS)
                                         : toll_wasm_add_op(to, TOLL_WASM_OP_LOCAL_GET, local);
}

void toll_wasm_put_ticks(const toll_wasm_rewrite *w, toll_buffer *out)
{
    uint8_t bytes[1 + TOLL_WASM_MOST_U32];
    toll_buffer_append(out, bytes, (size_t)(add_ticks(w, bytes, TOLL_WASM_NO_LOCAL) - bytes));
}

/* Push the pending event as the parameters of a hook. */
static uint8_t *add_pending(const toll_wasm_rewrite *w, uint8_t *to)
{
    to = add_slot(w, to, TOLL_WASM_OP_GLOBAL_GET, TOLL_WASM_PENDING);
    return w->options->calls_only
               ? add_no_ticks(to)
               : add_slot(w, to, TOLL_WASM_OP_GLOBAL_GET, TOLL_WASM_PENDING_TICKS);
}

/* Call the host with the event, and with the one that is pending. The result is the new pending
 * one. */
static uint8_t *add_delivery(const toll_wasm_rewrite *w, uint8_t *to, toll_wasm_hook hook,
                             uint32_t function, uint32_t ticks)
{
    to = add_pending(w, to);
    to = add_event(w, to, hook, function);
    to = add_ticks(w, to, ticks);
    return toll_wasm_add_op(to, TOLL_WASM_OP_CALL, toll_wasm_hook_index(w, hook));
}

/* Store the pending event; if a function has begun, the place of its call is used up. */
static uint8_t *add_end(const toll_wasm_rewrite *w, uint8_t *to, toll_wasm_hook hook)
{
    to = add_slot(w, to, TOLL_WASM_OP_GLOBAL_SET, TOLL_WASM_PENDING);
    if (w->options->call_lines && hook == TOLL_WASM_ENTER) {
        to = add_i32(to, 0);
        to = add_slot(w, to, TOLL_WASM_OP_GLOBAL_SET, TOLL_WASM_PLACE);
    }
    return to;
}

enum { MOST_EVENT = 17 * (1 + TOLL_WASM_MOST_U32) + 4 + 2 * 5 };

/* The code is written in one piece: each request for room in the buffer is slow. */
void toll_wasm_put_event(const toll_wasm_rewrite *w, toll_buffer *out, toll_wasm_hook hook,
                         uint32_t function, uint32_t ticks)
{
    uint8_t *start = toll_buffer_room(out, MOST_EVENT), *to = start;
    if (!start)
        return;
    function += w->options->first_function;
    to = add_slot(w, to, TOLL_WASM_OP_GLOBAL_GET, TOLL_WASM_PENDING);
    to = add_number(w, to, 1);
    *to++ = w->options->call_lines ? TOLL_WASM_OP_I64_EQ : TOLL_WASM_OP_I32_EQ;
    *to++ = TOLL_WASM_OP_IF; /* its result is the pending event */
    *to++ = w->options->call_lines ? TOLL_WASM_I64_TYPE : TOLL_WASM_I32_TYPE;
    if (!w->options->calls_only) {
        to = add_ticks(w, to, ticks);
        to = add_slot(w, to, TOLL_WASM_OP_GLOBAL_SET, TOLL_WASM_PENDING_TICKS);
    }
    to = add_event(w, to, hook, 2 * function + 2 + (hook == TOLL_WASM_LEAVE));
    *to++ = TOLL_WASM_OP_ELSE;
    to = add_delivery(w, to, hook, function, ticks);
    *to++ = TOLL_WASM_OP_END;
    to = add_end(w, to, hook);
    out->size += (size_t)(to - start);
}

void toll_wasm_put_enter_at_once(const toll_wasm_rewrite *w, toll_buffer *out, uint32_t function)
{
    uint8_t *start = toll_buffer_room(out, MOST_EVENT), *to = start;
    if (!start)
        return;
    to = add_delivery(w, to, TOLL_WASM_ENTER, function + w->options->first_function,
                      TOLL_WASM_NO_LOCAL);
    to = add_end(w, to, TOLL_WASM_ENTER);
    out->size += (size_t)(to - start);
}

bool toll_wasm_is_prompt(const toll_wasm_rewrite *w)
{
    return w->options->time && !w->options->no_calls;
}

void toll_wasm_put_unwound(const toll_wasm_rewrite *w, toll_buffer *out)
{
    enum { MOST = 2 * (1 + TOLL_WASM_MOST_U32) };
    uint8_t *start = toll_wasm_is_prompt(w) ? toll_buffer_room(out, MOST) : NULL, *to = start;
    if (!start)
        return;
    to = add_number(w, to, 0);
    to = add_slot(w, to, TOLL_WASM_OP_GLOBAL_SET, TOLL_WASM_PENDING);
    out->size += (size_t)(to - start);
}

void toll_wasm_put_settle(const toll_wasm_rewrite *w, toll_buffer *out)
{
    enum { MOST = 4 * (1 + TOLL_WASM_MOST_U32) };
    uint8_t *start = toll_buffer_room(out, MOST), *to = start;
    if (!start)
        return;
    to = add_pending(w, to);
    to = toll_wasm_add_op(to, TOLL_WASM_OP_CALL, toll_wasm_hook_index(w, TOLL_WASM_SETTLE));
    to = add_slot(w, to, TOLL_WASM_OP_GLOBAL_SET, TOLL_WASM_PENDING);
    out->size += (size_t)(to - start);
}
