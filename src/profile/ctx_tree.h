/* ctx_tree.h - the calling-context tree: (parent, frame) -> node with values.
 *
 * Owns: the nodes and the index of children; what a frame number means is the caller's business.
 * Nodes never move, so pointers to them hold; ids count up in order of creation.
 * Invariant: a parent's id is below its children's: a forward pass sees parents first, a backward
 * pass sees children first.
 *
 * Memory: 24 bytes a node and 8 for each value (on 64-bit machines), and at most 21.4 bytes for
 * the index: 61.4 with calls and one counter.
 * Cost of finding a child: one compare when it is the child found last; else one probe into
 * the index, however many children there are. */
#ifndef TOLL_PROFILE_CTX_TREE_H
#define TOLL_PROFILE_CTX_TREE_H

#include "base/mem.h"

#include <stdint.h>

#define TOLL_TREE_ROOT UINT32_MAX /* the frame of a root */

typedef struct toll_node {
    struct toll_node *parent;     /* NULL: a root */
    struct toll_node *last_child; /* the child found last; NULL: none yet */
    uint32_t frame;
    uint32_t id;
    int64_t values[];
} toll_node;

typedef struct toll_tree_slot {
    uint32_t hash;
    uint32_t id_plus_1; /* 0: free */
} toll_tree_slot;

typedef struct toll_tree {
    toll_mem mem;
    uint32_t width; /* values a node */
    size_t node_size;
    uint8_t **chunks; /* each of TOLL_TREE_CHUNK nodes, zeroed when made */
    size_t chunk_count, chunk_capacity;
    uint32_t count;
    toll_tree_slot *slots; /* slot_count is a power of two; at most 3/4 in use */
    size_t slot_count;
    size_t slots_used; /* roots have no slot */
} toll_tree;

enum { TOLL_TREE_CHUNK = 512 };

void toll_tree_init(toll_tree *tree, const toll_mem *mem, uint32_t width);
void toll_tree_free(toll_tree *tree);

/* A new root; NULL if memory ran out. */
toll_node *toll_tree_add_root(toll_tree *tree);

/* The child for `frame`, made if need be; NULL if memory ran out (nothing changed). */
toll_node *toll_tree_add_child(toll_tree *tree, toll_node *parent, uint32_t frame);

/* Undo: forget all nodes with ids of `count` and above. */
void toll_tree_truncate(toll_tree *tree, uint32_t count);

static inline toll_node *toll_tree_node(const toll_tree *tree, uint32_t id)
{
    return (toll_node *)(void *)(tree->chunks[id / TOLL_TREE_CHUNK] +
                                 (size_t)(id % TOLL_TREE_CHUNK) * tree->node_size);
}

/* toll_tree_add_child for the hot path. */
static inline toll_node *toll_tree_child(toll_tree *tree, toll_node *parent, uint32_t frame)
{
    toll_node *child = parent->last_child;
    return child && child->frame == frame ? child : toll_tree_add_child(tree, parent, frame);
}

#endif
