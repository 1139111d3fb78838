/* profile.c - the profile itself: columns and nodes. See toll/profile.h. Frames are in frames.c,
 * threads in thread_list.c, notes in notes.c; operations that make new profiles are in graft.c,
 * merge.c, fold.c and filter.c.
 * */
#include "profile/profile_data.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/text.h"
#include "profile/order.h"
#include "profile/take_tree.h"

#include <inttypes.h>
#include <string.h>

toll_status toll_profile_create(const toll_allocator *allocator, toll_profile **out,
                                toll_error *err)
{
    toll_mem mem = toll_mem_from(allocator);
    if (!out)
        return toll_fail_null(err, "out");
    toll_profile *p = toll_mem_new(&mem, 1, sizeof *p);
    *out = p;
    if (!p)
        return toll_fail_nomem(err);
    p->mem = mem;
    p->default_column = TOLL_NONE;
    toll_strtab_init(&p->strings, &mem);
    toll_tree_init(&p->tree, &mem, 0);
    return TOLL_OK;
}

void toll_profile_free(toll_profile *p)
{
    if (!p)
        return;
    toll_mem mem = p->mem;
    toll_tree_free(&p->tree);
    toll_strtab_free(&p->strings);
    toll_mem_free(&mem, p->frames, p->frame_capacity, sizeof *p->frames);
    toll_id_index_free(&p->frame_index, &mem);
    toll_mem_free(&mem, p->threads, p->thread_capacity, sizeof *p->threads);
    toll_id_index_free(&p->thread_index, &mem);
    toll_mem_free(&mem, p->labels, p->label_capacity, sizeof *p->labels);
    toll_mem_free(&mem, p->notes, p->note_capacity, sizeof *p->notes);
    toll_mem_free(&mem, p->comments, p->comment_capacity, sizeof *p->comments);
    toll_mem_free(&mem, p->runs, p->run_capacity, sizeof *p->runs);
    toll_mem_free(&mem, p, 1, sizeof *p);
}

const toll_mem *toll_profile_mem(const toll_profile *p)
{
    return &p->mem;
}

/* --- columns -----------------------------------------------------------------------------------*/

toll_status toll_profile_add_column(toll_profile *p, const char *type, const char *unit,
                                    uint32_t *out, toll_error *err)
{
    if (out)
        *out = TOLL_NONE;
    if (!type || !unit)
        return toll_fail_null(err, type ? "unit" : "type");
    if (p->thread_count)
        return toll_fail(err, TOLL_E_ARGUMENT, "a profile with threads takes no more columns");
    uint32_t type_id = toll_strtab_add_clean(&p->strings, type),
             unit_id = toll_strtab_add_clean(&p->strings, unit);
    if (type_id == TOLL_NONE || unit_id == TOLL_NONE)
        return toll_fail_nomem(err);
    for (uint32_t i = 0; i < p->column_count; i++)
        if (p->columns[i].type == type_id && p->columns[i].unit == unit_id)
            return toll_fail(err, TOLL_E_ARGUMENT, "two value types are both '%.100s' in '%.100s'",
                             type, unit);
    if (p->column_count == TOLL_MAX_COLUMNS)
        return toll_fail(err, TOLL_E_LIMIT, "more than %d value types", TOLL_MAX_COLUMNS);
    p->columns[p->column_count] = (toll_column_data){ type_id, unit_id };
    if (out)
        *out = p->column_count;
    p->column_count++;
    toll_tree_free(&p->tree); /* the tree has no nodes, but perhaps memory of removed ones */
    toll_tree_init(&p->tree, &p->mem, p->column_count);
    return TOLL_OK;
}

uint32_t toll_profile_column_count(const toll_profile *p)
{
    return p->column_count;
}

toll_value_type toll_profile_column(const toll_profile *p, uint32_t column)
{
    if (column >= p->column_count)
        return (toll_value_type){ "", "" };
    return (toll_value_type){ toll_profile_text(p, p->columns[column].type),
                              toll_profile_text(p, p->columns[column].unit) };
}

uint32_t toll_profile_find_column(const toll_profile *p, const char *type)
{
    for (uint32_t i = 0; type && i < p->column_count; i++)
        if (strcmp(toll_profile_text(p, p->columns[i].type), type) == 0)
            return i;
    return TOLL_NONE;
}

uint32_t toll_profile_find_value_type(const toll_profile *p, toll_value_type wanted)
{
    for (uint32_t i = 0; wanted.type && wanted.unit && i < p->column_count; i++) {
        toll_value_type v = toll_profile_column(p, i);
        if (strcmp(v.type, wanted.type) == 0 && strcmp(v.unit, wanted.unit) == 0)
            return i;
    }
    return TOLL_NONE;
}

uint32_t toll_profile_default_column(const toll_profile *p)
{
    if (p->default_column < p->column_count)
        return p->default_column;
    uint32_t heap = toll_profile_find_value_type(p, (toll_value_type){ "inuse_space", "bytes" });
    if (heap != TOLL_NONE)
        return heap;
    for (uint32_t i = 0; i < p->column_count; i++)
        if (strcmp(toll_profile_text(p, p->columns[i].type), "calls") != 0)
            return i;
    return p->column_count ? 0 : TOLL_NONE;
}

void toll_profile_set_default_column(toll_profile *p, uint32_t column)
{
    if (column < p->column_count || column == TOLL_NONE)
        p->default_column = column;
}

/* --- nodes -------------------------------------------------------------------------------------*/

/* NULL: the profile has no such node. */
static toll_node *find_node(const toll_profile *p, toll_node_id id)
{
    return id < p->tree.count ? toll_tree_node(&p->tree, id) : NULL;
}

static toll_status no_node(const toll_profile *p, toll_node_id id, toll_error *err)
{
    return toll_fail(err, TOLL_E_ARGUMENT, "there is no node %" PRIu32 "; there are %" PRIu32, id,
                     p->tree.count);
}

toll_status toll_profile_add_child(toll_profile *p, toll_node_id parent, toll_frame_id frame,
                                   toll_node_id *out, toll_error *err)
{
    if (out)
        *out = TOLL_NONE;
    if (parent >= p->tree.count)
        return no_node(p, parent, err);
    if (frame >= p->frame_count)
        return toll_fail(err, TOLL_E_ARGUMENT, "there is no frame %" PRIu32 "; there are %zu",
                         frame, p->frame_count);
    toll_node *node = toll_tree_child(&p->tree, toll_tree_node(&p->tree, parent), frame);
    if (!node)
        return toll_fail_nomem(err);
    if (out)
        *out = node->id;
    return TOLL_OK;
}

uint32_t toll_profile_node_count(const toll_profile *p)
{
    return p->tree.count;
}

toll_node_id toll_profile_parent(const toll_profile *p, toll_node_id node)
{
    const toll_node *n = find_node(p, node);
    return n && n->parent ? n->parent->id : TOLL_NONE;
}

toll_frame_id toll_profile_node_frame(const toll_profile *p, toll_node_id node)
{
    const toll_node *n = find_node(p, node);
    return n ? n->frame : TOLL_NONE;
}

int64_t toll_profile_self(const toll_profile *p, toll_node_id node, uint32_t column)
{
    const toll_node *n = find_node(p, node);
    return n && column < p->column_count ? n->values[column] : 0;
}

toll_status toll_profile_add_self(toll_profile *p, toll_node_id node, uint32_t column,
                                  int64_t value, toll_error *err)
{
    toll_node *n = find_node(p, node);
    if (!n)
        return no_node(p, node, err);
    if (column >= p->column_count)
        return toll_fail(err, TOLL_E_ARGUMENT, "there is no column %" PRIu32 "; there are %" PRIu32,
                         column, p->column_count);
    int64_t *self = &n->values[column];
    if (!toll_i64_add(*self, value, self))
        return toll_fail(err, TOLL_E_OVERFLOW, "the values of one stack do not fit 64 bits");
    return TOLL_OK;
}

void toll_profile_take_tree(toll_profile *p, toll_tree *tree, toll_node *const *roots,
                            const toll_frame_id *frames)
{
    toll_tree_set_frames(tree, frames);
    toll_tree_free(&p->tree);
    p->tree = *tree;
    toll_tree_init(tree, &p->mem, tree->width);
    for (size_t i = 0; i < p->thread_count; i++)
        p->threads[i].root = roots[i];
}

void toll_profile_truncate(toll_profile *p, size_t frame_count, size_t thread_count,
                           uint32_t node_count)
{
    p->frame_count = frame_count;
    toll_profile_index_frames(p);
    toll_profile_truncate_threads(p, thread_count);
    toll_tree_truncate(&p->tree, node_count);
}

/* --- when the run was --------------------------------------------------------------------------*/

void toll_profile_set_time(toll_profile *p, int64_t start_ns, int64_t duration_ns)
{
    p->start_ns = start_ns;
    p->duration_ns = duration_ns;
}

int64_t toll_profile_start_ns(const toll_profile *p)
{
    return p->start_ns;
}

int64_t toll_profile_duration_ns(const toll_profile *p)
{
    return p->duration_ns;
}
