/* changes.c - see changes.h. */
#include "report/changes.h"

#include "base/fail.h"
#include "base/text.h"
#include "report/functions.h"

#include <stdlib.h>
#include <string.h>

static toll_status too_big(toll_error *err)
{
    return toll_fail(err, TOLL_E_OVERFLOW, "a sum of the report does not fit 64 bits");
}

static int compare_changes(const void *a, const void *b)
{
    const toll_change *x = a, *y = b;
    if ((x->by > 0) != (y->by > 0))
        return x->by > 0 ? -1 : 1;
    if (x->by != y->by)
        return x->by > 0 ? (x->by < y->by ? 1 : -1) : (x->by > y->by ? 1 : -1);
    return (x->place > y->place) - (x->place < y->place);
}

/* The column of one profile from which the difference's column was computed. */
static uint32_t column_of(const toll_changes *c, const toll_profile *p)
{
    return toll_profile_find_value_type(p, toll_profile_column(c->difference, c->column));
}

/* --- functions ---------------------------------------------------------------------------------*/

/* Add the self values of one profile, by function of the difference; the last one is "outside". */
static toll_status add_selfs(const toll_changes *c, const toll_order *order, const toll_profile *p,
                             int64_t *by_frame, toll_error *err)
{
    uint32_t column = column_of(c, p), count = toll_profile_frame_count(p);
    size_t room = (size_t)count + 1;
    toll_frame_id *frames = toll_mem_new(&c->mem, room, sizeof *frames);
    toll_status status = TOLL_OK;
    if (!frames)
        return toll_fail_nomem(err);
    for (uint32_t i = 0; i < count; i++) {
        toll_frame f = toll_profile_frame(p, i);
        f.at_line = 0;
        f.at_address = 0;
        frames[i] = toll_profile_find_frame(c->difference, &f);
        if (frames[i] != TOLL_NONE)
            frames[i] = toll_order_first_frame(order, frames[i]);
    }
    frames[count] = toll_profile_frame_count(c->difference);
    for (uint32_t n = 0; !status && column != TOLL_NONE && n < toll_profile_node_count(p); n++) {
        toll_frame_id f = toll_profile_node_frame(p, n);
        toll_frame_id of = frames[f == TOLL_NONE ? count : f];
        if (of == TOLL_NONE)
            status = toll_fail(err, TOLL_E_ARGUMENT, "the difference is not that of the two");
        else if (!toll_i64_add(by_frame[of], toll_profile_self(p, n, column), &by_frame[of]))
            status = too_big(err);
    }
    toll_mem_free(&c->mem, frames, room, sizeof *frames);
    return status;
}

static toll_status list_functions(toll_changes *c, const toll_order *order, const int64_t *before,
                                  const int64_t *after, toll_error *err)
{
    uint32_t frames = toll_profile_frame_count(c->difference);
    for (uint32_t i = 0; i <= frames; i++) {
        toll_change change = { .place = i < frames ? order->frame_rank[i] : TOLL_NONE,
                               .id = i < frames ? i : TOLL_NONE,
                               .before = before[i],
                               .after = after[i] };
        if (!toll_i64_sub(after[i], before[i], &change.by))
            return too_big(err);
        if (change.by)
            c->functions[c->function_count++] = change;
    }
    if (c->function_count)
        qsort(c->functions, c->function_count, sizeof *c->functions, compare_changes);
    return TOLL_OK;
}

static toll_status collect_functions(toll_changes *c, const toll_order *order, toll_error *err)
{
    size_t room = c->function_room;
    int64_t *before = toll_mem_new(&c->mem, room, sizeof *before);
    int64_t *after = toll_mem_new(&c->mem, room, sizeof *after);
    toll_status status = before && after ? TOLL_OK : toll_fail_nomem(err);
    if (!status)
        status = add_selfs(c, order, c->before, before, err);
    if (!status)
        status = add_selfs(c, order, c->after, after, err);
    if (!status)
        status = list_functions(c, order, before, after, err);
    toll_mem_free(&c->mem, before, room, sizeof *before);
    toll_mem_free(&c->mem, after, room, sizeof *after);
    return status;
}

/* --- stacks ------------------------------------------------------------------------------------*/

static void collect_stacks(toll_changes *c, const toll_order *order)
{
    uint32_t place = 0;
    for (uint32_t t = 0; t < order->thread_count; t++) {
        toll_thread_id thread = order->threads[t];
        toll_walk walk = toll_walk_begin(order, toll_profile_root(c->difference, thread));
        while (toll_walk_next(&walk)) {
            int64_t by = toll_profile_self(c->difference, walk.node, c->column);
            if (walk.entering && by)
                c->stacks[c->stack_count++] =
                    (toll_change){ .by = by, .place = place++, .id = walk.node, .thread = thread };
        }
    }
    if (c->stack_count)
        qsort(c->stacks, c->stack_count, sizeof *c->stacks, compare_changes);
}

static toll_status sum_up(const toll_profile *p, uint32_t column, int64_t *sum, toll_error *err)
{
    for (uint32_t n = 0; column != TOLL_NONE && n < toll_profile_node_count(p); n++)
        if (!toll_i64_add(*sum, toll_profile_self(p, n, column), sum))
            return too_big(err);
    return TOLL_OK;
}

static toll_status collect_all(toll_changes *c, toll_error *err)
{
    toll_status status = sum_up(c->before, column_of(c, c->before), &c->all.before, err);
    if (!status)
        status = sum_up(c->after, column_of(c, c->after), &c->all.after, err);
    if (!status && !toll_i64_sub(c->all.after, c->all.before, &c->all.by))
        status = too_big(err);
    return status;
}

toll_status toll_changes_create(toll_changes *c, const toll_profile *before,
                                const toll_profile *after, const toll_profile *difference,
                                const toll_report_options *options, toll_error *err)
{
    toll_order order;
    *c = (toll_changes){ .mem = *toll_profile_mem(difference), .before = before, .after = after };
    toll_status status = toll_report_fold(&difference, &c->own, err);
    c->difference = difference;
    if (!status)
        status = toll_report_column(difference, before, after, options, &c->shown, err);
    if (!status)
        status = toll_order_create(&order, difference, err);
    if (status) {
        toll_profile_free(c->own);
        return status;
    }
    c->column = c->shown.column;
    c->function_room = (size_t)toll_profile_frame_count(difference) + 1;
    c->stack_room = (size_t)toll_profile_node_count(difference) + 1;
    c->functions = toll_mem_new(&c->mem, c->function_room, sizeof *c->functions);
    c->stacks = toll_mem_new(&c->mem, c->stack_room, sizeof *c->stacks);
    status = c->functions && c->stacks ? collect_all(c, err) : toll_fail_nomem(err);
    if (!status)
        status = collect_functions(c, &order, err);
    if (!status)
        status = toll_short_names_create(&c->names, options->short_names, difference, NULL, err);
    if (!status)
        collect_stacks(c, &order);
    toll_order_free(&order);
    if (status)
        toll_changes_free(c);
    return status;
}

void toll_changes_free(toll_changes *c)
{
    toll_mem_free(&c->mem, c->functions, c->function_room, sizeof *c->functions);
    toll_mem_free(&c->mem, c->stacks, c->stack_room, sizeof *c->stacks);
    toll_profile_free(c->own);
    toll_short_names_free(&c->names);
    c->functions = c->stacks = NULL;
    c->own = NULL;
}

toll_frame toll_change_frame(const toll_changes *c, const toll_change *change)
{
    if (change->id == TOLL_NONE)
        return (toll_frame){ .name = "(outside)", .file = "" };
    return toll_profile_frame(c->difference, change->id);
}

uint32_t toll_change_stack(const toll_changes *c, const toll_change *change, toll_frame_id *frames,
                           uint32_t most, uint32_t *left)
{
    uint32_t count = 0;
    *left = 0;
    for (toll_node_id n = change->id; toll_profile_node_frame(c->difference, n) != TOLL_NONE;
         n = toll_profile_parent(c->difference, n)) {
        if (count < most)
            frames[count++] = toll_profile_node_frame(c->difference, n);
        else
            ++*left;
    }
    return count;
}
