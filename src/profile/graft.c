/* graft.c - see graft.h; also toll_profile_copy, which is a graft of everything. */
#include "profile/graft.h"

#include "base/fail.h"
#include "base/text.h"
#include "profile/runs.h"
#include "profile/thread_labels.h"

#include <string.h>

toll_status toll_graft_begin(toll_graft *g, toll_profile *target, const toll_profile *source,
                             toll_error *err)
{
    *g = (toll_graft){ .target = target, .source = source };
    for (uint32_t i = 0; i < source->column_count; i++) {
        g->columns[i] = toll_profile_find_value_type(target, toll_profile_column(source, i));
        if (g->columns[i] == TOLL_NONE)
            return toll_fail(err, TOLL_E_NOT_FOUND, "no value type '%.100s' in the target",
                             toll_profile_column(source, i).type);
    }
    g->frames = toll_mem_new(&target->mem, source->frame_count + 1, sizeof *g->frames);
    g->nodes = toll_mem_new(&target->mem, (size_t)source->tree.count + 1, sizeof(toll_node *));
    g->string_count = source->strings.count + 1;
    g->strings = toll_mem_new(&target->mem, g->string_count, sizeof *g->strings);
    if (!g->frames || !g->nodes || !g->strings) {
        toll_graft_end(g);
        return toll_fail_nomem(err);
    }
    for (size_t i = 0; i < source->frame_count; i++)
        g->frames[i] = TOLL_NONE;
    for (size_t i = 0; i < g->string_count; i++)
        g->strings[i] = TOLL_NONE;
    return TOLL_OK;
}

void toll_graft_end(toll_graft *g)
{
    const toll_mem *mem = &g->target->mem;
    toll_mem_free(mem, g->frames, g->source->frame_count + 1, sizeof *g->frames);
    toll_mem_free(mem, g->nodes, (size_t)g->source->tree.count + 1, sizeof(toll_node *));
    toll_mem_free(mem, g->strings, g->string_count, sizeof *g->strings);
    g->frames = g->strings = NULL;
    g->nodes = NULL;
}

toll_status toll_graft_roots(toll_graft *g, const bool *keep, toll_error *err)
{
    for (uint32_t t = 0; t < g->source->thread_count; t++) {
        toll_thread_id id;
        if (keep && !keep[t])
            continue;
        toll_status status = toll_profile_add_thread_of(g->target, g->source, t, &id, err);
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
        toll_status status =
            toll_profile_place_frame_of(g->target, g->source, node->frame, g->strings, frame, err);
        if (status)
            return status;
        if (!g->facts_later)
            toll_profile_agree_on_facts_of(g->target, *frame, g->source, node->frame, g->strings);
    }
    if (!parent)
        parent = g->nodes[node->parent->id];
    g->nodes[id] = toll_tree_child(&g->target->tree, parent, *frame);
    return g->nodes[id] ? TOLL_OK : toll_fail_nomem(err);
}

void toll_graft_agree_on_facts(const toll_graft *g)
{
    for (uint32_t i = 0; i < g->source->frame_count; i++)
        if (g->frames[i] != TOLL_NONE)
            toll_profile_agree_on_facts_of(g->target, g->frames[i], g->source, i, g->strings);
}

toll_status toll_graft_add_value(const toll_profile *source, uint32_t column, int64_t *to,
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
        toll_status status = toll_graft_add_value(g->source, c, &to->values[g->columns[c]],
                                                  node->values[c], sign, err);
        if (status)
            return status;
    }
    return TOLL_OK;
}

/* Merge times: the earlier one of the known starts; the sum of the durations. */
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
    toll_status status = toll_graft_notes_alone(target, source, err);
    return status ? status : toll_runs_add_all(target, source, err);
}

toll_status toll_graft_notes_alone(toll_profile *target, const toll_profile *source,
                                   toll_error *err)
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

/* Place everything, without values. */
toll_status toll_graft_place_all(toll_graft *g, toll_error *err)
{
    toll_status status = toll_graft_roots(g, NULL, err);
    for (uint32_t id = 0; !status && id < g->source->tree.count; id++)
        if (toll_tree_node(&g->source->tree, id)->parent)
            status = toll_graft_place(g, id, NULL, err);
    return status;
}

toll_status toll_graft_add_all(const toll_graft *g, int sign, toll_error *err)
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
    status = toll_graft_place_all(&g, err);
    if (!status)
        status = toll_graft_add_all(&g, sign, err);
    toll_graft_end(&g);
    return status;
}

toll_status toll_profile_copy_to(const toll_mem *mem, const toll_profile *profile,
                                 toll_profile **out, toll_error *err)
{
    toll_profile *copy;
    if (!out)
        return toll_fail_null(err, "out");
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
