/* cap_tree.h - an array of numbers (caps) with weights. Its one operation lowers every element that
 * exceeds a limit to the limit, and returns the sum of their weights.
 *
 * It is a segment tree. Each node has its greatest value, the weight of the elements that have that
 * value, and the second greatest value: a limit between the two changes the whole node at once
 * ("segment tree beats", R. Y. Ji). Any sequence of n operations costs O(n log n). */
#ifndef TOLL_SECTIONS_CAP_TREE_H
#define TOLL_SECTIONS_CAP_TREE_H

#include "base/mem.h"

#include <stdint.h>

#define TOLL_CAP_NONE UINT32_MAX /* an element without a cap: larger than every limit */

typedef struct toll_cap_node {
    uint64_t weight; /* of the elements whose value is `greatest`; modulo 2^64 */
    uint32_t greatest, second;
} toll_cap_node;

typedef struct toll_cap_tree {
    toll_cap_node *nodes; /* 2 * leaf_count; the root is 1, the leaves are the last */
    uint32_t leaf_count;  /* a power of two */
} toll_cap_tree;

/* All elements have value 0 and weight 0. False: no memory. At most 2^30 elements. */
bool toll_cap_tree_init(toll_cap_tree *tree, const toll_mem *mem, uint32_t element_count);
void toll_cap_tree_free(toll_cap_tree *tree, const toll_mem *mem);

/* Set the weights of many elements: weigh each, then build. O(n). */
void toll_cap_tree_weigh(toll_cap_tree *tree, uint32_t element, uint64_t weight);
void toll_cap_tree_build(toll_cap_tree *tree);

/* Give an element a weight and no cap. O(log n). */
void toll_cap_tree_set(toll_cap_tree *tree, uint32_t element, uint64_t weight);

/* Lower the elements first..end - 1 that exceed `limit` to it; returns their weight, modulo
 * 2^64. */
uint64_t toll_cap_tree_lower(toll_cap_tree *tree, uint32_t first, uint32_t end, uint32_t limit);

#endif
