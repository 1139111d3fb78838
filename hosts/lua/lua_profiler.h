/* lua_profiler.h - the profiler of one Lua state with all its coroutines, and the functions that
 * each part of the adapter may call.
 *
 * The recorder and all other state are outside of Lua's heap, so profiling changes nothing that a
 * script can see. The Lua registry has a pointer to the profiler. The list of live profilers, which
 * the end of the process needs (process_end.c), is the only other global state.
 *
 * The adapter's files form layers. A file calls only files on the lines above its own:
 *
 *   lua_api  this_thread  system_clock  sample_timer  cpu_time  object_map  layout  offset_tables
 *     stored_names  function_places  frame_names  luajit/jit_table
 *   running_stack        which coroutine runs
 *   lua_profiler         the state
 *   output_name          the name of the file of toll.start
 *   run_summary          what toll run prints
 *   profile_files        which files are written
 *   process_end          when it is written if the script does not stop the recording
 *   luajit/jit_watch     which instruction runs after a C function
 *   call_stack           a coroutine's frames, entered and left
 *   lua_names            a function's frame and name
 *   sample_stack         a sample of the call stack
 *   luajit/jit_sample    LuaJIT's own profiler
 *   sample_walk          samples of Lua 5.1 to 5.4
 *   coroutine_list       makes and frees coroutines
 *   adopt                frames that are active at a start
 *   coroutine_switch     which coroutine is current
 *   lua_allocator  user_hook         Lua's allocations; hooks of others
 *   host_calls  full_event           the host's calls into Lua; the general path
 *   luajit/jit_return  fast_hook     the fast path; the hook itself
 *   lua_recording        clock, recorder and timeline of a recording
 *   lua_sampling         starts and stops taking samples
 *   start_stop           starts and stops a recording
 *   control_signal       which signals, and to which thread
 *   control_outcome      what came of a request
 *   lua_control          a signal or a command begins and ends a recording
 *   control_socket       such commands
 *   start_options        the options of toll.start
 *   call_costs           what the profiler itself takes
 *   lua_run              what toll run loads
 *   lua_module           what a script sees
 */
#ifndef TOLL_LUA_LUA_PROFILER_H
#define TOLL_LUA_LUA_PROFILER_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>
#include <toll/toll.h>

#include "base/kernel_memory.h"
#include "base/cpu_clock.h"
#include "base/tsc_clock.h"
#include "cpu_time.h"
#include "coroutine_data.h"
#include "frame_names.h"
#include "function_places.h"
#include "interpreter.h"
#include "luajit/jit_table.h"
#include "sample_timer.h"
#include "stored_names.h"
#include "this_thread.h"

/* BEST: CPU time where it is cheap to read, else wall time. A recording has one of the others. */
typedef enum host_clock {
    HOST_CLOCK_BEST,
    HOST_CLOCK_WALL,
    HOST_CLOCK_CPU,
    HOST_CLOCK_NONE
} host_clock;

/* Counters: time or none, what was waited (where CPU time is cheap), and ticks or none. Of samples:
 * CPU time, their number, and in LuaJIT the CPU time of compiled code. */
enum { HOST_MOST_COUNTERS = 3, HOST_SAMPLES = 1, HOST_COMPILED = 2 };

/* What the profiler itself takes, in picoseconds: in the called function and in its caller, for Lua
 * functions and C functions; and at each line. */
typedef struct host_call_costs {
    uint64_t called_ps[2], caller_ps[2], line_ps;
} host_call_costs;

typedef struct host_options {
    host_clock clock;
    bool ticks, heap, join_threads;
    bool lines, call_lines;
    bool first;    /* no coroutine has been made so far */
    bool portable; /* for tests: use only Lua's public functions */
    uint32_t max_depth;
    uint32_t sample_hz;   /* take so many samples a second; 0: see every call */
    const char *timeline; /* its path; NULL: none */
    const char *output;   /* written if the recording is never stopped; may have %p; NULL: none */
    int signal_number;    /* turns it on and off: each recording has a file of its own; 0: none */
    const char *socket;   /* so does `toll control` by it; may have %p; NULL: none */
    int snapshot_number;  /* a signal: write what is recorded so far; 0: none */
} host_options;

/* The pipe to toll run (src/cli/run_child.c). The program may close it, and open another file that
 * gets its number. Device and inode show whether it is still the pipe. */
typedef struct host_report {
    int fd; /* 0: none */
    dev_t device;
    ino_t inode;
} host_report;

/* LuaJIT with lines. NATIVE_CALLED: the last event was the call of a C function by a Lua function.
 * NATIVE_RETURNED: the instruction after that call runs now, with no other event in between. It
 * separates a line that is reported again (on_line in full_event.c) from a new execution. */
typedef enum native_step { NATIVE_NONE, NATIVE_CALLED, NATIVE_RETURNED } native_step;

/* The C function that was looked up last, and its place. */
typedef struct native_place {
    lua_CFunction c;
    char file[HOST_NAME_SIZE], symbol[HOST_NAME_SIZE];
} native_place;

/* The track of all coroutines that begin with a function. */
typedef struct host_sample_track {
    toll_frame_id outermost;
    toll_track *track;
} host_sample_track;

/* Of a recording of samples (sample_stack.h). */
typedef struct host_samples {
    sample_timer *timer;    /* NULL: it does not run */
    struct host_walk *walk; /* of Lua 5.1 to 5.4: sample_walk.c */
    /* Charges what is kept; NULL: nothing is. L as in host_walk_charge. */
    void (*charge)(profiler *p, lua_State *L);
    host_sample_track *tracks;
    uint32_t track_count;
} host_samples;

/* A request waits for the next instruction (lua_control.c): of the state's main thread, and of the
 * coroutine that runs. `hook` is on them in place of `former`. */
enum { HOST_MAIN_WAITS, HOST_RUNNING_WAITS, HOST_MOST_WAITING };

typedef struct host_waiting {
    lua_Hook hook; /* NULL: there was none so far */
    struct {
        lua_State *L; /* NULL: it does not wait */
        user_hook former;
    } of[HOST_MOST_WAITING];
} host_waiting;

/* Keeps the profile of a recording that has ended. */
typedef toll_status host_write(profiler *p, const toll_profile *profile,
                               const toll_format_options *options, toll_error *err);

enum { HOST_HOOKS = 3 }; /* kinds of our hook: for calls, with a timeline, for lines */

struct profiler {
    /* The coroutine whose events may take the fast path, or NULL. It is the first member, and only
     * written atomically: other threads may read it at any time, even after the profiler was put
     * aside (this_thread.h). */
    _Atomic(lua_State *) fast_for;
    struct profiler *next;      /* in the list of live ones */
    uint64_t state;             /* its number: no other state of the process ever has it */
    pid_t pid;                  /* the process that writes the files; a forked one does not */
    _Atomic uint64_t thread;    /* had the last event of the general path */
    lua_Hook hook;              /* ours, of this recording */
    lua_Hook hooks[HOST_HOOKS]; /* of all recordings */
    bool jit;                   /* this is LuaJIT */
    char interpreter[HOST_INTERPRETER_SIZE];
    bool jit_was_on;            /* its compiler was on before the start */
    bool reads_callinfo;        /* CallInfo has the expected layout, and is read directly */
    atomic_bool active;         /* it records */
    bool user_hooks;            /* some coroutine has a hook that is not ours, */
    bool user_events;           /* which wants more than counted instructions */
    bool may_be_fast;           /* recorder and layout allow the fast path */
    atomic_int busy, signalled; /* see process_end.h */
    /* A request (lua_control.c), or NULL. To be called after each change, with L NULL; and after an
     * event, with its coroutine, where it may call Lua. */
    void (*_Atomic turn)(profiler *p, lua_State *L);
    host_waiting waiting;
    atomic_int is_dying; /* a signal ends the process: write the files without waiting for the disk.
                            SIGKILL may follow soon, and written data survives it */

    toll_kernel_memory memory; /* of recorder and timeline */
    toll_recorder *recorder;
    toll_timeline *timeline;
    toll_tsc clock;         /* wall time; not started for other clocks */
    toll_cpu_clock cpu;     /* CPU time; not started for other clocks, or where it is not cheap: */
    bool cpu_is_cheap;      /* then it is read from */
    bool had_no_choice;     /* the clock is of wall time, since CPU time is not cheap here */
    host_cpu_time cpu_time; /* by a system call */
    host_options options;
    host_call_costs costs; /* 0: not known */
    char *timeline_path;
    char *labels;                     /* of what is written; NULL: none */
    uint64_t now[HOST_MOST_COUNTERS]; /* the counters at the current event */
    uint64_t own_ns;       /* what events of the general path took, which is not in the time */
    uint32_t tick_counter; /* the index of ticks in now[]; time has 0, what was waited 1 */
    int64_t start_real_ns; /* toll_start_time */
    uint64_t start_wall_ns, start_cpu_ns; /* of the system's clocks */

    coroutine *co;            /* the current one; see host_set_current */
    coroutine *main_co;       /* the one that started; its L is NULL once it is collected */
    coroutine *outside;       /* current while the host runs; has no L and no frames */
    const lua_State *entered; /* the coroutine of the host's last call that was seen */
    objects map;
    object named; /* the function that was named last */
    frame_names names;
    function_places places;
    toll_frame_id named_closure; /* the frame of the C closure that was named last, or none; */
    const void *named_key;       /* the key of its C function */
    native_place place;
    bool armed; /* the next instruction, or the next of some opcodes, calls the count hook */
    native_step native_step;
    jit_table table;
    uint8_t jit_yield; /* LuaJIT's id of coroutine.yield; 0: how functions return is not known */

    lua_Alloc alloc; /* Lua's allocator, which ours calls, and its argument */
    void *alloc_user;
    bool allocator_replaced;
    const void *new_thread; /* the coroutine that Lua is making, until its first allocation */

    host_coroutine_functions library;
    user_hook user; /* LuaJIT: one hook for all coroutines */
    host_samples samples;

    host_write *write;     /* toll attach: instead of a file; or NULL */
    char *kept;            /* toll.start's output: an absolute path */
    bool keep;             /* it is still to be written */
    uint32_t kept_number;  /* of this state among those with that output: output_name.h */
    bool kept_by_process;  /* its name has %p: a forked process writes its own file */
    char *output, *format; /* toll run: where the profile is written; NULL: nowhere */
    char *title;           /* toll run: the title of pages; NULL: the default */
    char *value;           /* toll run: the column, in formats that keep one; NULL: the default */
    host_report report;    /* toll run: where to report what was written */
    uint32_t summary_rows;
    bool summary;
};

/* --- the profiler of a Lua state ---------------------------------------------------------------*/

/* Push the registry's key for the userdata that has the profiler. */
void host_push_key(lua_State *L);

/* The state's profiler, or NULL. */
profiler *host_find(lua_State *L);

static inline bool host_is_hook(const profiler *p, lua_Hook hook)
{
    return hook == p->hook;
}

/* Is it that of an earlier recording, too? A coroutine that has had no event since keeps it. */
static inline bool host_was_hook(const profiler *p, lua_Hook hook)
{
    for (int i = 0; i < HOST_HOOKS; i++)
        if (hook && hook == p->hooks[i])
            return true;
    return false;
}

/* The hook that was on L before that of a request. A coroutine that is made meanwhile inherits that
 * one, and has the main thread's. In LuaJIT all share one. */
static inline user_hook host_former_hook(const profiler *p, const lua_State *L)
{
    const host_waiting *w = &p->waiting;
    if (w->of[HOST_RUNNING_WAITS].L == L)
        return w->of[HOST_RUNNING_WAITS].former;
    return w->of[HOST_MAIN_WAITS].L ? w->of[HOST_MAIN_WAITS].former : (user_hook){ 0 };
}

/* --- counters ----------------------------------------------------------------------------------*/

/* Read the counters into p->now. */
static inline void host_read_counters(profiler *p)
{
    if (p->cpu_is_cheap) {
        p->now[0] = toll_cpu_clock_now(&p->cpu, p->now[0]);
        p->now[1] = p->cpu.waited;
    } else if (p->options.clock == HOST_CLOCK_CPU) {
        p->now[0] = host_cpu_time_now(&p->cpu_time, host_this_thread(), p->now[0]);
    } else if (p->options.clock != HOST_CLOCK_NONE) {
        p->now[0] = toll_tsc_now(&p->clock);
    }
}

/* --- the current coroutine ---------------------------------------------------------------------*/

/* Open or close the fast path. To be called whenever a field that it reads has changed. While
 * `signalled` or `turn` is set the fast path stays closed, because it does not test whether another
 * thread writes the files, and calls nothing after an event. */
static inline void host_update_fast(profiler *p)
{
    bool fast = p->active && p->may_be_fast && !p->user_events && (!p->armed || p->table.some) &&
                !atomic_load_explicit(&p->signalled, memory_order_relaxed) &&
                !atomic_load_explicit(&p->turn, memory_order_relaxed);
    atomic_store_explicit(&p->fast_for, fast ? p->co->L : NULL, memory_order_relaxed);
}

static inline void host_set_current(profiler *p, coroutine *co)
{
    p->co = co;
    host_update_fast(p);
}

/* The coroutine of L. NULL: it had no event so far. */
coroutine *host_known_coroutine(const profiler *p, lua_State *L);

/* --- the recording -----------------------------------------------------------------------------*/

/* Has the host replaced our hook on this coroutine, so that its events are not seen? */
bool host_is_replaced(const profiler *p, const object *thread);
void host_note_replaced(profiler *p, uint64_t count);

/* Stop the recorder. Only reads hooks of the Lua state, and changes nothing in it, so that a
 * signal's handler may call it. */
void host_stop_recorder(profiler *p);

/* A profile of what is recorded so far, with a note of what the profiler itself took. */
toll_status host_snapshot(profiler *p, const toll_allocator *allocator, toll_profile **out,
                          toll_error *err);

#endif
