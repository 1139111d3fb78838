/* unite.h - joins the stacks of two profiles in one tree, to compare them node by node. */
#ifndef TOLL_PROFILE_UNITE_H
#define TOLL_PROFILE_UNITE_H

#include "base/mem.h"

#include <toll/profile.h>

typedef struct toll_united {
    toll_mem mem;
    toll_profile *tree;     /* the stacks and columns of both, all values 0, no notes */
    toll_node_id *nodes[2]; /* by node of the first and of the second profile: the tree's node */
    size_t counts[2];       /* the allocated sizes of these arrays */
} toll_united;

/* Join two profiles. Call toll_united_free only after success. Errors: TOLL_E_NOMEM,
 * TOLL_E_LIMIT. */
toll_status toll_unite(toll_united *united, const toll_profile *first, const toll_profile *second,
                       toll_error *err);
void toll_united_free(toll_united *united);

#endif
