/* begins.h - where the second axis of a timeline was when each open call began, from which follows
 * what it moved during the call. For the writers that show this at the call's end. */
#ifndef TOLL_FORMAT_BEGINS_H
#define TOLL_FORMAT_BEGINS_H

#include "base/array.h"

#include <toll/timeline.h>

/* Zeroed, no call is open. */
typedef struct toll_begins {
    uint64_t *at; /* outermost first */
    size_t depth, capacity;
} toll_begins;

/* Handles the next event of a thread. For the end of a call, *spent becomes what the axis moved
 * during it, callees included. False: no memory. */
static inline bool toll_begins_next(const toll_mem *mem, toll_begins *b,
                                    const toll_timeline_event *e, uint64_t *spent)
{
    *spent = 0;
    if (!e->is_open) {
        *spent = e->second - b->at[--b->depth];
        return true;
    }
    if (b->depth == b->capacity && !toll_array_grow(mem, &b->at, &b->capacity, b->depth, 1))
        return false;
    b->at[b->depth++] = e->second;
    return true;
}

static inline void toll_begins_free(const toll_mem *mem, toll_begins *b)
{
    toll_mem_free(mem, b->at, b->capacity, sizeof *b->at);
}

#endif
