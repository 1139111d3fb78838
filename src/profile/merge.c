/* merge.c - adds and subtracts profiles: grafts of everything. See toll/profile.h. */
#include "profile/graft.h"

#include "base/fail.h"
#include "base/text.h"
#include "profile/runs.h"

#include <string.h>

/* Check that no sum overflows, before anything is added. */
static toll_status check_sums(const toll_graft *g, toll_error *err)
{
    for (uint32_t id = 0; id < g->source->tree.count; id++) {
        const toll_node *node = toll_tree_node(&g->source->tree, id);
        for (uint32_t c = 0; c < g->source->column_count; c++) {
            int64_t sum = g->nodes[id]->values[g->columns[c]];
            toll_status status = toll_graft_add_value(g->source, c, &sum, node->values[c], 1, err);
            if (status)
                return status;
        }
    }
    return TOLL_OK;
}

/* Merge profiles with different columns into a new profile, which replaces the target. */
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
        both->has_unknown_runs |= toll_runs_are_mixed(target, source);
        toll_profile old = *target;
        *target = *both;
        *both = old;
    }
    toll_profile_free(both);
    return status;
}

/* Add the notes of the source to the target. If that fails, the target's notes are unchanged. */
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
        status = toll_graft_notes_alone(target, source, err);
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

/* The order: stacks first, then notes, and values last, when nothing can fail any more. */
toll_status toll_profile_merge(toll_profile *target, const toll_profile *source, toll_error *err)
{
    if (!toll_profile_same_columns(target, source) && !toll_profile_covers_columns(target, source))
        return merge_anew(target, source, err);
    size_t frames = target->frame_count, threads = target->thread_count;
    uint32_t nodes = target->tree.count;
    bool is_mixed = toll_runs_are_mixed(target, source);
    toll_graft g;
    toll_status status = toll_graft_begin(&g, target, source, err);
    if (status)
        return status;
    g.facts_later = true;
    status = toll_graft_place_all(&g, err);
    if (!status)
        status = check_sums(&g, err);
    if (!status)
        status = toll_runs_prepare(target, source, err);
    if (!status)
        status = merge_notes(target, source, err);
    if (status) {
        toll_profile_truncate(target, frames, threads, nodes);
    } else {
        toll_graft_add_all(&g, 1, err);
        toll_runs_add_prepared(target, source);
        target->has_unknown_runs |= is_mixed;
        toll_graft_agree_on_facts(&g);
        toll_profile_choose_default(target, target, source);
    }
    toll_graft_end(&g);
    return status;
}

toll_status toll_profile_diff(const toll_profile *before, const toll_profile *after,
                              toll_profile **out, toll_error *err)
{
    toll_profile *d;
    if (!out)
        return toll_fail_null(err, "out");
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
