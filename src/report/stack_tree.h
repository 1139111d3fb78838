/* stack_tree.h - sorts the stacks of a profile, or of several that are compared, into the order in
 * which they are drawn.
 *
 * Nodes are in preorder. The children of a node are in descending order of their total of the shown
 * value (the largest one of the profiles), with equal totals in canonical order. Places of one
 * function are neighbours, at the position of the function's total. Threads are sorted the same
 * way. */
#ifndef TOLL_REPORT_STACK_TREE_H
#define TOLL_REPORT_STACK_TREE_H

#include "profile/order.h"
#include "profile/shown.h"
#include "profile/unite.h"

/* The profiles that are compared. Those from TOLL_SIDE_COUNT on are snapshots between the two. */
enum { TOLL_SIDE_AFTER, TOLL_SIDE_BEFORE, TOLL_SIDE_COUNT };

typedef struct toll_stack_tree {
    toll_mem mem;
    uint32_t side_count;        /* 1; in a comparison 2 or more */
    const toll_profile **given; /* by side, TOLL_SIDE_COUNT at least: BEFORE may be NULL */
    const toll_profile **sides; /* the same without stacks that have no values */
    toll_profile **own;         /* the copies in `sides` that this owns, or NULL */
    toll_united united;         /* in a comparison */
    const toll_profile *tree;   /* the one profile, or the union of all */
    toll_shown shown;
    toll_order order;      /* children are linked in the drawn order */
    toll_node_id *nodes;   /* nodes of the tree, in preorder */
    uint32_t *ups;         /* by place in preorder: levels up from the level of the previous node's
                            * children */
    uint32_t *thread_rank; /* by thread of the tree: its place in canonical order */
    uint32_t node_count, thread_count;
} toll_stack_tree;

/* Copy the profiles (by side; one, or two and more) without stacks that have no values. The caller
 * may then replace `sides` and `own`. Call toll_stack_tree_free also on failure. Errors:
 * TOLL_E_NOMEM. */
toll_status toll_stack_tree_create(toll_stack_tree *tree, const toll_profile *const *profiles,
                                   uint32_t count, toll_error *err);

/* Sort the stacks.
 *   value  type of the shown column; NULL: the default one of the given profiles
 * Errors: TOLL_E_NOT_FOUND (no such value), TOLL_E_NOMEM, TOLL_E_OVERFLOW, TOLL_E_LIMIT. */
toll_status toll_stack_tree_sort(toll_stack_tree *tree, const char *value, toll_error *err);
void toll_stack_tree_free(toll_stack_tree *tree);

/* Get the self values of one side in a column of the tree, by node, into values[node_count]. */
void toll_stack_values(const toll_stack_tree *tree, uint32_t side, uint32_t column,
                       int64_t *values);

#endif
