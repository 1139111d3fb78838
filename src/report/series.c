/* series.c - see series.h. */
#include "report/series.h"

#include "base/fail.h"
#include "base/sized_options.h"
#include "base/sort.h"
#include "base/text.h"
#include "profile/call_site.h"

#include <stdio.h>
#include <string.h>

static toll_status too_big(toll_error *err)
{
    return toll_fail(err, TOLL_E_OVERFLOW, "a sum of the report does not fit 64 bits");
}

/* --- values ------------------------------------------------------------------------------------*/

/* Where values of the tree's nodes are added up: by node, the index of an item. */
typedef struct keys {
    uint32_t *of_node;
    size_t room;
} keys;

/* Add one profile's values of a type to `sums`, which has `count` values for each item. */
static toll_status add_values(const toll_series *s, const toll_profile *p, size_t profile,
                              toll_value_type type, const keys *k, int64_t *sums, toll_error *err)
{
    uint32_t column = toll_profile_find_value_type(p, type);
    const toll_node_id *nodes = s->united.nodes[profile];
    for (uint32_t n = 0; column != TOLL_NONE && n < toll_profile_node_count(p); n++) {
        int64_t *sum = &sums[k->of_node[nodes[n]] * s->count + profile];
        if (!toll_i64_add(*sum, toll_profile_self(p, n, column), sum))
            return too_big(err);
    }
    return TOLL_OK;
}

static toll_status add_all(const toll_series *s, const toll_profile *const *profiles, const keys *k,
                           const toll_series_rows *rows, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < s->count; i++) {
        status = add_values(s, profiles[i], i, s->value, k, rows->values, err);
        if (!status && rows->others)
            status = add_values(s, profiles[i], i, s->other, k, rows->others, err);
    }
    return status;
}

/* The change over the whole series; of ages the sum. */
static bool change_of(const toll_series *s, const int64_t *values, int64_t *by)
{
    bool ok = true;
    *by = 0;
    if (!s->options.are_ages)
        return toll_i64_sub(values[s->count - 1], values[0], by);
    for (size_t i = 0; ok && i < s->count; i++)
        ok = toll_i64_add(*by, values[i], by);
    return ok;
}

static uint32_t grown_of(const toll_series *s, const int64_t *values)
{
    uint32_t grown = 0;
    for (size_t i = 0; i < s->count; i++)
        grown += s->options.are_ages ? values[i] > 0 : i > 0 && values[i] > values[i - 1];
    return grown;
}

static bool has_changed(const toll_series *s, const int64_t *values)
{
    for (size_t i = 0; values && i < s->count; i++)
        if (s->options.are_ages ? values[i] != 0 : values[i] != values[0])
            return true;
    return false;
}

/* --- rows --------------------------------------------------------------------------------------*/

static int compare_rows(const void *a, const void *b)
{
    const toll_series_row *x = a, *y = b;
    if ((x->by > 0) != (y->by > 0))
        return x->by > 0 ? -1 : 1;
    if (x->by != y->by)
        return (x->by > 0) == (x->by < y->by) ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Keep the rows that are listed, those that grew in each step first. */
static toll_status sort_rows(const toll_series *s, toll_series_rows *rows, toll_error *err)
{
    uint32_t all = rows->count, count = 0;
    for (uint32_t i = 0; i < all; i++) {
        toll_series_row row = rows->items[i];
        if (!change_of(s, row.values, &row.by) ||
            (row.others && !change_of(s, row.others, &row.other_by)))
            return too_big(err);
        row.grown = grown_of(s, row.values);
        bool is_leak = row.grown == s->most;
        if (!is_leak &&
            (s->options.only_leaks || !(has_changed(s, row.values) || has_changed(s, row.others))))
            continue;
        rows->items[count++] = row;
        if (is_leak) { /* to the front */
            rows->items[count - 1] = rows->items[rows->leaks];
            rows->items[rows->leaks++] = row;
        }
    }
    rows->count = count;
    toll_sort(rows->items, rows->leaks, sizeof *rows->items, compare_rows);
    toll_sort(rows->items + rows->leaks, count - rows->leaks, sizeof *rows->items, compare_rows);
    return TOLL_OK;
}

/* Make `count` rows without values. */
static toll_status make_rows(const toll_series *s, toll_series_rows *rows, size_t count,
                             toll_error *err)
{
    rows->room = count;
    rows->count = (uint32_t)count;
    rows->items = toll_mem_new(&s->mem, count + 1, sizeof *rows->items);
    rows->values = toll_mem_new(&s->mem, count * s->count + 1, sizeof *rows->values);
    if (s->other.type)
        rows->others = toll_mem_new(&s->mem, count * s->count + 1, sizeof *rows->others);
    if (!rows->items || !rows->values || (s->other.type && !rows->others))
        return toll_fail_nomem(err);
    for (size_t i = 0; i < count; i++)
        rows->items[i] =
            (toll_series_row){ .id = (uint32_t)i,
                               .place = (uint32_t)i,
                               .values = rows->values + i * s->count,
                               .others = rows->others ? rows->others + i * s->count : NULL };
    return TOLL_OK;
}

static void free_rows(const toll_series *s, toll_series_rows *rows)
{
    toll_mem_free(&s->mem, rows->items, rows->room + 1, sizeof *rows->items);
    toll_mem_free(&s->mem, rows->values, rows->room * s->count + 1, sizeof *rows->values);
    toll_mem_free(&s->mem, rows->others, rows->room * s->count + 1, sizeof *rows->others);
}

/* --- functions, stacks, the sum ----------------------------------------------------------------*/

/* A row for each frame, and one for what is outside. Places of a function are one row. Blocks are
 * those of their allocation site. */
static toll_status make_functions(toll_series *s, const toll_profile *const *profiles,
                                  const toll_order *order, keys *k, toll_error *err)
{
    uint32_t frames = toll_profile_frame_count(s->tree);
    toll_status status = make_rows(s, &s->functions, (size_t)frames + 1, err);
    if (status)
        return status;
    for (uint32_t f = 0; f < frames; f++)
        s->functions.items[f].place = order->frame_rank[f];
    s->functions.items[frames].id = TOLL_NONE;
    for (uint32_t n = 0; n < toll_profile_node_count(s->tree); n++)
        k->of_node[n] = toll_profile_node_frame(s->tree, n);
    if (s->is_heap)
        status = toll_call_site_keys(s->tree, NULL, k->of_node, err);
    for (uint32_t n = 0; n < toll_profile_node_count(s->tree); n++) {
        toll_frame_id frame = k->of_node[n];
        k->of_node[n] = frame == TOLL_NONE ? frames : toll_order_first_frame(order, frame);
    }
    if (!status)
        status = add_all(s, profiles, k, &s->functions, err);
    return status ? status : sort_rows(s, &s->functions, err);
}

/* A row for each node, in canonical order. */
static toll_status make_stacks(toll_series *s, const toll_profile *const *profiles,
                               const toll_order *order, keys *k, toll_error *err)
{
    uint32_t place = 0;
    toll_status status = make_rows(s, &s->stacks, toll_profile_node_count(s->tree), err);
    if (status)
        return status;
    for (uint32_t t = 0; t < order->thread_count; t++) {
        toll_walk walk = toll_walk_begin(order, toll_profile_root(s->tree, order->threads[t]));
        while (toll_walk_next(&walk)) {
            if (!walk.entering)
                continue;
            k->of_node[walk.node] = place;
            s->stacks.items[place].id = walk.node;
            s->stacks.items[place++].thread = order->threads[t];
        }
    }
    status = add_all(s, profiles, k, &s->stacks, err);
    return status ? status : sort_rows(s, &s->stacks, err);
}

static toll_status make_sum(toll_series *s, const toll_profile *const *profiles, keys *k,
                            toll_error *err)
{
    toll_status status = make_rows(s, &s->all, 1, err);
    if (status)
        return status;
    memset(k->of_node, 0, k->room * sizeof *k->of_node);
    status = add_all(s, profiles, k, &s->all, err);
    toll_series_row *row = s->all.items;
    if (!status && (!change_of(s, row->values, &row->by) ||
                    (row->others && !change_of(s, row->others, &row->other_by))))
        status = too_big(err);
    return status;
}

static toll_status make_all(toll_series *s, const toll_profile *const *profiles, toll_error *err)
{
    toll_order order;
    keys k = { .room = (size_t)toll_profile_node_count(s->tree) + 1 };
    toll_status status = toll_order_create(&order, s->tree, err);
    if (status)
        return status;
    k.of_node = toll_mem_new(&s->mem, k.room, sizeof *k.of_node);
    status = k.of_node ? make_functions(s, profiles, &order, &k, err) : toll_fail_nomem(err);
    if (!status)
        status = make_stacks(s, profiles, &order, &k, err);
    if (!status)
        status = make_sum(s, profiles, &k, err);
    toll_mem_free(&s->mem, k.of_node, k.room, sizeof *k.of_node);
    toll_order_free(&order);
    return status;
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* Find the value that belongs to the shown one: blocks and bytes of a heap. */
static void find_other(toll_series *s)
{
    static const char *const pairs[][2] = { { "inuse_space", "inuse_objects" },
                                            { "alloc_space", "alloc_objects" } };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int side = 0; side < 2; side++) {
            uint32_t other = toll_profile_find_column(s->tree, pairs[i][!side]);
            if (strcmp(s->value.type, pairs[i][side]) != 0)
                continue;
            s->is_heap = true;
            if (other != TOLL_NONE)
                s->other = toll_profile_column(s->tree, other);
        }
}

toll_status toll_series_create(toll_series *s, const toll_profile *const *profiles, size_t count,
                               const toll_series_options *o, toll_error *err)
{
    *s = (toll_series){ .mem = *toll_profile_mem(profiles[0]), .options = *o, .count = count };
    s->united.mem = s->mem;
    s->most = (uint32_t)(o->are_ages ? count : count - 1);
    if (count > TOLL_SERIES_MOST)
        return toll_fail(err, TOLL_E_ARGUMENT, "%zu profiles are too many at once: %d at most",
                         count, TOLL_SERIES_MOST);
    toll_status status = toll_unite(&s->united, profiles, count, err);
    s->tree = s->united.tree;
    if (!status)
        status =
            toll_choose_shown(s->tree, profiles[count - 1], profiles[0], o->value, &s->shown, err);
    if (!status && s->shown.column == TOLL_NONE)
        status = toll_fail(err, TOLL_E_NOT_FOUND, "the profiles have no values");
    if (status)
        return status;
    s->value = toll_profile_column(s->tree, s->shown.column);
    find_other(s);
    status = make_all(s, profiles, err);
    return status ? status : toll_short_names_create(&s->names, o->short_names, s->tree, NULL, err);
}

void toll_series_free(toll_series *s)
{
    free_rows(s, &s->functions);
    free_rows(s, &s->stacks);
    free_rows(s, &s->all);
    toll_short_names_free(&s->names);
    toll_united_free(&s->united);
}

const char *toll_series_title(const toll_series *s, size_t profile,
                              char text[TOLL_SERIES_TITLE_SIZE])
{
    if (s->options.titles)
        return s->options.titles[profile];
    snprintf(text, TOLL_SERIES_TITLE_SIZE, "%zu", profile + 1);
    return text;
}

toll_status toll_series_report(const toll_profile *const *profiles, size_t count,
                               const toll_series_options *options,
                               void (*put)(const toll_series *, toll_output *), toll_output *out,
                               toll_error *err)
{
    toll_series series;
    toll_series_options own;
    if (!out)
        return toll_fail_null(err, "out");
    toll_status status = toll_options_copy(&own, sizeof own, options, "toll_series_options", err);
    if (!status && (!profiles || count == 0))
        status = toll_fail(err, TOLL_E_ARGUMENT, "a series of no profiles");
    if (status)
        return status;
    status = toll_series_create(&series, profiles, count, &own, err);
    if (!status)
        put(&series, out);
    toll_series_free(&series);
    return status;
}

toll_frame toll_series_frame(const toll_series *s, const toll_series_row *row)
{
    if (row->id == TOLL_NONE)
        return (toll_frame){ .name = "(outside)", .file = "" };
    return toll_profile_frame(s->tree, row->id);
}
