/* ctx_tree.c - see ctx_tree.h. */
#include "profile/ctx_tree.h"

#include "base/array.h"
#include "base/text.h"

#include <string.h>

enum { FIRST_SLOTS = 64 };

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
    toll_mem_free(&tree->mem, tree->slots, tree->slot_count, sizeof *tree->slots);
    toll_tree_init(tree, &tree->mem, tree->width);
}

static uint32_t hash_of(uint32_t parent_id, uint32_t frame)
{
    return (uint32_t)toll_hash_u64((uint64_t)parent_id << 32 | frame);
}

/* The slot of the child, or the free one where it belongs. */
static toll_tree_slot *slot_for(const toll_tree *tree, const toll_node *parent, uint32_t frame,
                                uint32_t hash)
{
    size_t mask = tree->slot_count - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        toll_tree_slot *slot = &tree->slots[i];
        if (slot->id_plus_1 == 0)
            return slot;
        if (slot->hash == hash) {
            const toll_node *node = toll_tree_node(tree, slot->id_plus_1 - 1);
            if (node->parent == parent && node->frame == frame)
                return slot;
        }
    }
}

static void insert_slot(toll_tree_slot *slots, size_t slot_count, toll_tree_slot new_slot)
{
    size_t i = new_slot.hash & (slot_count - 1);
    while (slots[i].id_plus_1)
        i = (i + 1) & (slot_count - 1);
    slots[i] = new_slot;
}

static bool grow_slots(toll_tree *tree)
{
    size_t count = tree->slot_count ? tree->slot_count * 2 : FIRST_SLOTS;
    toll_tree_slot *slots = toll_mem_new(&tree->mem, count, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < tree->slot_count; i++)
        if (tree->slots[i].id_plus_1)
            insert_slot(slots, count, tree->slots[i]);
    toll_mem_free(&tree->mem, tree->slots, tree->slot_count, sizeof *slots);
    tree->slots = slots;
    tree->slot_count = count;
    return true;
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

toll_node *toll_tree_add_child(toll_tree *tree, toll_node *parent, uint32_t frame)
{
    uint32_t hash = hash_of(parent->id, frame);
    if (tree->slot_count) {
        const toll_tree_slot *slot = slot_for(tree, parent, frame, hash);
        if (slot->id_plus_1)
            return found(tree, parent, frame, toll_tree_node(tree, slot->id_plus_1 - 1));
    }
    if ((tree->slots_used + 1) * 4 > tree->slot_count * 3 && !grow_slots(tree))
        return NULL;
    toll_node *node = room_for_node(tree);
    if (!node)
        return NULL;
    node->parent = parent;
    node->frame = frame;
    node->id = tree->count++;
    insert_slot(tree->slots, tree->slot_count, (toll_tree_slot){ hash, node->id + 1 });
    tree->slots_used++;
    return found(tree, parent, frame, node);
}

void toll_tree_truncate(toll_tree *tree, uint32_t count)
{
    for (uint32_t id = count; id < tree->count; id++)
        memset(toll_tree_node(tree, id), 0, tree->node_size);
    tree->count = count;
    memset(tree->recent, 0, sizeof tree->recent);
    if (tree->slots)
        memset(tree->slots, 0, tree->slot_count * sizeof *tree->slots);
    tree->slots_used = 0;
    for (uint32_t id = 0; id < count; id++) {
        toll_node *node = toll_tree_node(tree, id);
        if (node->last_child && node->last_child->parent != node)
            node->last_child = NULL; /* that child was removed */
        if (!node->parent)
            continue;
        uint32_t hash = hash_of(node->parent->id, node->frame);
        insert_slot(tree->slots, tree->slot_count, (toll_tree_slot){ hash, id + 1 });
        tree->slots_used++;
    }
}
