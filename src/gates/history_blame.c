/* history_blame.c - finds the commits at which a function's cost changed. See history.h.
 *
 * A total is the sum of the self values of all stacks with the function, each stack once; so it is
 * a sum over nodes, and that of a change is the change of the sum. */
#include "gates/history.h"

#include "base/fail.h"
#include "base/nearest.h"
#include "base/text.h"
#include "profile/shown.h"

#include <string.h>

typedef struct blame {
    const toll_history *h;
    const toll_profile *p;
    bool *is_it;            /* by frame: is it the function? */
    bool *is_within;        /* by node: is the function on its stack? */
    toll_thread_id *thread; /* by node */
    uint32_t column, calls;
    toll_history_rows *rows; /* while summing up: one a commit */
} blame;

static toll_status too_big(toll_error *err)
{
    return toll_fail(err, TOLL_E_OVERFLOW, "a sum of the history does not fit 64 bits");
}

/* Mark the frames that are the function. False: there is none. */
static bool mark_frames(const blame *b, const char *name)
{
    bool any = false;
    for (toll_frame_id f = 0; name && f < toll_profile_frame_count(b->p); f++) {
        b->is_it[f] = strcmp(toll_profile_frame(b->p, f).name, name) == 0;
        any |= b->is_it[f];
    }
    return any || !name;
}

static bool add(int64_t *to, const toll_profile *p, toll_node_id node, uint32_t column)
{
    return column == TOLL_NONE || toll_i64_add(*to, toll_profile_self(p, node, column), to);
}

/* Add up what each commit has changed. Nodes come after their parents. */
static bool sum_up(const blame *b, bool is_whole)
{
    const toll_profile *p = b->p;
    bool ok = true;
    for (toll_thread_id t = 0; t < toll_profile_thread_count(p); t++)
        b->thread[toll_profile_root(p, t)] = t;
    for (toll_node_id n = 0; ok && n < toll_profile_node_count(p); n++) {
        toll_node_id parent = toll_profile_parent(p, n);
        toll_frame_id frame = toll_profile_node_frame(p, n);
        if (parent != TOLL_NONE)
            b->thread[n] = b->thread[parent];
        bool is_it = is_whole || (frame != TOLL_NONE && b->is_it[frame]);
        b->is_within[n] = is_it || (parent != TOLL_NONE && b->is_within[parent]);
        toll_history_row *row = &b->rows->items[b->h->of_thread[b->thread[n]]];
        if (b->is_within[n])
            ok = add(&row->total_by, p, n, b->column);
        if (ok && is_it)
            ok = add(&row->self_by, p, n, b->column) && add(&row->calls_by, p, n, b->calls);
    }
    return ok;
}

/* Add up the changes to costs, and keep the commits that have changed something. */
static bool accumulate(toll_history_rows *rows, uint32_t commits)
{
    toll_history_row sum = { .commit = 0 };
    rows->count = 0;
    for (uint32_t c = 0; c < commits; c++) {
        toll_history_row row = rows->items[c];
        if (!toll_i64_add(sum.self, row.self_by, &sum.self) ||
            !toll_i64_add(sum.total, row.total_by, &sum.total) ||
            !toll_i64_add(sum.calls, row.calls_by, &sum.calls))
            return false;
        row.commit = c;
        row.self = sum.self;
        row.total = sum.total;
        row.calls = sum.calls;
        if (row.self_by || row.total_by || row.calls_by)
            rows->items[rows->count++] = row;
    }
    return true;
}

static const char *name_at(const void *profile, unsigned i)
{
    return toll_profile_frame(profile, i).name;
}

static toll_status find(blame *b, const char *name, toll_error *err)
{
    if (!mark_frames(b, name)) {
        const char *near = toll_nearest(name, name_at, b->p, toll_profile_frame_count(b->p));
        return toll_fail(err, TOLL_E_NOT_FOUND,
                         "no commit of the history has a function '%.100s'%s%.100s%s", name,
                         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    if (!sum_up(b, !name) || !accumulate(b->rows, toll_history_count(b->h)))
        return too_big(err);
    return TOLL_OK;
}

toll_status toll_history_blame(const toll_history *h, const char *name, const char *value,
                               toll_history_rows *rows, toll_value_type *type, toll_error *err)
{
    const toll_mem *mem = &h->mem;
    size_t frames = (size_t)toll_profile_frame_count(h->profile) + 1;
    size_t nodes = (size_t)toll_profile_node_count(h->profile) + 1;
    toll_shown shown;
    *rows = (toll_history_rows){ .mem = *mem, .room = (size_t)toll_history_count(h) + 1 };
    toll_status status = toll_choose_shown(h->profile, h->profile, NULL, value, &shown, err);
    if (!status && shown.column == TOLL_NONE)
        status = toll_fail(err, TOLL_E_NOT_FOUND, "the history has no values");
    if (status)
        return status;
    *type = toll_profile_column(h->profile, shown.column);
    const toll_value_type calls = { "calls", "count" };
    rows->items = toll_mem_new(mem, rows->room, sizeof *rows->items);
    blame b = { .h = h,
                .p = h->profile,
                .is_it = toll_mem_new(mem, frames, sizeof *b.is_it),
                .is_within = toll_mem_new(mem, nodes, sizeof *b.is_within),
                .thread = toll_mem_new(mem, nodes, sizeof *b.thread),
                .column = shown.column,
                .calls = toll_profile_find_value_type(h->profile, calls),
                .rows = rows };
    status = rows->items && b.is_it && b.is_within && b.thread ? find(&b, name, err)
                                                               : toll_fail_nomem(err);
    toll_mem_free(mem, b.is_it, frames, sizeof *b.is_it);
    toll_mem_free(mem, b.is_within, nodes, sizeof *b.is_within);
    toll_mem_free(mem, b.thread, nodes, sizeof *b.thread);
    return status;
}

void toll_history_rows_free(toll_history_rows *rows)
{
    toll_mem_free(&rows->mem, rows->items, rows->room, sizeof *rows->items);
    rows->items = NULL;
}
