/* sbf_spares.h - invocations whose trace other invocations have, too, so that they can be given
 * another: by what a trace must have to fit them, and by their units. An invocation that has
 * stopped being one never becomes one again, so that n traces take O(n log n) in all.
 *
 * Owns: its arrays. Changes the job's matches, and how often traces are used. */
#ifndef TOLL_SBF_SBF_SPARES_H
#define TOLL_SBF_SBF_SPARES_H

#include "sbf/sbf_job.h"

typedef struct toll_sbf_spare {
    uint32_t program, children;
    uint64_t uncharged; /* of its instructions at most */
    uint64_t own;       /* units */
    uint32_t invocation;
} toll_sbf_spare;

typedef struct toll_sbf_spares {
    toll_sbf_job *job;
    toll_sbf_spare *list; /* in order */
    uint32_t *next;       /* of each place: one at or before the next that is still a spare */
    size_t count, capacity;
    uint64_t looks; /* at spares so far */
} toll_sbf_spares;

/* Of how many instructions of a trace an invocation may not have been charged. */
uint64_t toll_sbf_uncharged(const toll_solana_spent *spent);

/* False: no memory; free it in any case. */
bool toll_sbf_spares_make(toll_sbf_spares *spares, toll_sbf_job *job);
void toll_sbf_spares_free(toll_sbf_spares *spares);

/* Give an unused trace the invocation with the fewest units that it fits, of several the first.
 * False: there is none. */
bool toll_sbf_spares_use(toll_sbf_spares *spares, uint32_t trace);

#endif
