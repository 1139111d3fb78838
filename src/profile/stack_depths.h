/* stack_depths.h - counts how deep stacks are and how many bytes they take, for formats that write
 * each in full. Such files grow with the sum of all depths, which is quadratic for deep recursion.
 *
 * A stack takes the bytes of all its frames. Sums that overflow stay at the largest number. */
#ifndef TOLL_PROFILE_STACK_DEPTHS_H
#define TOLL_PROFILE_STACK_DEPTHS_H

#include "base/mem.h"

#include <toll/profile.h>

/* Sums over the stacks of one depth. */
typedef struct toll_stack_depth {
    uint64_t open_bytes; /* the bytes of all nodes of this depth if each were written */
    uint64_t count;      /* number of stacks that are written */
    uint64_t bytes;      /* the bytes of these */
} toll_stack_depth;

typedef struct toll_stack_depths {
    toll_mem mem;
    toll_stack_depth *at; /* by depth, from 0 (a thread's root) to `deepest` */
    size_t capacity;
    uint32_t deepest;
} toll_stack_depths;

/* Returns the bytes of one frame of a profile in a format; `format` is the caller's pointer. */
typedef uint64_t toll_frame_size(const toll_profile *profile, toll_frame_id frame,
                                 const char *format);

/* Begin without stacks. Allocates nothing. */
void toll_stack_depths_begin(toll_stack_depths *depths, const toll_mem *mem);
void toll_stack_depths_free(toll_stack_depths *depths);

/* Count a node of that depth, whose stack takes so many bytes. False: no memory. */
bool toll_stack_depths_open(toll_stack_depths *depths, uint32_t depth, uint64_t bytes);

/* Count that its stack is written, once more. The node must have been counted by
 * toll_stack_depths_open. */
void toll_stack_depths_write(toll_stack_depths *depths, uint32_t depth, uint64_t bytes);

/* Count the nodes of a profile. Those with a value other than 0 are written. O(nodes * columns).
 * Errors: TOLL_E_NOMEM. */
toll_status toll_stack_depths_count(toll_stack_depths *depths, const toll_profile *profile,
                                    toll_frame_size *size_of, const char *format, toll_error *err);

/* The number of bytes that are written; and the most bytes if stacks are folded at a depth. */
uint64_t toll_stack_depths_bytes(const toll_stack_depths *depths);
uint64_t toll_stack_depths_folded(const toll_stack_depths *depths, uint32_t depth);

/* Choose the depth at which stacks are folded: the largest one for which at most that many bytes
 * are written, but at least TOLL_LEAST_DEPTH. UINT32_MAX: no stack is folded. */
uint32_t toll_stack_depths_choose(const toll_stack_depths *depths, uint64_t most_bytes);

/* How many of the written stacks are deeper than that. */
uint64_t toll_stack_depths_deeper(const toll_stack_depths *depths, uint32_t depth);

/* Stacks are never folded at a smaller depth. Nearly all programs without recursion are less
 * deep. */
enum { TOLL_LEAST_DEPTH = 1000 };

#endif
