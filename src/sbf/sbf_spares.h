/* sbf_spares.h - finds invocations that share their trace with others ("spares"), so that they can
 * get another trace. They are sorted by what a trace needs to fit them, and by their units.
 *
 * An invocation that has stopped being a spare never becomes one again, so that n traces need O(n
 * log n) in all. Owns: its arrays. Changes the job's matches, and how often traces are used. */
#ifndef TOLL_SBF_SBF_SPARES_H
#define TOLL_SBF_SBF_SPARES_H

#include "sbf/sbf_job.h"

typedef struct toll_sbf_spare {
    uint32_t program, children;
    uint64_t uncharged; /* instructions that may not have been charged, at most */
    uint64_t own;       /* units */
    uint32_t invocation;
} toll_sbf_spare;

typedef struct toll_sbf_spares {
    toll_sbf_job *job;
    toll_sbf_spare *list; /* sorted */
    uint32_t *next;       /* by place: a place that is not after the next spare */
    size_t count, capacity;
    uint64_t looks; /* spares examined so far */
} toll_sbf_spares;

/* How many instructions of a trace may not have been charged to the invocation. */
uint64_t toll_sbf_uncharged(const toll_solana_spent *spent);

/* False: no memory. Free it in either case. */
bool toll_sbf_spares_make(toll_sbf_spares *spares, toll_sbf_job *job);
void toll_sbf_spares_free(toll_sbf_spares *spares);

/* Assign an unused trace to the spare with the fewest units that it fits, the first of equal ones.
 * False: it fits none. */
bool toll_sbf_spares_use(toll_sbf_spares *spares, uint32_t trace);

#endif
