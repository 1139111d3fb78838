/* frame_limit.h - limits the number of functions that are open at once: the call of one more traps,
 * as in a VM that has such a limit.
 *
 * Owns the limit, and whether it was reached. */
#ifndef TOLL_HOSTS_WASM_FRAME_LIMIT_H
#define TOLL_HOSTS_WASM_FRAME_LIMIT_H

#include <stdbool.h>
#include <toll/toll.h>

bool host_has_frame_limit(void);

/* Are as many functions open as may be? Then no event may stay pending: the next call traps. */
bool host_is_at_frame_limit(void);

/* A function of that frame is about to be entered, on the general path: trap if as many as the
 * limit are open. The host's own functions do not count. */
void host_check_frame_limit(const toll_recorder *recorder, toll_frame_id frame);

#endif
