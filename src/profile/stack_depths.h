/* stack_depths.h - how deep stacks are and how many bytes they take, for formats that write each in
 * full: their files grow with the sum of all depths, which deep recursion makes quadratic.
 *
 * A stack takes the bytes of all its frames. Sums that do not fit stay at the largest number. */
#ifndef TOLL_PROFILE_STACK_DEPTHS_H
#define TOLL_PROFILE_STACK_DEPTHS_H

#include "base/mem.h"

#include <toll/profile.h>

/* Of the stacks of one depth. */
typedef struct toll_stack_depth {
    uint64_t open_bytes; /* what all nodes of this depth would take if each were written */
    uint64_t count;      /* how many are written */
    uint64_t bytes;      /* what these take */
} toll_stack_depth;

typedef struct toll_stack_depths {
    toll_mem mem;
    toll_stack_depth *at; /* by depth, from 0 (a thread's root) to `deepest` */
    size_t capacity;
    uint32_t deepest;
} toll_stack_depths;

/* The bytes of one frame of a profile in a format; `format` is what the caller has given. */
typedef uint64_t toll_frame_size(const toll_profile *profile, toll_frame_id frame,
                                 const char *format);

/* No stacks; without an allocation. */
void toll_stack_depths_begin(toll_stack_depths *depths, const toll_mem *mem);
void toll_stack_depths_free(toll_stack_depths *depths);

/* There is a node of that depth, whose stack takes so many bytes. False: no memory. */
bool toll_stack_depths_open(toll_stack_depths *depths, uint32_t depth, uint64_t bytes);

/* Its stack is written, once more. It must have been opened. */
void toll_stack_depths_write(toll_stack_depths *depths, uint32_t depth, uint64_t bytes);

/* Count the nodes of a profile; those that have a value other than 0 are written.
 * O(nodes * columns). Errors: TOLL_E_NOMEM. */
toll_status toll_stack_depths_count(toll_stack_depths *depths, const toll_profile *profile,
                                    toll_frame_size *size_of, const char *format, toll_error *err);

/* What is written takes so many bytes; and at most so many if it is folded at a depth. */
uint64_t toll_stack_depths_bytes(const toll_stack_depths *depths);
uint64_t toll_stack_depths_folded(const toll_stack_depths *depths, uint32_t depth);

/* The depth at which stacks are folded: the largest one at which at most so many bytes are written,
 * but at least TOLL_LEAST_DEPTH. UINT32_MAX: none is folded. */
uint32_t toll_stack_depths_choose(const toll_stack_depths *depths, uint64_t most_bytes);

/* How many of those that are written are deeper than that. */
uint64_t toll_stack_depths_deeper(const toll_stack_depths *depths, uint32_t depth);

/* No stack is folded at less: that is deeper than nearly all programs are without recursion. */
enum { TOLL_LEAST_DEPTH = 1000 };

#endif
