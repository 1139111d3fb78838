/* page_tree.h - the tree of a page: the stacks of a profile, or of two that are compared, in the
 * order in which the page has them. For the page's files alone.
 *
 * Nodes are in preorder. The children of a node are in descending order of their total of the shown
 * value (the larger one of the two profiles), those with equal totals in canonical order; places of
 * one function stay side by side, where the function's total is in order. Threads are likewise. */
#ifndef TOLL_REPORT_PAGE_TREE_H
#define TOLL_REPORT_PAGE_TREE_H

#include "profile/order.h"
#include "profile/shown.h"
#include "profile/unite.h"
#include "report/page_timeline.h"

enum { TOLL_PAGE_AFTER, TOLL_PAGE_BEFORE, TOLL_PAGE_SIDES };

typedef struct toll_page_tree {
    toll_mem mem;
    const toll_profile *sides[TOLL_PAGE_SIDES]; /* no stacks without values; BEFORE may be NULL */
    toll_profile *own[TOLL_PAGE_SIDES];         /* the copies that they are, or NULL */
    toll_united united;                         /* in a comparison */
    const toll_profile *tree;                   /* the one profile, or the united ones */
    toll_shown shown;
    toll_order order;      /* children are linked in the order of the page */
    toll_node_id *nodes;   /* of the tree, in preorder */
    uint32_t *ups;         /* by place in preorder: levels up from the level of the previous node's
                              children */
    uint32_t *thread_rank; /* by thread of the tree: its place in canonical order */
    uint32_t node_count, thread_count;
} toll_page_tree;

/* Put the stacks in order. toll_page_tree_free is due also on failure.
 *   before    may be NULL
 *   value     type of the column to begin with, or NULL
 *   timeline  NULL; or the tree has its frames, too
 * Errors: TOLL_E_NOT_FOUND (no such value), TOLL_E_NOMEM, TOLL_E_OVERFLOW, TOLL_E_LIMIT. */
toll_status toll_page_tree_create(toll_page_tree *tree, const toll_profile *after,
                                  const toll_profile *before, const char *value,
                                  toll_page_timeline *timeline, toll_error *err);
void toll_page_tree_free(toll_page_tree *tree);

/* The self values of one side in a column of the tree, by node of the tree, into
 * values[node_count].
 */
void toll_page_values(const toll_page_tree *tree, int side, uint32_t column, int64_t *values);

/* Is the frame a place within its function? */
static inline bool toll_page_is_place(toll_frame frame)
{
    return frame.at_line || frame.at_address;
}

#endif
