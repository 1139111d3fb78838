/* stack_depths.c - see stack_depths.h. */
#include "profile/stack_depths.h"

#include "base/array.h"
#include "base/fail.h"
#include "profile/profile_data.h"

static void add(uint64_t *sum, uint64_t more)
{
    *sum = *sum > UINT64_MAX - more ? UINT64_MAX : *sum + more;
}

void toll_stack_depths_begin(toll_stack_depths *d, const toll_mem *mem)
{
    *d = (toll_stack_depths){ .mem = *mem };
}

void toll_stack_depths_free(toll_stack_depths *d)
{
    toll_mem_free(&d->mem, d->at, d->capacity, sizeof *d->at);
    d->at = NULL;
    d->capacity = 0;
}

bool toll_stack_depths_open(toll_stack_depths *d, uint32_t depth, uint64_t bytes)
{
    size_t before = d->capacity;
    if (!toll_array_grow(&d->mem, &d->at, &d->capacity, depth, 1))
        return false;
    for (size_t i = before; i < d->capacity; i++)
        d->at[i] = (toll_stack_depth){ 0 };
    add(&d->at[depth].open_bytes, bytes);
    if (depth > d->deepest)
        d->deepest = depth;
    return true;
}

void toll_stack_depths_write(toll_stack_depths *d, uint32_t depth, uint64_t bytes)
{
    d->at[depth].count++;
    add(&d->at[depth].bytes, bytes);
}

/* --- of a profile ------------------------------------------------------------------------------*/

typedef struct stack_size {
    uint64_t bytes;
    uint32_t depth;
} stack_size;

/* A parent's id is below its children's. */
static bool count_nodes(toll_stack_depths *d, const toll_profile *p, toll_frame_size *size_of,
                        const char *format, stack_size *sizes)
{
    for (uint32_t id = 0; id < p->tree.count; id++) {
        const toll_node *node = toll_tree_node(&p->tree, id);
        stack_size *s = &sizes[id];
        *s = (stack_size){ 0, 0 };
        if (node->parent) {
            *s = sizes[node->parent->id];
            s->depth++;
            add(&s->bytes, size_of(p, toll_profile_node_frame(p, id), format));
        }
        if (!toll_stack_depths_open(d, s->depth, s->bytes))
            return false;
        if (toll_profile_has_value(p, node))
            toll_stack_depths_write(d, s->depth, s->bytes);
    }
    return true;
}

toll_status toll_stack_depths_count(toll_stack_depths *d, const toll_profile *p,
                                    toll_frame_size *size_of, const char *format, toll_error *err)
{
    size_t count = (size_t)p->tree.count + 1;
    toll_stack_depths_begin(d, &p->mem);
    stack_size *sizes = toll_mem_new(&p->mem, count, sizeof *sizes);
    bool good = sizes && count_nodes(d, p, size_of, format, sizes);
    toll_mem_free(&p->mem, sizes, count, sizeof *sizes);
    if (good)
        return TOLL_OK;
    toll_stack_depths_free(d);
    return toll_fail_nomem(err);
}

/* --- results ------------------------------------------------------------------------ */

uint64_t toll_stack_depths_bytes(const toll_stack_depths *d)
{
    uint64_t bytes = 0;
    for (size_t depth = 0; d->at && depth <= d->deepest; depth++)
        add(&bytes, d->at[depth].bytes);
    return bytes;
}

/* At most: less deep stacks stay as they are, and each node at that depth may become a stack. */
uint64_t toll_stack_depths_folded(const toll_stack_depths *d, uint32_t depth)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < depth; i++)
        add(&bytes, d->at[i].bytes);
    add(&bytes, d->at[depth].open_bytes);
    return bytes;
}

uint32_t toll_stack_depths_choose(const toll_stack_depths *d, uint64_t most_bytes)
{
    uint64_t shallower = 0;
    uint32_t best = TOLL_LEAST_DEPTH;
    if (d->deepest <= TOLL_LEAST_DEPTH || toll_stack_depths_bytes(d) <= most_bytes)
        return UINT32_MAX;
    for (uint32_t depth = 0; depth < d->deepest; depth++) {
        uint64_t all = shallower;
        add(&all, d->at[depth].open_bytes);
        if (all <= most_bytes && depth > best)
            best = depth;
        add(&shallower, d->at[depth].bytes);
    }
    return best;
}

uint64_t toll_stack_depths_deeper(const toll_stack_depths *d, uint32_t depth)
{
    uint64_t count = 0;
    for (size_t i = (size_t)depth + 1; d->at && i <= d->deepest; i++)
        count += d->at[i].count;
    return count;
}
