/* listings_called.c - computes what lines of WebAssembly called. See listings_sum.h. */
#include "report/listings_sum.h"

#include "base/fail.h"

#include <string.h>

void toll_called_enter(toll_summer *s, toll_node_id node)
{
    toll_called *c = &s->called;
    uint32_t line = s->line_of[toll_profile_node_frame(s->p, node)];
    uint32_t listing = s->l->lines[line].listing;
    if (s->open_lines[line] == 0)
        c->own_at[line] = c->own[listing];
    if (s->open_listings[listing] == 0)
        toll_summer_add(s, &c->listings[listing], c->totals[node]);
    toll_summer_add(s, &c->own[listing], toll_profile_self(s->p, node, c->column));
}

/* Called after a node's frame was closed. */
void toll_called_leave(toll_summer *s, toll_node_id node)
{
    toll_called *c = &s->called;
    uint32_t line = s->line_of[toll_profile_node_frame(s->p, node)];
    const toll_line *of = &s->l->lines[line];
    if (s->open_lines[line] > 0)
        return;
    int64_t own, by_others;
    if (!toll_i64_sub(c->own[of->listing], c->own_at[line], &own) ||
        !toll_i64_sub(c->totals[node], own, &by_others)) {
        s->overflow = true;
        return;
    }
    toll_summer_add(s, &c->lines[line], by_others);
    c->any |= of->line && by_others;
}

toll_status toll_called_prepare(toll_summer *s, toll_error *err)
{
    static const toll_value_type ticks = { "ticks", "count" };
    const toll_listings *l = s->l;
    toll_called *c = &s->called;
    bool is_by_function = strcmp(l->value.type, "line ticks") == 0;
    c->column = is_by_function ? toll_profile_find_value_type(s->p, ticks) : TOLL_NONE;
    if (c->column == TOLL_NONE)
        return TOLL_OK;
    c->own = toll_mem_new(&l->mem, l->room, sizeof *c->own);
    c->own_at = toll_mem_new(&l->mem, l->room, sizeof *c->own_at);
    c->lines = toll_mem_new(&l->mem, l->room, sizeof *c->lines);
    c->listings = toll_mem_new(&l->mem, l->room, sizeof *c->listings);
    if (!c->own || !c->own_at || !c->lines || !c->listings)
        return toll_fail_nomem(err);
    return toll_profile_totals(s->p, c->column, &c->totals, err);
}

void toll_called_add(toll_summer *s)
{
    toll_listings *l = s->l;
    for (size_t i = 0; s->called.any && i < l->line_count; i++)
        toll_summer_add(s, &l->lines[i].total, s->called.lines[i]);
    for (size_t i = 0; s->called.any && i < l->count; i++)
        l->items[i].total = s->called.listings[i];
}

void toll_called_free(toll_summer *s)
{
    const toll_mem *mem = &s->l->mem;
    size_t room = s->l->room;
    toll_called *c = &s->called;
    toll_mem_free(mem, c->totals, (size_t)s->order.node_count + 1, sizeof *c->totals);
    toll_mem_free(mem, c->own, room, sizeof *c->own);
    toll_mem_free(mem, c->own_at, room, sizeof *c->own_at);
    toll_mem_free(mem, c->lines, room, sizeof *c->lines);
    toll_mem_free(mem, c->listings, room, sizeof *c->listings);
}
