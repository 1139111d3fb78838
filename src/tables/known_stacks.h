/* known_stacks.h - the functions and stacks of all profiles so far, each with an id that is the
 * same in every export.
 *
 * They are the frames and nodes of one profile: its numbers of frames and nodes are theirs. */
#ifndef TOLL_TABLES_KNOWN_STACKS_H
#define TOLL_TABLES_KNOWN_STACKS_H

#include "base/buffer.h"
#include "base/u64map.h"

#include <toll/profile.h>

typedef struct toll_known_ids {
    int64_t *ids; /* by number */
    size_t count, capacity;
    toll_u64map taken; /* numbers by id */
} toll_known_ids;

typedef struct toll_known_stacks {
    toll_mem mem;
    toll_profile *all; /* without columns; one thread */
    toll_known_ids functions, stacks;
    toll_buffer is_row; /* a byte for each stack: 1, once it is a row of the table */
    toll_buffer text;   /* of which an id is the hash */
    uint64_t mask;      /* the bits of the hash that ids have: all, but for tests */
} toll_known_stacks;

/* Errors: TOLL_E_NOMEM. Call toll_known_free in any case. */
toll_status toll_known_init(toll_known_stacks *known, const toll_mem *mem, toll_error *err);
void toll_known_free(toll_known_stacks *known);

/* The number of the function of a frame. Errors: TOLL_E_NOMEM, TOLL_E_LIMIT (two functions have one
 * id). */
toll_status toll_known_function(toll_known_stacks *known, const toll_frame *frame,
                                toll_frame_id *number, toll_error *err);

/* The number of the stack of a function that is called in another stack; 0: outside of any
 * function. Errors: as above. */
toll_status toll_known_stack(toll_known_stacks *known, toll_node_id caller, toll_frame_id function,
                             toll_node_id *number, toll_error *err);

/* The name of a kind of frames, as tables have it. */
const char *toll_known_kind(toll_frame_kind kind);

#endif
