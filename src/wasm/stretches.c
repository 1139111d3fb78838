/* stretches.c - see stretches.h. The instrumenter itself decides where stretches begin and end: it
 * rewrites the function, and the new code is discarded. */
#include "wasm/stretches.h"

#include "base/array.h"
#include "wasm/counters.h"

#include <string.h>

struct toll_wasm_stretches {
    toll_wasm_options options;
    toll_wasm_rewrite rewrite;
    toll_wasm_step *steps;
    size_t step_count, step_capacity;
};

toll_status toll_wasm_stretches_create(const toll_wasm_module *m, const toll_wasm_costs *costs,
                                       toll_wasm_stretches **out, toll_error *err)
{
    *out = NULL;
    if (costs && costs->is_pvm)
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "the PVM's costs depend on which branches are taken, so they cannot be "
                         "divided among lines; choose another table of costs");
    toll_wasm_stretches *s = toll_mem_new(&m->mem, 1, sizeof *s);
    *out = s;
    if (!s)
        return toll_fail_nomem(err);
    s->options = (toll_wasm_options){ .lines = 1, .calls_only = 1, .no_calls = 1 };
    s->rewrite = (toll_wasm_rewrite){ .mem = m->mem, .module = m, .options = &s->options };
    if (costs)
        s->rewrite.costs = *costs;
    else
        toll_wasm_costs_set(&s->rewrite.costs, TOLL_WASM_INSTRUCTIONS);
    if (toll_wasm_begin_rewrite(&s->rewrite))
        return TOLL_OK;
    toll_wasm_stretches_free(s);
    *out = NULL;
    return toll_fail_nomem(err);
}

void toll_wasm_stretches_free(toll_wasm_stretches *s)
{
    if (!s)
        return;
    toll_mem mem = s->rewrite.mem;
    toll_wasm_end_rewrite(&s->rewrite);
    toll_mem_free(&mem, s->steps, s->step_capacity, sizeof *s->steps);
    toll_mem_free(&mem, s, 1, sizeof *s);
}

uint32_t toll_wasm_function_at(const toll_wasm_module *m, uint64_t address)
{
    uint32_t low = m->imported_functions, high = (uint32_t)m->function_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const toll_wasm_bytes *body = &m->functions[middle].body;
        uint64_t start = (uint64_t)(body->data - m->code.data);
        if (address >= start && address - start < body->size)
            return middle;
        if (address < start)
            high = middle;
        else
            low = middle + 1;
    }
    return UINT32_MAX;
}

/* Decode the instructions from the cursor on. Each belongs to the last stretch that begins at or
 * before it, unless that stretch has already ended. */
static void read_steps(toll_wasm_stretches *s, toll_wasm_cursor *c, uint64_t locals)
{
    const toll_wasm_rewrite *w = &s->rewrite;
    const toll_wasm_stretch *stretch = w->stretches, *end = stretch + w->stretch_count;
    toll_wasm_instruction i;
    uint64_t entry = toll_wasm_entry_cost(&w->costs, locals);
    for (s->step_count = 0; toll_wasm_left(c) > 0 && toll_wasm_next(c, &i); entry = 0) {
        uint32_t address = (uint32_t)(c->data + i.span.start - w->module->code.data);
        while (stretch < end && stretch->end <= address)
            stretch++;
        bool is_in = stretch < end && stretch->address <= address;
        if (!toll_array_grow(&w->mem, &s->steps, &s->step_capacity, s->step_count, 1)) {
            toll_wasm_cursor_no_memory(c);
            return;
        }
        s->steps[s->step_count++] = (toll_wasm_step){ entry + w->costs.of[i.opcode->number],
                                                      address, is_in ? stretch->address : 0 };
    }
}

toll_status toll_wasm_stretches_read(toll_wasm_stretches *s, uint32_t function,
                                     const toll_wasm_step **steps, size_t *count, toll_error *err)
{
    toll_wasm_rewrite *w = &s->rewrite;
    const toll_wasm_module *m = w->module;
    toll_wasm_cursor c;
    if (function < m->imported_functions || function >= m->function_count)
        return toll_fail(err, TOLL_E_ARGUMENT, "%s: has no code of function %u", m->path, function);
    const toll_wasm_bytes *body = &m->functions[function].body;
    toll_buffer_clear(&w->code);
    w->stretch_count = 0;
    toll_status status = toll_wasm_rewrite_body(w, function, err);
    if (!status && w->code.failed)
        status = toll_fail_nomem(err);
    if (status)
        return status;
    size_t start = (size_t)(body->data - m->bytes.data);
    toll_wasm_cursor_init(&c, m->bytes.data, start, start + body->size);
    c.where = toll_wasm_where(TOLL_WASM_CODE);
    uint64_t locals = toll_wasm_pass_locals(&c);
    read_steps(s, &c, locals);
    *steps = s->steps;
    *count = s->step_count;
    return toll_wasm_cursor_check(&c, m->path, err);
}
