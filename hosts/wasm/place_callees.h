/* place_callees.h - turns the recorder's callees (callees.h) into functions under the place of
 * their caller.
 *
 * With call_kinds a function is under the caller itself, and a column counts its indirect calls. */
#ifndef TOLL_HOSTS_WASM_PLACE_CALLEES_H
#define TOLL_HOSTS_WASM_PLACE_CALLEES_H

#include <stdbool.h>
#include <toll/toll.h>

/* Does the recorder have callees, so that host_place_callees changes a profile? */
bool host_has_callees(void);

/* Turn the callees of *profile, a snapshot of the recorder, into functions. *profile becomes a new
 * profile. */
toll_status host_place_callees(toll_profile **profile);

#endif
