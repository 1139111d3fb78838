/* remote_call.h - calls a function of a library in a thread of another process, once. Linux on
 * x86-64.
 *
 * The thread must be where it may load a library: not in the middle of malloc, for example. It is
 * stopped, and goes on in a routine of ours, in memory that nothing else uses. The routine keeps
 * all registers and errno, loads the library, calls the function, restores them and returns to
 * where the thread was. It needs us for nothing: if this process is killed at any moment, the other
 * one goes on. Its code stays in that memory.
 *
 * The library comes as memory that has a descriptor: the process may see other files than this one,
 * and neither has to trust the other one's folders. */
#ifndef TOLL_LUA_REMOTE_CALL_H
#define TOLL_LUA_REMOTE_CALL_H

#include "process_memory.h"

typedef struct toll_remote_call {
    uint64_t address;     /* of the function; 0: it is in: */
    const char *library;  /* a file of ours, which the process gets a copy of */
    const char *function; /* its name. It returns a pointer, and takes one to: */
    const void *argument; /* `size` bytes, copied; at most 4,096 */
    size_t size;
    void (*stopped)(void *user); /* NULL; or called when the thread is stopped, with `user`: it may
                                  * change the argument */
    void *user;
    bool waits_only;  /* call it only in a thread that waits in the system for something outside */
    bool in_main;     /* call it only in the main thread */
    bool in_each;     /* call it in each such thread, one after the other */
    bool *goes_on;    /* NULL; or becomes true if the routine still runs at the return */
    uint32_t most_ms; /* wait so long for a thread where it may be called, and for its end ten
                       * seconds longer */
} toll_remote_call;

/* Returns the function's result. 0: why[size] says why it was not called. */
uint64_t toll_remote_call_function(const toll_mappings *mappings, const toll_remote_call *call,
                                   char *why, size_t size);

#endif
