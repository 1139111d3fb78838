/* filter.c - makes a profile with only the stacks whose frames and threads match. See
 * toll/profile.h. */
#include "base/fail.h"
#include "base/sized_options.h"
#include "base/text.h"
#include "profile/frame_match.h"
#include "profile/graft.h"
#include "profile/runs.h"
#include "profile/thread_labels.h"

#include <string.h>

/* Set matches[frame] for a pattern; without a pattern set all to `otherwise`. */
static toll_status match_frames(const toll_profile *p, const char *text, bool otherwise, bool **out,
                                toll_error *err)
{
    toll_pattern *pattern;
    bool *matches = toll_mem_new(&p->mem, p->frame_count + 1, sizeof *matches);
    *out = matches;
    if (!matches)
        return toll_fail_nomem(err);
    if (!text) {
        for (size_t i = 0; i < p->frame_count; i++)
            matches[i] = otherwise;
        return TOLL_OK;
    }
    toll_status status = toll_pattern_parse(&pattern, &p->mem, text, err);
    if (status)
        return status;
    for (size_t i = 0; i < p->frame_count; i++)
        matches[i] = toll_frame_matches(pattern, toll_profile_frame(p, (toll_frame_id)i));
    status = toll_pattern_check(pattern, err);
    toll_pattern_free(pattern);
    return status;
}

static toll_status match_threads(const toll_profile *p, const char *text, bool **out,
                                 toll_error *err)
{
    toll_pattern *pattern = NULL;
    bool *matches = toll_mem_new(&p->mem, p->thread_count + 1, sizeof *matches);
    *out = matches;
    if (!matches)
        return toll_fail_nomem(err);
    toll_status status = text ? toll_pattern_parse(&pattern, &p->mem, text, err) : TOLL_OK;
    if (status)
        return status;
    for (size_t i = 0; i < p->thread_count; i++)
        matches[i] =
            !text || toll_pattern_matches(pattern, toll_profile_thread_name(p, (toll_thread_id)i));
    if (text)
        status = toll_pattern_check(pattern, err);
    toll_pattern_free(pattern);
    return status;
}

/* Keep only the threads that have these labels. */
static toll_status match_labels(const toll_profile *p, const char *text, bool *threads,
                                toll_error *err)
{
    toll_label_list list;
    if (!text)
        return TOLL_OK;
    toll_status status = toll_label_list_parse(&list, &p->mem, text, err);
    for (size_t i = 0; !status && i < p->thread_count; i++)
        threads[i] = threads[i] && toll_thread_is_labelled(p, (toll_thread_id)i, &list);
    toll_label_list_free(&list);
    return status;
}

/* Marks of a node: IN_FOCUS: a frame on its stack matches --focus; IGNORED: one matches --ignore;
 * WANTED: the node is kept; NEEDED: it or a node under it is kept. */
enum { IN_FOCUS = 1, IGNORED = 2, WANTED = 4, NEEDED = 8 };

typedef struct selection {
    bool *focus, *ignore, *threads;
    uint8_t *marks; /* by node */
} selection;

static void mark(const toll_profile *p, const selection *s, bool no_focus)
{
    const toll_tree *tree = &p->tree;
    for (size_t t = 0; t < p->thread_count; t++)
        s->marks[p->threads[t].root->id] =
            (uint8_t)((no_focus ? IN_FOCUS : 0) | (s->threads[t] ? 0 : IGNORED));
    for (uint32_t id = 0; id < tree->count; id++) {
        const toll_node *node = toll_tree_node(tree, id);
        uint8_t m = s->marks[id];
        if (node->parent)
            m = (uint8_t)((s->marks[node->parent->id] & (IN_FOCUS | IGNORED)) |
                          (s->focus[node->frame] ? IN_FOCUS : 0) |
                          (s->ignore[node->frame] ? IGNORED : 0));
        if ((m & (IN_FOCUS | IGNORED)) == IN_FOCUS)
            m |= WANTED | NEEDED;
        s->marks[id] = m;
    }
    for (uint32_t id = tree->count; id-- > 0;) {
        const toll_node *node = toll_tree_node(tree, id);
        if (node->parent && s->marks[id] & NEEDED)
            s->marks[node->parent->id] |= NEEDED;
    }
}

static toll_status copy_marked(const toll_profile *p, const selection *s, toll_profile *out,
                               toll_error *err)
{
    toll_graft g;
    toll_status status = toll_graft_begin(&g, out, p, err);
    if (status)
        return status;
    status = toll_graft_roots(&g, s->threads, err);
    for (uint32_t id = 0; !status && id < p->tree.count; id++) {
        if (toll_tree_node(&p->tree, id)->parent && s->marks[id] & NEEDED)
            status = toll_graft_place(&g, id, NULL, err);
        if (!status && s->marks[id] & WANTED)
            status = toll_graft_add(&g, id, 1, err);
    }
    toll_graft_end(&g);
    return status ? status : toll_graft_notes(out, p, err);
}

/* Keep only the runs that have these labels. */
static toll_status keep_runs(const char *text, toll_profile *out, toll_error *err)
{
    toll_label_list list;
    if (!text)
        return TOLL_OK;
    toll_status status = toll_label_list_parse(&list, &out->mem, text, err);
    if (!status)
        status = toll_runs_keep(out, &list, err);
    toll_label_list_free(&list);
    return status;
}

static toll_status filter_into(const toll_profile *p, const toll_filter *f, selection *s,
                               toll_profile *out, toll_error *err)
{
    toll_status status = match_frames(p, f->focus, false, &s->focus, err);
    if (!status)
        status = match_frames(p, f->ignore, false, &s->ignore, err);
    if (!status)
        status = match_threads(p, f->thread, &s->threads, err);
    if (!status)
        status = match_labels(p, f->where, s->threads, err);
    if (status)
        return status;
    s->marks = toll_mem_new(&p->mem, (size_t)p->tree.count + 1, 1);
    if (!s->marks)
        return toll_fail_nomem(err);
    mark(p, s, !f->focus);
    status = copy_marked(p, s, out, err);
    return status ? status : keep_runs(f->where, out, err);
}

toll_status toll_profile_filter(const toll_profile *p, const toll_filter *filter,
                                toll_profile **out, toll_error *err)
{
    toll_filter own;
    selection s = { 0 };
    toll_status status = toll_profile_like(&p->mem, p, out, err);
    if (status)
        return status;
    status = toll_options_copy(&own, sizeof own, filter, "toll_filter", err);
    if (!status)
        status = filter_into(p, &own, &s, *out, err);
    toll_mem_free(&p->mem, s.focus, p->frame_count + 1, sizeof *s.focus);
    toll_mem_free(&p->mem, s.ignore, p->frame_count + 1, sizeof *s.ignore);
    toll_mem_free(&p->mem, s.threads, p->thread_count + 1, sizeof *s.threads);
    toll_mem_free(&p->mem, s.marks, (size_t)p->tree.count + 1, 1);
    if (status) {
        toll_profile_free(*out);
        *out = NULL;
    }
    return status;
}

/* Keep each node with a value that is not 0, and its ancestors. */
static void mark_values(const toll_profile *p, uint8_t *marks, bool *threads)
{
    for (uint32_t id = p->tree.count; id-- > 0;) {
        const toll_node *node = toll_tree_node(&p->tree, id);
        if (toll_profile_has_value(p, node))
            marks[id] |= WANTED | NEEDED;
        if (node->parent && marks[id] & NEEDED)
            marks[node->parent->id] |= NEEDED;
    }
    for (size_t t = 0; t < p->thread_count; t++)
        threads[t] = (marks[p->threads[t].root->id] & NEEDED) != 0;
}

toll_status toll_profile_prune(const toll_profile *p, toll_profile **out, toll_error *err)
{
    selection s = { 0 };
    size_t nodes = (size_t)p->tree.count + 1;
    toll_status status = toll_profile_like(&p->mem, p, out, err);
    if (status)
        return status;
    s.marks = toll_mem_new(&p->mem, nodes, 1);
    s.threads = toll_mem_new(&p->mem, p->thread_count + 1, sizeof *s.threads);
    if (s.marks && s.threads) {
        mark_values(p, s.marks, s.threads);
        status = copy_marked(p, &s, *out, err);
    } else {
        status = toll_fail_nomem(err);
    }
    toll_mem_free(&p->mem, s.marks, nodes, 1);
    toll_mem_free(&p->mem, s.threads, p->thread_count + 1, sizeof *s.threads);
    if (status) {
        toll_profile_free(*out);
        *out = NULL;
    }
    return status;
}
