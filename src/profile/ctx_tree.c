/* ctx_tree.c - see ctx_tree.h. */
#include "profile/ctx_tree.h"

#include "base/array.h"
#include "base/text.h"

#include <string.h>

void toll_tree_init(toll_tree *tree, const toll_mem *mem, uint32_t width)
{
    *tree = (toll_tree){
        .mem = *mem,
        .width = width,
        .node_size = sizeof(toll_node) + width * sizeof(int64_t),
    };
}

void toll_tree_free(toll_tree *tree)
{
    for (size_t i = 0; i < tree->chunk_count; i++)
        toll_mem_free(&tree->mem, tree->chunks[i], TOLL_TREE_CHUNK, tree->node_size);
    toll_mem_free(&tree->mem, tree->chunks, tree->chunk_capacity, sizeof *tree->chunks);
    toll_id_index_free(&tree->index, &tree->mem);
    toll_tree_init(tree, &tree->mem, tree->width);
}

static uint32_t hash_of(uint32_t parent_id, uint32_t frame)
{
    return (uint32_t)toll_hash_u64((uint64_t)parent_id << 32 | frame);
}

/* A zeroed node with the next id; the count does not change yet. */
static toll_node *room_for_node(toll_tree *tree)
{
    size_t chunk = tree->count / TOLL_TREE_CHUNK;
    if (tree->count >= UINT32_MAX - 1)
        return NULL;
    if (chunk == tree->chunk_count) {
        if (!toll_array_grow(&tree->mem, &tree->chunks, &tree->chunk_capacity, chunk, 1))
            return NULL;
        tree->chunks[chunk] = toll_mem_new(&tree->mem, TOLL_TREE_CHUNK, tree->node_size);
        if (!tree->chunks[chunk])
            return NULL;
        tree->chunk_count++;
    }
    return toll_tree_node(tree, tree->count);
}

toll_node *toll_tree_add_root(toll_tree *tree)
{
    toll_node *node = room_for_node(tree);
    if (!node)
        return NULL;
    node->frame = TOLL_TREE_ROOT;
    node->id = tree->count++;
    return node;
}

/* Remember the child as found last and recently. It does not read the child's node, which may not
 * be in the processor's cache. */
static toll_node *found(toll_tree *tree, toll_node *parent, uint32_t frame, toll_node *child)
{
    uint64_t key = toll_tree_key(parent, frame);
    *toll_tree_recent(tree, key) = (toll_tree_found){ key, child };
    return parent->last_child = child;
}

/* Not inline, so that finding a child saves no registers. */
static __attribute__((noinline)) toll_node *make_child(toll_tree *tree, toll_node *parent,
                                                       uint32_t frame, uint32_t hash)
{
    toll_node *node = toll_id_index_reserve(&tree->index, &tree->mem) ? room_for_node(tree) : NULL;
    if (!node)
        return NULL;
    node->parent = parent;
    node->frame = frame;
    node->id = tree->count++;
    toll_id_index_add(&tree->index, hash, node->id);
    return found(tree, parent, frame, node);
}

toll_node *toll_tree_add_child(toll_tree *tree, toll_node *parent, uint32_t frame)
{
    uint32_t hash = hash_of(parent->id, frame);
    size_t place = hash;
    uint32_t id;
    while ((id = toll_id_index_next(&tree->index, hash, &place)) != UINT32_MAX) {
        toll_node *node = toll_tree_node(tree, id);
        if (node->parent == parent && node->frame == frame)
            return found(tree, parent, frame, node);
    }
    return make_child(tree, parent, frame, hash);
}

void toll_tree_truncate(toll_tree *tree, uint32_t count)
{
    for (uint32_t id = count; id < tree->count; id++)
        memset(toll_tree_node(tree, id), 0, tree->node_size);
    tree->count = count;
    memset(tree->recent, 0, sizeof tree->recent);
    toll_id_index_clear(&tree->index);
    for (uint32_t id = 0; id < count; id++) {
        toll_node *node = toll_tree_node(tree, id);
        if (node->last_child && node->last_child->parent != node)
            node->last_child = NULL; /* that child was removed */
        if (!node->parent)
            continue;
        toll_id_index_add(&tree->index, hash_of(node->parent->id, node->frame), id);
    }
}
