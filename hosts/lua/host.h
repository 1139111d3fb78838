/* host.h - the profiler of one Lua universe (all coroutines of one lua_newstate).
 *
 * The recorder and all else here live outside of the Lua heap: profiling changes nothing that a
 * script can see. One profiler a universe, found through the registry; no other state but the
 * list of live profilers that the end of the process needs (signals.c).
 *
 * Built once for each Lua; LuaJIT loads the build for 5.1 and is told apart at run time. */
#ifndef TOLL_LUA_HOST_H
#define TOLL_LUA_HOST_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <toll/toll.h>

#include "luajit/jit_table.h"

#if LUA_VERSION_NUM >= 502
#define IS_51 0
#else
#define IS_51 1 /* or LuaJIT */
#endif
#ifndef LUA_HOOKTAILCALL
#define LUA_HOOKTAILCALL (-1)
#endif
#ifndef LUA_HOOKTAILRET
#define LUA_HOOKTAILRET (-1)
#endif

/* --- memory.c: memory that a signal handler may use --------------------------------------------*/

enum { HOST_MEMORY_CLASSES = 14 };

typedef struct host_memory {
    void *free[HOST_MEMORY_CLASSES]; /* blocks of 16 << class bytes; each begins with the next */
    struct host_chunk *chunks;
    char *next; /* what is left of the newest chunk */
    size_t left;
} host_memory;

toll_allocator host_memory_allocator(host_memory *memory);

/* Frees the small blocks; large ones are freed one by one. */
void host_memory_free(host_memory *memory);

/* --- clock.c: nanoseconds, cheaply -------------------------------------------------------------*/

typedef struct host_clock {
    clockid_t source;
    bool tsc;                     /* scaled time stamp counter; else clock_gettime */
    uint64_t tsc_start, ns_start; /* where watching began */
    uint64_t tsc_base, ns_base;   /* time is ns_base + (tsc - tsc_base) * scale / 2^32 */
    uint64_t scale;
    uint64_t thread; /* CPU time: whose was read last, */
    uint64_t ahead;  /* and by how much what is shown is ahead of that thread's */
} host_clock;

void host_clock_start(host_clock *clock, clockid_t source);
uint64_t host_clock_resync(host_clock *clock);

/* CPU time of the thread that asks, `thread`; the last answer was `last`. A state may be used by
 * one thread after the other: the clock then goes on where it was, at the pace of the new one. What
 * the old one used after its last event is nobody's. */
uint64_t host_clock_of_thread(host_clock *clock, uint64_t thread, uint64_t last);

#if defined(__x86_64__)
static inline uint64_t host_tsc(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}
enum { HOST_TSC_SPAN = 1 << 26 }; /* ticks after which the clock is held against the real one */
static inline uint64_t host_clock_now(host_clock *c)
{
    uint64_t passed = c->tsc ? host_tsc() - c->tsc_base : HOST_TSC_SPAN;
    return passed < HOST_TSC_SPAN ? c->ns_base + (passed * c->scale >> 32) : host_clock_resync(c);
}
#else
static inline uint64_t host_clock_now(host_clock *c)
{
    return host_clock_resync(c);
}
#endif

/* --- objects.c: what is known of Lua objects by their address ----------------------------------*/

typedef enum object_flags {
    OBJECT_NATIVE = 1, /* a C function */
    OBJECT_HIDDEN = 2, /* one of the profiler's own */
    OBJECT_RESUME =
        4,           /* coroutine.resume: its first argument may be a coroutine without our hook */
    OBJECT_WRAP = 8, /* made by coroutine.wrap: its first upvalue may be one */
    OBJECT_COROUTINE = 16,
    OBJECT_GOES_ON = 32,    /* LuaJIT: see jit_table.h */
    OBJECT_YIELD = 64,      /* LuaJIT: coroutine.yield */
    OBJECT_OPEN_NAME = 128, /* the next calls may tell a better name: see names.c */
    OBJECT_HELD = 1 << 24   /* of a frame: a hook has yielded in it, see on_call in hook.c */
} object_flags;

struct coroutine;

/* What a function is to us; copied as one word. */
typedef union frame_ref {
    struct {
        toll_frame_id frame;
        uint32_t flags;
    };
    uint64_t word;
} frame_ref;

#if IS_51

/* LuaJIT: a C function that stands, with the kinds of the instructions after its call and where an
 * error lands that it does not catch. */
static inline frame_ref host_native(frame_ref f, uint8_t next, uint8_t landing)
{
    f.flags |= (uint32_t)next << 8 | (uint32_t)landing << 16;
    return f;
}

static inline uint8_t host_native_next(frame_ref f)
{
    return (uint8_t)(f.flags >> 8);
}

static inline uint8_t host_native_landing(frame_ref f)
{
    return (uint8_t)(f.flags >> 16);
}

#endif

typedef struct object {
    const void *address;  /* NULL: a free slot */
    struct coroutine *co; /* of a coroutine; NULL: it has had no event so far */
    frame_ref f;          /* of a function; for a coroutine the flags say so */
} object;

typedef struct objects {
    object *slots; /* slot_count is a power of two, at most half in use */
    size_t mask;   /* slot_count - 1 */
    size_t slot_count, used;
} objects;

void objects_free(objects *map);
bool objects_put(objects *map, object new_object);
bool objects_take(objects *map, const void *address, object *out);

static inline size_t object_home(const objects *map, const void *address)
{
    return (uint32_t)((uintptr_t)address >> 4) * 0x9e3779b1u >> 8 & map->mask;
}

static inline object *objects_find(const objects *map, const void *address)
{
    for (size_t i = object_home(map, address);; i = (i + 1) & map->mask) {
        if (map->slots[i].address == address)
            return &map->slots[i];
        if (!map->slots[i].address)
            return NULL;
    }
}

enum { HOST_NAME_SIZE = 128 }; /* longer names are cut */

/* --- coroutines and their stacks ---------------------------------------------------------------*/

/* One frame that stands, known by its CallInfo: in Lua 5.2 and later the pointer, one for each
 * level, in 5.1 the level, in LuaJIT the place on the stack. The latter two grow with depth. */
typedef struct entry {
    uintptr_t ci;
    frame_ref f;
} entry;

/* A hook that is not ours, of the host or of the script: what lua_sethook was given, and how many
 * instructions are left until its next count event where we count for it. */
typedef struct user_hook {
    lua_Hook hook; /* NULL: none */
    int mask, count, left;
} user_hook;

typedef struct coroutine {
    lua_State *L;
    toll_track *track;         /* NULL until its first event */
    struct coroutine *resumer; /* who resumed it, while it runs; borrowed */
    /* What stands, outermost first, from stack + 1 to top: stack[0] is nobody, with a ci of 0. */
    entry *stack, *top, *last; /* last: the last that there is room for */
    /* Lua 5.1 tells a tail call only afterwards: unless the calling instruction can be read, the
     * callee waits for the next event. */
    bool pending;
    frame_ref pending_function;
    /* LuaJIT: the kind of the instruction at which an error is caught; and at which one that the
     * coroutine lets out. */
    uint8_t landing, landing_outside;
    bool is_entered; /* the host's calls into it are seen (entries.c), whatever hook it sets */
    user_hook user;
} coroutine;

/* --- the profiler ------------------------------------------------------------------------------*/

typedef struct host_options {
    bool cpu_clock, no_clock, ticks, heap, join_threads;
    bool first;    /* no coroutine has been made so far */
    bool portable; /* for tests: keep to the public functions of Lua */
    uint32_t max_depth;
    const char *timeline; /* path; NULL: none */
    const char *output;   /* where to write what nobody stopped: a path with %p; NULL: nowhere */
    const char *timeline_format;
} host_options;

/* The pipe to toll run (src/cli/run_child.c); closed by the program, its number may be that of
 * another file. */
typedef struct host_report {
    int fd; /* 0: none */
    dev_t device;
    ino_t inode;
} host_report;

typedef struct known_function {
    char *source;
    int first_line, last_line;
    toll_frame_id frame;
} known_function;

/* What a frame is called. Calls of a function that is stored nowhere tell names; the name that is
 * told most often is shown. */
typedef struct told_name {
    char *name;
    uint32_t calls;
} told_name;

typedef struct frame_name {
    char *first;       /* as it was registered; NULL: no memory */
    const char *shown; /* of those told; NULL: `first` */
    told_name *told;   /* NULL: none so far */
    uint32_t told_count, most;
    bool asked;    /* calls are, or were, asked for names */
    uint8_t looks; /* how many more calls are */
} frame_name;

/* Where the C function that was looked up last is. */
typedef struct native_place {
    lua_CFunction c;
    char file[HOST_NAME_SIZE], symbol[HOST_NAME_SIZE];
} native_place;

typedef struct profiler {
    /* The coroutine whose events may go the quick way, or NULL. The first, and never but as an
     * atomic written: other threads may look at it at any time, also while nobody has the profiler.
     */
    _Atomic(lua_State *) quick;
    struct profiler *next; /* of the live ones */
    pid_t pid;             /* whose files are this profiler's: a forked child writes none of them */
    uint64_t thread;       /* whose the last full event was */
    bool jit_was_on;       /* LuaJIT: its compiler, before the start */
    bool jit;              /* LuaJIT */
    bool fast;             /* CallInfo's layout was probed and is as expected */
    bool active;
    bool user_hooks;  /* there is a hook that is not ours somewhere */
    bool user_events; /* and it wants more than counted instructions */
    bool plain;       /* recorder and layout allow the quick way through the hook */
    volatile sig_atomic_t busy, signalled;

    host_memory memory; /* of recorder and timeline */
    toll_recorder *recorder;
    toll_timeline *timeline;
    host_clock clock;
    host_options options;
    char *timeline_path;
    uint64_t now[2];       /* the counters at the current event */
    uint32_t tick_counter; /* place of ticks in now[]; time is 0 if both are there */
    uint64_t start_real_ns, start_ns;

    coroutine *co;            /* the current one: see host_set_current */
    coroutine *main_co;       /* the one that started; its L is NULL once that is collected */
    coroutine *outside;       /* current while the host is: no L, and no frames */
    const lua_State *entered; /* which the host has called last, where that is seen (entries.c) */
    objects map;
    object named;                /* the function that was named last */
    toll_frame_id named_closure; /* the same of C closures; or none that there is */
    const void *named_key;       /* and which C function's */
    native_place place;
    int mask;   /* of our hook, without the script's */
    bool armed; /* a count hook of 1 is on to see the next instruction */
    jit_table table;
    uint8_t jit_switches[3]; /* the ids of coroutine.yield, resume and what wrap makes; or 0 */

    lua_Alloc alloc; /* the real one; alloc_user is its own */
    void *alloc_user;
    bool allocator_taken;
    const void
        *new_thread; /* the coroutine that Lua makes, until its stack is allocated; or NULL */

    lua_CFunction resume, wrap_body; /* to recognise them */
    known_function *functions;
    size_t function_count, function_capacity;
    size_t *function_slots; /* index + 1 into functions, by hash */
    size_t function_slot_count;
    frame_name *frame_names; /* by frame */
    size_t frame_name_count;

    user_hook user; /* LuaJIT: one hook for all */

    char *kept; /* toll.start: where the profile goes at the stop, or the end, from the root */
    bool keep;  /* it is still to be written */
    bool kept_by_process;  /* its name has the process in it: one forked writes its own */
    char *output, *format; /* toll run: where the profile goes; NULL: nowhere by itself */
    char *value;           /* toll run: which value, in formats that have one; NULL: the default */
    host_report report;    /* toll run: to whom that is told */
    uint32_t summary_rows;
    bool summary;
} profiler;

/* The universe's profiler, or NULL. */
profiler *host_find(lua_State *L);

/* The universe's profiler, made if need be. NULL: no memory. */
profiler *host_make(lua_State *L);

/* A function of a loaded library, unless the script has changed it; on the stack. */
void host_push_library_function(lua_State *L, const char *library, const char *name);

/* Start and stop. start pushes nothing; on failure it leaves a message in *err. */
bool host_start(profiler *p, lua_State *L, const host_options *options, toll_error *err);

/* The rest of start: what stands is adopted, and the hooks are set. The innermost `hide` levels are
 * the profiler's own. */
void host_go(profiler *p, lua_State *L, int hide);
void host_stop(profiler *p, lua_State *L, bool closing); /* closing: no script runs any more */

uint64_t host_this_thread(void); /* this_thread.c: a number that no other thread has, or had */

/* Read the counters into p->now. */
static inline void host_read_counters(profiler *p)
{
    if (p->options.cpu_clock)
        p->now[0] = host_clock_of_thread(&p->clock, host_this_thread(), p->now[0]);
    else if (!p->options.no_clock)
        p->now[0] = host_clock_now(&p->clock);
}

/* fast_hook.c: the hook, and all that it can do in a few instructions. */
lua_Hook host_hook_of(const profiler *p);
bool host_is_hook(lua_Hook hook);
bool host_may_be_quick(const profiler *p);

/* hook.c */
void host_event(lua_State *L, lua_Debug *ar); /* whatever it may be */
void host_adopt_frame(profiler *p, coroutine *co, uintptr_t ci, frame_ref f);
void host_settle(profiler *p, coroutine *co);

/* jit_table.c. Finding sets our hook as host_set_hook does. */
void host_find_jit_table(profiler *p, lua_State *L);
bool host_see_each(profiler *p, bool each);
bool host_watch_switch(profiler *p, lua_State *L, frame_ref f);
uint8_t host_landing_outside(const coroutine *resumer);

#if IS_51
static inline uint8_t host_landing(const coroutine *co, uint8_t landing)
{
    return landing == JIT_OUTSIDE ? co->landing_outside : landing;
}

/* The end of the current function, C and known as `f`, will be seen by the instruction after it
 * alone. False: not so, and nothing is changed. */
static inline bool host_watch_return(profiler *p, lua_State *L, frame_ref f)
{
    if (f.flags & OBJECT_GOES_ON) {
        uint8_t landing = host_landing(p->co, host_native_landing(f));
        if (!jit_table_see_some(&p->table, host_native_next(f), landing, JIT_NOWHERE, NULL))
            return false;
    } else if (!host_watch_switch(p, L, f)) {
        return false;
    }
    p->armed = true;
    return true;
}
#endif

void host_find_jit_switches(profiler *p, lua_State *L);
uint32_t host_jit_flags(const profiler *p, const void *function);

/* coroutines.c */
coroutine *host_new_coroutine(profiler *p, lua_State *L);
coroutine *host_known_coroutine(const profiler *p, lua_State *L); /* NULL: not met so far */
coroutine *host_switch(profiler *p, lua_State *L, lua_Debug *ar);
void host_switch_between(profiler *p, coroutine *co, const uint64_t *now);
void host_go_back(profiler *p, coroutine *to); /* to who resumed the current one; NULL: the host */
bool host_has_frames(lua_State *L);            /* it runs, or has resumed who does */
void host_catch_up(profiler *p); /* who has yielded or ended unseen since the last event is left */
bool host_make_outside(profiler *p);
void host_adopt(profiler *p, coroutine *co, lua_State *L, int first, int hide);
void host_expect_coroutine(profiler *p); /* p->new_thread */
void host_free_coroutine(profiler *p, const object *known);
void host_drop_coroutine(coroutine *co); /* its memory alone; NULL: nothing to do */
void host_note_replaced(profiler *p);    /* on which coroutines our hook is not any more */

static inline bool host_is_main_thread(lua_State *L)
{
    int is_main = lua_pushthread(L);
    lua_pop(L, 1);
    return is_main;
}

/* To be called whenever one of the things that it looks at has changed. */
static inline void host_update_quick(profiler *p)
{
    bool quick = p->active && p->plain && !p->user_events && (!p->armed || p->table.some);
    atomic_store_explicit(&p->quick, quick ? p->co->L : NULL, memory_order_relaxed);
}

static inline void host_set_current(profiler *p, coroutine *co)
{
    p->co = co;
    host_update_quick(p);
}

static inline void host_set_inactive(profiler *p)
{
    p->active = false;
    host_update_quick(p);
}

/* The function at `ar`, as layout_function has it, asked of Lua. */
static inline const void *host_asked_function(lua_State *L, lua_Debug *ar)
{
    lua_getinfo(L, "f", ar);
    const void *address = lua_topointer(L, -1);
    lua_pop(L, 1);
    return address;
}

/* layout.c: may `fast` be set? Runs a few calls under a hook of its own. */
bool host_probe(lua_State *L, bool jit);

/* entries.c: the host's calls into Lua are seen from now on. Any thread. */
void host_watch_entries(void);
void host_watch_new_entries(void);        /* those of modules loaded since, if there are any */
void host_fork_entries(bool had_threads); /* in a process just forked off; had the parent any? */

/* names.c: the function at `ar`, just met for the first time. Valid until the next. `tells`: how it
 * was called may tell its name; of one in another's place (a tail call) Lua knows nothing, and
 * LuaJIT tells the other's name. */
object *host_name_function(profiler *p, lua_State *L, lua_Debug *ar, const void *address,
                           bool tells);
/* The same, known or not, of any level. */
object *host_function_of(profiler *p, lua_State *L, lua_Debug *ar, bool tells);
/* A call of a function with OBJECT_OPEN_NAME, which is taken off when it has told enough. */
void host_look_at_name(profiler *p, lua_State *L, lua_Debug *ar, object *o, bool tells);
bool host_is_own(lua_CFunction f);
bool host_is_own_hook_function(lua_CFunction f);

/* frame_names.c: a frame with a name that stays. */
toll_frame_id host_frame(profiler *p, const char *name, const char *file, uint32_t line,
                         toll_frame_kind kind);
/* That of a function which is stored nowhere: `told` is what this call calls it, or "" and
 * `otherwise` stands for it. */
toll_frame_id host_told_frame(profiler *p, const char *told, const char *otherwise,
                              const char *file, uint32_t line, toll_frame_kind kind);
bool host_is_open(const profiler *p, toll_frame_id frame); /* may more calls tell its name? */
void host_count_told(profiler *p, toll_frame_id frame, const char *name);
const char *host_frame_name(const profiler *p, toll_frame_id frame); /* the first; or NULL */
void host_free_frame_names(profiler *p);

/* stored.c: where the function on top of the stack is stored, or "". A C function (`native`) is
 * searched for in more places. */
void host_stored_name(lua_State *L, bool native, char name[HOST_NAME_SIZE]);

/* allocator.c */
void host_take_allocator(profiler *p, lua_State *L);
profiler *
host_of_allocator(lua_State *L); /* the profiler, while the allocator is ours; else NULL */
void host_give_back_allocator(profiler *p, lua_State *L);

/* user_hook.c: hooks that are not ours, while ours is the real one. */
void host_set_hook(profiler *p, lua_State *L);
void host_unset_hook(profiler *p, lua_State *L);
void host_take_over_hook(profiler *p, lua_State *of);
user_hook host_inherited_hook(const profiler *p);
void host_call_user_hook(profiler *p, coroutine *co, lua_State *L, lua_Debug *ar);
void host_take_debug(profiler *p, lua_State *L);
void host_give_back_debug(lua_State *L);

/* end.c: the files; and what toll run is told of them. `number`: the pipe's, or NULL. */
host_report host_begin_report(const char *number);
void host_send_report(const host_report *report, char step);
void host_write_files(profiler *p); /* all that are due; changes no Lua state, nor malloc */
toll_status host_write_kept(profiler *p, toll_error *err); /* those that toll.start named */

/* signals.c: files are written whatever happens. */
void host_watch_end(profiler *p);            /* it records, or has a file to write at the end */
void host_forget_end(profiler *p);           /* no more */
void host_finish(profiler *p, lua_State *L); /* the Lua state closes */
void host_die_of_signal(profiler *p);
/* It was stopped: what toll.start named is written. */
toll_status host_end_recording(profiler *p, toll_error *err);
enum { HOST_EXITS = -1 }; /* `signalled`: write the files, and go on */

/* An event, or what may not be interrupted like one, has ended; a signal meanwhile has its way. */
static inline void host_leave(profiler *p, sig_atomic_t was_busy)
{
    p->busy = was_busy;
    if (p->signalled && !was_busy)
        host_die_of_signal(p);
}

toll_status host_snapshot(profiler *p, const toll_allocator *allocator, toll_profile **out,
                          toll_error *err);

#endif
