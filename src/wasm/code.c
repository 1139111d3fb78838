/* code.c - rewrites function bodies, with events and ticks.
 *
 * A body becomes
 *
 *     enter                       header: locals, and what precedes the code
 *     block (its results)         if anything jumps to the function's end: a br, and a return,
 *       the body                  which becomes such a br
 *     end
 *     leave
 *     end */
#include "wasm/body.h"

#include "base/array.h"
#include "wasm/branch_hints.h"
#include "wasm/catch_code.h"
#include "wasm/counters.h"

/* A new type with the results of `type` and no parameters; UINT32_MAX: no memory. */
static uint32_t block_type(toll_wasm_rewrite *w, uint32_t type)
{
    const toll_wasm_signature *t = &w->module->types[type];
    if (w->blocks[type] != UINT32_MAX)
        return w->blocks[type];
    if (!toll_array_grow(&w->mem, &w->results, &w->result_capacity, w->result_count, 1))
        return UINT32_MAX;
    w->results[w->result_count] = (toll_wasm_results){ t->results, t->result_count };
    w->blocks[type] = toll_wasm_first_result_type(w) + (uint32_t)w->result_count++;
    return w->blocks[type];
}

static void open_block(toll_wasm_body *b, uint32_t type)
{
    const toll_wasm_signature *t = &b->w->module->types[type];
    toll_buffer *out = &b->w->header;
    toll_buffer_append_byte(out, TOLL_WASM_OP_BLOCK);
    if (t->result_count == 0) {
        toll_buffer_append_byte(out, TOLL_WASM_EMPTY_BLOCK);
    } else if (t->result_count == 1) {
        toll_wasm_put_bytes(out, t->results);
    } else {
        uint32_t block = block_type(b->w, type);
        if (block == UINT32_MAX)
            toll_wasm_cursor_no_memory(&b->code);
        toll_wasm_put_s64(out, block);
    }
}

static size_t fill(uint8_t *out, uint8_t op, uint32_t index)
{
    return (size_t)(toll_wasm_add_op(out, op, index) - out);
}

static void prepare_counting(toll_wasm_counting *c, uint32_t global, uint32_t local)
{
    fill(c->get_global, TOLL_WASM_OP_GLOBAL_GET, global);
    c->global_size = fill(c->set_global, TOLL_WASM_OP_GLOBAL_SET, global);
    fill(c->get_local, TOLL_WASM_OP_LOCAL_GET, local);
    fill(c->set_local, TOLL_WASM_OP_LOCAL_SET, local);
    c->local_size = fill(c->tee_local, TOLL_WASM_OP_LOCAL_TEE, local);
}

/* Skip groups of locals; returns how many locals they declare. */
static uint64_t pass_groups(toll_wasm_cursor *c, uint32_t groups)
{
    uint64_t locals = 0;
    for (uint32_t i = 0; i < groups && !c->status; i++) {
        locals += toll_wasm_take_u32(c);
        toll_wasm_take_value_type(c);
    }
    return locals;
}

uint64_t toll_wasm_pass_locals(toll_wasm_cursor *c)
{
    return pass_groups(c, toll_wasm_take_count(c, "locals"));
}

/* Skip the declarations of locals; returns their bytes, and the number of groups. */
static toll_wasm_bytes read_locals(toll_wasm_body *b, uint32_t *groups)
{
    toll_wasm_cursor *c = &b->code;
    uint64_t locals =
        b->w->module->types[b->w->module->functions[b->function].type].parameter_count;
    *groups = toll_wasm_take_count(c, "locals");
    size_t start = c->at;
    b->locals = pass_groups(c, *groups);
    locals += b->locals;
    if (locals >= UINT32_MAX)
        toll_wasm_cursor_fail(c, TOLL_E_LIMIT, c->at, "more than 2^32 locals");
    b->ticks_local = (uint32_t)locals;
    b->scratch_local = b->ticks_local + 1;
    b->depth_local = b->ticks_local + !b->w->options->calls_only + b->w->has_scratch;
    prepare_counting(&b->counting, toll_wasm_slot_index(b->w, TOLL_WASM_TICKS), b->ticks_local);
    return (toll_wasm_bytes){ c->data + start, c->at - start };
}

static void put_header(toll_wasm_body *b, uint32_t groups, toll_wasm_bytes locals)
{
    toll_wasm_rewrite *w = b->w;
    toll_buffer *out = &w->header;
    toll_buffer_clear(out);
    toll_wasm_put_u32(out, groups + !w->options->calls_only + w->has_scratch + b->has_depth +
                               (b->allocator ? toll_wasm_heap_locals(b->allocator) : 0));
    toll_wasm_put_bytes(out, locals);
    if (!w->options->calls_only) {
        toll_wasm_put_u32(out, 1);
        toll_buffer_append_byte(out, TOLL_WASM_I64_TYPE);
    }
    if (w->has_scratch) {
        toll_wasm_put_u32(out, 1);
        toll_buffer_append_byte(out, TOLL_WASM_I32_TYPE);
    }
    if (b->has_depth) {
        toll_wasm_put_u32(out, 1);
        toll_buffer_append_byte(out, TOLL_WASM_I32_TYPE);
    }
    if (b->allocator)
        toll_wasm_put_heap_locals(w, b->function, b->allocator, out);
    bool is_settled = b->followed && b->has_depth;
    if (is_settled)
        toll_wasm_put_enter_at_once(w, out, b->function);
    else if (b->followed)
        toll_wasm_put_event(w, out, TOLL_WASM_ENTER, b->function, TOLL_WASM_NO_LOCAL);
    if (b->allocator)
        toll_wasm_put_allocating(w, b->allocator, b->depth_local + b->has_depth, out);
    if (b->has_depth) {
        if (!is_settled)
            toll_wasm_put_settle(w, out);
        toll_wasm_put_op(out, TOLL_WASM_OP_CALL, toll_wasm_hook_index(w, TOLL_WASM_DEPTH));
        toll_wasm_put_op(out, TOLL_WASM_OP_LOCAL_SET, b->depth_local);
    }
    if (b->is_wrapped)
        open_block(b, w->module->functions[b->function].type);
}

/* Write the whole body: its header, its code, and what follows the last end. */
static void finish(toll_wasm_rewrite *w)
{
    w->code.failed |= w->header.failed || w->body.failed || w->segment.failed;
    toll_wasm_put_u32(&w->code, (uint32_t)(w->header.size + w->body.size));
    toll_buffer_append(&w->code, w->header.data, w->header.size);
    toll_buffer_append(&w->code, w->body.data, w->body.size);
}

toll_status toll_wasm_rewrite_body(toll_wasm_rewrite *w, uint32_t function, toll_error *err)
{
    const toll_wasm_module *m = w->module;
    const toll_wasm_bytes *bytes = &m->functions[function].body;
    size_t start = (size_t)(bytes->data - m->bytes.data);
    toll_wasm_body b = { .w = w,
                         .function = function,
                         .followed = w->followed[function],
                         .allocator = w->allocators[function],
                         .first_counter = w->stretch_count,
                         .first_call = w->call_count };
    uint32_t groups;
    toll_wasm_cursor_init(&b.code, m->bytes.data, start, start + bytes->size);
    b.code.where = toll_wasm_where(TOLL_WASM_CODE);
    toll_wasm_bytes locals = read_locals(&b, &groups);
    size_t first = b.code.at;
    toll_wasm_rewrite_instructions(&b);
    if (b.lands && !b.code.status) { /* this was not yet known at its beginning */
        b.code.at = first;
        toll_wasm_rewrite_instructions(&b);
    }
    if (!b.code.status && toll_wasm_left(&b.code) > 0)
        toll_wasm_cursor_fail(&b.code, TOLL_E_SYNTAX, b.code.at, "code behind a function's end");
    if (b.code.status)
        return toll_wasm_cursor_check(&b.code, m->path, err);
    if (b.allocator && b.returns)
        toll_wasm_put_heap_event(w, function, b.allocator, b.depth_local + b.has_depth, &w->body);
    if (b.followed && b.returns)
        toll_wasm_put_event(w, &w->body, TOLL_WASM_LEAVE, function,
                            b.is_stale ? TOLL_WASM_NO_LOCAL : b.ticks_local);
    toll_buffer_append_byte(&w->body, TOLL_WASM_OP_END);
    put_header(&b, groups, locals);
    toll_wasm_end_hints(&b, w->header.size);
    finish(w);
    return b.code.status ? toll_wasm_cursor_check(&b.code, m->path, err) : TOLL_OK;
}

/* Write a function that calls an imported one between its events. */
static void write_caller(toll_wasm_rewrite *w, uint32_t function)
{
    const toll_wasm_signature *t = &w->module->types[w->module->functions[function].type];
    toll_buffer_clear(&w->header);
    toll_buffer_clear(&w->body);
    toll_wasm_put_u32(&w->header, 0);
    if (toll_wasm_is_prompt(w))
        toll_wasm_put_enter_at_once(w, &w->body, function);
    else
        toll_wasm_put_event(w, &w->body, TOLL_WASM_ENTER, function, TOLL_WASM_NO_LOCAL);
    for (uint32_t i = 0; i < t->parameter_count; i++)
        toll_wasm_put_op(&w->body, TOLL_WASM_OP_LOCAL_GET, i);
    toll_wasm_put_op(&w->body, TOLL_WASM_OP_CALL, function);
    toll_wasm_put_event(w, &w->body, TOLL_WASM_LEAVE, function, TOLL_WASM_NO_LOCAL);
    toll_buffer_append_byte(&w->body, TOLL_WASM_OP_END);
    finish(w);
}

/* Reserve what code usually becomes: a large buffer that grows is in memory twice for a while. What
 * is not used takes no memory. */
static void reserve(toll_wasm_rewrite *w)
{
    enum { USUAL_GROWTH = 2 };
    const toll_wasm_section *code = toll_wasm_find_section(w->module, TOLL_WASM_CODE);
    if (code && code->body.size < SIZE_MAX / USUAL_GROWTH)
        toll_buffer_room(&w->code, USUAL_GROWTH * code->body.size);
}

toll_status toll_wasm_rewrite_code(toll_wasm_rewrite *w, toll_error *err)
{
    toll_status status = TOLL_OK;
    uint32_t imported = w->module->imported_functions;
    toll_buffer_clear(&w->code);
    reserve(w);
    w->stretch_count = w->call_count = 0;
    for (uint32_t f = imported; !status && f < w->module->function_count; f++)
        status = toll_wasm_rewrite_body(w, f, err);
    for (uint32_t f = 0; !status && f < imported; f++)
        if (w->followed[f])
            write_caller(w, f);
    if (!status && w->options->lines)
        toll_wasm_put_teller(w);
    if (!status)
        toll_wasm_put_helpers(w);
    if (!status && w->code.failed)
        return toll_fail_nomem(err);
    return status;
}
