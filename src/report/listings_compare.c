/* listings_compare.c - finds the lines of one profile in another. See listings.h. */
#include "base/fail.h"
#include "base/strtab.h"
#include "base/text.h"
#include "base/u64map.h"
#include "report/listings.h"

#include <string.h>

typedef struct comparison {
    toll_listings *l;
    const toll_listings *before;
    toll_strtab texts;
    toll_u64map numbers; /* name, file -> index in `first` */
    uint32_t *first;     /* the first listing, of the profile after, with each name and file */
    uint32_t *next;      /* by listing: the next one with that name and file; TOLL_NONE: the last */
    bool overflow;
} comparison;

static bool number_of(comparison *c, const toll_frame *f, uint32_t *number)
{
    uint32_t name = toll_strtab_add(&c->texts, f->name, strlen(f->name));
    uint32_t file = toll_strtab_add(&c->texts, f->file, strlen(f->file));
    if (name == UINT32_MAX || file == UINT32_MAX)
        return false;
    uint64_t key = (uint64_t)name << 32 | file;
    *number = toll_u64map_find(&c->numbers, key);
    if (*number != UINT32_MAX)
        return true;
    *number = (uint32_t)c->numbers.used;
    c->first[*number] = TOLL_NONE;
    return toll_u64map_add(&c->numbers, key, *number);
}

static bool list_names(comparison *c)
{
    uint32_t number;
    for (uint32_t i = (uint32_t)c->l->count; i-- > 0;) {
        if (!number_of(c, &c->l->items[i].frame, &number))
            return false;
        c->next[i] = c->first[number];
        c->first[number] = i;
    }
    return true;
}

/* Find the same function in the profile after; TOLL_NONE: it is not there. */
static bool find_partner(comparison *c, const toll_frame *f, uint32_t *partner)
{
    uint32_t number;
    *partner = TOLL_NONE;
    if (!number_of(c, f, &number))
        return false;
    for (uint32_t i = c->first[number]; i != TOLL_NONE; i = c->next[i])
        if (c->l->items[i].frame.line == f->line && c->l->items[i].frame.kind == f->kind)
            *partner = i;
    return true;
}

/* Add the lines of a listing to those of `to`. Both are sorted. */
static void add_lines(comparison *c, const toll_listing *from, uint32_t to)
{
    toll_listings *l = c->l;
    const toll_line *line = c->before->lines + from->first, *end = line + from->count;
    const toll_listing *listing = &l->items[to];
    toll_line *own = l->lines + listing->first, *own_end = own + listing->count;
    for (; line < end; line++) {
        while (own < own_end && toll_line_compare(own, line->file, line->line) < 0)
            own++;
        if (own < own_end && toll_line_compare(own, line->file, line->line) == 0)
            own->before = line->self;
        else
            l->lines[l->line_count++] = (toll_line){
                .listing = to, .line = line->line, .file = line->file, .before = line->self
            };
    }
}

static bool add_listing(comparison *c, uint32_t i, uint32_t first_rank)
{
    const toll_listing *from = &c->before->items[i];
    toll_listings *l = c->l;
    uint32_t to;
    if (!find_partner(c, &from->frame, &to))
        return false;
    if (to == TOLL_NONE) {
        to = (uint32_t)l->count++;
        l->items[to] = (toll_listing){ .frame = from->frame, .rank = first_rank + i };
    }
    l->items[to].is_chosen |= from->is_chosen;
    l->items[to].before = from->self;
    add_lines(c, from, to);
    return true;
}

static void check_changes(comparison *c)
{
    int64_t change;
    for (size_t i = 0; i < c->l->count; i++)
        c->overflow |= !toll_i64_sub(c->l->items[i].self, c->l->items[i].before, &change);
    for (size_t i = 0; i < c->l->line_count; i++)
        c->overflow |= !toll_i64_sub(c->l->lines[i].self, c->l->lines[i].before, &change);
    c->overflow |= !toll_i64_sub(c->l->whole, c->l->whole_before, &change);
}

/* Make room for functions and lines that only `before` has. */
static bool grow(toll_listings *l, const toll_listings *before)
{
    size_t items = l->room + before->count, lines = l->line_room + before->line_count;
    toll_listing *more = toll_mem_resize(&l->mem, l->items, l->room, items, sizeof *l->items);
    if (!more)
        return false;
    l->items = more;
    l->room = items;
    toll_line *longer = toll_mem_resize(&l->mem, l->lines, l->line_room, lines, sizeof *l->lines);
    if (!longer)
        return false;
    l->lines = longer;
    l->line_room = lines;
    return true;
}

toll_status toll_listings_compare(toll_listings *l, const toll_listings *before, toll_error *err)
{
    comparison c = { .l = l, .before = before };
    size_t room = l->count + before->count + 1, count = l->count + 1;
    uint32_t first_rank = (uint32_t)l->room;
    toll_strtab_init(&c.texts, &l->mem);
    toll_u64map_init(&c.numbers, &l->mem);
    c.first = toll_mem_new(&l->mem, room, sizeof *c.first);
    c.next = toll_mem_new(&l->mem, count, sizeof *c.next);
    bool ok = c.first && c.next && grow(l, before) && list_names(&c);
    for (uint32_t i = 0; ok && i < before->count; i++)
        ok = add_listing(&c, i, first_rank);
    l->is_compared = true;
    l->precision.least = 0;
    l->whole_before = before->whole;
    check_changes(&c);
    toll_listings_group(l);
    toll_mem_free(&l->mem, c.first, room, sizeof *c.first);
    toll_mem_free(&l->mem, c.next, count, sizeof *c.next);
    toll_strtab_free(&c.texts);
    toll_u64map_free(&c.numbers);
    if (!ok)
        return toll_fail_nomem(err);
    return c.overflow ? toll_fail(err, TOLL_E_OVERFLOW, "a change does not fit 64 bits") : TOLL_OK;
}
