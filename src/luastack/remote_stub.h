/* remote_stub.h - the routine that a thread of another process is made to run: see remote_call.h.
 * x86-64. */
#ifndef TOLL_LUA_REMOTE_STUB_H
#define TOLL_LUA_REMOTE_STUB_H

#include <stdint.h>

/* It RUNS. WANTS_FILE: `file` is a descriptor of memory without a name (memfd_create), for the
 * library's bytes. WAITS: it has ended. In both it goes on when it MAY_GO; or after a second,
 * without the library. */
enum { TOLL_STUB_RUNS, TOLL_STUB_WAITS, TOLL_STUB_MAY_GO, TOLL_STUB_WANTS_FILE };

/* What the routine reads and writes. It is below the thread's stack, and the stack pointer is its
 * address when the routine begins. remote_stub.c knows the offsets. */
typedef struct toll_stub_data {
    uint64_t end_stack;               /* there is the address to return to, below the red zone */
    uint64_t dlopen, dlsym, dlerror;  /* functions of the process */
    uint64_t library, name, argument; /* addresses of what is passed to them; of the library's path,
                                       * which is set before the routine MAY_GO */
    uint64_t xsave_size;              /* bytes of all registers that xsave keeps */
    uint64_t rax;                     /* at the end */
    uint64_t result, error;           /* of the function; or of dlerror */
    uint64_t state;
    uint64_t function;       /* its address; 0: the library is not loaded */
    int64_t file;            /* below 0: an error's number */
    uint64_t errno_location; /* a function of the process */
} toll_stub_data;

extern const uint8_t toll_stub_begin[], toll_stub_end[];

/* xsave_size of this machine; 0: it has no xsave. */
uint64_t toll_stub_xsave_size(void);

#endif
