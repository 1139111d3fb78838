/* pprof_stack.c - finds the node of a sample's stack. See pprof_read.h.
 *
 * Successive samples share most of their callers: Toll writes samples in the order of a walk over
 * the tree. Stacks are stored with the leaf first, so the same callers are the same bytes at the
 * end of the list. These are compared with those of the previous sample, eight at a time, and only
 * the rest is decoded and looked up. */
#include "base/array.h"
#include "format/pprof_read.h"

#include <string.h>

/* How many bytes are equal at the ends of two texts. */
static size_t common_end(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    size_t most = a_size < b_size ? a_size : b_size, n = 0;
    while (n + 8 <= most && memcmp(a + a_size - n - 8, b + b_size - n - 8, 8) == 0)
        n += 8;
    while (n < most && a[a_size - n - 1] == b[b_size - n - 1])
        n++;
    return n;
}

/* How many steps of the last stack the list shares, if it has the same root. */
static size_t common_steps(const pprof_last_stack *last, toll_wire list)
{
    size_t size = (size_t)(list.end - list.p), count = last->count;
    if (!count) /* without a common step there may be no bytes */
        return 0;
    size_t common = common_end(list.p, size, last->bytes + last->capacity - last->size, last->size);
    while (count && last->steps[count - 1].end > common)
        count--;
    /* A varint of this list may begin before the common bytes. */
    if (count && last->steps[count - 1].end == common && common < size &&
        list.p[size - common - 1] >= 0x80)
        count--;
    return count;
}

/* Store the bytes of the list as those of the last stack; its last `kept` bytes are already
 * there. */
static bool keep_bytes(pprof_reader *r, toll_wire list, size_t kept)
{
    pprof_last_stack *last = &r->last;
    size_t size = (size_t)(list.end - list.p);
    if (size > last->capacity) {
        size_t capacity = size > SIZE_MAX / 2 ? size : 2 * size;
        uint8_t *bytes = toll_mem_resize(&r->mem, NULL, 0, capacity, 1);
        if (!bytes)
            return toll_no_memory(&r->failure);
        if (kept)
            memcpy(bytes + capacity - kept, last->bytes + last->capacity - kept, kept);
        toll_mem_free(&r->mem, last->bytes, last->capacity, 1);
        last->bytes = bytes;
        last->capacity = capacity;
    }
    if (size > kept)
        memcpy(last->bytes + last->capacity - size, list.p, size - kept);
    last->size = size;
    return true;
}

/* Go from `node`, which the numbers from list.p + left on lead to, down to the callees that the
 * numbers before them name. */
static toll_node *walk_on(pprof_reader *r, toll_node *node, toll_wire list, size_t left)
{
    pprof_last_stack *last = &r->last;
    while (left) {
        size_t end = left--;
        uint64_t id;
        uint32_t number;
        while (left && list.p[left - 1] >= 0x80)
            left--;
        toll_wire one = { list.p + left, list.p + end };
        if (!toll_wire_take_varint(&one, &id) || one.p != one.end) {
            toll_pprof_bad(r, "a list of numbers is cut off");
            return NULL;
        }
        if (!toll_pprof_location(r, id, &number))
            return NULL;
        node = toll_tree_child(&r->tree, node, number);
        if (!node ||
            !toll_array_grow(&r->mem, &last->steps, &last->step_capacity, last->count, 1)) {
            toll_no_memory(&r->failure);
            return NULL;
        }
        last->steps[last->count++] = (pprof_step){ (size_t)(list.end - list.p) - left, node };
    }
    return node;
}

toll_node *toll_pprof_stack(pprof_reader *r, toll_node *root, toll_wire list)
{
    pprof_last_stack *last = &r->last;
    size_t size = (size_t)(list.end - list.p);
    last->count = last->root == root ? common_steps(last, list) : 0;
    last->root = root;
    size_t kept = last->count ? last->steps[last->count - 1].end : 0;
    toll_node *node = last->count ? last->steps[last->count - 1].node : root;
    node = walk_on(r, node, list, size - kept);
    return node && keep_bytes(r, list, kept) ? node : NULL;
}

void toll_pprof_free_stack(pprof_reader *r)
{
    toll_mem_free(&r->mem, r->last.bytes, r->last.capacity, 1);
    toll_mem_free(&r->mem, r->last.steps, r->last.step_capacity, sizeof *r->last.steps);
}
