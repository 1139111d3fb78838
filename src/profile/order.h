/* order.h - sorts a profile into canonical order: threads by name and labels, children by frame
 * (name, file, line, kind, then place). All output follows it, so that it depends on what a profile
 * contains and never on how it was made. Cost: O(nodes + frames log frames). */
#ifndef TOLL_PROFILE_ORDER_H
#define TOLL_PROFILE_ORDER_H

#include "base/mem.h"

#include <toll/profile.h>

typedef struct toll_order {
    toll_mem mem;
    const toll_profile *profile;
    uint32_t node_count, frame_count, thread_count;
    toll_node_id *first_child;  /* by node; TOLL_NONE: none */
    toll_node_id *next_sibling; /* by node; TOLL_NONE: the last */
    toll_thread_id *threads;    /* thread ids in order */
    uint32_t *frame_rank;       /* by frame id: its place among all frames */
    toll_frame_id *frames;      /* frame ids in order */
    uint32_t *function;         /* by frame id: the rank of the first frame of its function */
} toll_order;

/* Compute the order of a profile, which must not change while the order is used. Errors:
 * TOLL_E_NOMEM. */
toll_status toll_order_create(toll_order *order, const toll_profile *profile, toll_error *err);
void toll_order_free(toll_order *order);

/* The first frame, in order, of a frame's function. */
static inline toll_frame_id toll_order_first_frame(const toll_order *order, toll_frame_id frame)
{
    return order->frames[order->function[frame]];
}

/* The thread of a root node (not checked). The roots of a profile are in the order of its
 * threads. */
toll_thread_id toll_profile_thread_of(const toll_profile *profile, toll_node_id root);

/* A walk through one thread's tree, without recursion: each node is entered before its children
 * and left after them.
 *
 *     toll_walk walk = toll_walk_begin(&order, toll_profile_root(profile, thread));
 *     while (toll_walk_next(&walk)) ... walk.node, walk.depth, walk.entering
 *
 * depth is 0 for the root. */
typedef struct toll_walk {
    const toll_order *order;
    toll_node_id node;
    uint32_t depth;
    bool entering;
    bool started;
} toll_walk;

toll_walk toll_walk_begin(const toll_order *order, toll_node_id root);
bool toll_walk_next(toll_walk *walk);

/* Compute the total of every node in a column: self plus the totals of its children. *out has
 * node_count values; the caller frees it with toll_mem_free. Errors: TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW. */
toll_status toll_profile_totals(const toll_profile *profile, uint32_t column, int64_t **out,
                                toll_error *err);

/* The number of frames that a format with whole stacks writes: the sum of the depths of all nodes
 * with a value other than 0. */
uint64_t toll_profile_stack_frames(const toll_profile *profile);

/* A label for each frame that no other function of the profile has: its name; if two functions
 * share that, "name (file:line)", and if they share even that, with a number. Frames of one
 * function have one label. For formats in which a frame is nothing but a name. */
typedef struct toll_labels {
    toll_mem mem;
    uint32_t count;
    char **text;      /* by frame id */
    uint32_t *size;   /* bytes of text[i] with its NUL */
    uint32_t changed; /* the number of labels that differ from the frame's own name */
} toll_labels;

toll_status toll_labels_create(toll_labels *labels, const toll_order *order, toll_error *err);
void toll_labels_free(toll_labels *labels);
static inline const char *toll_label(const toll_labels *labels, toll_frame_id frame)
{
    return labels->text[frame];
}

/* The allocator of a profile. */
const toll_mem *toll_profile_mem(const toll_profile *profile);

#endif
