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

typedef struct search {
    toll_mem mem;
    size_t *blocks; /* where the code of each begins, or NOTHING */
    size_t block_count, block_capacity;
    bool has_found;
} search;

#define NOTHING SIZE_MAX /* the else of an if that has none */

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

static void add_block(search *s, toll_wasm_cursor *c, size_t at)
{
    if (toll_array_grow(&s->mem, &s->blocks, &s->block_capacity, s->block_count, 1))
        s->blocks[s->block_count++] = at;
    else
        toll_wasm_cursor_no_memory(c);
}

/* Pass a nested block, whose first instruction is next, and add it and its else. */
static void pass_nested(search *s, toll_wasm_cursor *c, bool lacks_else)
{
    toll_wasm_instruction i;
    add_block(s, c, c->at);
    for (size_t depth = 1; depth > 0 && toll_wasm_next(c, &i);) {
        if (i.opcode->flow == TOLL_WASM_ELSE && depth == 1) {
            add_block(s, c, c->at);
            lacks_else = false;
        }
        depth += i.opcode->flow == TOLL_WASM_OPENS;
        depth -= i.opcode->flow == TOLL_WASM_END;
    }
    if (lacks_else)
        add_block(s, c, NOTHING);
}

/* Search a block. Returns the steps: one for each instruction, and one for the end. */
static uint64_t search_block(search *s, toll_wasm_cursor *c)
{
    toll_wasm_instruction i;
    uint64_t steps = 0;
    while (toll_wasm_next(c, &i)) {
        steps++;
        if (i.opcode->flow == TOLL_WASM_END || i.opcode->flow == TOLL_WASM_ELSE)
            return steps;
        if (uses_data(i.opcode)) {
            s->has_found = true;
            return steps;
        }
        if (i.opcode->flow == TOLL_WASM_OPENS)
            pass_nested(s, c, is_if(i.opcode));
    }
    return steps;
}

/* Search a body, which contains such an instruction. */
static uint64_t search_body(search *s, toll_wasm_cursor *c)
{
    uint64_t steps = 0;
    s->block_count = 0;
    add_block(s, c, c->at);
    for (size_t done = 0; done < s->block_count && !s->has_found && !c->status; done++) {
        if (s->blocks[done] == NOTHING) {
            steps++;
            continue;
        }
        c->at = s->blocks[done];
        steps += search_block(s, c);
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
    return status;
}
