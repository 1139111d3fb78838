/* flame.c - see flame.h. */
#include "report/flame.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/text.h"
#include "report/functions.h"
#include "report/outside.h"

#include <stdlib.h>
#include <string.h>

/* --- totals ------------------------------------------------------------------------------------*/

static toll_status add_totals(toll_flame *f, toll_error *err)
{
    const toll_stack_tree *t = &f->tree;
    toll_stack_values(t, TOLL_SIDE_AFTER, t->shown.column, f->totals);
    for (uint32_t n = t->node_count; n-- > 0;) {
        toll_node_id parent = toll_profile_parent(t->tree, n);
        int64_t *to = parent == TOLL_NONE ? &f->whole : &f->totals[parent];
        if (toll_profile_self(t->tree, n, t->shown.column) < 0)
            return toll_fail(err, TOLL_E_UNSUPPORTED,
                             "a flame graph has no place for negative values (%.60s); toll report "
                             "--tree and toll diff show them",
                             f->value.type);
        if (!toll_i64_add(*to, f->totals[n], to))
            return toll_fail(err, TOLL_E_OVERFLOW, "the total of '%.100s' does not fit 64 bits",
                             f->value.type);
    }
    return TOLL_OK;
}

toll_status toll_flame_create(toll_flame *f, const toll_profile *profile,
                              const toll_flame_options *o, toll_error *err)
{
    *f = (toll_flame){ 0 };
    f->tree.mem = f->tree.order.mem = f->tree.united.mem = *toll_profile_mem(profile);
    toll_status status = toll_report_fold(&profile, &f->folded, err);
    if (!status)
        status = toll_report_leave_outside(&profile, &f->inside, o->keep_outside, err);
    f->profile = profile;
    if (!status)
        status = toll_stack_tree_create(&f->tree, &profile, 1, err);
    if (!status)
        status = toll_stack_tree_sort(&f->tree, o->value, err);
    if (status)
        return status;
    if (f->tree.shown.column == TOLL_NONE)
        return toll_fail(err, TOLL_E_NOT_FOUND, "the profile has no values");
    f->value = toll_profile_column(f->tree.tree, f->tree.shown.column);
    f->totals = toll_mem_new(&f->tree.mem, (size_t)f->tree.node_count + 1, sizeof *f->totals);
    if (!f->totals)
        return toll_fail_nomem(err);
    status = toll_short_names_create(&f->names, o->short_names, f->tree.tree, NULL, err);
    if (!status)
        status = add_totals(f, err);
    f->precision =
        toll_precision_of(f->profile, toll_profile_find_value_type(f->profile, f->value), f->whole);
    return status;
}

void toll_flame_free(toll_flame *f)
{
    toll_mem_free(&f->tree.mem, f->totals, (size_t)f->tree.node_count + 1, sizeof *f->totals);
    toll_mem_free(&f->tree.mem, f->boxes, f->room, sizeof *f->boxes);
    toll_short_names_free(&f->names);
    toll_stack_tree_free(&f->tree);
    toll_profile_free(f->inside);
    toll_profile_free(f->folded);
}

/* --- boxes -------------------------------------------------------------------------------------*/

/* The state of placing boxes, by depth of the open stacks. */
typedef struct flame_walk {
    int64_t *next; /* where the next box at that depth begins */
    size_t room;
    uint32_t depth;
    uint32_t hidden_depth;       /* depth of the outermost open stack that is not shown */
    toll_flame_left_out *hidden; /* where its frames are counted; NULL: all open stacks are shown */
} flame_walk;

static toll_status add_box(toll_flame *f, flame_walk *w, toll_node_id node, int64_t least,
                           uint32_t rows, toll_error *err)
{
    int64_t total = f->totals[node], start = w->next[w->depth];
    w->next[w->depth] += total;
    w->next[w->depth + 1] = start;
    if (w->hidden && w->depth <= w->hidden_depth)
        w->hidden = NULL;
    if (total == 0)
        return TOLL_OK;
    if (!w->hidden && (total < least || (rows && w->depth >= rows))) {
        w->hidden = total < least ? &f->narrow : &f->deep;
        w->hidden->total += total;
        w->hidden_depth = w->depth;
    }
    if (w->hidden) {
        w->hidden->frames++;
        return TOLL_OK;
    }
    if (!toll_array_grow(&f->tree.mem, &f->boxes, &f->room, f->count, 1))
        return toll_fail_nomem(err);
    f->boxes[f->count++] = (toll_flame_box){ node, w->depth, start, total };
    f->rows = w->depth + 1 > f->rows ? w->depth + 1 : f->rows;
    return TOLL_OK;
}

static int compare_boxes(const void *a, const void *b)
{
    const toll_flame_box *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

toll_status toll_flame_fill(toll_flame *f, int64_t least, uint32_t rows, toll_error *err)
{
    const toll_stack_tree *t = &f->tree;
    flame_walk w = { 0 };
    toll_status status = TOLL_OK;
    f->count = f->rows = 0;
    f->narrow = f->deep = (toll_flame_left_out){ 0, 0 };
    for (uint32_t i = 0; !status && i < t->node_count; i++) {
        w.depth = i ? w.depth + 1 - t->ups[i] : 0;
        if (!toll_array_grow(&t->mem, &w.next, &w.room, w.depth, 2))
            status = toll_fail_nomem(err);
        if (i == 0 && !status)
            w.next[0] = 0;
        if (!status)
            status = add_box(f, &w, t->nodes[i], least, rows, err);
    }
    toll_mem_free(&t->mem, w.next, w.room, sizeof *w.next);
    if (f->count)
        qsort(f->boxes, f->count, sizeof *f->boxes, compare_boxes);
    return status;
}

/* --- appearance --------------------------------------------------------------------------------*/

/* Both factors are halved until the product fits, which keeps the order of places. */
uint32_t toll_flame_place(const toll_flame *f, int64_t value, uint32_t size)
{
    uint64_t v = (uint64_t)value, whole = (uint64_t)f->whole;
    while (whole > UINT64_MAX / size) {
        v /= 2;
        whole /= 2;
    }
    return whole ? (uint32_t)(v * size / whole) : 0;
}

int64_t toll_flame_unit(const toll_flame *f, uint32_t size)
{
    return f->whole / size + (f->whole % size != 0 || f->whole == 0);
}

const char *toll_flame_name(const toll_flame *f, const toll_flame_box *box)
{
    toll_frame_id frame = toll_profile_node_frame(f->tree.tree, box->node);
    if (frame != TOLL_NONE)
        return toll_profile_frame(f->tree.tree, frame).name;
    toll_thread_id thread = toll_profile_thread_of(f->tree.order.profile, box->node);
    const char *name = toll_report_thread_name(f->tree.tree, thread);
    return *name ? name : "(all)";
}

const char *toll_flame_label(const toll_flame *f, const toll_flame_box *box)
{
    return toll_short_name_of(&f->names, toll_flame_name(f, box));
}

/* FNV-1a: colours must be the same everywhere, which the hash of tables, with its seed, is not. */
static uint32_t hash_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash ^ hash >> 15;
}

uint32_t toll_flame_color(const toll_flame *f, const toll_flame_box *box)
{
    toll_frame_id frame = toll_profile_node_frame(f->tree.tree, box->node);
    if (frame == TOLL_NONE)
        return 0xc8c8c8;
    uint32_t hash = hash_of(toll_profile_frame(f->tree.tree, frame).name);
    uint32_t a = hash % 56, b = hash / 56 % 90, c = hash / 5040 % 40;
    switch (toll_profile_frame(f->tree.tree, frame).kind) {
    case TOLL_KIND_NATIVE: return (150 + c) << 16 | (200 + a) << 8 | (130 + c);
    case TOLL_KIND_SECTION:
    case TOLL_KIND_PHASE: return (140 + c) << 16 | (180 + c) << 8 | (200 + a);
    default: return (200 + a) << 16 | (130 + b) << 8 | (80 + c);
    }
}
