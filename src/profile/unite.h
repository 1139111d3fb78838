/* unite.h - joins the stacks of profiles in one tree, to compare them node by node. */
#ifndef TOLL_PROFILE_UNITE_H
#define TOLL_PROFILE_UNITE_H

#include "base/mem.h"

#include <toll/profile.h>

typedef struct toll_united {
    toll_mem mem;
    toll_profile *tree;   /* the stacks and columns of all, all values 0, no notes */
    size_t count;         /* of profiles */
    toll_node_id **nodes; /* by profile, then by its node: the tree's node */
    size_t *sizes;        /* by profile: the allocated size of that array */
} toll_united;

/* Join profiles, one at least. Call toll_united_free also on failure. Errors: TOLL_E_NOMEM,
 * TOLL_E_LIMIT. */
toll_status toll_unite(toll_united *united, const toll_profile *const *profiles, size_t count,
                       toll_error *err);
void toll_united_free(toll_united *united);

#endif
