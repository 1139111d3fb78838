/* engine_samples.c - charges time that the engine's own sampler has found, with whole call stacks
 * (toll/embedder.h).
 *
 * A sampled stack is found in the tree of recorded calls; nothing is added to that. What the tree
 * lacks is charged to its caller: functions that are not followed, those below the depth limit. If
 * recursion is folded, a function that is open already is charged as that one. */
#include "callees.h"
#include "delivery.h"
#include "fold_recursion.h"
#include "modules.h"
#include "resumptions.h"
#include "sampling.h"
#include "tools.h"

#include <toll/embedder.h>

static const char cut_name[] = "[outer calls that the engine does not show]";

/* The frame of a function, in events as in stacks. */
static toll_frame_id frame_of(uint32_t function)
{
    return host_frame_of_entry(host_frame_entry(host_current_frames(), function));
}

/* The node of `frame` on the way to the root. NULL: it is not open there. */
static toll_node *find_open(toll_node *node, toll_frame_id frame)
{
    while (node && node->frame != frame)
        node = node->parent;
    return node;
}

void *host_sampled_stack(void *caller, uint32_t function)
{
    toll_recorder *r = host_recorder();
    toll_node *parent = caller ? caller : r->main_track->base;
    toll_frame_id frame = frame_of(function);
    if (frame == HOST_NO_FRAME)
        return parent;
    toll_node *child = toll_tree_find_child(&r->profile->tree, parent, frame);
    if (!child && host_folds())
        child = find_open(parent, frame);
    return child ? child : parent;
}

/* The node below which cut stacks are. NULL: no memory. */
static toll_node *cut_base(toll_recorder *r)
{
    const toll_frame frame = { .name = cut_name, .kind = TOLL_KIND_PHASE };
    toll_frame_id id;
    if (toll_profile_add_frame(r->profile, &frame, &id, host_error()))
        return NULL;
    return toll_tree_add_child(&r->profile->tree, r->main_track->base, id);
}

void *host_sampled_cut(void *caller, uint32_t function)
{
    toll_recorder *r = host_recorder();
    toll_node *parent = caller ? caller : cut_base(r);
    toll_frame_id frame = frame_of(function);
    if (!parent)
        return r->main_track->base;
    if (frame == HOST_NO_FRAME)
        return parent;
    toll_node *child = host_folds() ? find_open(parent, frame) : NULL;
    if (!child)
        child = toll_tree_add_child(&r->profile->tree, parent, frame);
    return child ? child : parent;
}

void host_sampled(void *stack, uint64_t ns)
{
    ((toll_node *)stack)->values[1u + host_has_ticks()] += (int64_t)ns;
}

void host_samples_counted(uint64_t count, uint64_t all, uint64_t own, uint64_t outside)
{
    host_count_samples(count, all, own, outside);
}
