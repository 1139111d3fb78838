/* fold_steps.c - see fold_steps.h. */
#include "profile/fold_steps.h"

toll_status toll_fold_begin(toll_graft *g, const toll_profile *source, toll_profile **out,
                            toll_error *err)
{
    toll_status status = toll_profile_like(&source->mem, source, out, err);
    if (status)
        return status;
    status = toll_graft_begin(g, *out, source, err);
    if (!status) {
        status = toll_graft_roots(g, NULL, err);
        if (!status)
            status = toll_graft_notes(*out, source, err);
        if (status)
            toll_graft_end(g);
    }
    if (status) {
        toll_profile_free(*out);
        *out = NULL;
    }
    return status;
}

toll_status toll_fold_end(toll_graft *g, toll_status status, toll_profile **out)
{
    toll_graft_end(g);
    if (status) {
        toll_profile_free(*out);
        *out = NULL;
    }
    return status;
}

toll_status toll_fold_keep(toll_graft *g, uint32_t id, toll_error *err)
{
    toll_status status = TOLL_OK;
    if (toll_tree_node(&g->source->tree, id)->parent)
        status = toll_graft_place(g, id, NULL, err);
    return status ? status : toll_graft_add(g, id, 1, err);
}

toll_status toll_fold_into_parent(toll_graft *g, uint32_t id, uint32_t calls, toll_error *err)
{
    g->nodes[id] = g->nodes[toll_tree_node(&g->source->tree, id)->parent->id];
    int64_t *to = calls == TOLL_NONE ? NULL : &g->nodes[id]->values[g->columns[calls]];
    int64_t own_calls = to ? *to : 0;
    toll_status status = toll_graft_add(g, id, 1, err);
    if (to)
        *to = own_calls;
    return status;
}
