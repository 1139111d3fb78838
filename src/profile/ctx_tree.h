/* ctx_tree.h - the calling-context tree: (parent, frame) -> node with values.
 *
 * Owns: the nodes and the index of children; the numbers of frames have no meaning here. Nodes
 * never move, so pointers to them stay valid; ids count up in order of creation. Invariant: a
 * parent's id is below its children's: a forward pass sees parents first, a backward pass sees
 * children first.
 *
 * Memory for a node, on 64-bit machines: 24 bytes, 8 for each value, and at most 21.4 in the index:
 * 61.4 with calls and one counter. Cost of finding a child: one comparison if it is the child found
 * last; else one probe into the index, however many children there are. For functions that call
 * several others in turn there is a cache of recent children before the index:
 * toll_tree_find_recent. It is a small one for small trees, of which many are made. */
#ifndef TOLL_PROFILE_CTX_TREE_H
#define TOLL_PROFILE_CTX_TREE_H

#include "profile/child_index.h"

#include <stdint.h>

#define TOLL_TREE_ROOT UINT32_MAX /* the frame of a root */

/* The layout of a node in its chunk (64-bit machines). With calls and one counter it is 40 bytes:
 *
 *      0        8            16      20      24         32
 *     +--------+------------+-------+-------+----------+----------+- ...
 *     | parent | last_child | frame |  id   | values 0 | values 1 |
 *     |        |            |       |       | calls    | counter 0|
 *     +--------+------------+-------+-------+----------+----------+- ...
 *        |          |
 *        |          +--> the child that a call went to last: the next call most likely
 *        +--> the caller's node; its id is lower
 *
 *     chunks[id / 512] --> | node | node | node | ... 512 of node_size bytes each
 *
 * Other children are found by (parent's id, frame) in `recent` or `many`, then in `index`. */
typedef struct toll_node {
    struct toll_node *parent;     /* NULL: a root */
    struct toll_node *last_child; /* the child found last; NULL: none yet */
    uint32_t frame;
    uint32_t id;
    int64_t values[];
} toll_node;

/* An entry of the cache of recent children. The key is compared without reading the node, which may
 * not be in the processor's cache. */
typedef struct toll_tree_found {
    uint64_t key;
    toll_node *node; /* NULL: none */
} toll_tree_found;

enum { TOLL_TREE_CHUNK = 512, TOLL_TREE_RECENT_BITS = 8, TOLL_TREE_MANY_BITS = 14 };

typedef struct toll_tree {
    toll_mem mem;
    uint32_t width; /* values a node */
    size_t node_size;
    uint8_t **chunks; /* each of TOLL_TREE_CHUNK nodes, zeroed when made */
    size_t chunk_count, chunk_capacity;
    uint32_t count;
    toll_child_index index; /* children by parent and frame; roots are not in it. If it has no
                             * slots, it is made when a child is next looked up. */
    toll_tree_found recent[1 << TOLL_TREE_RECENT_BITS]; /* by toll_tree_recent */
    toll_tree_found *many; /* the same for a large tree; NULL if `recent` is in use */
} toll_tree;

void toll_tree_init(toll_tree *tree, const toll_mem *mem, uint32_t width);
void toll_tree_free(toll_tree *tree);

/* Add a root. NULL: no memory. */
toll_node *toll_tree_add_root(toll_tree *tree);

/* Find or make the child for `frame`. NULL: no memory; nothing changed. */
toll_node *toll_tree_add_child(toll_tree *tree, toll_node *parent, uint32_t frame);

/* The child for `frame`, which does not become one of the recent children. NULL: there is none, or
 * no memory to look for it. */
toll_node *toll_tree_find_child(toll_tree *tree, const toll_node *parent, uint32_t frame);

/* Replace the frame of each node by frames[old frame]; these are distinct. */
void toll_tree_set_frames(toll_tree *tree, const uint32_t *frames);

/* Undo: remove all nodes with ids of `count` and above. */
void toll_tree_truncate(toll_tree *tree, uint32_t count);

static inline toll_node *toll_tree_node(const toll_tree *tree, uint32_t id)
{
    return (toll_node *)(void *)(tree->chunks[id / TOLL_TREE_CHUNK] +
                                 (size_t)(id % TOLL_TREE_CHUNK) * tree->node_size);
}

static inline uint64_t toll_tree_key(const toll_node *parent, uint32_t frame)
{
    return (uint64_t)parent->id << 32 | frame;
}

/* The entry for the child with this parent and frame. It may hold another child. */
static inline toll_tree_found *toll_tree_recent(toll_tree *tree, uint64_t key)
{
    uint64_t hash = key * 0x9e3779b97f4a7c15u;
    return tree->many ? &tree->many[hash >> (64 - TOLL_TREE_MANY_BITS)]
                      : &tree->recent[hash >> (64 - TOLL_TREE_RECENT_BITS)];
}

/* The child, if it is in the cache of recent children; else NULL. */
static inline toll_node *toll_tree_find_recent(toll_tree *tree, toll_node *parent, uint32_t frame)
{
    uint64_t key = toll_tree_key(parent, frame);
    const toll_tree_found *recent = toll_tree_recent(tree, key);
    if (recent->key != key || !recent->node)
        return NULL;
    parent->last_child = recent->node;
    return recent->node;
}

/* Remove the child from last_child and the cache, so that only toll_tree_add_child finds it. */
static inline void toll_tree_forget_recent(toll_tree *tree, toll_node *parent, uint32_t frame)
{
    uint64_t key = toll_tree_key(parent, frame);
    toll_tree_recent(tree, key)->node = NULL;
    parent->last_child = NULL;
}

/* toll_tree_add_child for the hot path. */
static inline toll_node *toll_tree_child(toll_tree *tree, toll_node *parent, uint32_t frame)
{
    toll_node *child = parent->last_child;
    return child && child->frame == frame ? child : toll_tree_add_child(tree, parent, frame);
}

#endif
