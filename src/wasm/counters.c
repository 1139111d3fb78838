/* counters.c - see counters.h.
 *
 * Counters are globals: an engine adds to one without a check of bounds. Engines refuse a module
 * with a million globals, so with many stretches the counters are in a separate memory. The
 * module's own memory cannot hold them: its allocator owns everything up to the end. */
#include "wasm/counters.h"

#include "base/array.h"

enum { MOST_GLOBALS = 500000, COUNTER_BYTES = 8, PAGE = TOLL_WASM_COUNTERS_OF_PAGE };
enum { MEMORY_PAGE = 1 << 16, ALIGNED = 3, OTHER_MEMORY = 0x40 };

bool toll_wasm_add_stretch(toll_wasm_rewrite *w, toll_wasm_stretch stretch)
{
    if (!toll_array_grow(&w->mem, &w->stretches, &w->stretch_capacity, w->stretch_count, 1))
        return false;
    w->stretches[w->stretch_count++] = stretch;
    return true;
}

bool toll_wasm_are_many(const toll_wasm_rewrite *w)
{
    return w->stretch_count > MOST_GLOBALS;
}

/* --- counting ----------------------------------------------------------------------------------*/

static uint32_t counter_global(const toll_wasm_rewrite *w, uint32_t counter)
{
    return w->module->global_count + toll_wasm_slot_count(w) + counter;
}

/* i64.load or i64.store, of a counter at the address on the stack plus `offset`. */
static uint8_t *add_access(const toll_wasm_rewrite *w, uint8_t *to, uint8_t op, uint32_t offset)
{
    uint32_t memory = w->module->memory_count;
    *to++ = op;
    *to++ = memory ? ALIGNED | OTHER_MEMORY : ALIGNED;
    if (memory)
        to = toll_wasm_add_u32(to, memory);
    return toll_wasm_add_u32(to, offset);
}

static uint8_t *add_one(uint8_t *to)
{
    *to++ = TOLL_WASM_OP_I64_CONST;
    *to++ = 1;
    *to++ = TOLL_WASM_OP_I64_ADD;
    return to;
}

uint8_t *toll_wasm_add_execution(const toll_wasm_rewrite *w, uint8_t *to, uint32_t counter)
{
    if (!w->counts_in_memory) {
        to = toll_wasm_add_op(to, TOLL_WASM_OP_GLOBAL_GET, counter_global(w, counter));
        to = add_one(to);
        return toll_wasm_add_op(to, TOLL_WASM_OP_GLOBAL_SET, counter_global(w, counter));
    }
    to = toll_wasm_add_op(to, TOLL_WASM_OP_I32_CONST, 0); /* for the store */
    to = toll_wasm_add_op(to, TOLL_WASM_OP_I32_CONST, 0);
    to = add_access(w, to, TOLL_WASM_OP_I64_LOAD, counter * COUNTER_BYTES);
    to = add_one(to);
    return add_access(w, to, TOLL_WASM_OP_I64_STORE, counter * COUNTER_BYTES);
}

/* --- globals or a memory -----------------------------------------------------------------------*/

uint32_t toll_wasm_counter_globals(const toll_wasm_rewrite *w)
{
    return w->counts_in_memory ? 0 : (uint32_t)w->stretch_count;
}

void toll_wasm_put_counter_globals(const toll_wasm_rewrite *w, toll_buffer *out)
{
    static const uint8_t zero[] = { TOLL_WASM_I64_TYPE, 1 /* mutable */, TOLL_WASM_OP_I64_CONST, 0,
                                    TOLL_WASM_OP_END };
    for (uint32_t left = toll_wasm_counter_globals(w); left > 0; left--)
        toll_buffer_append(out, zero, sizeof zero);
}

static uint32_t page_count(const toll_wasm_rewrite *w)
{
    return (uint32_t)(w->stretch_count / PAGE + (w->stretch_count % PAGE > 0));
}

void toll_wasm_put_counter_memory(const toll_wasm_rewrite *w, toll_buffer *out)
{
    uint64_t size = (uint64_t)page_count(w) * PAGE * COUNTER_BYTES;
    uint32_t pages = (uint32_t)((size + MEMORY_PAGE - 1) / MEMORY_PAGE);
    toll_buffer_append_byte(out, 1); /* with a maximum */
    toll_wasm_put_u32(out, pages);
    toll_wasm_put_u32(out, pages);
}

/* --- returning the counters
 * ----------------------------------------------------------------------------------- */

void toll_wasm_put_teller_type(toll_buffer *out)
{
    toll_buffer_append_byte(out, TOLL_WASM_FUNCTION_TYPE);
    toll_wasm_put_u32(out, 1);
    toll_buffer_append_byte(out, TOLL_WASM_I32_TYPE);
    toll_wasm_put_u32(out, PAGE);
    for (int i = 0; i < PAGE; i++)
        toll_buffer_append_byte(out, TOLL_WASM_I64_TYPE);
}

uint32_t toll_wasm_teller_type(const toll_wasm_rewrite *w)
{
    return toll_wasm_first_result_type(w) + (uint32_t)w->result_count;
}

uint32_t toll_wasm_teller_index(const toll_wasm_rewrite *w)
{
    return (uint32_t)w->module->function_count + w->hooks + w->caller_count;
}

/* Write code that returns the page of globals from counter `first` on; 0 beyond the last
 * counter. */
static void put_page_of_globals(const toll_wasm_rewrite *w, uint32_t first, toll_buffer *out)
{
    for (uint32_t i = 0; i < PAGE; i++) {
        if (first + i < w->stretch_count)
            toll_wasm_put_op(out, TOLL_WASM_OP_GLOBAL_GET, counter_global(w, first + i));
        else
            toll_wasm_put_i64(out, 0);
    }
    toll_buffer_append_byte(out, TOLL_WASM_OP_RETURN);
}

/* Write a br_table that jumps to the end of one block for each page; the code there returns the
 * page. */
static void put_globals(const toll_wasm_rewrite *w, toll_buffer *out)
{
    uint32_t pages = page_count(w);
    for (uint32_t i = 0; i <= pages; i++) {
        toll_buffer_append_byte(out, TOLL_WASM_OP_BLOCK);
        toll_buffer_append_byte(out, TOLL_WASM_EMPTY_BLOCK);
    }
    toll_wasm_put_op(out, TOLL_WASM_OP_LOCAL_GET, 0);
    toll_wasm_put_op(out, TOLL_WASM_OP_BR_TABLE, pages);
    for (uint32_t i = 0; i <= pages; i++)
        toll_wasm_put_u32(out, i);
    for (uint32_t i = 0; i < pages; i++) {
        toll_buffer_append_byte(out, TOLL_WASM_OP_END);
        put_page_of_globals(w, i * PAGE, out);
    }
    toll_buffer_append_byte(out, TOLL_WASM_OP_END);
    toll_buffer_append_byte(out, TOLL_WASM_OP_UNREACHABLE);
}

static void put_memory(const toll_wasm_rewrite *w, toll_buffer *out)
{
    enum { SHIFT = 9 };
    _Static_assert(1 << SHIFT == PAGE * COUNTER_BYTES, "the bytes of a page");
    uint8_t load[2 + 2 * TOLL_WASM_MOST_U32];
    for (uint32_t i = 0; i < PAGE; i++) {
        toll_wasm_put_op(out, TOLL_WASM_OP_LOCAL_GET, 0);
        toll_wasm_put_op(out, TOLL_WASM_OP_I32_CONST, SHIFT);
        toll_buffer_append_byte(out, TOLL_WASM_OP_I32_SHL);
        uint8_t *end = add_access(w, load, TOLL_WASM_OP_I64_LOAD, i * COUNTER_BYTES);
        toll_buffer_append(out, load, (size_t)(end - load));
    }
}

void toll_wasm_put_teller(toll_wasm_rewrite *w)
{
    toll_buffer *out = &w->body;
    toll_buffer_clear(out);
    toll_wasm_put_u32(out, 0); /* locals */
    if (w->counts_in_memory)
        put_memory(w, out);
    else
        put_globals(w, out);
    toll_buffer_append_byte(out, TOLL_WASM_OP_END);
    w->code.failed |= out->failed;
    toll_wasm_put_u32(&w->code, (uint32_t)out->size);
    toll_buffer_append(&w->code, out->data, out->size);
}
