/* interrupted.h - repairs toll.wasm's state after an engine has ended the guest within an event.
 *
 * Engines check fuel and time at the begin of functions and loops, also of this module's. Owns what
 * host_recover() needs: where toll.wasm's own stack begins, and whether its allocator is running.
 */
#ifndef TOLL_HOSTS_WASM_INTERRUPTED_H
#define TOLL_HOSTS_WASM_INTERRUPTED_H

/* A recording begins: remember where toll.wasm's own stack begins. */
void host_remember_stack(void);

#endif
