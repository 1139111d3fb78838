/* cap_tree.c - see cap_tree.h. */
#include "sections/cap_tree.h"

bool toll_cap_tree_init(toll_cap_tree *tree, const toll_mem *mem, uint32_t element_count)
{
    tree->leaf_count = 1;
    while (tree->leaf_count < element_count)
        tree->leaf_count *= 2;
    tree->nodes = toll_mem_new(mem, (size_t)tree->leaf_count * 2, sizeof *tree->nodes);
    return tree->nodes != NULL;
}

void toll_cap_tree_free(toll_cap_tree *tree, const toll_mem *mem)
{
    toll_mem_free(mem, tree->nodes, (size_t)tree->leaf_count * 2, sizeof *tree->nodes);
    tree->nodes = NULL;
}

static void sum_up(toll_cap_tree *tree, uint32_t node)
{
    const toll_cap_node *a = &tree->nodes[2 * node], *b = &tree->nodes[2 * node + 1];
    if (a->greatest < b->greatest) {
        const toll_cap_node *swap = a;
        a = b;
        b = swap;
    }
    toll_cap_node *n = &tree->nodes[node];
    n->greatest = a->greatest;
    n->weight = a->weight;
    n->second = a->second;
    if (b->greatest == a->greatest) {
        n->weight += b->weight;
        n->second = a->second > b->second ? a->second : b->second;
    } else if (b->greatest > n->second) {
        n->second = b->greatest;
    }
}

void toll_cap_tree_weigh(toll_cap_tree *tree, uint32_t element, uint64_t weight)
{
    tree->nodes[tree->leaf_count + element] = (toll_cap_node){ weight, TOLL_CAP_NONE, 0 };
}

void toll_cap_tree_build(toll_cap_tree *tree)
{
    for (uint32_t node = tree->leaf_count - 1; node > 0; node--)
        sum_up(tree, node);
}

static void cap(toll_cap_node *n, uint32_t limit)
{
    if (n->greatest > limit)
        n->greatest = limit;
}

/* Apply to a node's children what was applied to the node as a whole. */
static void push_down(toll_cap_tree *tree, uint32_t node)
{
    cap(&tree->nodes[2 * node], tree->nodes[node].greatest);
    cap(&tree->nodes[2 * node + 1], tree->nodes[node].greatest);
}

void toll_cap_tree_set(toll_cap_tree *tree, uint32_t element, uint64_t weight)
{
    uint32_t leaf = tree->leaf_count + element, step = 0;
    while ((leaf >> step) > 1)
        step++;
    for (; step > 0; step--)
        push_down(tree, leaf >> step);
    toll_cap_tree_weigh(tree, element, weight);
    while (leaf /= 2)
        sum_up(tree, leaf);
}

/* The node holds the elements from..to - 1. */
static uint64_t lower(toll_cap_tree *tree, uint32_t node, uint32_t from, uint32_t to,
                      uint32_t first, uint32_t end, uint32_t limit)
{
    toll_cap_node *n = &tree->nodes[node];
    if (to <= first || end <= from || n->greatest <= limit)
        return 0;
    if (first <= from && to <= end && n->second < limit) {
        n->greatest = limit;
        return n->weight;
    }
    uint32_t middle = from + (to - from) / 2;
    push_down(tree, node);
    uint64_t lowered = lower(tree, 2 * node, from, middle, first, end, limit) +
                       lower(tree, 2 * node + 1, middle, to, first, end, limit);
    sum_up(tree, node);
    return lowered;
}

uint64_t toll_cap_tree_lower(toll_cap_tree *tree, uint32_t first, uint32_t end, uint32_t limit)
{
    return lower(tree, 1, 0, tree->leaf_count, first, end, limit);
}
