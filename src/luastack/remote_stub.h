/* remote_stub.h - the routine that a thread of another process is made to run: see remote_call.h.
 * x86-64. */
#ifndef TOLL_LUA_REMOTE_STUB_H
#define TOLL_LUA_REMOTE_STUB_H

#include <stdint.h>

enum { TOLL_STUB_RUNS, TOLL_STUB_WAITS, TOLL_STUB_MAY_GO };

/* What the routine reads and writes. It is below the thread's stack, and the stack pointer is its
 * address when the routine begins. remote_stub.c knows the offsets. */
typedef struct toll_stub_data {
    uint64_t end_stack;               /* there is the address to return to, below the red zone */
    uint64_t dlopen, dlsym, dlerror;  /* functions of the process */
    uint64_t library, name, argument; /* addresses of what is passed to them */
    uint64_t xsave_size;              /* bytes of all registers that xsave keeps */
    uint64_t rax;                     /* at the end */
    uint64_t result, error;           /* of the function; or of dlerror */
    uint64_t state;                   /* RUNS; then WAITS, for a second or until it is MAY_GO */
} toll_stub_data;

extern const uint8_t toll_stub_begin[], toll_stub_end[];

/* xsave_size of this machine; 0: it has no xsave. */
uint64_t toll_stub_xsave_size(void);

#endif
