/* pvm_decode.c - see pvm_decode.h.
 *
 * The PVM reads each body, and then looks at all instructions again: for one that needs the section
 * that counts data segments. It looks at a block without those nested in it, then at these, in the
 * order in which it has met them, until it has found such an instruction. */
#include "wasm/pvm_decode.h"

#include "base/array.h"
#include "wasm/instruction.h"

/* What there is in a body. */
typedef struct shape {
    uint64_t instructions; /* without end and else */
    uint64_t elses, ends;
    uint64_t blocks; /* with the body itself; an if has two, even without an else */
    bool uses_data;
} shape;

/* A block of a body, or a part of an if, without the blocks nested in it. */
typedef struct block {
    size_t outer;       /* the block around it */
    size_t first, last; /* of those nested in it, or NONE */
    size_t next;        /* of those that are nested in the same one, or NONE */
    uint64_t steps;     /* to search it: up to such an instruction, or with its end */
    bool has_found;     /* such an instruction */
    bool lacks_else;    /* an if, before its else */
} block;

typedef struct search {
    toll_mem mem;
    block *blocks; /* of a body, in the order of its code */
    size_t block_count, block_capacity;
    size_t *queue; /* the blocks that are met, in the order of the search */
    size_t queue_capacity;
    bool has_found;
} search;

#define NONE SIZE_MAX

static bool uses_data(const toll_wasm_opcode *opcode)
{
    enum { MEMORY_INIT = 0x08, DATA_DROP = 0x09 };
    return opcode->prefix == 0xfc && (opcode->code == MEMORY_INIT || opcode->code == DATA_DROP);
}

static bool is_if(const toll_wasm_opcode *opcode)
{
    return opcode->prefix == 0 && opcode->code == TOLL_WASM_OP_IF;
}

/* --- the search --------------------------------------------------------------------------------*/

/* Add a block that is nested in `outer`. Returns its index; NONE: no memory. */
static size_t add_block(search *s, toll_wasm_cursor *c, size_t outer, bool lacks_else)
{
    size_t added = s->block_count;
    if (!toll_array_grow(&s->mem, &s->blocks, &s->block_capacity, added, 1)) {
        toll_wasm_cursor_no_memory(c);
        return NONE;
    }
    s->blocks[s->block_count++] = (block){ outer, NONE, NONE, NONE, 0, false, lacks_else };
    if (outer == NONE || s->blocks[outer].has_found) /* the search ends before it */
        return added;
    block *around = &s->blocks[outer];
    if (around->last == NONE)
        around->first = added;
    else
        s->blocks[around->last].next = added;
    around->last = added;
    return added;
}

/* Handle the instruction that ends a part of block `at`. Returns the block that goes on. */
static size_t end_part(search *s, toll_wasm_cursor *c, size_t at, bool is_else)
{
    size_t outer = s->blocks[at].outer;
    if (is_else)
        return outer == NONE ? at : add_block(s, c, outer, false);
    if (s->blocks[at].lacks_else && outer != NONE) {
        size_t other = add_block(s, c, outer, false);
        if (other != NONE)
            s->blocks[other].steps = 1;
    }
    return outer;
}

/* Find the blocks of a body. */
static void find_blocks(search *s, toll_wasm_cursor *c)
{
    toll_wasm_instruction i;
    s->block_count = 0;
    for (size_t at = add_block(s, c, NONE, false); at != NONE && toll_wasm_next(c, &i);) {
        block *b = &s->blocks[at];
        b->steps += !b->has_found;
        b->has_found |= uses_data(i.opcode);
        if (i.opcode->flow == TOLL_WASM_OPENS)
            at = add_block(s, c, at, is_if(i.opcode));
        else if (i.opcode->flow == TOLL_WASM_END || i.opcode->flow == TOLL_WASM_ELSE)
            at = end_part(s, c, at, i.opcode->flow == TOLL_WASM_ELSE);
    }
}

/* Search a body, which contains such an instruction. Returns the steps: one for each instruction,
 * and one for the end of each block. */
static uint64_t search_body(search *s, toll_wasm_cursor *c)
{
    uint64_t steps = 0;
    size_t count = 0;
    find_blocks(s, c);
    if (!toll_array_grow(&s->mem, &s->queue, &s->queue_capacity, 0, s->block_count))
        toll_wasm_cursor_no_memory(c);
    if (c->status)
        return 0;
    s->queue[count++] = 0;
    for (size_t done = 0; done < count && !s->has_found; done++) {
        const block *b = &s->blocks[s->queue[done]];
        steps += b->steps;
        s->has_found = b->has_found;
        for (size_t n = b->first; n != NONE; n = s->blocks[n].next)
            s->queue[count++] = n;
    }
    return steps;
}

/* --- bodies ------------------------------------------------------------------------------------*/

static shape read_shape(toll_wasm_cursor *c)
{
    shape s = { .blocks = 1 };
    toll_wasm_instruction i;
    while (toll_wasm_left(c) > 0 && toll_wasm_next(c, &i)) {
        bool is_else = i.opcode->flow == TOLL_WASM_ELSE, is_end = i.opcode->flow == TOLL_WASM_END;
        s.elses += is_else;
        s.ends += is_end;
        s.instructions += !is_else && !is_end;
        s.blocks += (i.opcode->flow == TOLL_WASM_OPENS) + (uint64_t)is_if(i.opcode);
        s.uses_data |= uses_data(i.opcode);
    }
    return s;
}

/* Read the declarations of locals. Returns the steps: one for each group, one for each local, and
 * one to begin each group up to the last that has a local. */
static uint64_t read_locals(toll_wasm_cursor *c)
{
    uint32_t groups = toll_wasm_take_count(c, "locals"), begun = 0;
    uint64_t locals = 0;
    for (uint32_t g = 0; g < groups && !c->status; g++) {
        uint32_t count = toll_wasm_take_u32(c);
        toll_wasm_take_value_type(c);
        locals += count;
        begun = count ? g + 1 : begun;
    }
    return groups + begun + locals;
}

/* Read the body at the cursor. Returns the steps to decode it, and to search it. */
static uint64_t read_body(search *s, toll_wasm_cursor *c)
{
    enum { BODY = 6, BEGIN = 1, END_BLOCK = 2, ELSE = 2 };
    uint64_t steps = BODY + read_locals(c);
    toll_wasm_cursor code = *c;
    shape body = read_shape(c);
    steps += BEGIN + body.instructions + ELSE * body.elses + END_BLOCK * body.ends;
    if (s->has_found)
        return steps + 1;
    if (!body.uses_data)
        return steps + 1 + body.instructions + body.blocks + 1;
    steps += 1 + search_body(s, &code);
    if (code.status)
        *c = code;
    return steps;
}

toll_status toll_wasm_pvm_decode_code(const toll_wasm_module *m, uint64_t *ticks, toll_error *err)
{
    search s = { .mem = m->mem };
    toll_status status = TOLL_OK;
    *ticks = 0;
    for (size_t f = m->imported_functions; f < m->function_count && !status; f++) {
        const toll_wasm_bytes *body = &m->functions[f].body;
        size_t start = (size_t)(body->data - m->bytes.data);
        toll_wasm_cursor c;
        toll_wasm_cursor_init(&c, m->bytes.data, start, start + body->size);
        c.where = toll_wasm_where(TOLL_WASM_CODE);
        *ticks += read_body(&s, &c);
        status = toll_wasm_cursor_check(&c, m->path, err);
    }
    toll_mem_free(&s.mem, s.blocks, s.block_capacity, sizeof *s.blocks);
    toll_mem_free(&s.mem, s.queue, s.queue_capacity, sizeof *s.queue);
    return status;
}
