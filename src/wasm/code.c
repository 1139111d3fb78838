/* code.c - function bodies with events and ticks in them.
 *
 * A body becomes
 *
 *     enter                       header: locals, and what comes before the code
 *     block (its results)         so that br to the function's end comes out behind it;
 *       the body                  return becomes such a br
 *     end
 *     leave
 *
 * Ticks: instructions are held back in `segment` until it is certain that they are executed one
 * after another, all or none (but for traps); then the sum of their costs is added in front of
 * them. Segments end at jumps, at places that are jumped to, and at calls: what follows a call is
 * not executed if that throws.
 *
 * Exceptions: where one lands, unwind tells how many functions stand; so a function that catches
 * keeps the depth that it was entered at in a local of its own. */
#include "wasm/heap.h"
#include "wasm/rewrite.h"

#include <string.h>

enum { EMPTY_BLOCK = 0x40, MOST_LABELS = 1 << 20 };

typedef struct toll_wasm_label {
    bool is_target; /* of a branch: its end, or a loop's beginning */
    bool is_loop;
    bool is_split; /* if, and try of old: what is behind its end is reached from several parts */
    bool catches;  /* exceptions land at its end */
} toll_wasm_label;

/* The function at hand. */
typedef struct body {
    toll_wasm_rewrite *w;
    uint32_t function; /* in the old module */
    bool followed;
    bool has_depth;     /* it catches exceptions: the depth is in a local */
    bool unwinds_loops; /* exceptions land at the beginning of one of its loops */
    bool is_wrapped;    /* its code is in a block: something comes behind that */
    uint32_t depth_local;
    const toll_wasm_allocator *allocator; /* or NULL */
    size_t labels;                        /* that are open, the function's own among them */
    uint64_t cost; /* of the segment: what is in w->segment, then the old code from..kept */
    size_t from, kept;
    toll_wasm_cursor code;
} body;

/* --- writing -----------------------------------------------------------------------------------*/

static void put_op(toll_buffer *out, uint8_t op, uint32_t index)
{
    toll_buffer_append_byte(out, op);
    toll_wasm_put_u32(out, index);
}

static void put_i32(toll_buffer *out, uint32_t value)
{
    toll_buffer_append_byte(out, TOLL_WASM_OP_I32_CONST);
    toll_wasm_put_s64(out, (int32_t)value);
}

static void put_ticks(const toll_wasm_rewrite *w, toll_buffer *out)
{
    if (!w->options->no_ticks) {
        put_op(out, TOLL_WASM_OP_GLOBAL_GET, w->ticks);
        return;
    }
    toll_buffer_append_byte(out, TOLL_WASM_OP_I64_CONST);
    toll_wasm_put_s64(out, 0);
}

static void put_event(const toll_wasm_rewrite *w, toll_buffer *out, toll_wasm_hook hook,
                      uint32_t function)
{
    put_i32(out, function);
    put_ticks(w, out);
    put_op(out, TOLL_WASM_OP_CALL, toll_wasm_hook_index(w, hook));
}

static void put_unwind(const body *b)
{
    toll_buffer *out = &b->w->body;
    put_op(out, TOLL_WASM_OP_LOCAL_GET, b->depth_local);
    put_ticks(b->w, out);
    put_op(out, TOLL_WASM_OP_CALL, toll_wasm_hook_index(b->w, TOLL_WASM_UNWIND));
}

static void put_old(const toll_wasm_cursor *code, size_t from, size_t to, toll_buffer *out)
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

static uint8_t *add_s64(uint8_t *to, int64_t value)
{
    for (; value < -64 || value > 63; value >>= 7)
        *to++ = (uint8_t)((value & 0x7f) | 0x80);
    *to++ = value & 0x7f;
    return to;
}

/* The segment is complete. All of it is written at once: asking for room takes longer. */
static void flush(body *b)
{
    toll_wasm_rewrite *w = b->w;
    bool counts = b->cost && !w->options->no_ticks;
    size_t old = b->kept - b->from;
    size_t most = old + w->segment.size + (counts ? w->get_ticks.size + 10 + w->add_ticks.size : 0);
    uint8_t *start = most ? toll_buffer_room(&w->body, most) : NULL, *to = start;
    if (start && counts) {
        to = add_bytes(to, w->get_ticks.data, w->get_ticks.size);
        to = add_s64(to, (int64_t)b->cost);
        to = add_bytes(to, w->add_ticks.data, w->add_ticks.size);
    }
    if (start) {
        to = add_bytes(to, w->segment.data, w->segment.size);
        to = add_bytes(to, b->code.data + b->from, old);
        w->body.size += (size_t)(to - start);
    }
    w->segment.size = 0;
    b->cost = 0;
    b->from = b->kept;
}

/* The instruction as it is, but for a function's number. */
static void copy(const toll_wasm_rewrite *w, const toll_wasm_cursor *code,
                 const toll_wasm_instruction *i, toll_buffer *out)
{
    if (i->function.end == i->function.start) {
        put_old(code, i->span.start, i->span.end, out);
        return;
    }
    put_old(code, i->span.start, i->function.start, out);
    toll_wasm_put_u32(out, toll_wasm_new_function(w, i->index[0]));
}

/* The instruction becomes part of the segment: as it is by staying in from..kept. */
static inline void keep(body *b, const toll_wasm_instruction *i)
{
    b->kept = i->span.end;
    if (i->function.end == i->function.start)
        return;
    put_old(&b->code, b->from, i->span.start, &b->w->segment);
    copy(b->w, &b->code, i, &b->w->segment);
    b->from = b->kept;
}

/* The instruction goes behind all that is complete: the segment has been flushed. */
static void put(body *b, const toll_wasm_instruction *i)
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

/* --- labels ------------------------------------------------------------------------------------*/

static void push_label(body *b, toll_wasm_label label)
{
    toll_wasm_rewrite *w = b->w;
    void *labels = w->labels;
    if (b->labels >= MOST_LABELS)
        toll_wasm_cursor_fail(&b->code, TOLL_E_LIMIT, b->code.at, "more than %d blocks nested",
                              MOST_LABELS);
    else if (!toll_mem_reserve(&w->mem, &labels, &w->label_capacity, b->labels + 1,
                               sizeof *w->labels))
        toll_wasm_cursor_fail(&b->code, TOLL_E_NOMEM, b->code.at, "no memory");
    else
        w->labels = labels, w->labels[b->labels++] = label;
}

/* The label that `index` names, counted from the innermost. */
static toll_wasm_label *find_label(body *b, uint32_t index)
{
    static toll_wasm_label none;
    if (index < b->labels)
        return &b->w->labels[b->labels - 1 - index];
    toll_wasm_cursor_fail(&b->code, TOLL_E_SYNTAX, b->code.at, "label %u of %zu", index, b->labels);
    return &none;
}

static void mark_targets(body *b, const toll_wasm_instruction *i)
{
    uint32_t label;
    if (i->opcode->shape != TOLL_WASM_LABELS) {
        find_label(b, i->index[0])->is_target = true;
        return;
    }
    toll_wasm_cursor labels = toll_wasm_vector(&b->code, i);
    while (toll_wasm_next_label(&labels, &label))
        find_label(b, label)->is_target = true;
}

/* The clauses of try_table name labels outside of it. */
static void mark_catches(body *b, const toll_wasm_instruction *i)
{
    toll_wasm_catch clause;
    toll_wasm_cursor clauses = toll_wasm_vector(&b->code, i);
    while (toll_wasm_next_catch(&clauses, &clause)) {
        toll_wasm_label *label = find_label(b, clause.label);
        label->is_target = label->catches = true;
        b->has_depth = b->w->catches = true;
        b->unwinds_loops |= label->is_loop;
        b->is_wrapped |= label == &b->w->labels[0];
    }
}

/* --- instructions ------------------------------------------------------------------------------*/

static void take_open(body *b, const toll_wasm_instruction *i)
{
    uint8_t op = i->opcode->prefix ? 0 : (uint8_t)i->opcode->code;
    toll_wasm_label label = { .is_loop = op == TOLL_WASM_OP_LOOP,
                              .is_split = op == TOLL_WASM_OP_IF || op == TOLL_WASM_OP_TRY };
    if (i->opcode->shape == TOLL_WASM_TRY_TABLE)
        mark_catches(b, i);
    keep(b, i);
    if (label.is_loop || op == TOLL_WASM_OP_IF)
        flush(b);
    if (label.is_loop && b->unwinds_loops)
        put_unwind(b);
    push_label(b, label);
}

static void take_catch(body *b, const toll_wasm_instruction *i)
{
    flush(b);
    put(b, i);
    b->has_depth = b->w->catches = true;
    put_unwind(b);
}

static void take_end(body *b, const toll_wasm_instruction *i)
{
    toll_wasm_label label = *find_label(b, 0);
    if (b->labels)
        b->labels--;
    bool joins = label.is_split || (label.is_target && !label.is_loop) || b->labels == 0 ||
                 i->opcode->flow == TOLL_WASM_DELEGATE;
    if (joins) {
        flush(b);
        put(b, i);
    } else {
        keep(b, i);
    }
    if (label.catches && !label.is_loop)
        put_unwind(b);
}

static void take_return(body *b, const toll_wasm_instruction *i)
{
    if (!b->followed) {
        keep(b, i);
    } else {
        put_old(&b->code, b->from, b->kept, &b->w->segment);
        put_op(&b->w->segment, TOLL_WASM_OP_BR, (uint32_t)b->labels - 1);
        b->from = b->kept = i->span.end;
    }
    flush(b);
}

/* A tail call as a call: the opcodes are two apart, or one (call_ref). */
static void put_as_call(body *b, const toll_wasm_instruction *i)
{
    toll_buffer *out = &b->w->body;
    size_t at = out->size;
    put(b, i);
    if (!out->failed)
        out->data[at] =
            (uint8_t)(out->data[at] - (out->data[at] == TOLL_WASM_OP_RETURN_CALL_REF ? 1 : 2));
}

static void take_tail_call(body *b, const toll_wasm_instruction *i)
{
    flush(b); /* with its cost */
    if (b->allocator) {
        put_as_call(b, i);
        put_op(&b->w->body, TOLL_WASM_OP_BR, (uint32_t)b->labels - 1);
        return;
    }
    if (b->followed)
        put_event(b->w, &b->w->body, TOLL_WASM_LEAVE, b->function);
    put(b, i);
}

static inline void take(body *b, const toll_wasm_instruction *i)
{
    b->cost += b->w->costs.of[i->opcode->number];
    if (i->opcode->flow == TOLL_WASM_PLAIN) {
        keep(b, i);
        return;
    }
    switch ((toll_wasm_flow)i->opcode->flow) {
    case TOLL_WASM_OPENS: take_open(b, i); return;
    case TOLL_WASM_ELSE:
        flush(b);
        put(b, i);
        return;
    case TOLL_WASM_CATCH: take_catch(b, i); return;
    case TOLL_WASM_END:
    case TOLL_WASM_DELEGATE: take_end(b, i); return;
    case TOLL_WASM_RETURN: take_return(b, i); return;
    case TOLL_WASM_TAIL_CALL: take_tail_call(b, i); return;
    case TOLL_WASM_BRANCH: mark_targets(b, i); break;
    default: break;
    }
    keep(b, i);
    flush(b);
}

/* --- functions ---------------------------------------------------------------------------------*/

/* A new type with the results of `type` and no parameters; UINT32_MAX: no memory. */
static uint32_t block_type(toll_wasm_rewrite *w, uint32_t type)
{
    const toll_wasm_signature *t = &w->module->types[type];
    void *results = w->results;
    if (w->blocks[type] != UINT32_MAX)
        return w->blocks[type];
    if (!toll_mem_reserve(&w->mem, &results, &w->result_capacity, w->result_count + 1,
                          sizeof *w->results))
        return UINT32_MAX;
    w->results = results;
    w->results[w->result_count] = (toll_wasm_results){ t->results, t->result_count };
    w->blocks[type] = toll_wasm_first_result_type(w) + (uint32_t)w->result_count++;
    return w->blocks[type];
}

static void open_block(body *b, uint32_t type)
{
    const toll_wasm_signature *t = &b->w->module->types[type];
    toll_buffer *out = &b->w->header;
    toll_buffer_append_byte(out, TOLL_WASM_OP_BLOCK);
    if (t->result_count == 0) {
        toll_buffer_append_byte(out, EMPTY_BLOCK);
    } else if (t->result_count == 1) {
        toll_wasm_put_bytes(out, t->results);
    } else {
        uint32_t block = block_type(b->w, type);
        if (block == UINT32_MAX)
            toll_wasm_cursor_fail(&b->code, TOLL_E_NOMEM, b->code.at, "no memory");
        toll_wasm_put_s64(out, block);
    }
}

/* Pass the declarations; how many groups, and where they lie. */
static toll_wasm_bytes take_locals(body *b, uint32_t *groups)
{
    toll_wasm_cursor *c = &b->code;
    uint64_t locals =
        b->w->module->types[b->w->module->functions[b->function].type].parameter_count;
    *groups = toll_wasm_take_count(c, "locals");
    size_t start = c->at;
    for (uint32_t i = 0; i < *groups && !c->status; i++) {
        locals += toll_wasm_take_u32(c);
        toll_wasm_take_value_type(c);
    }
    if (locals >= UINT32_MAX)
        toll_wasm_cursor_fail(c, TOLL_E_LIMIT, c->at, "more than 2^32 locals");
    b->depth_local = (uint32_t)locals;
    return (toll_wasm_bytes){ c->data + start, c->at - start };
}

static void put_header(body *b, uint32_t groups, toll_wasm_bytes locals)
{
    toll_wasm_rewrite *w = b->w;
    toll_buffer *out = &w->header;
    toll_buffer_clear(out);
    toll_wasm_put_u32(out, groups + b->has_depth +
                               (b->allocator ? toll_wasm_heap_locals(b->allocator) : 0));
    toll_wasm_put_bytes(out, locals);
    if (b->has_depth) {
        toll_wasm_put_u32(out, 1);
        toll_buffer_append_byte(out, TOLL_WASM_I32_TYPE);
    }
    if (b->allocator)
        toll_wasm_put_heap_locals(w, b->function, b->allocator, out);
    if (b->followed)
        put_event(w, out, TOLL_WASM_ENTER, b->function);
    if (b->allocator)
        toll_wasm_put_allocating(w, b->allocator, b->depth_local + b->has_depth, out);
    if (b->has_depth) {
        put_op(out, TOLL_WASM_OP_CALL, toll_wasm_hook_index(w, TOLL_WASM_DEPTH));
        put_op(out, TOLL_WASM_OP_LOCAL_SET, b->depth_local);
    }
    if (b->is_wrapped)
        open_block(b, w->module->functions[b->function].type);
}

/* The body is header, code, and what comes behind its last end. */
static void finish(toll_wasm_rewrite *w)
{
    w->code.failed |= w->header.failed || w->body.failed || w->segment.failed;
    toll_wasm_put_u32(&w->code, (uint32_t)(w->header.size + w->body.size));
    toll_buffer_append(&w->code, w->header.data, w->header.size);
    toll_buffer_append(&w->code, w->body.data, w->body.size);
}

/* --- stretches of plain instructions -----------------------------------------------------------*/

enum { NOT_PLAIN, BARE, ONE_NUMBER, TWO_NUMBERS, FOUR_BYTES, EIGHT_BYTES, LONGEST_PLAIN = 9 };

static uint8_t plain_form(const toll_wasm_opcode *opcode)
{
    if (!opcode || opcode->flow != TOLL_WASM_PLAIN)
        return NOT_PLAIN;
    switch ((toll_wasm_shape)opcode->shape) {
    case TOLL_WASM_NONE: return BARE;
    case TOLL_WASM_LOCAL:
    case TOLL_WASM_GLOBAL:
    case TOLL_WASM_I32:
    case TOLL_WASM_I64: return ONE_NUMBER;
    case TOLL_WASM_MEMARG: return TWO_NUMBERS;
    case TOLL_WASM_F32: return FOUR_BYTES;
    case TOLL_WASM_F64: return EIGHT_BYTES;
    default: return NOT_PLAIN;
    }
}

/* The bytes of a number of one or two bytes; 0: it is longer. */
static inline size_t number_size(const uint8_t *p)
{
    return p[0] < 0x80 ? 1 : p[1] < 0x80 ? 2 : 0;
}

/* The bytes of the instruction at p, of which LONGEST_PLAIN can be read; 0: toll_wasm_next must
 * look at it. */
static inline size_t plain_size(uint8_t form, const uint8_t *p)
{
    size_t size;
    switch (form) {
    case BARE: return 1;
    case ONE_NUMBER: size = number_size(p + 1); return size ? 1 + size : 0;
    case TWO_NUMBERS: /* the first with a memory's index behind it if it is 0x40 or more */
        size = p[1] < 0x40 ? number_size(p + 2) : 0;
        return size ? 2 + size : 0;
    case FOUR_BYTES: return 5;
    case EIGHT_BYTES: return 9;
    default: return 0;
    }
}

/* Keep instructions as long as they are plain and short: most are. An opcode without prefix has
 * itself for its number. */
static void keep_plain(body *b)
{
    const toll_wasm_rewrite *w = b->w;
    const uint8_t *data = b->code.data;
    size_t at = b->code.at, size;
    uint64_t cost = b->cost;
    while (b->labels > 0 && b->code.end - at >= LONGEST_PLAIN &&
           (size = plain_size(w->forms[data[at]], data + at)) > 0) {
        cost += w->costs.of[data[at]];
        at += size;
    }
    b->cost = cost;
    if (at > b->code.at)
        b->kept = b->code.at = at;
}

/* All instructions, from the beginning. */
static void rewrite_instructions(body *b)
{
    toll_wasm_instruction i;
    toll_buffer_clear(&b->w->body);
    toll_buffer_clear(&b->w->segment);
    b->labels = 0;
    b->cost = b->w->costs.entry;
    b->from = b->kept = b->code.at;
    push_label(b, (toll_wasm_label){ .is_loop = false });
    for (keep_plain(b); b->labels > 0 && toll_wasm_next(&b->code, &i); keep_plain(b))
        take(b, &i);
}

static toll_status rewrite_body(toll_wasm_rewrite *w, uint32_t function, toll_error *err)
{
    const toll_wasm_module *m = w->module;
    const toll_wasm_bytes *bytes = &m->functions[function].body;
    size_t start = (size_t)(bytes->data - m->bytes.data);
    body b = { .w = w,
               .function = function,
               .followed = w->followed[function],
               .allocator = w->allocators[function],
               .is_wrapped = w->followed[function] };
    uint32_t groups;
    toll_wasm_cursor_init(&b.code, m->bytes.data, start, start + bytes->size);
    toll_wasm_bytes locals = take_locals(&b, &groups);
    size_t first = b.code.at;
    rewrite_instructions(&b);
    if (b.unwinds_loops && !b.code.status) { /* which was not known at their beginning */
        b.code.at = first;
        rewrite_instructions(&b);
    }
    if (!b.code.status && toll_wasm_left(&b.code) > 0)
        toll_wasm_cursor_fail(&b.code, TOLL_E_SYNTAX, b.code.at, "code behind a function's end");
    if (b.code.status)
        return toll_wasm_cursor_check(&b.code, m->path, err);
    if (b.allocator)
        toll_wasm_put_heap_event(w, function, b.allocator, b.depth_local + b.has_depth, &w->body);
    if (b.followed)
        put_event(w, &w->body, TOLL_WASM_LEAVE, function);
    if (b.is_wrapped)
        toll_buffer_append_byte(&w->body, TOLL_WASM_OP_END);
    put_header(&b, groups, locals);
    finish(w);
    return b.code.status ? toll_wasm_cursor_check(&b.code, m->path, err) : TOLL_OK;
}

/* An imported function between its events. */
static void write_caller(toll_wasm_rewrite *w, uint32_t function)
{
    const toll_wasm_signature *t = &w->module->types[w->module->functions[function].type];
    toll_buffer_clear(&w->header);
    toll_buffer_clear(&w->body);
    toll_wasm_put_u32(&w->header, 0);
    put_event(w, &w->body, TOLL_WASM_ENTER, function);
    for (uint32_t i = 0; i < t->parameter_count; i++)
        put_op(&w->body, TOLL_WASM_OP_LOCAL_GET, i);
    put_op(&w->body, TOLL_WASM_OP_CALL, function);
    put_event(w, &w->body, TOLL_WASM_LEAVE, function);
    toll_buffer_append_byte(&w->body, TOLL_WASM_OP_END);
    finish(w);
}

/* What stands before and behind the cost of every segment. */
static void write_counting(toll_wasm_rewrite *w)
{
    toll_buffer_clear(&w->get_ticks);
    toll_buffer_clear(&w->add_ticks);
    put_op(&w->get_ticks, TOLL_WASM_OP_GLOBAL_GET, w->ticks);
    toll_buffer_append_byte(&w->get_ticks, TOLL_WASM_OP_I64_CONST);
    toll_buffer_append_byte(&w->add_ticks, 0x7c); /* i64.add */
    put_op(&w->add_ticks, TOLL_WASM_OP_GLOBAL_SET, w->ticks);
}

toll_status toll_wasm_rewrite_code(toll_wasm_rewrite *w, toll_error *err)
{
    toll_status status = TOLL_OK;
    uint32_t imported = w->module->imported_functions;
    toll_buffer_clear(&w->code);
    write_counting(w);
    for (uint32_t op = 0; op < 256; op++)
        w->forms[op] = plain_form(toll_wasm_opcode_find(0, op));
    for (uint32_t f = imported; !status && f < w->module->function_count; f++)
        status = rewrite_body(w, f, err);
    for (uint32_t f = 0; !status && f < imported; f++)
        if (w->followed[f])
            write_caller(w, f);
    if (!status && (w->code.failed || w->get_ticks.failed || w->add_ticks.failed))
        return toll_fail_nomem(err);
    return status;
}

void toll_wasm_free_labels(toll_wasm_rewrite *w)
{
    toll_mem_free(&w->mem, w->labels, w->label_capacity, sizeof *w->labels);
}
