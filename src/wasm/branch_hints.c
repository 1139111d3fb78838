/* branch_hints.c - see branch_hints.h. The section is a vector of functions, in order, each with a
 * vector of hints, in order: an offset, the size of the hint (1), and the hint. */
#include "wasm/branch_hints.h"

#include "base/array.h"

static bool add_hint(toll_wasm_rewrite *w, toll_wasm_hint hint)
{
    if (!toll_array_grow(&w->mem, &w->hints, &w->hint_capacity, w->hint_count, 1))
        return false;
    w->hints[w->hint_count++] = hint;
    return true;
}

/* Is it in the place that the format demands, behind the hint before? */
static bool is_next(const toll_wasm_rewrite *w, toll_wasm_hint hint)
{
    const toll_wasm_hint *last = w->hint_count ? &w->hints[w->hint_count - 1] : NULL;
    return !last || last->function < hint.function ||
           (last->function == hint.function && last->offset < hint.offset);
}

static bool read_function(toll_wasm_rewrite *w, toll_wasm_cursor *c)
{
    uint32_t function = toll_wasm_take_u32(c);
    for (uint32_t n = toll_wasm_take_count(c, "hints"); n > 0 && !c->status; n--) {
        toll_wasm_hint hint = { .function = function, .offset = toll_wasm_take_u32(c) };
        uint32_t size = toll_wasm_take_u32(c);
        hint.value = toll_wasm_take_u8(c);
        if (size != 1 || !is_next(w, hint))
            toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "a hint that is damaged");
        else if (!c->status && !add_hint(w, hint))
            return false;
    }
    return true;
}

bool toll_wasm_read_hints(toll_wasm_rewrite *w)
{
    const toll_wasm_section *section = toll_wasm_find_custom(w->module, TOLL_WASM_BRANCH_HINTS);
    toll_wasm_cursor c;
    if (!section)
        return true;
    size_t start = (size_t)(section->body.data - w->module->bytes.data);
    toll_wasm_cursor_init(&c, w->module->bytes.data, start, start + section->body.size);
    for (uint32_t n = toll_wasm_take_count(&c, "functions"); n > 0 && !c.status; n--)
        if (!read_function(w, &c))
            return false;
    if (c.status || toll_wasm_left(&c) > 0)
        w->hint_count = 0;
    return true;
}

void toll_wasm_begin_hints(toll_wasm_body *b)
{
    const toll_wasm_rewrite *w = b->w;
    size_t low = 0, high = w->hint_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->hints[middle].function < b->function)
            low = middle + 1;
        else
            high = middle;
    }
    b->first_hint = b->next_hint = b->end_hint = low;
    while (b->end_hint < w->hint_count && w->hints[b->end_hint].function == b->function)
        w->hints[b->end_hint++].is_placed = false;
}

void toll_wasm_move_hint(toll_wasm_body *b, const toll_wasm_instruction *i)
{
    toll_wasm_rewrite *w = b->w;
    const toll_wasm_bytes *old = &w->module->functions[b->function].body;
    size_t offset = i->span.start - (size_t)(old->data - b->code.data);
    while (b->next_hint < b->end_hint && w->hints[b->next_hint].offset < offset)
        b->next_hint++; /* for no branch: it is omitted */
    if (b->next_hint == b->end_hint || w->hints[b->next_hint].offset != offset || w->body.failed)
        return;
    toll_wasm_hint *hint = &w->hints[b->next_hint++];
    hint->moved = (uint32_t)(w->body.size - (i->span.end - i->span.start));
    hint->is_placed = true;
}

void toll_wasm_end_hints(toll_wasm_body *b, size_t header_size)
{
    for (size_t i = b->first_hint; i < b->end_hint; i++)
        b->w->hints[i].moved += (uint32_t)header_size;
}

bool toll_wasm_loses_hints(const toll_wasm_rewrite *w)
{
    for (size_t i = 0; i < w->hint_count; i++)
        if (!w->hints[i].is_placed)
            return true;
    return false;
}

/* The next hint that is placed, from number `i` on. */
static size_t next_placed(const toll_wasm_rewrite *w, size_t i)
{
    while (i < w->hint_count && !w->hints[i].is_placed)
        i++;
    return i;
}

/* Append the hints of one function, of which `first` is the first that is placed. Returns the next
 * function's. */
static size_t put_function(const toll_wasm_rewrite *w, size_t first, toll_buffer *out)
{
    uint32_t function = w->hints[first].function, count = 0;
    size_t end = first;
    for (; end < w->hint_count && w->hints[end].function == function; end = next_placed(w, end + 1))
        count++;
    toll_wasm_put_u32(out, toll_wasm_new_function(w, function));
    toll_wasm_put_u32(out, count);
    for (size_t i = first; i < end; i = next_placed(w, i + 1)) {
        toll_wasm_put_u32(out, w->hints[i].moved);
        toll_wasm_put_u32(out, 1);
        toll_buffer_append_byte(out, w->hints[i].value);
    }
    return end;
}

bool toll_wasm_put_hints(const toll_wasm_rewrite *w, toll_buffer *out)
{
    uint32_t functions = 0;
    size_t first = next_placed(w, 0);
    for (size_t i = first, last = w->hint_count; i < w->hint_count; i = next_placed(w, i + 1)) {
        functions += last == w->hint_count || w->hints[last].function != w->hints[i].function;
        last = i;
    }
    if (functions == 0)
        return false;
    toll_wasm_put_name(out, TOLL_WASM_BRANCH_HINTS);
    toll_wasm_put_u32(out, functions);
    for (size_t i = first; i < w->hint_count;)
        i = put_function(w, i, out);
    return true;
}
