/* place_callees.h - callees of the recorder (callees.h) become functions, under the place of their
 * caller; with call_kinds under the caller itself, and those called indirectly are counted. */
#ifndef TOLL_HOSTS_WASM_PLACE_CALLEES_H
#define TOLL_HOSTS_WASM_PLACE_CALLEES_H

#include <stdbool.h>
#include <toll/toll.h>

/* The recorder has callees, so that host_place_callees changes a profile. */
bool host_has_callees(void);

/* Do that to *profile, a snapshot of the recorder; it becomes another profile. */
toll_status host_place_callees(toll_profile **profile);

#endif
