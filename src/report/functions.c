/* functions.c - see functions.h. */
#include "report/functions.h"

#include "base/fail.h"
#include "base/sized_options.h"
#include "base/sort.h"
#include "base/text.h"
#include "profile/sampled.h"

#include <string.h>

toll_status toll_report_check(const toll_report_options **options, toll_report_options *own,
                              const toll_output *out, toll_error *err)
{
    if (!out)
        return toll_fail_null(err, "out");
    toll_status status = toll_options_copy(own, sizeof *own, *options, "toll_report_options", err);
    *options = own;
    if (!status && (unsigned)own->sort > TOLL_SORT_NAME)
        return toll_fail(err, TOLL_E_ARGUMENT, "there is no order %d to sort by; the last is %d",
                         (int)own->sort, TOLL_SORT_NAME);
    return status;
}

toll_status toll_report_fold(const toll_profile **profile, toll_profile **own, toll_error *err)
{
    *own = NULL;
    if (!toll_profile_has_places(*profile))
        return TOLL_OK;
    toll_status status = toll_profile_fold_places(*profile, own, err);
    if (!status)
        *profile = *own;
    return status;
}

toll_status toll_report_column(const toll_profile *p, const toll_profile *a, const toll_profile *b,
                               const toll_report_options *o, toll_shown *shown, toll_error *err)
{
    toll_status status = toll_choose_shown(p, a, b, o->value, shown, err);
    if (!status && shown->column == TOLL_NONE)
        return toll_fail(err, TOLL_E_NOT_FOUND, "the profile has no values");
    return status;
}

/* --- adding up ---------------------------------------------------------------------------------*/

typedef struct collector {
    toll_functions *f;
    const int64_t *totals; /* by node */
    uint32_t *open;        /* by frame: how often it is on the stack now */
    bool overflow;
} collector;

static void add(collector *c, int64_t *to, int64_t value)
{
    c->overflow |= !toll_i64_add(*to, value, to);
}

static void enter_node(collector *c, toll_node_id node, toll_function_row *row, bool outermost)
{
    const toll_functions *f = c->f;
    add(c, &row->self, toll_profile_self(f->profile, node, f->column));
    if (outermost)
        add(c, &row->total, c->totals[node]);
    if (f->calls_column != TOLL_NONE)
        add(c, &row->calls, toll_profile_self(f->profile, node, f->calls_column));
}

static void walk_thread(collector *c, const toll_order *order, toll_thread_id thread)
{
    toll_functions *f = c->f;
    toll_walk w = toll_walk_begin(order, toll_profile_root(f->profile, thread));
    toll_function_row *outside = &f->rows[f->count - 1];
    while (toll_walk_next(&w)) {
        toll_frame_id frame = toll_profile_node_frame(f->profile, w.node);
        if (frame == TOLL_NONE) {
            if (w.entering) {
                int64_t self = toll_profile_self(f->profile, w.node, f->column);
                add(c, &outside->self, self);
                add(c, &outside->total, self);
                add(c, &f->total, c->totals[w.node]);
            }
        } else {
            frame = toll_order_first_frame(order, frame);
            if (w.entering)
                enter_node(c, w.node, &f->rows[frame], c->open[frame]++ == 0);
            else
                c->open[frame]--;
        }
    }
}

static toll_status collect(toll_functions *f, const toll_order *order, toll_error *err)
{
    int64_t *totals;
    collector c = { .f = f };
    uint32_t nodes = toll_profile_node_count(f->profile);
    toll_status status = toll_profile_totals(f->profile, f->column, &totals, err);
    if (status)
        return status;
    c.totals = totals;
    c.open = toll_mem_new(&f->mem, (size_t)f->count, sizeof *c.open);
    if (c.open)
        for (uint32_t t = 0; t < order->thread_count; t++)
            walk_thread(&c, order, order->threads[t]);
    else
        status = toll_fail_nomem(err);
    for (uint32_t i = 0; i < f->count; i++)
        add(&c, &f->calls, f->rows[i].calls);
    toll_mem_free(&f->mem, c.open, (size_t)f->count, sizeof *c.open);
    toll_mem_free(&f->mem, totals, (size_t)nodes + 1, sizeof *totals);
    if (!status && c.overflow)
        status = toll_fail(err, TOLL_E_OVERFLOW, "a sum of the report does not fit 64 bits");
    return status;
}

/* --- sorting -----------------------------------------------------------------------------------*/

static int by_value(int64_t a, int64_t b, const toll_function_row *x, const toll_function_row *y)
{
    if (a != b)
        return a < b ? 1 : -1; /* the larger first */
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_self(const void *a, const void *b)
{
    const toll_function_row *x = a, *y = b;
    return x->self == y->self ? by_value(x->total, y->total, x, y)
                              : by_value(x->self, y->self, x, y);
}

static int by_total(const void *a, const void *b)
{
    const toll_function_row *x = a, *y = b;
    return by_value(x->total, y->total, x, y);
}

static int by_calls(const void *a, const void *b)
{
    const toll_function_row *x = a, *y = b;
    return by_value(x->calls, y->calls, x, y);
}

static int by_name(const void *a, const void *b)
{
    return by_value(0, 0, a, b);
}

static void sort_rows(toll_functions *f, toll_report_sort sort)
{
    static int (*const orders[])(const void *, const void *) = {
        [TOLL_SORT_SELF] = by_self,
        [TOLL_SORT_TOTAL] = by_total,
        [TOLL_SORT_CALLS] = by_calls,
        [TOLL_SORT_NAME] = by_name,
    };
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->count; i++) { /* rows of frames that are on no stack are dropped */
        const toll_function_row *r = &f->rows[i];
        if (r->self || r->total || r->calls) {
            f->function_count += r->frame != TOLL_NONE;
            f->rows[kept++] = *r;
        }
    }
    f->count = kept;
    if (kept)
        toll_sort(f->rows, kept, sizeof *f->rows, orders[sort]);
}

toll_status toll_functions_create(toll_functions *f, const toll_profile *p,
                                  const toll_report_options *o, toll_error *err)
{
    toll_order order;
    *f = (toll_functions){ .mem = *toll_profile_mem(p), .profile = p };
    toll_status status = toll_report_column(p, p, NULL, o, &f->shown, err);
    if (status)
        return status;
    f->column = f->shown.column;
    f->calls_column = toll_calls_column(p);
    status = toll_order_create(&order, p, err);
    if (status)
        return status;
    f->count = f->capacity = toll_profile_frame_count(p) + 1;
    f->rows = toll_mem_new(&f->mem, f->capacity, sizeof *f->rows);
    for (uint32_t i = 0; f->rows && i < f->count; i++) {
        bool outside = i + 1 == f->count;
        f->rows[i].frame = outside ? TOLL_NONE : i;
        f->rows[i].rank = outside ? TOLL_NONE : order.frame_rank[i];
    }
    status = f->rows ? collect(f, &order, err) : toll_fail_nomem(err);
    f->precision = toll_precision_of(p, f->column, f->total);
    if (!status)
        status = toll_short_names_create(&f->names, o->short_names, p, NULL, err);
    toll_order_free(&order);
    if (status)
        toll_functions_free(f);
    else
        sort_rows(f, o->sort);
    return status;
}

void toll_functions_free(toll_functions *f)
{
    toll_mem_free(&f->mem, f->rows, f->capacity, sizeof *f->rows);
    toll_short_names_free(&f->names);
    f->rows = NULL;
    f->count = f->capacity = 0;
}

toll_frame toll_function_frame(const toll_functions *f, const toll_function_row *row)
{
    if (row->frame == TOLL_NONE)
        return (toll_frame){ .name = "(outside)", .file = "" };
    return toll_profile_frame(f->profile, row->frame);
}

const char *toll_function_name(const toll_functions *f, const toll_function_row *row)
{
    return toll_short_name_of(&f->names, toll_function_frame(f, row).name);
}
