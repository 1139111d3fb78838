/* control_data.h - a state under control of a signal or of commands. For lua_control.c, which
 * changes the state, control_requests.c, which says when, and control_commands.c, which answers. */
#ifndef TOLL_LUA_CONTROL_DATA_H
#define TOLL_LUA_CONTROL_DATA_H

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "control_outcome.h"
#include "lua_profiler.h"
#include "running_stack.h"

/* Of a state. None is freed, since the handler may read it at any time. That of a closed state is
 * used for another one. */
typedef struct control {
    struct control *next;
    uint32_t number;        /* from 1 on */
    _Atomic(lua_State *) L; /* see thread_to_arm; NULL: the state is closed */
    profiler *p;            /* kept when the state closes: another thread's handler may read it */
    bool is_used;
    const lua_CFunction *functions;
    void (*ended)(void);                        /* called when the recording ends, or NULL */
    _Atomic int signal_number, snapshot_number; /* of the second: 0: none */
    atomic_bool has_socket;                     /* commands are for it, too */
    atomic_bool wants_snapshot;
    _Atomic pid_t thread;  /* of the kernel */
    bool is_attached;      /* it is for toll attach, and these are of its recording: */
    pthread_t begun_by;    /* the thread that had it begin */
    atomic_bool is_shared; /* another thread has called Lua since then */
    atomic_bool requested, is_taken, on; /* is_taken: the request is carried out now */
    host_running_stack stack;            /* of Lua 5.1 to 5.4; closed where it cannot be read */
    atomic_bool is_arming; /* the state's thread changes p->waiting, so its handler may not */
    host_outcome outcome;
} control;

extern _Atomic(control *) host_controls;

/* The kernel's id of the calling thread. */
static inline pid_t host_kernel_thread(void)
{
    return (pid_t)syscall(SYS_gettid);
}

/* NULL: the state has none. */
control *host_control_of(const profiler *p);

/* There is one request more; or one less. Another thread may make one at the same time. */
void host_add_request(control *c);
void host_end_request(control *c);

/* Have a request noticed at the next point where the state's thread, which calls this, may take it.
 * Safe in a signal's handler. */
void host_request(control *c);

/* Request it of each state that takes commands. To be called in a thread that runs no Lua. */
typedef enum host_command { HOST_COMMAND_ON, HOST_COMMAND_OFF, HOST_COMMAND_SNAPSHOT } host_command;
void host_control_command(host_command command);

/* Take it: begin or end the recording. Called at a point where Lua may be called. */
void host_take_request(control *c, lua_State *L);

#endif
