/* graft.c - see graft.h; and the public copy, merge and diff, which are grafts of everything. */
#include "profile/graft.h"

#include "base/fail.h"
#include "base/text.h"

#include <string.h>

static uint32_t find_column(const toll_profile *p, toll_value_type wanted)
{
    for (uint32_t i = 0; i < p->column_count; i++) {
        toll_value_type v = toll_profile_column(p, i);
        if (strcmp(v.type, wanted.type) == 0 && strcmp(v.unit, wanted.unit) == 0)
            return i;
    }
    return TOLL_NONE;
}

toll_status toll_graft_begin(toll_graft *g, toll_profile *target, const toll_profile *source,
                             toll_error *err)
{
    *g = (toll_graft){ .target = target, .source = source };
    for (uint32_t i = 0; i < source->column_count; i++) {
        g->columns[i] = find_column(target, toll_profile_column(source, i));
        if (g->columns[i] == TOLL_NONE)
            return toll_fail(err, TOLL_E_NOT_FOUND, "no value type '%.100s' in the target",
                             toll_profile_column(source, i).type);
    }
    g->frames = toll_mem_new(&target->mem, source->frame_count + 1, sizeof *g->frames);
    g->nodes = toll_mem_new(&target->mem, (size_t)source->tree.count + 1, sizeof(toll_node *));
    if (!g->frames || !g->nodes) {
        toll_graft_end(g);
        return toll_fail_nomem(err);
    }
    for (size_t i = 0; i < source->frame_count; i++)
        g->frames[i] = TOLL_NONE;
    return TOLL_OK;
}

void toll_graft_end(toll_graft *g)
{
    const toll_mem *mem = &g->target->mem;
    toll_mem_free(mem, g->frames, g->source->frame_count + 1, sizeof *g->frames);
    toll_mem_free(mem, g->nodes, (size_t)g->source->tree.count + 1, sizeof(toll_node *));
    g->frames = NULL;
    g->nodes = NULL;
}

toll_status toll_graft_roots(toll_graft *g, const bool *keep, toll_error *err)
{
    for (uint32_t t = 0; t < g->source->thread_count; t++) {
        toll_thread_id id;
        if (keep && !keep[t])
            continue;
        toll_status status =
            toll_profile_add_thread(g->target, toll_profile_thread_name(g->source, t), &id, err);
        if (status)
            return status;
        g->nodes[g->source->threads[t].root->id] = g->target->threads[id].root;
    }
    return TOLL_OK;
}

toll_status toll_graft_place(toll_graft *g, uint32_t id, toll_node *parent, toll_error *err)
{
    const toll_node *node = toll_tree_node(&g->source->tree, id);
    uint32_t *frame = &g->frames[node->frame];
    if (*frame == TOLL_NONE) {
        toll_frame f = toll_profile_frame(g->source, node->frame);
        toll_status status = toll_profile_add_frame(g->target, &f, frame, err);
        if (status)
            return status;
    }
    if (!parent)
        parent = g->nodes[node->parent->id];
    g->nodes[id] = toll_tree_child(&g->target->tree, parent, *frame);
    return g->nodes[id] ? TOLL_OK : toll_fail_nomem(err);
}

static toll_status add_value(const toll_profile *source, uint32_t column, int64_t *to,
                             int64_t value, int sign, toll_error *err)
{
    if (sign > 0 ? toll_i64_add(*to, value, to) : toll_i64_sub(*to, value, to))
        return TOLL_OK;
    return toll_fail(err, TOLL_E_OVERFLOW, "the '%.100s' of one stack does not fit 64 bits",
                     toll_profile_column(source, column).type);
}

toll_status toll_graft_add(const toll_graft *g, uint32_t id, int sign, toll_error *err)
{
    const toll_node *node = toll_tree_node(&g->source->tree, id);
    toll_node *to = g->nodes[id];
    for (uint32_t c = 0; c < g->source->column_count; c++) {
        toll_status status =
            add_value(g->source, c, &to->values[g->columns[c]], node->values[c], sign, err);
        if (status)
            return status;
    }
    return TOLL_OK;
}

/* The earlier start of those that are known; durations add up. */
static toll_status merge_times(toll_profile *target, const toll_profile *source, toll_error *err)
{
    if (!toll_i64_add(target->duration_ns, source->duration_ns, &target->duration_ns))
        return toll_fail(err, TOLL_E_OVERFLOW, "the durations do not fit 64 bits");
    if (source->start_ns && (!target->start_ns || source->start_ns < target->start_ns))
        target->start_ns = source->start_ns;
    return TOLL_OK;
}

toll_status toll_graft_notes(toll_profile *target, const toll_profile *source, toll_error *err)
{
    toll_status status = merge_times(target, source, err);
    for (size_t i = 0; !status && i < source->note_count; i++)
        status = toll_profile_add_note(target, toll_profile_text(source, source->notes[i].text),
                                       source->notes[i].count, err);
    for (size_t i = 0; !status && i < source->comment_count; i++)
        status =
            toll_profile_add_comment(target, toll_profile_text(source, source->comments[i]), err);
    return status;
}

/* --- columns of new profiles -------------------------------------------------------------------*/

static toll_status add_columns(toll_profile *p, const toll_value_type *types, uint32_t count,
                               toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < count; i++)
        status = toll_profile_add_column(p, types[i].type, types[i].unit, NULL, err);
    return status;
}

static toll_status create_with(const toll_mem *mem, const toll_value_type *types, uint32_t count,
                               toll_profile **out, toll_error *err)
{
    toll_profile *p;
    toll_status status = toll_profile_create(mem, &p, err);
    *out = NULL;
    if (status)
        return status;
    status = add_columns(p, types, count, err);
    if (status) {
        toll_profile_free(p);
        return status;
    }
    *out = p;
    return TOLL_OK;
}

toll_status toll_profile_like(const toll_mem *mem, const toll_profile *source, toll_profile **out,
                              toll_error *err)
{
    toll_value_type types[TOLL_MAX_COLUMNS];
    for (uint32_t i = 0; i < source->column_count; i++)
        types[i] = toll_profile_column(source, i);
    toll_status status = create_with(mem, types, source->column_count, out, err);
    if (!status)
        (*out)->default_column = source->default_column;
    return status;
}

bool toll_profile_same_columns(const toll_profile *a, const toll_profile *b)
{
    if (a->column_count != b->column_count)
        return false;
    for (uint32_t i = 0; i < a->column_count; i++) {
        toll_value_type x = toll_profile_column(a, i), y = toll_profile_column(b, i);
        if (strcmp(x.type, y.type) != 0 || strcmp(x.unit, y.unit) != 0)
            return false;
    }
    return true;
}

static int compare_types(toll_value_type a, toll_value_type b)
{
    int by = strcmp(a.type, b.type);
    return by ? by : strcmp(a.unit, b.unit);
}

/* Insert in order; nothing if it is there already. */
static uint32_t insert_type(toll_value_type *types, uint32_t count, toll_value_type new_type)
{
    uint32_t i = 0;
    while (i < count && compare_types(types[i], new_type) < 0)
        i++;
    if (i < count && compare_types(types[i], new_type) == 0)
        return count;
    memmove(types + i + 1, types + i, (count - i) * sizeof *types);
    types[i] = new_type;
    return count + 1;
}

/* The default column of the result: what both show, else what comes first by name, so that the
 * choice does not depend on the order of merging. */
static void choose_default(toll_profile *p, const toll_profile *a, const toll_profile *b)
{
    uint32_t of_a = toll_profile_default_column(a), of_b = toll_profile_default_column(b);
    if (of_a == TOLL_NONE && of_b == TOLL_NONE)
        return;
    toll_value_type shown =
        toll_profile_column(of_a == TOLL_NONE ? b : a, of_a == TOLL_NONE ? of_b : of_a);
    if (of_a != TOLL_NONE && of_b != TOLL_NONE &&
        compare_types(toll_profile_column(b, of_b), shown) < 0)
        shown = toll_profile_column(b, of_b);
    p->default_column = find_column(p, shown);
}

toll_status toll_profile_like_both(const toll_profile *a, const toll_profile *b, toll_profile **out,
                                   toll_error *err)
{
    toll_value_type types[2 * TOLL_MAX_COLUMNS];
    uint32_t count = 0;
    toll_status status;
    if (toll_profile_same_columns(a, b)) {
        status = toll_profile_like(&a->mem, a, out, err);
    } else {
        for (uint32_t i = 0; i < a->column_count; i++)
            count = insert_type(types, count, toll_profile_column(a, i));
        for (uint32_t i = 0; i < b->column_count; i++)
            count = insert_type(types, count, toll_profile_column(b, i));
        status = create_with(&a->mem, types, count, out, err);
    }
    if (!status)
        choose_default(*out, a, b);
    return status;
}

/* --- copy, merge, diff -------------------------------------------------------------------------*/

/* Place everything; no values yet. */
static toll_status place_all(toll_graft *g, toll_error *err)
{
    toll_status status = toll_graft_roots(g, NULL, err);
    for (uint32_t id = 0; !status && id < g->source->tree.count; id++)
        if (toll_tree_node(&g->source->tree, id)->parent)
            status = toll_graft_place(g, id, NULL, err);
    return status;
}

static toll_status add_all(const toll_graft *g, int sign, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t id = 0; !status && id < g->source->tree.count; id++)
        status = toll_graft_add(g, id, sign, err);
    return status;
}

toll_status toll_graft_all(toll_profile *target, const toll_profile *source, int sign,
                           toll_error *err)
{
    toll_graft g;
    toll_status status = toll_graft_begin(&g, target, source, err);
    if (status)
        return status;
    status = place_all(&g, err);
    if (!status)
        status = add_all(&g, sign, err);
    toll_graft_end(&g);
    return status;
}

toll_status toll_profile_copy_to(const toll_mem *mem, const toll_profile *profile,
                                 toll_profile **out, toll_error *err)
{
    toll_profile *copy;
    toll_status status = toll_profile_like(mem, profile, &copy, err);
    *out = NULL;
    if (status)
        return status;
    status = toll_graft_all(copy, profile, 1, err);
    if (!status)
        status = toll_graft_notes(copy, profile, err);
    if (status) {
        toll_profile_free(copy);
        return status;
    }
    *out = copy;
    return TOLL_OK;
}

toll_status toll_profile_copy(const toll_profile *profile, toll_profile **out, toll_error *err)
{
    return toll_profile_copy_to(&profile->mem, profile, out, err);
}

/* Would adding the source's values fit? Asked before anything is added. */
static toll_status check_sums(const toll_graft *g, toll_error *err)
{
    for (uint32_t id = 0; id < g->source->tree.count; id++) {
        const toll_node *node = toll_tree_node(&g->source->tree, id);
        for (uint32_t c = 0; c < g->source->column_count; c++) {
            int64_t sum = g->nodes[id]->values[g->columns[c]];
            toll_status status = add_value(g->source, c, &sum, node->values[c], 1, err);
            if (status)
                return status;
        }
    }
    return TOLL_OK;
}

/* Merge into a new profile that takes the target's place: when columns differ. */
static toll_status merge_anew(toll_profile *target, const toll_profile *source, toll_error *err)
{
    toll_profile *both;
    toll_status status = toll_profile_like_both(target, source, &both, err);
    if (status)
        return status;
    status = toll_graft_all(both, target, 1, err);
    if (!status)
        status = toll_graft_notes(both, target, err);
    if (!status)
        status = toll_graft_all(both, source, 1, err);
    if (!status)
        status = toll_graft_notes(both, source, err);
    if (!status) {
        toll_profile old = *target;
        *target = *both;
        *both = old;
    }
    toll_profile_free(both);
    return status;
}

/* Notes of the source fit into the target, once this returned TOLL_OK. The target keeps its own
 * when it fails. */
static toll_status merge_notes(toll_profile *target, const toll_profile *source, toll_error *err)
{
    size_t notes = target->note_count, comments = target->comment_count;
    size_t size = (notes + 1) * sizeof *target->notes;
    size_t comments_size = (comments + 1) * sizeof *target->comments;
    int64_t start_ns = target->start_ns, duration_ns = target->duration_ns;
    toll_note_data *old_notes = toll_mem_new(&target->mem, size, 1);
    uint32_t *old_comments = toll_mem_new(&target->mem, comments_size, 1);
    toll_status status = TOLL_OK;
    if (!old_notes || !old_comments) {
        status = toll_fail_nomem(err);
    } else {
        if (notes)
            memcpy(old_notes, target->notes, notes * sizeof *old_notes);
        if (comments)
            memcpy(old_comments, target->comments, comments * sizeof *old_comments);
        status = toll_graft_notes(target, source, err);
        if (status) {
            if (notes)
                memcpy(target->notes, old_notes, notes * sizeof *old_notes);
            if (comments)
                memcpy(target->comments, old_comments, comments * sizeof *old_comments);
            target->note_count = notes;
            target->comment_count = comments;
            target->start_ns = start_ns;
            target->duration_ns = duration_ns;
        }
    }
    toll_mem_free(&target->mem, old_notes, size, 1);
    toll_mem_free(&target->mem, old_comments, comments_size, 1);
    return status;
}

/* Stacks first, then notes, and values last, when nothing can fail any more. */
toll_status toll_profile_merge(toll_profile *target, const toll_profile *source, toll_error *err)
{
    if (!toll_profile_same_columns(target, source))
        return merge_anew(target, source, err);
    size_t frames = target->frame_count, threads = target->thread_count;
    uint32_t nodes = target->tree.count;
    toll_graft g;
    toll_status status = toll_graft_begin(&g, target, source, err);
    if (status)
        return status;
    status = place_all(&g, err);
    if (!status)
        status = check_sums(&g, err);
    if (!status)
        status = merge_notes(target, source, err);
    if (status) {
        toll_profile_truncate(target, frames, threads, nodes);
    } else {
        add_all(&g, 1, err);
        choose_default(target, target, source);
    }
    toll_graft_end(&g);
    return status;
}

toll_status toll_profile_diff(const toll_profile *before, const toll_profile *after,
                              toll_profile **out, toll_error *err)
{
    toll_profile *d;
    toll_status status = toll_profile_like_both(before, after, &d, err);
    *out = NULL;
    if (status)
        return status;
    status = toll_graft_all(d, after, 1, err);
    if (!status)
        status = toll_graft_all(d, before, -1, err);
    if (!status)
        status = toll_graft_notes(d, after, err);
    if (!status)
        status = toll_graft_notes(d, before, err);
    if (!status && !toll_i64_sub(after->duration_ns, before->duration_ns, &d->duration_ns))
        status = toll_fail(err, TOLL_E_OVERFLOW, "the durations do not fit 64 bits");
    if (status) {
        toll_profile_free(d);
        return status;
    }
    *out = d;
    return TOLL_OK;
}
