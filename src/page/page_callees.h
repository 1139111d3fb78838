/* page_callees.h - lists the frames that each frame of a page calls. So a node of the tree is a
 * small number: the index of its frame among its parent's callees. For the page's files alone.
 * Cost: O(nodes + frames + callees log callees). */
#ifndef TOLL_PAGE_PAGE_CALLEES_H
#define TOLL_PAGE_PAGE_CALLEES_H

#include "report/stack_tree.h"

/* Keys are frames in canonical order, then threads in canonical order. Callers are first the root,
 * which calls the threads, then the keys. Callees are keys. They are sorted by their number of
 * nodes, the most first; equal ones by key. */
typedef struct toll_page_callees {
    toll_mem mem;
    uint32_t caller_count, node_count;
    uint32_t *counts; /* by caller: its number of callees */
    uint32_t *keys;   /* the callees, caller by caller */
    uint32_t count;   /* number of keys */
    uint32_t *ranks;  /* by place in preorder: the node's index among its parent's callees */
} toll_page_callees;

/* Call toll_page_callees_free also on failure. Errors: TOLL_E_NOMEM. */
toll_status toll_page_callees_create(toll_page_callees *callees, const toll_stack_tree *tree,
                                     toll_error *err);
void toll_page_callees_free(toll_page_callees *callees);

#endif
