/* engine_samples.c - charges time that the engine's own sampler has found, with whole call stacks
 * (toll/embedder.h).
 *
 * A sampled stack is found in the tree of recorded calls; nothing is added to that.
 *
 * - The engine may leave out functions that it has inlined: of main, malloc, dlmalloc a stack may
 *   have main and dlmalloc alone. So if a function is no child of its caller, its nearest node
 *   below the caller is taken; of several, the one with most calls, which a note counts.
 * - What the tree lacks is charged to its caller: functions that are not followed, those below the
 *   depth limit.
 * - If recursion is folded, a function that is open already is charged as that one. */
#include "base/fail.h"
#include "callees.h"
#include "delivery.h"
#include "fold_recursion.h"
#include "modules.h"
#include "resumptions.h"
#include "sampling.h"
#include "tools.h"

#include <stdbool.h>
#include <stdlib.h>
#include <toll/embedder.h>

static const char cut_name[] = "[outer calls that the engine does not show]";
static const char several_text[] =
    "sampled calls that fit several recorded ones, since the engine left out functions: charged to "
    "the one that was called most";
static toll_node *cut_top; /* the node of that name, which is no recorded call; NULL: not made */

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

/* The recorded calls from above: made when first needed, kept until the samples are counted. */
static struct {
    uint32_t *first, *next; /* by a node's id: its first child, its next sibling; 0, a root: none */
    uint32_t count, frames; /* how many nodes and frames there were */
    bool *has_node;         /* by frame: functions that are not followed have none */
} children;

static void free_children(void)
{
    free(children.first);
    free(children.next);
    free(children.has_node);
    children.first = children.next = NULL;
    children.has_node = NULL;
}

static bool make_children(const toll_profile *p)
{
    const toll_tree *tree = &p->tree;
    if (children.first)
        return true;
    children.count = tree->count;
    children.frames = toll_profile_frame_count(p);
    children.has_node = calloc(children.frames + 1u, sizeof *children.has_node);
    children.first = calloc(tree->count + 1u, sizeof *children.first);
    children.next = calloc(tree->count + 1u, sizeof *children.next);
    if (!children.first || !children.next || !children.has_node) {
        free_children();
        return false;
    }
    for (uint32_t id = 0; id < tree->count; id++) {
        const toll_node *node = toll_tree_node(tree, id), *parent = node->parent;
        if (parent && node != cut_top) {
            children.next[id] = children.first[parent->id];
            children.first[parent->id] = id;
            children.has_node[node->frame] = true;
        }
    }
    return true;
}

/* Nodes below one, level by level. */
enum { MOST_NODES = 4096, MOST_LEVELS = 8 };

typedef struct level {
    uint32_t ids[MOST_NODES];
    uint32_t begin, end; /* the nodes of the last level in ids[] */
} level;

/* Go down by one level. Returns the node of `frame` there that was called most. NULL: none. */
static toll_node *find_in_next(const toll_tree *tree, level *l, toll_frame_id frame)
{
    toll_node *best = NULL;
    uint32_t end = l->end, matches = 0;
    for (uint32_t i = l->begin; i < end; i++)
        for (uint32_t id = children.first[l->ids[i]]; id && l->end < MOST_NODES;
             id = children.next[id]) {
            toll_node *node = toll_tree_node(tree, id);
            l->ids[l->end++] = id;
            matches += node->frame == frame;
            if (node->frame == frame && (!best || node->values[0] > best->values[0]))
                best = node;
        }
    l->begin = end;
    if (matches > 1)
        toll_recorder_note(host_recorder(), several_text, 1, NULL);
    return best;
}

static toll_node *find_below(const toll_profile *p, const toll_node *caller, toll_frame_id frame)
{
    static level l;
    toll_node *found = NULL;
    if (!make_children(p) || caller->id >= children.count || frame >= children.frames ||
        !children.has_node[frame])
        return NULL;
    l.ids[0] = caller->id;
    l.begin = 0;
    l.end = 1;
    for (int i = 0; i < MOST_LEVELS && !found && l.begin < l.end; i++)
        found = find_in_next(&p->tree, &l, frame);
    return found;
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
    if (!child)
        child = find_below(r->profile, parent, frame);
    return child ? child : parent;
}

/* The node below which cut stacks are. NULL: no memory. */
static toll_node *cut_base(toll_recorder *r)
{
    const toll_frame frame = { .name = cut_name };
    toll_frame_id id;
    if (cut_top)
        return cut_top;
    if (toll_profile_add_frame(r->profile, &frame, &id, host_error()))
        return NULL;
    cut_top = toll_tree_add_child(&r->profile->tree, r->main_track->base, id);
    return cut_top;
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

/* The time of phases, and of what runs in them while instances are made, stays. */
int host_samples_anew(void)
{
    toll_recorder *r = host_recorder();
    toll_profile *p = r->profile;
    uint32_t count = p->tree.count;
    uint8_t *in_phase = calloc(count + 1u, 1);
    if (!in_phase)
        return toll_fail_nomem(host_error());
    for (uint32_t id = 0; id < count; id++) { /* callers come first */
        toll_node *node = toll_tree_node(&p->tree, id);
        in_phase[id] = node->parent && (in_phase[node->parent->id] ||
                                        toll_profile_frame(p, node->frame).kind == TOLL_KIND_PHASE);
        if (!in_phase[id])
            node->values[1u + host_has_ticks()] = 0;
    }
    free(in_phase);
    host_count_second_run();
    return TOLL_OK;
}

void host_sampled(void *stack, uint64_t ns)
{
    ((toll_node *)stack)->values[1u + host_has_ticks()] += (int64_t)ns;
}

void host_samples_counted(uint64_t count, uint64_t all, uint64_t own, uint64_t outside)
{
    host_count_samples(count, all, own, outside);
    free_children();
}
