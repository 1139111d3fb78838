/* segment.c - see segment.h. */
#include "wasm/segment.h"

#include "wasm/catch_code.h"
#include "wasm/counters.h"

#include <string.h>

/* get, i64.const, i64.add, tee, set */
enum { MOST_COUNTING = 3 * (1 + TOLL_WASM_MOST_U32) + 1 + TOLL_WASM_MOST_S64 + 1 };

void toll_wasm_put_old(const toll_wasm_cursor *code, size_t from, size_t to, toll_buffer *out)
{
    if (to > from)
        toll_buffer_append(out, code->data + from, to - from);
}

static uint8_t *add_bytes(uint8_t *to, const void *from, size_t size)
{
    if (size)
        memcpy(to, from, size);
    return to + size;
}

/* Must the ticks be written before the segment? Code that is never reached counts nothing. */
static bool must_count(const toll_wasm_body *b)
{
    if (b->w->options->calls_only || b->is_dead)
        return false;
    return b->cost || (b->is_stale && !b->leaves_local) || (b->shows && b->is_hidden);
}

/* Does an added function count the segment? It is so if the segment runs seldom, in a handler of
 * exceptions or before it stops, and needs only the global, which has all ticks. */
static bool is_counted_by_call(const toll_wasm_body *b)
{
    return (b->handlers || b->stops) && b->leaves_local && (b->is_stale || !b->is_hidden) &&
           toll_wasm_helper_count(b->w);
}

/* Add the segment's cost to the ticks, and keep them in the local if what follows uses that, and in
 * the global if that may be read. */
static uint8_t *add_count(toll_wasm_body *b, uint8_t *to)
{
    const toll_wasm_counting *c = &b->counting;
    if (is_counted_by_call(b)) {
        b->is_hidden = false;
        return toll_wasm_add_count_call(b->w, to, b->cost);
    }
    to = b->is_stale ? add_bytes(to, c->get_global, c->global_size)
                     : add_bytes(to, c->get_local, c->local_size);
    if (b->cost) {
        *to++ = TOLL_WASM_OP_I64_CONST;
        to = toll_wasm_add_s64(to, (int64_t)b->cost);
        *to++ = TOLL_WASM_OP_I64_ADD;
    }
    if (!b->leaves_local)
        to = add_bytes(to, b->shows ? c->tee_local : c->set_local, c->local_size);
    if (b->shows)
        to = add_bytes(to, c->set_global, c->global_size);
    b->is_hidden = !b->shows;
    return to;
}

/* Is the segment a stretch that gets a counter? */
static bool is_counted(const toll_wasm_body *b)
{
    const toll_wasm_rewrite *w = b->w;
    return w->options->lines && w->counted[b->function] && b->taken > b->begin && !b->is_dead;
}

static uint8_t *add_execution(toll_wasm_body *b, uint8_t *to)
{
    size_t code = (size_t)(b->w->module->code.data - b->code.data);
    const toll_wasm_stretch stretch = { (uint32_t)(b->begin - code), (uint32_t)(b->taken - code),
                                        b->function, b->cost };
    if (!toll_wasm_add_stretch(b->w, stretch)) {
        toll_wasm_cursor_no_memory(&b->code);
        return to;
    }
    return toll_wasm_add_execution(b->w, to, (uint32_t)b->w->stretch_count - 1);
}

void toll_wasm_flush(toll_wasm_body *b)
{
    toll_wasm_rewrite *w = b->w;
    b->shows |= b->lands;
    bool counts = must_count(b);
    size_t old = b->kept - b->from;
    bool executes = is_counted(b);
    size_t most = old + w->segment.size + (counts ? MOST_COUNTING : 0) +
                  (executes ? TOLL_WASM_MOST_EXECUTION : 0);
    uint8_t *start = most ? toll_buffer_room(&w->body, most) : NULL, *to = start;
    if (start && executes)
        to = add_execution(b, to);
    if (start && counts)
        to = add_count(b, to);
    if (start) {
        to = add_bytes(to, w->segment.data, w->segment.size);
        to = add_bytes(to, b->code.data + b->from, old);
        w->body.size += (size_t)(to - start);
    }
    w->segment.size = 0;
    b->cost = 0;
    b->is_stale = b->leaves_local;
    b->shows = b->stops = b->leaves_local = false;
    b->from = b->kept;
    b->begin = b->taken;
}

void toll_wasm_join(toll_wasm_body *b)
{
    toll_wasm_flush(b);
    b->is_hidden = true;
}

/* Copy the instruction, with the new index if it names a function or a global. */
static void copy(const toll_wasm_rewrite *w, const toll_wasm_cursor *code,
                 const toll_wasm_instruction *i, toll_buffer *out)
{
    if (!toll_wasm_is_renumbered(i)) {
        toll_wasm_put_old(code, i->span.start, i->span.end, out);
    } else if (i->opcode->shape == TOLL_WASM_GLOBAL) {
        toll_wasm_put_op(out, (uint8_t)i->opcode->code, toll_wasm_new_global(w, i->index[0]));
    } else {
        toll_wasm_put_old(code, i->span.start, i->function.start, out);
        toll_wasm_put_u32(out, toll_wasm_new_function(w, i->index[0]));
    }
}

void toll_wasm_keep_changed(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    toll_wasm_put_old(&b->code, b->from, i->span.start, &b->w->segment);
    copy(b->w, &b->code, i, &b->w->segment);
    b->from = b->kept;
}

void toll_wasm_put(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    copy(b->w, &b->code, i, &b->w->body);
    b->from = b->kept = i->span.end;
}

void toll_wasm_copy_expression(const toll_wasm_rewrite *w, toll_wasm_cursor *c, toll_buffer *out)
{
    toll_wasm_instruction i;
    do {
        if (!toll_wasm_next(c, &i))
            return;
        copy(w, c, &i, out);
    } while (i.opcode->flow != TOLL_WASM_END);
}
