/* ctx_tree.c - see ctx_tree.h. */
#include "profile/ctx_tree.h"

#include "base/array.h"

#include <string.h>

enum { MANY = 1 << TOLL_TREE_MANY_BITS, LARGE_TREE = 1 << 9 };

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
    toll_mem_free(&tree->mem, tree->index.slots, tree->index.slot_count, sizeof *tree->index.slots);
    toll_mem_free(&tree->mem, tree->many, MANY, sizeof *tree->many);
    toll_tree_init(tree, &tree->mem, tree->width);
}

/* Make a zeroed node with the next id. The count does not change yet. */
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

/* Store the child in last_child and in the cache of recent children. This does not read the child's
 * node, which may not be in the processor's cache. */
static toll_node *found(toll_tree *tree, toll_node *parent, uint32_t frame, toll_node *child)
{
    uint64_t key = toll_tree_key(parent, frame);
    *toll_tree_recent(tree, key) = (toll_tree_found){ key, child };
    return parent->last_child = child;
}

/* Put all nodes into an empty index that has room, in the order of their ids: it is roughly the
 * order of the slots. */
static void index_nodes(const toll_tree *tree, toll_child_index *index)
{
    for (uint32_t id = 0; id < tree->count; id++) {
        const toll_node *node = toll_tree_node(tree, id);
        if (node->parent)
            toll_child_index_add(index, node->parent->id, node->frame, id);
    }
}

/* Make room in the index for one more node; make the index first if there is none. False: no
 * memory, nothing has changed. */
static bool reserve_slot(toll_tree *tree)
{
    enum { FIRST_SLOTS = 32 };
    toll_child_index *index = &tree->index;
    if (toll_child_index_has_room(index))
        return true;
    size_t count = index->slot_count ? index->slot_count * 2 : FIRST_SLOTS;
    while (((size_t)tree->count + 1) * 4 > count * 3)
        count *= 2;
    toll_child_slot *slots = toll_mem_new(&tree->mem, count, sizeof *slots);
    if (!slots)
        return false;
    const toll_child_index old = *index;
    toll_child_index larger = { slots, count, 0 };
    index_nodes(tree, &larger);
    *index = larger;
    toll_mem_free(&tree->mem, old.slots, old.slot_count, sizeof *old.slots);
    return true;
}

/* Give a tree that has become large the larger cache of recent children. Without memory nothing
 * changes. */
static void use_many(toll_tree *tree)
{
    if (!tree->many)
        tree->many = toll_mem_new(&tree->mem, MANY, sizeof *tree->many);
}

/* Not inline, so that finding a child saves no registers. */
static __attribute__((noinline)) toll_node *make_child(toll_tree *tree, toll_node *parent,
                                                       uint32_t frame)
{
    toll_node *node = reserve_slot(tree) ? room_for_node(tree) : NULL;
    if (!node)
        return NULL;
    node->parent = parent;
    node->frame = frame;
    node->id = tree->count;
    toll_child_index_add(&tree->index, parent->id, frame, node->id);
    tree->count++; /* last: an engine may stop this module wherever a function or a loop begins */
    if (tree->count == LARGE_TREE)
        use_many(tree);
    return found(tree, parent, frame, node);
}

/* The child; NULL: there is none. The index has slots. */
static inline toll_node *find_child(const toll_tree *tree, const toll_node *parent, uint32_t frame)
{
    toll_child_search search = toll_child_search_begin(parent->id, frame);
    uint32_t id;
    while ((id = toll_child_index_next(&tree->index, &search)) != UINT32_MAX) {
        toll_node *node = toll_tree_node(tree, id);
        if (node->parent == parent && node->frame == frame)
            return node;
    }
    return NULL;
}

toll_node *toll_tree_find_child(toll_tree *tree, const toll_node *parent, uint32_t frame)
{
    return tree->index.slot_count || reserve_slot(tree) ? find_child(tree, parent, frame) : NULL;
}

toll_node *toll_tree_add_child(toll_tree *tree, toll_node *parent, uint32_t frame)
{
    if (!tree->index.slot_count && !reserve_slot(tree))
        return NULL;
    toll_node *child = find_child(tree, parent, frame);
    return child ? found(tree, parent, frame, child) : make_child(tree, parent, frame);
}

static void forget_recent(toll_tree *tree)
{
    memset(tree->recent, 0, sizeof tree->recent);
    if (tree->many)
        memset(tree->many, 0, MANY * sizeof *tree->many);
}

void toll_tree_set_frames(toll_tree *tree, const uint32_t *frames)
{
    for (uint32_t id = 0; id < tree->count; id++) {
        toll_node *node = toll_tree_node(tree, id);
        if (node->parent)
            node->frame = frames[node->frame];
    }
    forget_recent(tree);
    toll_mem_free(&tree->mem, tree->index.slots, tree->index.slot_count, sizeof *tree->index.slots);
    tree->index = (toll_child_index){ 0 };
}

void toll_tree_truncate(toll_tree *tree, uint32_t count)
{
    for (uint32_t id = count; id < tree->count; id++)
        memset(toll_tree_node(tree, id), 0, tree->node_size);
    tree->count = count;
    forget_recent(tree);
    for (uint32_t id = 0; id < count; id++) {
        toll_node *node = toll_tree_node(tree, id);
        if (node->last_child && node->last_child->parent != node)
            node->last_child = NULL; /* that child was removed */
    }
    if (!tree->index.slots)
        return;
    memset(tree->index.slots, 0, tree->index.slot_count * sizeof *tree->index.slots);
    tree->index.used = 0;
    index_nodes(tree, &tree->index);
}
