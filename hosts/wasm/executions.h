/* executions.h - what the counters of executions say, as stacks of one frame. The counts are the
 * modules' (modules.h). */
#ifndef TOLL_HOSTS_WASM_EXECUTIONS_H
#define TOLL_HOSTS_WASM_EXECUTIONS_H

#include <stdbool.h>
#include <toll/toll.h>

/* A recording begins. `are_alone`: the modules report no calls, and executions are all there is. */
void host_begin_executions(bool are_alone);

/* Add to *profile what is known of lines; it may become another profile. */
toll_status host_add_lines(toll_profile **profile);

/* Add the notes of one profile to another. */
toll_status host_copy_notes(const toll_profile *from, toll_profile *to);

#endif
