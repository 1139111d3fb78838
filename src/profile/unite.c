/* unite.c - see unite.h. */
#include "profile/unite.h"

#include "base/fail.h"
#include "profile/graft.h"

/* Make a profile with the columns of all. */
static toll_status make_tree(toll_united *u, const toll_profile *const *profiles, toll_error *err)
{
    toll_status status = toll_profile_like_both(profiles[0], profiles[0], &u->tree, err);
    for (size_t i = 1; !status && i < u->count; i++) {
        toll_profile *less = u->tree;
        u->tree = NULL;
        status = toll_profile_like_both(less, profiles[i], &u->tree, err);
        toll_profile_free(less);
    }
    return status;
}

/* Place the stacks of one profile, and list their nodes in the tree. */
static toll_status place(toll_united *u, size_t i, const toll_profile *p, toll_error *err)
{
    toll_graft g;
    toll_status status = toll_graft_begin(&g, u->tree, p, err);
    if (status)
        return status;
    u->sizes[i] = (size_t)p->tree.count + 1;
    u->nodes[i] = toll_mem_new(&u->mem, u->sizes[i], sizeof(toll_node_id));
    status = u->nodes[i] ? toll_graft_place_all(&g, err) : toll_fail_nomem(err);
    for (uint32_t id = 0; !status && id < p->tree.count; id++)
        u->nodes[i][id] = g.nodes[id]->id;
    toll_graft_end(&g);
    return status;
}

toll_status toll_unite(toll_united *u, const toll_profile *const *profiles, size_t count,
                       toll_error *err)
{
    *u = (toll_united){ .mem = profiles[0]->mem, .count = count };
    u->nodes = toll_mem_new(&u->mem, count, sizeof *u->nodes);
    u->sizes = toll_mem_new(&u->mem, count, sizeof *u->sizes);
    toll_status status = u->nodes && u->sizes ? make_tree(u, profiles, err) : toll_fail_nomem(err);
    for (size_t i = 0; !status && i < count; i++)
        status = place(u, i, profiles[i], err);
    return status;
}

void toll_united_free(toll_united *u)
{
    for (size_t i = 0; u->nodes && u->sizes && i < u->count; i++)
        toll_mem_free(&u->mem, u->nodes[i], u->sizes[i], sizeof(toll_node_id));
    toll_mem_free(&u->mem, u->nodes, u->count, sizeof *u->nodes);
    toll_mem_free(&u->mem, u->sizes, u->count, sizeof *u->sizes);
    toll_profile_free(u->tree);
    *u = (toll_united){ .mem = u->mem };
}
