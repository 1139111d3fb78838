/* interrupted.h - an engine may end the guest within an event, where it looks at fuel or time: as
 * functions and loops of this module begin. Owns what host_recover() needs: where toll.wasm's own
 * stack is, and whether the allocator is at work. */
#ifndef TOLL_HOSTS_WASM_INTERRUPTED_H
#define TOLL_HOSTS_WASM_INTERRUPTED_H

/* A recording begins: where toll.wasm's own stack is. */
void host_remember_stack(void);

#endif
