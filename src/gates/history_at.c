/* history_at.c - makes the profile of one commit from a history. See history.h. */
#include "gates/history.h"

#include "base/fail.h"
#include "profile/graft.h"
#include "profile/order.h"
#include "profile/thread_labels.h"

#include <string.h>

toll_status toll_history_add_threads(const toll_history *h, const bool *keep, toll_profile *to,
                                     toll_error *err)
{
    toll_graft g;
    toll_status status = toll_graft_begin(&g, to, h->profile, err);
    if (status)
        return status;
    status = toll_graft_roots(&g, keep, err);
    for (uint32_t id = 0; !status && id < toll_profile_node_count(h->profile); id++) {
        toll_node_id parent = toll_profile_parent(h->profile, id);
        if (parent != TOLL_NONE && g.nodes[parent])
            status = toll_graft_place(&g, id, NULL, err);
        if (!status && g.nodes[id])
            status = toll_graft_add(&g, id, 1, err);
    }
    toll_graft_end(&g);
    return status;
}

/* Find or add the thread of `to` with the name and labels of a thread, without the commit's label.
 * `labels` has room for all of them. */
static toll_status add_thread(toll_profile *to, const toll_profile *from, toll_thread_id thread,
                              toll_thread_label *labels, toll_thread_id *out, toll_error *err)
{
    uint32_t count = 0, all = toll_profile_thread_label_count(from, thread);
    for (uint32_t i = 0; i < all; i++) {
        labels[count] = toll_profile_thread_label(from, thread, i);
        count += strcmp(labels[count].key, TOLL_HISTORY_KEY) != 0;
    }
    return toll_profile_add_labelled_thread(to, toll_profile_thread_name(from, thread), labels,
                                            count, out, err);
}

static toll_status add_all_threads(toll_graft *g, toll_error *err)
{
    const toll_profile *p = g->source;
    toll_status status = TOLL_OK;
    size_t room = 1;
    for (toll_thread_id t = 0; t < toll_profile_thread_count(p); t++)
        if (toll_profile_thread_label_count(p, t) >= room)
            room = (size_t)toll_profile_thread_label_count(p, t) + 1;
    toll_thread_label *labels = toll_mem_new(toll_profile_mem(p), room, sizeof *labels);
    if (!labels)
        return toll_fail_nomem(err);
    for (toll_thread_id t = 0; !status && t < toll_profile_thread_count(p); t++) {
        toll_thread_id id;
        status = add_thread(g->target, p, t, labels, &id, err);
        if (!status)
            g->nodes[toll_profile_root(p, t)] = g->target->threads[id].root;
    }
    toll_mem_free(toll_profile_mem(p), labels, room, sizeof *labels);
    return status;
}

toll_status toll_history_without_commit(const toll_profile *p, toll_profile **out, toll_error *err)
{
    toll_graft g;
    toll_status status = toll_profile_like(toll_profile_mem(p), p, out, err);
    if (!status)
        status = toll_graft_begin(&g, *out, p, err);
    if (status)
        return status;
    status = add_all_threads(&g, err);
    for (uint32_t id = 0; !status && id < toll_profile_node_count(p); id++) {
        if (!g.nodes[id])
            status = toll_graft_place(&g, id, NULL, err);
        if (!status)
            status = toll_graft_add(&g, id, 1, err);
    }
    toll_graft_end(&g);
    return status;
}

/* The history up to that commit; the last one has all of it. */
static toll_status up_to(const toll_history *h, uint32_t commit, toll_profile **out,
                         toll_error *err)
{
    toll_profile *some;
    *out = NULL;
    if (commit + 1 == toll_history_count(h))
        return toll_history_without_commit(h->profile, out, err);
    bool *keep = toll_mem_new(&h->mem, h->thread_room, sizeof *keep);
    if (!keep)
        return toll_fail_nomem(err);
    for (toll_thread_id t = 0; t < toll_profile_thread_count(h->profile); t++)
        keep[t] = h->of_thread[t] <= commit;
    toll_status status = toll_profile_like(&h->mem, h->profile, &some, err);
    if (!status) {
        status = toll_history_add_threads(h, keep, some, err);
        if (!status)
            status = toll_history_without_commit(some, out, err);
        toll_profile_free(some);
    }
    toll_mem_free(&h->mem, keep, h->thread_room, sizeof *keep);
    return status;
}

toll_status toll_history_at(const toll_history *h, uint32_t commit, toll_profile **out,
                            toll_error *err)
{
    toll_profile *sum;
    *out = NULL;
    toll_status status = up_to(h, commit, &sum, err);
    if (!status)
        status = toll_profile_prune(sum, out, err); /* without stacks that are gone */
    toll_profile_free(sum);
    return status;
}
