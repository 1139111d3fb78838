/* listings.c - see listings.h. */
#include "report/listings_sum.h"

#include "base/fail.h"
#include "profile/frame_place.h"
#include "profile/sampled.h"

#include <stdlib.h>
#include <string.h>

/* --- a listing for each function or file, a line for each place --------------------------------*/

static bool find_listing(toll_summer *s, toll_frame_id id, const toll_frame *f, uint32_t *listing)
{
    toll_listings *l = s->l;
    const char *file = toll_frame_place_file(f); /* equal names are one string in a profile */
    uint64_t key = l->is_of_files ? (uintptr_t)file : s->order.function[id];
    *listing = toll_u64map_find(&s->keys, key);
    if (*listing != UINT32_MAX)
        return true;
    *listing = (uint32_t)l->count;
    toll_frame what = *f;
    if (l->is_of_files)
        what = (toll_frame){ .name = "", .file = file, .system_name = "" };
    l->items[l->count++] = (toll_listing){ .frame = what, .rank = s->order.frame_rank[id] };
    return toll_u64map_add(&s->keys, key, *listing);
}

/* The number stored for a key; a new key gets the next one. */
static bool number_of(toll_u64map *map, uint64_t key, uint32_t *number)
{
    *number = toll_u64map_find(map, key);
    if (*number != UINT32_MAX)
        return true;
    *number = (uint32_t)map->used;
    return toll_u64map_add(map, key, *number);
}

/* Get the line of a frame's place in a listing. */
static bool find_line(toll_summer *s, const toll_frame *f, uint32_t listing, uint32_t *line)
{
    toll_listings *l = s->l;
    const char *file = l->is_of_files ? "" : f->at_file;
    uint32_t number = UINT32_MAX, part;
    if ((*file && !number_of(&s->files, (uintptr_t)file, &number)) ||
        !number_of(&s->parts, (uint64_t)listing << 32 | number, &part) ||
        !number_of(&s->lines, (uint64_t)part << 32 | f->at_line, line))
        return false;
    if (*line == l->line_count)
        l->lines[l->line_count++] =
            (toll_line){ .listing = listing, .line = f->at_line, .file = file };
    return true;
}

/* List the frames in canonical order, so that a function is named by its first frame. */
static bool list_frames(toll_summer *s, const toll_wanted *wanted)
{
    toll_listings *l = s->l;
    for (uint32_t rank = 0; rank < s->order.frame_count; rank++) {
        toll_frame_id id = s->order.frames[rank];
        toll_frame f = toll_profile_frame(s->p, id);
        uint32_t listing;
        if (!find_listing(s, id, &f, &listing))
            return false;
        l->items[listing].is_chosen |= toll_wanted_is(wanted, &f);
        if (!find_line(s, &f, listing, &s->line_of[id]))
            return false;
    }
    return true;
}

/* --- the walk ----------------------------------------------------------------------------------*/

static void enter(toll_summer *s, toll_node_id node)
{
    toll_listings *l = s->l;
    uint32_t id = s->line_of[toll_profile_node_frame(s->p, node)];
    toll_line *line = &l->lines[id];
    toll_listing *listing = &l->items[line->listing];
    if (l->column != TOLL_NONE) {
        int64_t self = toll_profile_self(s->p, node, l->column);
        toll_summer_add(s, &line->self, self);
        toll_summer_add(s, &listing->self, self);
        if (s->open_lines[id] == 0)
            toll_summer_add(s, &line->total, s->totals[node]);
        if (s->open_listings[line->listing] == 0)
            toll_summer_add(s, &listing->total, s->totals[node]);
    }
    s->open_lines[id]++;
    s->open_listings[line->listing]++;
    if (s->executions != TOLL_NONE && line->line) /* line 0 is several addresses: their sum means
                                                   * nothing */
        toll_summer_add(s, &line->executions, toll_profile_self(s->p, node, s->executions));
    if (s->calls != TOLL_NONE)
        toll_summer_add(s, &listing->calls, toll_profile_self(s->p, node, s->calls));
}

/* --- the walk of a thread ----------------------------------------------------------------------*/

static void leave(toll_summer *s, toll_node_id node)
{
    uint32_t line = s->line_of[toll_profile_node_frame(s->p, node)];
    s->open_lines[line]--;
    s->open_listings[s->l->lines[line].listing]--;
    if (s->called.column != TOLL_NONE)
        toll_called_leave(s, node);
}

static void walk_thread(toll_summer *s, toll_thread_id thread)
{
    toll_walk w = toll_walk_begin(&s->order, toll_profile_root(s->p, thread));
    while (toll_walk_next(&w)) {
        toll_frame_id frame = toll_profile_node_frame(s->p, w.node);
        if (frame == TOLL_NONE) {
            if (w.entering && s->totals)
                toll_summer_add(s, &s->l->whole, s->totals[w.node]);
        } else if (w.entering) {
            if (s->called.column != TOLL_NONE)
                toll_called_enter(s, w.node);
            enter(s, w.node);
        } else {
            leave(s, w.node);
        }
    }
}

/* --- order -------------------------------------------------------------------------------------*/

static int compare_lines(const void *a, const void *b)
{
    const toll_line *x = a, *y = b;
    if (x->listing != y->listing)
        return x->listing < y->listing ? -1 : 1;
    return toll_line_compare(x, y->file, y->line);
}

int toll_line_compare(const toll_line *x, const char *file, uint32_t line)
{
    int by = strcmp(x->file, file);
    return by ? by : (x->line > line) - (x->line < line);
}

void toll_listings_group(toll_listings *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->line_count; i++) {
        const toll_line *line = &l->lines[i];
        bool differs = line->line && line->total != line->self;
        l->has_executions |= line->executions != 0;
        l->has_totals |= differs;
        if (line->self || line->total || line->executions || line->before)
            l->lines[kept++] = *line;
    }
    l->line_count = kept;
    if (kept)
        qsort(l->lines, kept, sizeof *l->lines, compare_lines);
    for (size_t i = 0; i < l->count; i++)
        l->items[i].count = 0;
    for (size_t i = 0; i < kept; i++) {
        toll_listing *listing = &l->items[l->lines[i].listing];
        if (listing->count++ == 0)
            listing->first = (uint32_t)i;
    }
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* The sort key. Changes that do not fit 64 bits were refused when they were compared. */
static uint64_t sort_value(const toll_listing *x, bool is_compared)
{
    return is_compared ? magnitude(x->self - x->before) : magnitude(x->self);
}

static int compare(const toll_listing *x, const toll_listing *y, bool is_compared)
{
    uint64_t a = sort_value(x, is_compared), b = sort_value(y, is_compared);
    if (a != b)
        return a < b ? 1 : -1; /* the larger first */
    if (x->total != y->total)
        return x->total < y->total ? 1 : -1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_value(const void *a, const void *b)
{
    return compare(a, b, false);
}

static int by_change(const void *a, const void *b)
{
    return compare(a, b, true);
}

static bool is_shown(const toll_listings *l, const toll_listing *x)
{
    bool differs = !l->is_compared;
    for (uint32_t i = 0; i < x->count && !differs; i++)
        differs = l->lines[x->first + i].self != l->lines[x->first + i].before;
    return x->is_chosen && x->count && differs;
}

void toll_listings_choose(toll_listings *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->count; i++)
        if (is_shown(l, &l->items[i]))
            l->items[kept++] = l->items[i];
    l->count = kept;
    if (kept)
        qsort(l->items, kept, sizeof *l->items, l->is_compared ? by_change : by_value);
}

/* --- life --------------------------------------------------------------------------------------*/

static toll_status sum_up(toll_summer *s, const toll_wanted *wanted, toll_error *err)
{
    toll_listings *l = s->l;
    size_t room = l->room;
    l->items = toll_mem_new(&l->mem, room, sizeof *l->items);
    l->lines = toll_mem_new(&l->mem, room, sizeof *l->lines);
    s->line_of = toll_mem_new(&l->mem, room, sizeof *s->line_of);
    s->open_lines = toll_mem_new(&l->mem, room, sizeof *s->open_lines);
    s->open_listings = toll_mem_new(&l->mem, room, sizeof *s->open_listings);
    if (!l->items || !l->lines || !s->line_of || !s->open_lines || !s->open_listings ||
        !list_frames(s, wanted))
        return toll_fail_nomem(err);
    toll_status status = TOLL_OK;
    if (l->column != TOLL_NONE)
        status = toll_profile_totals(s->p, l->column, &s->totals, err);
    if (!status)
        status = toll_called_prepare(s, err);
    for (uint32_t t = 0; !status && t < s->order.thread_count; t++)
        walk_thread(s, s->order.threads[t]);
    toll_called_add(s);
    if (!status && s->overflow)
        status = toll_fail(err, TOLL_E_OVERFLOW, "a sum of the report does not fit 64 bits");
    toll_listings_group(l);
    return status;
}

toll_status toll_listings_create(toll_listings *l, const toll_profile *p, toll_value_type value,
                                 const toll_wanted *wanted, toll_error *err)
{
    const toll_mem *mem = toll_profile_mem(p);
    size_t room = (size_t)toll_profile_frame_count(p) + 1;
    *l = (toll_listings){ .mem = *mem, .value = value, .room = room, .line_room = room };
    l->precision.unit = value.unit;
    l->column = toll_profile_find_value_type(p, value);
    l->is_of_files = wanted->what && wanted->kind == TOLL_WANT_FILE;
    toll_summer s = { .l = l, .p = p };
    s.executions = toll_profile_find_column(p, "executions");
    s.calls = toll_calls_column(p);
    l->has_calls = s.calls != TOLL_NONE && s.calls != l->column && !l->is_of_files;
    toll_u64map_init(&s.keys, mem);
    toll_u64map_init(&s.files, mem);
    toll_u64map_init(&s.parts, mem);
    toll_u64map_init(&s.lines, mem);
    toll_status status = toll_order_create(&s.order, p, err);
    if (status)
        return status;
    status = sum_up(&s, wanted, err);
    toll_mem_free(mem, s.totals, (size_t)s.order.node_count + 1, sizeof *s.totals);
    toll_called_free(&s);
    toll_mem_free(mem, s.line_of, room, sizeof *s.line_of);
    toll_mem_free(mem, s.open_lines, room, sizeof *s.open_lines);
    toll_mem_free(mem, s.open_listings, room, sizeof *s.open_listings);
    toll_u64map_free(&s.keys);
    toll_u64map_free(&s.files);
    toll_u64map_free(&s.parts);
    toll_u64map_free(&s.lines);
    toll_order_free(&s.order);
    if (status)
        toll_listings_free(l);
    else if (l->column != TOLL_NONE)
        l->precision = toll_precision_of(p, l->column, l->whole);
    return status;
}

void toll_listings_free(toll_listings *l)
{
    toll_mem_free(&l->mem, l->items, l->room, sizeof *l->items);
    toll_mem_free(&l->mem, l->lines, l->line_room, sizeof *l->lines);
    *l = (toll_listings){ .mem = l->mem };
}
