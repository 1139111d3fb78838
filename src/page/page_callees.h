/* page_callees.h - which frames each frame of a page calls, so that a node of the tree is a small
 * number: the place of its frame among those that its parent's frame calls. For the page's files
 * alone. Cost: O(nodes + frames + callees log callees). */
#ifndef TOLL_PAGE_PAGE_CALLEES_H
#define TOLL_PAGE_PAGE_CALLEES_H

#include "report/stack_tree.h"

/* Keys are frames in canonical order, then threads in canonical order. Callers are none (of the
 * threads), then the keys. The callees of one are keys, those with most nodes first, of equals the
 * smaller key. */
typedef struct toll_page_callees {
    toll_mem mem;
    uint32_t caller_count, node_count;
    uint32_t *counts; /* by caller: how many callees it has */
    uint32_t *keys;   /* the callees, caller by caller */
    uint32_t count;   /* of keys */
    uint32_t *ranks;  /* by place in preorder: the node's place among its parent's callees */
} toll_page_callees;

/* toll_page_callees_free is due also on failure. Errors: TOLL_E_NOMEM. */
toll_status toll_page_callees_create(toll_page_callees *callees, const toll_stack_tree *tree,
                                     toll_error *err);
void toll_page_callees_free(toll_page_callees *callees);

#endif
