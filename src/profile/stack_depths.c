/* stack_depths.c - how deep the stacks of a profile are. See stack_depths.h. */
#include "profile/stack_depths.h"

#include "base/fail.h"
#include "profile/profile_data.h"

static bool has_value(const toll_profile *p, const toll_node *node)
{
    for (uint32_t c = 0; c < p->column_count; c++)
        if (node->values[c])
            return true;
    return false;
}

/* The depth of each node; a parent's id is below its children's. Returns the largest. */
static uint32_t measure(const toll_profile *p, uint32_t *depth_of)
{
    uint32_t deepest = 0;
    for (uint32_t id = 0; id < p->tree.count; id++) {
        const toll_node *node = toll_tree_node(&p->tree, id);
        depth_of[id] = node->parent ? depth_of[node->parent->id] + 1 : 0;
        if (depth_of[id] > deepest)
            deepest = depth_of[id];
    }
    return deepest;
}

toll_status toll_stack_depths_count(toll_stack_depths *d, const toll_profile *p, toll_error *err)
{
    size_t count = (size_t)p->tree.count + 1;
    uint32_t *depth_of = toll_mem_new(&p->mem, count, sizeof *depth_of);
    *d = (toll_stack_depths){ .profile = p };
    if (depth_of) {
        d->deepest = measure(p, depth_of);
        d->nodes = toll_mem_new(&p->mem, (size_t)d->deepest + 1, sizeof *d->nodes);
        d->stacks = toll_mem_new(&p->mem, (size_t)d->deepest + 1, sizeof *d->stacks);
    }
    bool good = d->nodes && d->stacks;
    for (uint32_t id = 0; good && id < p->tree.count; id++) {
        d->nodes[depth_of[id]]++;
        d->stacks[depth_of[id]] += has_value(p, toll_tree_node(&p->tree, id));
    }
    toll_mem_free(&p->mem, depth_of, count, sizeof *depth_of);
    if (good)
        return TOLL_OK;
    toll_stack_depths_free(d);
    return toll_fail_nomem(err);
}

void toll_stack_depths_free(toll_stack_depths *d)
{
    size_t count = (size_t)d->deepest + 1;
    toll_mem_free(&d->profile->mem, d->nodes, count, sizeof *d->nodes);
    toll_mem_free(&d->profile->mem, d->stacks, count, sizeof *d->stacks);
    d->nodes = d->stacks = NULL;
}

uint64_t toll_stack_depths_frames(const toll_stack_depths *d)
{
    uint64_t frames = 0;
    for (uint32_t depth = 0; depth <= d->deepest; depth++)
        frames += d->stacks[depth] * depth;
    return frames;
}

/* Folded at a depth, the stacks that are less deep stay, and each node of that depth may be one. */
uint32_t toll_stack_depths_within(const toll_stack_depths *d, uint64_t frames)
{
    uint64_t shallower = 0;
    uint32_t best = 0;
    for (uint32_t depth = 0; depth <= d->deepest; depth++) {
        bool is_last = depth == d->deepest;
        uint64_t here = (is_last ? d->stacks : d->nodes)[depth] * depth;
        if (shallower + here <= frames)
            best = depth;
        shallower += d->stacks[depth] * depth;
    }
    return best;
}

uint64_t toll_stack_depths_deeper(const toll_stack_depths *d, uint32_t depth)
{
    uint64_t stacks = 0;
    for (uint32_t i = depth + 1; i <= d->deepest; i++)
        stacks += d->stacks[i];
    return stacks;
}
