/* lua_profiler.h - the profiler of one Lua state with all its coroutines, and the functions that
 * each part of the adapter may call.
 *
 * Recorder and all other state live outside of Lua's heap: profiling changes nothing that a script
 * can see. The registry has the profiler; the only other global state is the list of live profilers
 * that the end of the process needs (process_end.c).
 *
 * The host is layers of files, each of which calls only files of the lines above its own:
 *
 *   lua_api  this_thread  cpu_time  object_map  layout  offset_tables
 *     stored_names  function_places  frame_names  luajit/jit_table
 *   lua_profiler         the state
 *   profile_files        what is written, and where
 *   process_end          when it is written if the script does not stop the recording
 *   luajit/jit_watch     what runs after a C function
 *   call_stack           a coroutine's frames, entered and left
 *   lua_names            a function's frame
 *   coroutine_list       coroutines made and freed
 *   adopt                frames that are active at a start
 *   coroutine_switch     which coroutine is current
 *   lua_allocator  user_hook         Lua's allocations; hooks of others
 *   host_calls  full_event           the host's calls into Lua; any event
 *   luajit/jit_return  fast_hook     the common events; the hook itself
 *   start_stop           a recording
 *   lua_run              what toll run loads
 *   lua_module           what a script sees */
#ifndef TOLL_LUA_LUA_PROFILER_H
#define TOLL_LUA_LUA_PROFILER_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>
#include <toll/toll.h>

#include "base/kernel_memory.h"
#include "base/tsc_clock.h"
#include "cpu_time.h"
#include "coroutine_data.h"
#include "frame_names.h"
#include "function_places.h"
#include "luajit/jit_table.h"
#include "stored_names.h"
#include "this_thread.h"

typedef struct host_options {
    bool cpu_clock, no_clock, ticks, heap, join_threads;
    bool lines, call_lines;
    bool first;    /* no coroutine has been made so far */
    bool portable; /* for tests: use only Lua's public functions */
    uint32_t max_depth;
    const char *timeline; /* path; NULL: none */
    const char *output;   /* where an unstopped recording is written, may have %p; NULL: nowhere */
} host_options;

/* The pipe to toll run (src/cli/run_child.c). Device and inode say whether it is still the same
 * file: the program may close it and open another one with its number. */
typedef struct host_report {
    int fd; /* 0: none */
    dev_t device;
    ino_t inode;
} host_report;

/* LuaJIT with lines: the last event was the call of a C function by a Lua function; the instruction
 * after that call runs now, and no other event has come between the two. */
typedef enum native_step { NATIVE_NONE, NATIVE_CALLED, NATIVE_RETURNED } native_step;

/* The C function that was looked up last, and where it is. */
typedef struct native_place {
    lua_CFunction c;
    char file[HOST_NAME_SIZE], symbol[HOST_NAME_SIZE];
} native_place;

struct profiler {
    /* The coroutine whose events may take the fast path, or NULL. It is the first member, and
     * written only atomically: other threads may read it at any time, even after the profiler was
     * put aside. */
    _Atomic(lua_State *) fast_for;
    struct profiler *next;   /* in the list of live ones */
    pid_t pid;               /* the process that writes the files: not one forked off later */
    _Atomic uint64_t thread; /* which had the last full event */
    lua_Hook hook;           /* ours */
    bool jit;                /* this is LuaJIT; and was its compiler on before the start? */
    bool jit_was_on;
    bool reads_callinfo;        /* CallInfo's layout is as expected: it is read directly */
    atomic_bool active;         /* it records */
    bool user_hooks;            /* somewhere there is a hook that is not ours */
    bool user_events;           /* and it wants more than counted instructions */
    bool may_be_fast;           /* recorder and layout allow the fast path */
    atomic_int busy, signalled; /* see process_end.h */
    atomic_int is_dying; /* by a signal: the files are written without waiting for the disk, since
                          * SIGKILL may follow soon, and what was written survives that */

    toll_kernel_memory memory; /* of recorder and timeline */
    toll_recorder *recorder;
    toll_timeline *timeline;
    toll_tsc clock;         /* wall time; not started for other clocks */
    host_cpu_time cpu_time; /* CPU time */
    host_options options;
    char *timeline_path;
    char *labels;          /* of what is written; NULL: none */
    uint64_t now[2];       /* the counters at the current event */
    uint32_t tick_counter; /* the index of ticks in now[]; if there is time too, that has index 0 */
    uint64_t start_real_ns;

    coroutine *co;            /* the current one; see host_set_current */
    coroutine *main_co;       /* the one that started; its L is NULL once it is collected */
    coroutine *outside;       /* current while the host runs: has no L and no frames */
    const lua_State *entered; /* the one that the host has called last, if that was seen */
    objects map;
    object named; /* the function that was named last */
    frame_names names;
    function_places places;
    toll_frame_id named_closure; /* the frame of the C closure that was named last; or none, */
    const void *named_key;       /* and its C function's key */
    native_place place;
    bool armed; /* the next instruction, or some of them, call the count hook */
    native_step native_step;
    jit_table table;
    uint8_t jit_switches[3]; /* the ids of coroutine.yield, resume and what wrap returns; or 0 */

    lua_Alloc alloc; /* Lua's allocator, which ours calls, and its argument */
    void *alloc_user;
    bool allocator_taken;
    const void *new_thread; /* the coroutine that Lua is making, until its first allocation */

    lua_CFunction resume, wrap_body; /* coroutine.resume, and what coroutine.wrap returns */
    user_hook user;                  /* LuaJIT: one hook for all coroutines */

    char *kept;            /* toll.start's output: an absolute path */
    bool keep;             /* it is still to be written */
    bool kept_by_process;  /* its name has the process in it: a forked process writes its own */
    char *output, *format; /* toll run: where the profile is written; NULL: nowhere */
    char *title;           /* toll run: what pages are called; NULL: nothing in particular */
    char *value;           /* toll run: which value, in formats that have one; NULL: the default */
    host_report report;    /* toll run: where to report what was written */
    uint32_t summary_rows;
    bool summary;
};

/* --- the profiler of a Lua state ---------------------------------------------------------------*/

/* Pushes the key under which the registry has the profiler, in a userdata. */
void host_push_key(lua_State *L);

/* The state's profiler, or NULL. */
profiler *host_find(lua_State *L);

static inline bool host_is_hook(const profiler *p, lua_Hook hook)
{
    return hook == p->hook;
}

/* --- counters ----------------------------------------------------------------------------------*/

/* Reads the counters into p->now. */
static inline void host_read_counters(profiler *p)
{
    if (p->options.cpu_clock)
        p->now[0] = host_cpu_time_now(&p->cpu_time, host_this_thread(), p->now[0]);
    else if (!p->options.no_clock)
        p->now[0] = toll_tsc_now(&p->clock);
}

/* --- the current coroutine ---------------------------------------------------------------------*/

/* To be called whenever a field that it reads has changed. Where `signalled` is set the fast path
 * stays closed, since it does not look whether another thread writes the files. */
static inline void host_update_fast(profiler *p)
{
    bool fast = p->active && p->may_be_fast && !p->user_events && (!p->armed || p->table.some) &&
                !atomic_load_explicit(&p->signalled, memory_order_relaxed);
    atomic_store_explicit(&p->fast_for, fast ? p->co->L : NULL, memory_order_relaxed);
}

static inline void host_set_current(profiler *p, coroutine *co)
{
    p->co = co;
    host_update_fast(p);
}

/* NULL: it had no event so far. */
coroutine *host_known_coroutine(const profiler *p, lua_State *L);

/* --- the recording -----------------------------------------------------------------------------*/

/* Has the host set a hook of its own on this coroutine, so that what runs in it is not seen? */
bool host_is_replaced(const profiler *p, const object *thread);
void host_note_replaced(profiler *p, uint64_t count);

/* Stops the recorder. Of the Lua state only hooks are read, and nothing is changed. */
void host_stop_recorder(profiler *p);

toll_status host_snapshot(profiler *p, const toll_allocator *allocator, toll_profile **out,
                          toll_error *err);

#endif
