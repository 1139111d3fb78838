/* executions.h - turns the modules' counters of executions into stacks of one frame. modules.h has
 * the counts. */
#ifndef TOLL_HOSTS_WASM_EXECUTIONS_H
#define TOLL_HOSTS_WASM_EXECUTIONS_H

#include <stdbool.h>
#include <toll/toll.h>

/* A recording begins. `are_alone`: the modules report no calls, so that only executions are
 * recorded. */
void host_begin_executions(bool are_alone);

/* Add the executions, and their ticks, to *profile. *profile may become a new profile. */
toll_status host_add_lines(toll_profile **profile);

/* Add the notes of one profile to another. */
toll_status host_copy_notes(const toll_profile *from, toll_profile *to);

#endif
