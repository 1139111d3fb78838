/* open_labels.c - see open_labels.h. */
#include "wasm/open_labels.h"

#include "base/array.h"

enum { MOST_LABELS = 1 << 20 };

void toll_wasm_push_label(toll_wasm_body *b, toll_wasm_label label)
{
    toll_wasm_rewrite *w = b->w;
    if (b->labels >= MOST_LABELS)
        toll_wasm_cursor_fail(&b->code, TOLL_E_LIMIT, b->code.at, "more than %d blocks nested",
                              MOST_LABELS);
    else if (!toll_array_grow(&w->mem, &w->labels, &w->label_capacity, b->labels, 1))
        toll_wasm_cursor_no_memory(&b->code);
    else
        w->labels[b->labels++] = label;
}

toll_wasm_label *toll_wasm_find_label(toll_wasm_body *b, uint32_t index)
{
    if (index < b->labels)
        return &b->w->labels[b->labels - 1 - index];
    toll_wasm_cursor_fail(&b->code, TOLL_E_SYNTAX, b->code.at, "label %u of %zu", index, b->labels);
    return NULL;
}

void toll_wasm_free_labels(toll_wasm_rewrite *w)
{
    toll_mem_free(&w->mem, w->labels, w->label_capacity, sizeof *w->labels);
}
