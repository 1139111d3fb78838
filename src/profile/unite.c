/* unite.c - see unite.h. */
#include "profile/unite.h"

#include "base/fail.h"
#include "profile/graft.h"

/* Place the stacks of one side, and list their nodes in the tree. */
static toll_status place(toll_united *u, int side, const toll_profile *p, toll_error *err)
{
    toll_graft g;
    toll_status status = toll_graft_begin(&g, u->tree, p, err);
    if (status)
        return status;
    u->counts[side] = (size_t)p->tree.count + 1;
    u->nodes[side] = toll_mem_new(&u->mem, u->counts[side], sizeof(toll_node_id));
    status = u->nodes[side] ? toll_graft_place_all(&g, err) : toll_fail_nomem(err);
    for (uint32_t id = 0; !status && id < p->tree.count; id++)
        u->nodes[side][id] = g.nodes[id]->id;
    toll_graft_end(&g);
    return status;
}

toll_status toll_unite(toll_united *u, const toll_profile *first, const toll_profile *second,
                       toll_error *err)
{
    *u = (toll_united){ .mem = first->mem };
    toll_status status = toll_profile_like_both(first, second, &u->tree, err);
    if (!status)
        status = place(u, 0, first, err);
    if (!status)
        status = place(u, 1, second, err);
    if (status)
        toll_united_free(u);
    return status;
}

void toll_united_free(toll_united *u)
{
    for (int side = 0; side < 2; side++) {
        toll_mem_free(&u->mem, u->nodes[side], u->counts[side], sizeof(toll_node_id));
        u->nodes[side] = NULL;
    }
    toll_profile_free(u->tree);
    u->tree = NULL;
}
