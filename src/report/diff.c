/* diff.c - what grew and what shrank. See report.h. */
#include "base/fail.h"
#include "base/text.h"
#include "report/functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct change {
    int64_t by;
    uint32_t place; /* canonical, for ties */
    uint32_t id;    /* frame or node of the difference */
    int64_t before, after;
} change;

/* Growth before shrinking, the bigger change first. */
static int compare_changes(const void *a, const void *b)
{
    const change *x = a, *y = b;
    if ((x->by > 0) != (y->by > 0))
        return x->by > 0 ? -1 : 1;
    if (x->by != y->by)
        return x->by > 0 ? (x->by < y->by ? 1 : -1) : (x->by > y->by ? 1 : -1);
    return (x->place > y->place) - (x->place < y->place);
}

static const char *signed_text(int64_t v, const char *unit, char text[TOLL_VALUE_TEXT_SIZE])
{
    char plain[TOLL_VALUE_TEXT_SIZE];
    snprintf(text, TOLL_VALUE_TEXT_SIZE, "%s%.46s", v > 0 ? "+" : "",
             toll_value_text(v, unit, plain));
    return text;
}

static void put_change(toll_output *out, const change *c, const char *unit, bool color)
{
    char by[TOLL_VALUE_TEXT_SIZE], before[TOLL_VALUE_TEXT_SIZE], after[TOLL_VALUE_TEXT_SIZE];
    signed_text(c->by, unit, by);
    toll_value_text(c->before, unit, before);
    toll_value_text(c->after, unit, after);
    toll_output_printf(out, "%s%*s%s %*s %*s  ", color ? (c->by > 0 ? "\x1b[31m" : "\x1b[32m") : "",
                       (int)(16 + strlen(by) - toll_report_width(by)), by, color ? "\x1b[0m" : "",
                       (int)(16 + strlen(before) - toll_report_width(before)), before,
                       (int)(16 + strlen(after) - toll_report_width(after)), after);
}

static void put_head(toll_output *out, const char *what)
{
    toll_output_printf(out, "%16s %16s %16s  %s\n", "change", "before", "after", what);
}

/* --- functions ----------------------------------------------------------------------------------*/

typedef struct diff_writer {
    const toll_profile *before, *after, *difference;
    const toll_report_options *o;
    toll_output *out;
    uint32_t column;
    const char *unit;
    toll_mem mem;
} diff_writer;

/* Self values by frame of the difference (which has every frame of both), of one of the two. */
static toll_status add_selfs(const diff_writer *w, const toll_profile *p, int64_t *by_frame,
                             toll_error *err)
{
    toll_value_type v = toll_profile_column(w->difference, w->column);
    uint32_t column = toll_profile_find_column(p, v.type);
    size_t room = (size_t)toll_profile_frame_count(p) + 1;
    toll_frame_id *frames = toll_mem_new(&w->mem, room, sizeof *frames);
    toll_status status = TOLL_OK;
    if (!frames)
        return toll_fail_nomem(err);
    for (uint32_t i = 0; i < toll_profile_frame_count(p); i++) {
        toll_frame f = toll_profile_frame(p, i);
        frames[i] = toll_profile_find_frame(w->difference, &f);
    }
    for (uint32_t n = 0; !status && column != TOLL_NONE && n < toll_profile_node_count(p); n++) {
        toll_frame_id f = toll_profile_node_frame(p, n);
        toll_frame_id of = f == TOLL_NONE ? toll_profile_frame_count(w->difference) : frames[f];
        if (of != TOLL_NONE &&
            !toll_i64_add(by_frame[of], toll_profile_self(p, n, column), &by_frame[of]))
            status = toll_fail(err, TOLL_E_OVERFLOW, "a sum of the report does not fit 64 bits");
    }
    toll_mem_free(&w->mem, frames, room, sizeof *frames);
    return status;
}

static void put_functions(const diff_writer *w, change *list, uint32_t count)
{
    uint32_t rows = w->o->rows && w->o->rows < count ? w->o->rows : count;
    put_head(w->out, "function (self)");
    for (uint32_t i = 0; i < rows; i++) {
        char where[512] = "";
        bool outside = list[i].id == toll_profile_frame_count(w->difference);
        toll_frame f = outside ? (toll_frame){ "(outside)", "", 0, 0 }
                               : toll_profile_frame(w->difference, list[i].id);
        put_change(w->out, &list[i], w->unit, w->o->color);
        toll_report_put_name(w->out, f.name);
        if (*toll_where_text(f, where, sizeof where))
            toll_output_printf(w->out, "  %s", where);
        toll_output_printf(w->out, "\n");
    }
    if (rows < count)
        toll_output_printf(w->out, "... and %u more functions\n", count - rows);
    if (count == 0)
        toll_output_printf(w->out, "nothing changed\n");
}

static toll_status report_functions(const diff_writer *w, const toll_order *order, toll_error *err)
{
    size_t room = (size_t)toll_profile_frame_count(w->difference) + 1;
    int64_t *before = toll_mem_new(&w->mem, room, sizeof *before);
    int64_t *after = toll_mem_new(&w->mem, room, sizeof *after);
    change *list = toll_mem_new(&w->mem, room, sizeof *list);
    uint32_t count = 0;
    toll_status status = before && after && list ? TOLL_OK : toll_fail_nomem(err);
    if (!status)
        status = add_selfs(w, w->before, before, err);
    if (!status)
        status = add_selfs(w, w->after, after, err);
    for (uint32_t i = 0; !status && i < room; i++) {
        change c = { 0, i + 1 < room ? order->frame_rank[i] : TOLL_NONE, i, before[i], after[i] };
        if (!toll_i64_sub(after[i], before[i], &c.by))
            status = toll_fail(err, TOLL_E_OVERFLOW, "a change does not fit 64 bits");
        else if (c.by)
            list[count++] = c;
    }
    if (!status) {
        if (count)
            qsort(list, count, sizeof *list, compare_changes);
        put_functions(w, list, count);
    }
    toll_mem_free(&w->mem, before, room, sizeof *before);
    toll_mem_free(&w->mem, after, room, sizeof *after);
    toll_mem_free(&w->mem, list, room, sizeof *list);
    return status;
}

/* --- stacks -------------------------------------------------------------------------------------*/

/* "f;g;h", deepest frames kept if it is very long. Innermost frames are found first. */
static void put_stack(const diff_writer *w, toll_node_id node)
{
    enum { MOST = 64 };
    toll_frame_id frames[MOST];
    uint32_t count = 0, left = 0;
    for (; toll_profile_node_frame(w->difference, node) != TOLL_NONE;
         node = toll_profile_parent(w->difference, node)) {
        if (count < MOST)
            frames[count++] = toll_profile_node_frame(w->difference, node);
        else
            left++;
    }
    if (left)
        toll_output_printf(w->out, "(%u more);", left);
    if (count == 0)
        toll_output_printf(w->out, "(outside)");
    for (uint32_t i = count; i-- > 0;) {
        toll_report_put_name(w->out, toll_profile_frame(w->difference, frames[i]).name);
        if (i)
            toll_output_write(w->out, ";", 1);
    }
    toll_output_write(w->out, "\n", 1);
}

static toll_status report_stacks(const diff_writer *w, const toll_order *order, toll_error *err)
{
    size_t room = (size_t)toll_profile_node_count(w->difference) + 1;
    change *list = toll_mem_new(&w->mem, room, sizeof *list);
    uint32_t count = 0, place = 0;
    if (!list)
        return toll_fail_nomem(err);
    for (uint32_t t = 0; t < order->thread_count; t++) {
        toll_walk walk =
            toll_walk_begin(order, toll_profile_root(w->difference, order->threads[t]));
        while (toll_walk_next(&walk)) {
            int64_t by = toll_profile_self(w->difference, walk.node, w->column);
            if (walk.entering && by)
                list[count++] = (change){ by, place++, walk.node, 0, 0 };
        }
    }
    if (count)
        qsort(list, count, sizeof *list, compare_changes);
    uint32_t rows = w->o->rows && w->o->rows < count ? w->o->rows : count;
    toll_output_printf(w->out, "\n%16s  stack (self)\n", "change");
    for (uint32_t i = 0; i < rows; i++) {
        char by[TOLL_VALUE_TEXT_SIZE];
        signed_text(list[i].by, w->unit, by);
        toll_output_printf(w->out, "%*s  ", (int)(16 + strlen(by) - toll_report_width(by)), by);
        put_stack(w, list[i].id);
    }
    if (rows < count)
        toll_output_printf(w->out, "... and %u more stacks\n", count - rows);
    toll_mem_free(&w->mem, list, room, sizeof *list);
    return TOLL_OK;
}

static int64_t whole(const toll_profile *p, const char *type)
{
    uint32_t column = toll_profile_find_column(p, type);
    int64_t sum = 0;
    for (uint32_t n = 0; column != TOLL_NONE && n < toll_profile_node_count(p); n++)
        if (!toll_i64_add(sum, toll_profile_self(p, n, column), &sum))
            return INT64_MAX;
    return sum;
}

toll_status toll_report_diff(const toll_profile *before, const toll_profile *after,
                             const toll_profile *difference, const toll_report_options *o,
                             toll_output *out, toll_error *err)
{
    diff_writer w = { before, after, difference, o, out, 0, NULL, *toll_profile_mem(difference) };
    toll_order order;
    toll_status status = toll_report_column(difference, o, &w.column, err);
    if (!status)
        status = toll_order_create(&order, difference, err);
    if (status)
        return status;
    toll_value_type v = toll_profile_column(difference, w.column);
    change all = { whole(difference, v.type), 0, 0, whole(before, v.type), whole(after, v.type) };
    w.unit = v.unit;
    put_head(out, v.type);
    put_change(out, &all, v.unit, o->color);
    toll_output_printf(out, "(all)\n\n");
    status = report_functions(&w, &order, err);
    if (!status)
        status = report_stacks(&w, &order, err);
    toll_order_free(&order);
    return status;
}
