/* facts.h - owns what is known of a run beside its costs: its engine, and what the embedder says.
 * See toll_profile_add_run. */
#ifndef TOLL_HOSTS_WASM_FACTS_H
#define TOLL_HOSTS_WASM_FACTS_H

#include <toll/profile.h>

/* Say in a profile that it is of one run, with the facts that the embedder has set, and those of
 * the recorded modules. */
toll_status host_add_run(toll_profile *profile);

#endif
