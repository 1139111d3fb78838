/* events.h - the general path of one event of the guest: what it means for the recorder's stack.
 *
 * How a function is entered, by what is so at that moment:
 *
 *     recursion is folded (fold_recursion.h)    its outermost open node is entered
 *     the function is resumed (resumptions.h)   its node is entered, without a call
 *     neither                                   its node is entered, and counts a call
 *
 * A function that returns is left. If it is not the innermost one, deeper ones were left without an
 * event; with call_lines the place that called the outermost function left becomes last_place
 * (callees.h). */
#ifndef TOLL_HOSTS_WASM_EVENTS_H
#define TOLL_HOSTS_WASM_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

/* A function is entered or left. `place`: the number of the call in the current module; 0: not
 * known. */
void host_deliver_one(bool leaves, uint32_t place, uint32_t function, uint64_t ticks);

/* Is a function open, and not only phases and sections of the embedder? */
bool host_function_is_open(void);

#endif
