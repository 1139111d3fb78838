/* process_pause.h - stops the threads of another process for the time of a reading. Linux.
 *
 * Only threads that run, or wait for a processor, are stopped. One that begins to wait in the
 * system at that moment may be interrupted (EINTR), as by SIGSTOP and SIGCONT. Between pauses
 * nothing traces the process, and its threads go on if this one ends in the middle of a pause. */
#ifndef TOLL_LUA_PROCESS_PAUSE_H
#define TOLL_LUA_PROCESS_PAUSE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { TOLL_MOST_PAUSED = 64 }; /* threads; if more run, the rest goes on */

typedef struct toll_pause {
    pid_t threads[TOLL_MOST_PAUSED]; /* that are stopped */
    int signals[TOLL_MOST_PAUSED];   /* that they get when they go on; 0: none */
    uint32_t count;
    uint32_t running; /* threads that ran, with those that could not be stopped */
    bool has_ended;   /* no thread of the process is left */
} toll_pause;

/* Stop the threads of a process that run. They are the caller's to let go on, soon. A thread that
 * another program traces cannot be stopped, nor one that does not stop within 40 ms. For one thread
 * of this process. */
void toll_process_pause(toll_pause *pause, pid_t pid);

/* They go on. */
void toll_process_resume(toll_pause *pause);

/* Let go threads that had not stopped in time, or have ended while they were stopped. Call it now
 * and then between pauses. */
void toll_process_let_go(void);

#endif
