/* events.h - the general path of one event of the guest: enters and leaves functions in the
 * recorder.
 *
 * How a function is entered depends on the state at that moment:
 *
 *     recursion is folded (fold_recursion.h)    its outermost open node is entered
 *     the function is resumed (resumptions.h)   its node is entered, without a call
 *     neither                                   its node is entered, and counts a call
 *
 * A function that returns is left. If it is not the innermost one, deeper functions have ended
 * without an event, and are left too. With call_lines last_place (callees.h) becomes the place that
 * called the outermost of the functions that are left. */
#ifndef TOLL_HOSTS_WASM_EVENTS_H
#define TOLL_HOSTS_WASM_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

/* Enter or leave a function. `place`: the number of the call in the current module; 0: not known.
 */
void host_deliver_one(bool leaves, uint32_t place, uint32_t function, uint64_t ticks);

/* Leave functions and phases until `to` are open. */
void host_leave_deeper(uint32_t to, uint64_t ticks);

/* Is a function of the guest open? Phases and sections of the embedder do not count. */
bool host_function_is_open(void);

#endif
